"""The methods of the contract on top of an adapter's own."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from pydantic import BaseModel

from harness.contract.events import StreamEvent
from harness.contract.exceptions import StructuredOutputException
from harness.contract.model import BaseModelConfig
from providers._shared.config import ConfiguredModel
from providers._shared.counting import CountingModel
from providers._shared.native import NativeModel
from providers._shared.request import Request

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]


class Config(BaseModelConfig, total=False):
    model_id: str
    use_native_token_count: bool


class Sum(BaseModel):
    """A sum."""

    total: int


def spoken(text: str, stop: str = "end_turn") -> list[StreamEvent]:
    return told({}, {"text": text}, stop)


def called(text: str, name: str = "Sum") -> list[StreamEvent]:
    return told({"toolUse": {"toolUseId": "t", "name": name}}, {"toolUse": {"input": text}}, "tool_use")


def told(start: Any, delta: Any, stop: Any) -> list[StreamEvent]:
    return [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockStart": {"contentBlockIndex": 0, "start": start}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": delta}},
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"messageStop": {"stopReason": stop}},
    ]


class Scripted(ConfiguredModel):
    """Answers every request with the same events."""

    CONFIG = Config

    def __init__(self, events: list[StreamEvent], **config: Any) -> None:
        super().__init__(**config)
        self.script = events
        self.asked: list[Request] = []
        self.closed = 0

    async def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        self.asked.append(request)
        try:
            for event in self.script:
                yield event
        finally:
            self.closed += 1


class Held(NativeModel, Scripted):
    """A service that can be held to a schema."""

    schema: type[BaseModel] | None = None

    def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        self.schema = output_model
        return Scripted._events(self, request)


def run(outputs: AsyncGenerator[Any, None]) -> list[Any]:
    async def collect() -> list[Any]:
        return [output async for output in outputs]

    return asyncio.run(collect())


def test_a_request_holds_the_arguments_and_the_settings_of_its_time() -> None:
    model = Scripted(spoken("Hi"), model_id="m")
    spec: Any = {"name": "add", "description": "", "inputSchema": {"json": {}}}
    events = model.stream(HELLO, [spec], "old", tool_choice={"any": {}}, system_prompt_content=[{"text": "new"}], x=1)
    model.update_config(model_id="other")
    assert run(events) == model.script
    assert model.asked == [Request({"model_id": "m"}, HELLO, [spec], [{"text": "new"}], {"any": {}})]


def test_structured_output_forces_a_call() -> None:
    model = Scripted(called('{"total": 4}'), model_id="m")
    outputs = run(model.structured_output(Sum, HELLO, "Add.", novelty=1))
    assert outputs == [*model.script, {"output": Sum(total=4)}]
    (request,) = model.asked
    assert [spec["name"] for spec in request.tool_specs] == ["Sum"]
    assert (request.tool_choice, request.system) == ({"tool": {"name": "Sum"}}, [{"text": "Add."}])


def test_structured_output_of_a_service_that_answers_in_json() -> None:
    model = Held(spoken('{"total": 4}'), model_id="m")
    outputs = run(model.structured_output(Sum, HELLO, system_prompt_content=[{"text": "Add."}]))
    assert outputs[-1] == {"output": Sum(total=4)}
    assert (model.asked[0].tool_specs, model.asked[0].system) == ((), [{"text": "Add."}])
    assert model.schema is Sum


@pytest.mark.parametrize(
    ("kind", "events", "words"),
    [
        (Scripted, spoken("four"), "no call of the tool Sum"),
        (Scripted, called('{"total": 4}', "Other"), "no call of the tool Sum"),
        (Scripted, called('{"total": "x"}'), "no valid Sum"),
        (Held, spoken("four"), "no JSON"),
        (Held, spoken('{"total": "x"}'), "no valid Sum"),
        (Held, spoken("I cannot", "content_filtered"), "refused: I cannot"),
        (Held, spoken('{"total": 4', "max_tokens"), "cut by the token limit"),
    ],
)
def test_replies_that_hold_no_answer(kind: type[Scripted], events: list[StreamEvent], words: str) -> None:
    model = kind(events, model_id="m")
    with pytest.raises(StructuredOutputException, match=words):
        run(model.structured_output(Sum, HELLO))
    assert model.closed == 1


@pytest.mark.parametrize("kind", [Scripted, Held])
def test_leaving_structured_output_early_closes_the_reply(kind: type[Scripted]) -> None:
    model = kind(spoken("four"), model_id="m")

    async def leave() -> int:
        outputs = model.structured_output(Sum, HELLO)
        await anext(outputs)
        await outputs.aclose()
        return model.closed

    assert asyncio.run(leave()) == 1


class Counting(CountingModel):
    """A service that counts 4321, or fails with ``error``."""

    CONFIG = Config

    def __init__(self, error: Exception | None = None, **config: Any) -> None:
        super().__init__(model_id="m", **config)
        self.error = error
        self.asked: list[Request] = []

    async def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        raise NotImplementedError
        yield {}

    async def _native_count(self, request: Request) -> int:
        self.asked.append(request)
        if self.error:
            raise self.error
        return 4321

    def _never_counts(self, error: Exception) -> bool:
        return isinstance(error, PermissionError)


def count(model: Counting) -> int:
    return asyncio.run(model.count_tokens(HELLO, None, "Be brief."))


def test_the_service_counts_where_it_is_set_to() -> None:
    asked, unasked = Counting(use_native_token_count=True), Counting()
    assert count(asked) == 4321
    assert asked.asked[0].system == [{"text": "Be brief."}]
    assert 0 < count(unasked) < 100
    assert unasked.asked == []


@pytest.mark.parametrize(("error", "requests"), [(PermissionError(), 1), (TimeoutError(), 2)])
def test_a_refusal_is_remembered_and_a_failure_is_not(error: Exception, requests: int) -> None:
    model = Counting(error, use_native_token_count=True)
    assert count(model) == count(model) > 0
    assert len(model.asked) == requests
    model.update_config(model_id="other")
    count(model)
    assert len(model.asked) == requests + 1
