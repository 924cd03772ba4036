"""What botocore raises, as facts for the contract's classifier."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from botocore.exceptions import ClientError, EventStreamError

from harness.contract.errors import ErrorFacts, to_exception
from providers._shared.boto import CONNECTION_ERRORS, connection_error
from providers._shared.openai_chat.errors import error_facts, error_in

#: HTTP status of the exceptions that arrive inside a stream, where botocore says 400 of all; source: service model
_IN_STREAM: Final = {"ModelStreamError": 424, "InternalStreamFailure": 500}


def facts_of(error: ClientError) -> ErrorFacts:
    """What the service said, and the model's container behind it: that one's status and codes decide, if it has any."""
    answer: Mapping[str, Any] = error.response
    details, meta = answer.get("Error", {}), answer.get("ResponseMetadata", {})
    code = str(details.get("Code") or "")
    in_stream = _IN_STREAM.get(code) if isinstance(error, EventStreamError) else None
    behind = error_facts(_behind(answer.get("OriginalMessage")), answer.get("OriginalStatusCode") or None)
    return ErrorFacts(
        message=details.get("Message") or str(error),
        status=in_stream or behind.status or meta.get("HTTPStatusCode"),
        codes=tuple(found for found in (code, answer.get("ErrorCode"), *behind.codes) if found),
        headers=meta.get("HTTPHeaders") or {},
        provider="sagemaker",
    )


def _behind(message: str | None) -> Any:
    """The error of the container: its object, or its words."""
    try:
        body = json.loads(message or "")
    except ValueError:
        return message
    return (error_in(body) or body) if isinstance(body, Mapping) else message


@contextmanager
def vendor_errors(endpoint_url: str) -> Iterator[None]:
    """Turn what botocore and urllib3 raise into the contract's exceptions, or let it pass."""
    try:
        yield
    except ClientError as error:
        if mapped := to_exception(facts_of(error)):
            raise mapped from error
        raise
    except CONNECTION_ERRORS as error:
        raise connection_error(error, endpoint_url) from error
