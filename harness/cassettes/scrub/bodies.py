"""Bodies without secrets, whatever they are framed in."""

from harness.cassettes.scrub.secrets import Secrets
from harness.recordings.payload import looks_like_eventstream
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder, EventStreamMessage, HeaderValue, encode_message


def hide_in_body(body: bytes, secrets: Secrets) -> bytes:
    """The body, as long as before. Checksums of event stream messages are computed again."""
    if not looks_like_eventstream(body):
        return secrets.hide(body)
    kept = bytearray()
    while looks_like_eventstream(body[len(kept) :]):
        size = int.from_bytes(body[len(kept) : len(kept) + 4])
        kept += _message(body[len(kept) : len(kept) + size], secrets)
    return bytes(kept) + secrets.hide(body[len(kept) :])


def _message(raw: bytes, secrets: Secrets) -> bytes:
    """One message; one whose checksum was wrong gets none."""
    try:
        (message,) = EventStreamDecoder().feed(raw)
    except WireError:
        return secrets.hide(raw)
    headers: dict[str, HeaderValue] = {
        name: secrets.hide_text(value) if isinstance(value, str) else value for name, value in message.headers.items()
    }
    hidden = EventStreamMessage(headers, secrets.hide(message.payload))
    return raw if hidden == message else encode_message(hidden)
