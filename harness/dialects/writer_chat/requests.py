"""Read a request: Writer's few forms of its own, brought to those of Chat Completions."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from harness.dialects.base import DecodeError, RequestView, WireRequest
from harness.dialects.openai_chat.requests import body_object, read_body

Object = Mapping[str, Any]


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    path = request.path.partition("?")[0]
    if request.method != "POST" or not path.endswith("/v1/chat"):
        raise DecodeError(f"not the path of Writer's chat: {request.method} {path}")
    return read_body(as_chat(body_object(request.body)))


def as_chat(body: Object) -> dict[str, Any]:
    """The body in the forms of Chat Completions: tool_choice without its wrapper, calls and results with ids."""
    changed = dict(body)
    choice = body.get("tool_choice")
    if isinstance(choice, dict) and choice.keys() == {"value"}:
        changed["tool_choice"] = choice["value"]
    if isinstance(body.get("messages"), list):
        changed["messages"] = list(_with_ids(body["messages"]))
    return changed


# Writer takes calls and results without ids and pairs them by their place: so it answered the recorded request of
# writer-chat/traceloop+openllmetry__test_chat_test_writer_async_streaming_chat_tool_calls_legacy.yaml.
def _with_ids(messages: list[Any]) -> Iterator[Any]:
    called, answered = count(), count()
    for message in messages:
        if isinstance(message, dict) and isinstance(message.get("tool_calls"), list):
            calls = [_with_id(call, "id", called) for call in message["tool_calls"]]
            yield {**message, "tool_calls": calls}
        elif isinstance(message, dict) and message.get("role") == "tool":
            yield _with_id(message, "tool_call_id", answered)
        else:
            yield message


def _with_id(holder: Any, key: str, numbers: Iterator[int]) -> Any:
    if not isinstance(holder, dict) or holder.get(key) is not None:
        return holder
    return {**holder, key: f"place-{next(numbers)}"}
