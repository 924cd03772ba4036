"""Bodies without secrets, whatever they are framed in."""

from dataclasses import replace

from harness.cassettes.model import split
from harness.cassettes.scrub.pieces import hide_in_pieces
from harness.cassettes.scrub.secrets import Secrets
from harness.recordings.payload import looks_like_eventstream
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder, EventStreamMessage, HeaderValue, encode_message


def hide_in_body(body: bytes, secrets: Secrets) -> bytes:
    """The body, as long as before. Checksums of event stream messages are computed again."""
    if not looks_like_eventstream(body):
        return hide_in_pieces(secrets.hide(body), secrets)
    messages, rest = _messages(body)
    hidden = [_hidden(message, secrets) for message in messages]
    payloads = hide_in_pieces(b"".join(message.payload for message in hidden), secrets)
    parts = split(payloads, [len(message.payload) for message in hidden])
    told = [replace(message, payload=part) for message, part in zip(hidden, parts, strict=True)]
    return b"".join(map(encode_message, told)) + secrets.hide(rest)


def _messages(body: bytes) -> tuple[list[EventStreamMessage], bytes]:
    """The messages, and what follows the last whole and true one."""
    found: list[EventStreamMessage] = []
    at = 0
    while looks_like_eventstream(body[at:]):
        end = at + int.from_bytes(body[at : at + 4])
        try:
            found += EventStreamDecoder().feed(body[at:end])
        except WireError:
            break
        at = end
    return found, body[at:]


def _hidden(message: EventStreamMessage, secrets: Secrets) -> EventStreamMessage:
    headers: dict[str, HeaderValue] = {
        name: secrets.hide_text(value) if isinstance(value, str) else value for name, value in message.headers.items()
    }
    return EventStreamMessage(headers, secrets.hide(message.payload))
