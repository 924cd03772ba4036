"""Why Writer would refuse a request: the rules of Chat Completions, and where Writer's schema is narrower or wider."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.openai_chat.judge import check_body
from harness.dialects.openai_chat.judge.kinds import form, missing
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.writer_chat.requests import as_chat

Object = Mapping[str, Any]

#: the roles, kinds of content and response formats of Writer's schema
ROLES: Final = frozenset({"user", "assistant", "system", "tool"})
PARTS: Final = frozenset({"text", "image_url"})
FORMATS: Final = frozenset({"text", "json_schema"})

_DOC: Final = "doc: Writer API reference, chat completion: {} is one of {}"


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the service would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as fault:
        return [RequestFault(RequestFaultKind.FORM, "", str(fault), "doc: Writer API reference: the body is JSON")]
    return [*_shared(body), *_messages(body), *_response_format(body)]


def _shared(body: Object) -> list[RequestFault]:
    """What Chat Completions refuses too; response_format has rules of its own."""
    return check_body({name: value for name, value in as_chat(body).items() if name != "response_format"})


def _messages(body: Object) -> Iterator[RequestFault]:
    messages = body.get("messages")
    for at, message in enumerate(messages if isinstance(messages, list) else ()):
        if isinstance(message, dict):
            yield from _role(message, f"messages[{at}].role")
            yield from _parts(message.get("content"), f"messages[{at}].content")


def _role(message: Object, path: str) -> Iterator[RequestFault]:
    role = message.get("role")
    if isinstance(role, str) and role not in ROLES:
        yield form(path, repr(role), _one_of("role", ROLES))


def _parts(content: Any, path: str) -> Iterator[RequestFault]:
    for at, part in enumerate(content if isinstance(content, list) else ()):
        if isinstance(part, dict) and part.get("type", "text") not in PARTS:
            what = f"a part of type {part['type']!r}"
            yield RequestFault(RequestFaultKind.MEDIA, f"{path}[{at}].type", what, _one_of("content.type", PARTS))


def _response_format(body: Object) -> Iterator[RequestFault]:
    wanted = body.get("response_format")
    if not isinstance(wanted, dict):
        return
    if wanted.get("type") not in FORMATS:
        yield form("response_format.type", repr(wanted.get("type")), _one_of("response_format.type", FORMATS))
    elif wanted["type"] == "json_schema" and not isinstance(wanted.get("json_schema"), dict):
        yield missing("response_format.json_schema")


def _one_of(field: str, names: frozenset[str]) -> str:
    return _DOC.format(field, ", ".join(sorted(names)))
