"""Whether a mutant can show is read off the calls that were heard."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from harness.dialects.base import WireRequest
from tests.miniatures.adapters import Asking, Grudging, Structured, failing
from tests.miniatures.edits import TEXT, drop, edited, every, has
from tests.mutation.mutant import Mutant, sends
from tests.mutation.shadows import Heard

REDACTED = "contentBlockDelta.delta.reasoningContent.redactedContent"


def _forgetful(error: Exception) -> Exception:
    """The same error, with something about it changed."""
    error.args = ()
    return error


class Talking:
    """An adapter that says a word; asked for nothing, it fails."""

    async def stream(self, messages: Any, *others: Any, **named: Any) -> AsyncGenerator[dict[str, Any], None]:
        yield {"contentBlockDelta": {"delta": {"text": "Hello"}}}
        if not messages:
            raise ValueError("no messages")

    async def structured_output(self, *asked: Any) -> AsyncGenerator[dict[str, Any], None]:
        raise ValueError("no instance")
        yield {}


@pytest.fixture
def heard() -> Heard:
    """A call that fails, one that ends well, and a request."""
    made = Heard()
    adapter = made.wrap(Talking())

    async def call(messages: list[Any]) -> None:
        async for _ in adapter.stream(messages):
            pass

    with pytest.raises(ValueError, match="no messages"):
        asyncio.run(call([]))
    asyncio.run(call([{"role": "user", "content": [{"text": "Hi"}]}]))
    with pytest.raises(ValueError, match="no instance"):
        asyncio.run(anext(adapter.structured_output(dict, [])))
    made.rewrite(WireRequest("POST", "/v1", (), b'{"model":"m","messages":[]}'))
    return made


def _mutant(wrap: Any, **more: Any) -> Mutant:
    return Mutant(id="m", kind="event", wrap=wrap, **more)


def test_calls_are_kept_once_each(heard: Heard) -> None:
    assert [len(told.events) for told in heard.calls.values()] == [1, 1, 0]
    assert [told.failure is None for told in heard.calls.values()] == [False, True, False]


@pytest.mark.parametrize(
    "mutant",
    [
        _mutant(edited(every(TEXT, drop))),
        _mutant(Asking.by(lambda asked: asked["messages"].append("more"))),
        _mutant(Grudging),
        _mutant(failing(_forgetful)),
        _mutant(Structured.by(lambda items: items)),
        _mutant(edited(lambda events: events), quiet=True),
        sends("no model", lambda body: body.pop("model")),
    ],
    ids=["events", "arguments", "the next call", "an error's own", "structured output", "quiet", "a body"],
)
def test_what_can_show(heard: Heard, mutant: Mutant) -> None:
    assert heard.shows(mutant)


@pytest.mark.parametrize(
    "mutant",
    [
        _mutant(edited(every(has(REDACTED), drop))),
        _mutant(Asking.by(lambda asked: asked.pop("none", None))),
        sends("no seed", lambda body: body.pop("seed", None)),
    ],
    ids=["events", "arguments", "a body"],
)
def test_what_cannot_show(heard: Heard, mutant: Mutant) -> None:
    assert not heard.shows(mutant)
