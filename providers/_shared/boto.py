"""The ``boto3`` SDK: clients, event streams read in a thread, and what its HTTP library raises."""

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from http.client import HTTPException
from typing import Any, Final

import boto3
from botocore.config import Config
from botocore.eventstream import ParserError
from botocore.exceptions import BotoCoreError, ReadTimeoutError, ResponseStreamingError
from urllib3.exceptions import HTTPError
from urllib3.exceptions import ReadTimeoutError as RawReadTimeoutError

from harness.contract.exceptions import ModelResponseError
from providers._shared.bridge import Source, close_in_thread

#: where a request goes when neither the caller, nor the session, nor the environment names a region
DEFAULT_REGION: Final = "us-west-2"

#: silence between two chunks after which a reply is given up, in seconds; models may think for long
_READ_TIMEOUT: Final = 120

#: what urllib3 lets out while a body is read, itself or from below
CONNECTION_ERRORS: Final = (HTTPError, HTTPException, OSError)


def make_client(
    service: str,
    session: Any,
    config: Config | None,
    region: str | None,
    endpoint_url: str | None,
    idle: Callable[[], float | None],
    **settings: Any,
) -> Any:
    """A client of ``service``. The agent loop retries, so the SDK does not unless ``config`` says so.

    ``idle`` tells how long the service may be silent, in seconds, where the caller has set it: asked at each call,
    which botocore heeds since 1.43, and now, for older ones. ``settings`` are further ones of the adapter, which
    ``config`` wins over as well.
    """
    session = session or boto3.Session()
    own = Config(retries={"total_max_attempts": 1}, read_timeout=idle() or _READ_TIMEOUT, **settings)
    client = session.client(
        service,
        config=own.merge(config) if config else own,
        region_name=region or session.region_name or os.environ.get("AWS_REGION") or DEFAULT_REGION,
        endpoint_url=endpoint_url,
    )
    client.meta.events.register(f"before-call.{service}", partial(_limit_silence, idle))
    return client


def _limit_silence(idle: Callable[[], float | None], context: dict[str, Any], **_: Any) -> None:
    """Give the call the time-out that is set at this moment."""
    if (seconds := idle()) is not None:
        context["read_timeout"] = seconds


def connection_error(error: Exception, endpoint_url: str) -> BotoCoreError:
    """What botocore raises elsewhere for one of :data:`CONNECTION_ERRORS`: it reads event streams from urllib3."""
    broken: BotoCoreError
    if isinstance(error, RawReadTimeoutError | TimeoutError):
        broken = ReadTimeoutError(endpoint_url=endpoint_url, error=error)
    else:
        broken = ResponseStreamingError(error=error)
    return broken


class EventSource:
    """The events of one event stream, for a thread that reads them. Opening and reading block.

    ``call`` makes the request and gives the SDK's stream. It, and all reading, runs inside ``errors()``.
    """

    def __init__(self, call: Callable[[], Any], errors: Callable[[], AbstractContextManager[None]]) -> None:
        self._errors = errors
        with errors():
            self._stream = call()

    def __iter__(self) -> Iterator[Any]:
        events = iter(self._stream)
        with self._errors():
            try:
                first = next(events, None)
            except ParserError as error:
                raise ModelResponseError("the answer is no event stream") from error
            if first is not None:
                yield first
                yield from events

    def close(self) -> None:
        """Free the connection, or end it when the reply was not read to its end."""
        self._stream.close()

    def shut_down(self) -> bool:
        """Make a read that is under way in another thread end; whether that was possible.

        Closing would not: it waits for the lock that the reader holds.
        """
        shutdown = getattr(getattr(self._stream, "_raw_stream", None), "shutdown", None)
        if shutdown is None:
            return False
        # urllib3 refuses when the connection has gone back to its pool, the system when it is gone
        with contextlib.suppress(ValueError, RuntimeError, OSError):
            shutdown()
        return True


def interrupt(source: Source[Any]) -> None:
    """Make the reader of a stream end, without blocking."""
    if not (isinstance(source, EventSource) and source.shut_down()):
        close_in_thread(source)
