"""Replies in one piece, as the service sent them.

Of a body, litellm makes classes of its own, which hold less, and it refuses what is legal, e.g. content as a list of
parts. It keeps the body for those who listen to its calls, and that one is taken.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from providers.litellm.sdk import Rules, function_setup, listeners, litellm


async def whole_body(arguments: Mapping[str, Any]) -> Any:
    """The body of the answer in Chat Completions' form: the service's own where it has that form, else litellm's."""
    log, prepared = _logged(arguments)
    try:
        answer: Any = await litellm.acompletion(**prepared, litellm_logging_obj=log)
    except Exception:
        if (body := _body(log)) is None:
            raise
        return body
    if listeners(log):
        log._enqueue_deferred_logging()
    body = _body(log)
    return answer.model_dump() if body is None else body


def _logged(arguments: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The log of a call, as litellm makes it, and the call's arguments.

    Successes are told on demand only: to tell them, litellm starts a task that it leaves on the loop.
    """
    own = {"litellm_call_id": str(uuid4()), **arguments}
    now = datetime.now()
    log, prepared = function_setup("acompletion", Rules(), now, **own)
    log._defer_async_logging = True
    return log, prepared


def _body(log: Any) -> Any:
    try:
        body = json.loads(log.model_call_details.get("original_response") or "")
    except (TypeError, ValueError):
        return None
    return body if isinstance(body, Mapping) and isinstance(body.get("choices"), list) else None
