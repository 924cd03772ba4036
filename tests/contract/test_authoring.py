"""What new adapters are made of."""

import asyncio
import gc
import threading
import time
from typing import Any

import pytest

from harness.contract.authoring import (
    ClientModel,
    PlainModel,
    in_thread,
    message_stop,
    metadata,
    system_texts,
    text_turns,
    texts,
    usage_of,
)
from harness.contract.config import UnknownConfigWarning, UnknownStopReasonWarning, UnsupportedContentWarning


class Plain(PlainModel):
    async def stream(self, *arguments: Any, **options: Any) -> Any:
        yield {"messageStart": {"role": "assistant"}}


class Client:
    """A client of no SDK."""

    def __init__(self, **client_args: Any) -> None:
        self.client_args = client_args
        self.thread = threading.get_ident()


class WithClient(ClientModel):
    def make_client(self, **client_args: Any) -> Client:
        return Client(**client_args)

    async def stream(self, *arguments: Any, **options: Any) -> Any:
        yield {"messageStart": {"role": "assistant"}}


def test_settings_are_kept_and_unknown_ones_warn() -> None:
    model = Plain(model_id="m", context_window_limit=5)
    with pytest.warns(UnknownConfigWarning, match="nonsense"):
        model.update_config(nonsense=1)
    assert model.get_config() == {"model_id": "m", "context_window_limit": 5, "nonsense": 1}
    assert model.context_window_limit == 5


def test_structured_output_says_that_it_is_not_there() -> None:
    with pytest.raises(NotImplementedError, match="Plain has no structured output"):
        Plain().structured_output(dict, [])  # type: ignore[type-var]


def test_a_loop_has_one_client_which_is_made_elsewhere() -> None:
    model = WithClient(client_args={"a": 1})

    async def twice() -> tuple[Client, Client]:
        return await model.client(), await model.client()

    first, second = asyncio.run(twice())
    other, _ = asyncio.run(twice())
    assert first is second
    assert other is not first
    assert first.client_args == {"a": 1}
    assert first.thread != threading.get_ident()
    gc.collect()
    assert len(model._clients) <= 1


def test_a_call_runs_in_a_thread() -> None:
    assert asyncio.run(in_thread(threading.get_ident)) != threading.get_ident()
    assert asyncio.run(in_thread(next, iter(()), "end")) == "end"


def test_the_result_of_a_cancelled_call_is_released() -> None:
    released: list[str] = []
    going_on = threading.Event()

    async def cancelled() -> None:
        task = asyncio.create_task(in_thread(lambda: going_on.wait(5) and "late", release=released.append))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        going_on.set()

    asyncio.run(cancelled())  # the loop waits for its threads before it closes
    assert released == ["late"]


@pytest.mark.parametrize(
    ("prompt", "content", "told"),
    [
        ("Be brief.", None, ["Be brief."]),
        ("Be brief.", [{"text": "Be kind."}, {"text": " "}], ["Be kind."]),
        ("Be brief.", [{"cachePoint": {"type": "default"}}], ["Be brief."]),
        (None, None, []),
    ],
)
def test_the_system_prompt_is_read(prompt: str | None, content: Any, told: list[str]) -> None:
    assert system_texts(prompt, content) == told


def test_other_content_than_text_is_left_out_with_a_warning() -> None:
    with pytest.warns(UnsupportedContentWarning, match="image content"):
        told = list(texts({"role": "user", "content": [{"text": "a"}, {"text": " "}, {"image": {}}, {"text": "b"}]}))  # type: ignore[typeddict-item]
    assert told == ["a", "b"]


def test_turns_without_text_are_left_out() -> None:
    blank: Any = {"role": "assistant", "content": [{"text": " "}]}
    asked: Any = {"role": "user", "content": [{"text": "a"}, {"text": "b"}]}
    assert text_turns([asked, blank, asked]) == [{"role": "user", "content": "a\nb"}] * 2


def test_an_unknown_stop_reason_warns() -> None:
    assert message_stop("stop", {"stop": "end_turn"}) == {"messageStop": {"stopReason": "end_turn"}}
    with pytest.warns(UnknownStopReasonWarning, match="'odd'"):
        assert message_stop("odd", {}) == {"messageStop": {"stopReason": "end_turn"}}


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ((3, 2), {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}),
        ((3, None, 9), {"inputTokens": 3, "outputTokens": 0, "totalTokens": 9}),
        (
            (3, 2, None, 0, 1),
            {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5, "cacheReadInputTokens": 0}
            | {"cacheWriteInputTokens": 1},
        ),
        ((None, None, 5), None),
    ],
)
def test_counts_become_usage(counts: Any, usage: Any) -> None:
    assert usage_of(*counts) == usage


def test_metadata_has_the_services_time_or_else_ours() -> None:
    assert metadata(None, 0.0, 321.4) == {"metadata": {"metrics": {"latencyMs": 321}}}
    told: Any = metadata(usage_of(1, 1), time.monotonic() - 2)
    assert 2000 <= told["metadata"]["metrics"]["latencyMs"] < 60_000
    assert told["metadata"]["usage"]["totalTokens"] == 2
