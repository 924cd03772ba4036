"""An endpoint as a ``before-send`` hook of botocore, in place of its urllib3 session.

botocore's own session maps urllib3's errors only until the headers of a streamed response, or to the end of a whole
one. The hook does the same, so a stream that breaks raises urllib3's errors and a whole reply botocore's.
"""

import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from harness.dialects.base import WireRequest
from harness.endpoint.base import ExchangeLog
from harness.endpoint.exchanges import Exchanges, wire_headers
from harness.wire.faults import Terminal


def attach(client: Any, exchanges: Exchanges) -> None:
    """Answer every request of a boto3 client; attaching twice changes nothing."""
    timeout = client.meta.config.read_timeout

    def answer(request: Any, **_: Any) -> Any:
        return _answer(request, exchanges, timeout)

    client.meta.events.register("before-send", answer, unique_id=f"conformance-{id(exchanges)}")


def _answer(request: Any, exchanges: Exchanges, timeout: float | None) -> Any:
    from botocore import awsrequest, exceptions
    from urllib3.exceptions import ProtocolError, ReadTimeoutError

    exchange = exchanges.open(_read(request))
    delivery = exchange.delivery
    if delivery.refused:
        exchange.released = True
        raise exceptions.EndpointConnectionError(endpoint_url=request.url, error="Connection refused")
    if delivery.gate is not None:
        delivery.gate(-1)
    raw = RawResponse(exchanges, exchange, request.context.get("read_timeout", timeout))
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in wire_headers(delivery.headers)]
    response = awsrequest.AWSResponse(request.url, delivery.status, headers, raw)
    try:
        if not request.stream_output:
            _ = response.content  # read now, as botocore's session does
    except ReadTimeoutError as cause:
        raise exceptions.ReadTimeoutError(endpoint_url=request.url, error=cause) from cause
    except ProtocolError as cause:
        raise exceptions.ConnectionClosedError(error=cause, request=request, endpoint_url=request.url) from cause
    return response


def _read(request: Any) -> WireRequest:
    url = urlsplit(request.url)
    body = request.body.read() if hasattr(request.body, "read") else request.body or b""
    headers = [("host", url.netloc), *((name.lower(), _text(value)) for name, value in request.headers.items())]
    return WireRequest(
        request.method,
        f"{url.path or '/'}?{url.query}" if url.query else url.path or "/",
        tuple(headers),
        body.encode() if isinstance(body, str) else bytes(body),
    )


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


class RawResponse:
    """The part of ``urllib3.HTTPResponse`` that botocore's event streams and streaming bodies use."""

    def __init__(self, exchanges: Exchanges, exchange: ExchangeLog, timeout: float | None) -> None:
        self._exchanges = exchanges
        self._exchange = exchange
        self._timeout = timeout
        self._closed = threading.Event()
        self._chunks = self._deliver()
        self._rest = b""

    def stream(self, amt: int | None = None, decode_content: bool | None = None) -> Iterator[bytes]:
        """The chunks as they come, whatever ``amt`` is: as urllib3 does for a chunked body of small chunks."""
        if not self._closed.is_set():
            yield from self._chunks

    def read(self, amt: int | None = None) -> bytes:
        """Everything that is left, or ``amt`` bytes, fewer only at the end; nothing once it is closed."""
        if self._closed.is_set():
            return b""
        parts, wanted = [self._rest], amt if amt is not None and amt >= 0 else None
        size = len(self._rest)
        while (wanted is None or size < wanted) and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            size += len(chunk)
        data = b"".join(parts)
        self._rest = b"" if wanted is None else data[wanted:]
        return data[:wanted]

    def readable(self) -> bool:
        """Whether it is open."""
        return not self._closed.is_set()

    def close(self) -> None:
        """Give the connection up; a thread that waits for a chunk fails."""
        self._exchange.released = True
        self._closed.set()

    def _deliver(self) -> Iterator[bytes]:
        exchange = self._exchange
        delivery = exchange.delivery
        try:
            for index, chunk in enumerate(delivery.chunks):
                if delivery.gap:
                    self._wait(delivery.gap)
                if delivery.gate is not None:
                    delivery.gate(index)
                if self._closed.is_set():
                    raise _closed()
                exchange.delivered = index + 1
                yield chunk
            if delivery.terminal is Terminal.SILENCE:
                self._wait(None)
            if delivery.terminal is not Terminal.COMPLETE:
                raise _broken()
            exchange.finished = True
        finally:
            exchange.released = True

    def _wait(self, seconds: float | None) -> None:
        """Let a silence of ``seconds`` pass, or one without end, with the client's read time-out at work."""
        timed_out = self._timeout is not None and (seconds is None or seconds >= self._timeout)
        with self._exchanges.hanging(self._closed.set):
            if (sleep := self._timeout if timed_out else seconds) is None:
                self._closed.wait()
            else:
                self._exchanges.clock.sleep_blocking(sleep, self._closed)
        if self._closed.is_set():
            raise _broken()
        if timed_out:
            self._exchange.silence = self._timeout or 0.0
            raise _timed_out()


def _broken() -> Exception:
    from urllib3.exceptions import ProtocolError

    reset = ConnectionResetError(104, "Connection reset by peer")
    return ProtocolError(f"Connection broken: {reset!r}", reset)


def _closed() -> Exception:
    # Not a choice: http.client has dropped its file by then, and urllib3 does not look.
    return AttributeError("'NoneType' object has no attribute 'readline'")


def _timed_out() -> Exception:
    from urllib3.exceptions import ReadTimeoutError

    pool: Any = None  # urllib3 names the pool in the text only
    return ReadTimeoutError(pool, None, "Read timed out.")
