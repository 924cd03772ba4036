"""What most adapters need whatever their SDK is: settings, a client for each event loop, and the plain events.

None of it is owed by the contract; `conformance new` writes adapters that use it.
"""

import abc
import asyncio
import time
import warnings
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeVar
from weakref import WeakKeyDictionary

from harness.contract.config import UnknownStopReasonWarning, UnsupportedContentWarning, warn_unknown_keys
from harness.contract.content import Message, Messages, SystemContentBlock
from harness.contract.events import StopReason, StreamEvent, Usage
from harness.contract.model import BaseModelConfig, Model, T

R = TypeVar("R")


class PlainConfig(BaseModelConfig, total=False):
    """Settings. ``params`` are further fields of the request, by the vendor's names."""

    model_id: str
    params: Mapping[str, Any] | None


class SettingsModel(Model, abc.ABC):
    """A model whose settings are one dictionary, declared by the TypedDict ``CONFIG``."""

    CONFIG: ClassVar[type] = BaseModelConfig

    def __init__(self, **model_config: Any) -> None:
        self.config: dict[str, Any] = {}
        self.update_config(**model_config)

    def update_config(self, **model_config: Any) -> None:
        """Change settings; unknown keys warn and are kept, as they may belong to a newer version."""
        warn_unknown_keys(model_config, self.CONFIG)
        self.config.update(model_config)

    def get_config(self) -> dict[str, Any]:
        """The live settings."""
        return self.config


class PlainModel(SettingsModel, abc.ABC):
    """A model of the settings of :class:`PlainConfig`, without structured output."""

    CONFIG: ClassVar[type] = PlainConfig

    def structured_output(
        self, output_model: type[T], prompt: Any, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, T | Any], None]:
        """Not there until an adapter brings it, and declares the capability ``structured``."""
        raise NotImplementedError(f"{type(self).__name__} has no structured output")


class ClientModel(PlainModel, abc.ABC):
    """A model that is reached by an SDK over asyncio.

    ``client_args`` are what :meth:`make_client` makes the SDK's client of, one for each event loop, since connections
    cannot be used from another one.
    """

    def __init__(self, *, client_args: Mapping[str, Any] | None = None, **model_config: Any) -> None:
        super().__init__(**model_config)
        self._client_args = dict(client_args or {})
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @abc.abstractmethod
    def make_client(self, **client_args: Any) -> Any:
        """A new client of the SDK. It must not retry: that is the caller's business."""

    async def client(self) -> Any:
        """The client of the running event loop. It is made in a thread: certificates are read, which takes its time."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            for closed in [known for known in self._clients if known.is_closed()]:
                del self._clients[closed]  # its client's connections keep the loop alive, so that it never falls out
            made = await asyncio.to_thread(self.make_client, **self._client_args)
            self._clients.setdefault(loop, made)
        return self._clients[loop]


async def in_thread(call: Callable[..., R], *arguments: Any, release: Callable[[R], object] | None = None) -> R:
    """What a blocking call gives, for SDKs without asyncio. It must not raise StopIteration.

    When the caller is cancelled meanwhile, ``release`` is given the result that nobody waits for any more.
    """
    running = asyncio.get_running_loop().run_in_executor(None, call, *arguments)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        running.add_done_callback(partial(_release, release))
        raise


def _release(release: Callable[[R], object] | None, done: "asyncio.Future[R]") -> None:
    if not done.cancelled() and done.exception() is None and release is not None:
        release(done.result())


def system_texts(prompt: str | None, content: Sequence[SystemContentBlock] | None) -> list[str]:
    """The texts of the system prompt. ``content`` wins, unless it has none; blank ones are left out."""
    blocks = [block["text"] for block in content or () if "text" in block] or [prompt or ""]
    return [text for text in blocks if text.strip()]


def texts(message: Message) -> Iterator[str]:
    """The texts of a message. Blank ones are left out, other content with a warning."""
    for block in message["content"]:
        if "text" not in block:
            what = f"{'/'.join(block) or 'empty'} content cannot be sent and is left out"
            warnings.warn(what, UnsupportedContentWarning, stacklevel=2)
        elif block["text"].strip():
            yield block["text"]


def text_turns(messages: Messages) -> list[dict[str, str]]:
    """The turns that have text, each with its role and its texts as one, for services that take no blocks."""
    told = ({"role": message["role"], "content": "\n".join(texts(message))} for message in messages)
    return [turn for turn in told if turn["content"]]


def message_stop(reason: str | None, table: Mapping[str, StopReason]) -> StreamEvent:
    """The event of a reply's end. A reason that is not in the table warns, and is taken for ``end_turn``."""
    if reason not in table:
        what = f"stop reason {reason!r} is not known and is taken as end_turn"
        warnings.warn(what, UnknownStopReasonWarning, stacklevel=2)
    return {"messageStop": {"stopReason": table.get(reason or "", "end_turn")}}


def usage_of(
    given: int | None, made: int | None, total: int | None = None, read: int | None = None, written: int | None = None
) -> Usage | None:
    """Usage of the counts of a service: input, output, both, and those of its cache. None where it counted nothing.

    Without a total it is the sum of input and output.
    """
    if given is None and made is None:
        return None
    usage = Usage(inputTokens=given or 0, outputTokens=made or 0, totalTokens=total or (given or 0) + (made or 0))
    if read is not None:
        usage["cacheReadInputTokens"] = read
    if written is not None:
        usage["cacheWriteInputTokens"] = written
    return usage


def metadata(usage: Usage | None, began: float, latency_ms: float | None = None) -> StreamEvent:
    """The last event. ``began`` is when the request went out, by :func:`time.monotonic`.

    ``latency_ms`` is the service's own measure, where it sends one.
    """
    took = round(latency_ms if latency_ms is not None else (time.monotonic() - began) * 1000)
    metrics = {"metrics": {"latencyMs": took}}
    return {"metadata": {"usage": usage, **metrics} if usage else metrics}  # type: ignore[typeddict-item]
