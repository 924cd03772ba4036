"""The loop over a model that says what a script says: it ends in an answer, or raises."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import Any

import pytest

from harness.agent.errors import AnswerCutError, MaxIterationsError, NoAnswerError
from harness.agent.events import EventKind, LoopEvent
from harness.agent.loop import AgentLoop, Answer
from harness.agent.refusals import Refusals
from harness.agent.settings import Settings
from harness.agent.tools import Tool
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelThrottledException,
    ToolsUnsupportedException,
)
from harness.contract.retry import ModelRetryStrategy
from tests.agent.scripted import Event, Scripted, action, calls, final, text

REFUSED = ToolsUnsupportedException("gemma3:1b does not support tools")
STOP_REFUSED = ValueError("Unsupported parameter: 'stop' is not supported with this model.")


class Weather:
    """A tool, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def tool(self, name: str = "weather", *, cached: bool = False) -> Tool:
        async def run(value: dict[str, Any]) -> str:
            self.asked.append(value)
            return f"sunny in {value.get('city', 'general')}"

        return Tool(spec(name), run, cached)


def spec(name: str) -> Any:
    return {"name": name, "description": "Tells the weather.", "inputSchema": {"json": {"type": "object"}}}


def run(loop: AgentLoop, prompt: str = "What is the weather?") -> Answer:
    return asyncio.run(loop.run(prompt))


def told(messages: list[Any]) -> list[str]:
    """The texts of a history, those of results too."""
    return list(_texts(messages))


def _texts(messages: list[Any]) -> Iterator[str]:
    for message in messages:
        for block in message["content"]:
            for item in block["toolResult"]["content"] if "toolResult" in block else [block]:
                if "text" in item:
                    yield item["text"]


def kinds(events: list[LoopEvent]) -> list[EventKind]:
    return [event.kind for event in events if event.kind is not EventKind.STREAMED]


def results(messages: list[Any]) -> list[tuple[str, str, str]]:
    """Id, status and text of every result, in order."""
    blocks = [block["toolResult"] for message in messages for block in message["content"] if "toolResult" in block]
    return [(block["toolUseId"], block["status"], block["content"][0]["text"]) for block in blocks]


# ------------------------------------------------------------------------------------------------------------- native


def test_words_are_the_answer() -> None:
    model = Scripted([text("Sunny.")])
    answer = run(AgentLoop(model, [Weather().tool()]))
    assert (answer.text, answer.native, answer.turns) == ("Sunny.", True, 1)
    assert answer.usage == {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}
    assert [each["name"] for each in model.asked[0].tool_specs] == ["weather"]
    assert "stop_sequences" not in model.asked[0].options


def test_a_call_is_run_and_its_result_sent_back() -> None:
    weather = Weather()
    model = Scripted([calls(("t1", "weather", '{"city": "Rome"}'), words="Let me see."), text("Sunny in Rome.")])
    loop = AgentLoop(model, [weather.tool()])
    assert run(loop).text == "Sunny in Rome."
    assert weather.asked == [{"city": "Rome"}]
    assert results(model.asked[1].messages) == [("t1", "success", "sunny in Rome")]
    assert [message["role"] for message in loop.messages] == ["user", "assistant", "user", "assistant"]


def test_parallel_calls_run_at_the_same_time_and_keep_their_order() -> None:
    second = asyncio.Event()

    async def first_tool(value: Any) -> str:
        await asyncio.wait_for(second.wait(), 5)
        return "first"

    async def second_tool(value: Any) -> str:
        second.set()
        return "second"

    model = Scripted([calls(("t1", "a", "{}"), ("t2", "b", "{}")), text("done")])
    loop = AgentLoop(model, [Tool(spec("a"), first_tool), Tool(spec("b"), second_tool)])
    run(loop)
    assert results(loop.messages) == [("t1", "success", "first"), ("t2", "success", "second")]


def test_first_runs_one_call_a_turn_and_asks_to_reason_on() -> None:
    weather = Weather()
    model = Scripted([calls(("t1", "weather", '{"city": "Rome"}'), ("t2", "weather", '{"city": "Bonn"}')), text("ok")])
    loop = AgentLoop(model, [weather.tool()], settings=Settings(calls="first"))
    run(loop)
    assert weather.asked == [{"city": "Rome"}]
    assert [(each[0], each[1]) for each in results(loop.messages)] == [("t1", "success"), ("t2", "error")]
    assert "Reason on" in told(model.asked[1].messages)[-1]


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (("t1", "wether", "{}"), "The tools are: weather"),
        (("t1", "weather", "[1]"), "no JSON object"),
        (("t1", "weather", '{"city": "Ro'), "breaks off"),
        (("t1", "weather", "not at all"), "The input was not understood"),
    ],
)
def test_a_call_that_cannot_be_run_teaches(call: tuple[str, str, str], part: str) -> None:
    weather = Weather()
    loop = AgentLoop(Scripted([calls(call), text("ok")]), [weather.tool()])
    assert run(loop).text == "ok"
    assert weather.asked == []
    ((_, status, said),) = results(loop.messages)
    assert status == "error"
    assert part in said


def test_broken_input_is_mended_where_it_is_clear() -> None:
    weather = Weather()
    run(AgentLoop(Scripted([calls(("t1", "weather", "{'city': 'Rome',}")), text("ok")]), [weather.tool()]))
    assert weather.asked == [{"city": "Rome"}]


def test_input_that_the_length_limit_cut_is_not_mended() -> None:
    weather = Weather()
    run(AgentLoop(Scripted([calls(("t1", "weather", "{'a': 1}"), stop="max_tokens"), text("ok")]), [weather.tool()]))
    assert weather.asked == []


def test_what_a_tool_raises_is_told() -> None:
    def broken(value: Any) -> str:
        raise KeyError("city")

    loop = AgentLoop(Scripted([calls(("t1", "broken", "{}")), text("ok")]), [Tool(spec("broken"), broken)])
    assert run(loop).text == "ok"
    assert results(loop.messages)[0][1:] == (
        "error",
        "The tool broken failed: KeyError: 'city'. Mend the input, or go on without it.",
    )


def test_ids_that_were_used_are_not_used_again() -> None:
    loop = AgentLoop(
        Scripted([calls(("t1", "weather", "{}"), ("t1", "weather", "{}")), text("ok")]), [Weather().tool()]
    )
    run(loop)
    assert [each[0] for each in results(loop.messages)] == ["t1", "t1_1"]


def test_calls_in_the_text_are_no_answer() -> None:
    model = Scripted([text('<tool_call>{"name": "weather"}</tool_call>'), text("Sunny.")])
    assert run(AgentLoop(model, [Weather().tool()])).text == "Sunny."
    assert "as text" in told(model.asked[1].messages)[-1]


# ----------------------------------------------------------------------------------------------------------- fallback


@pytest.mark.parametrize("refusal", [REFUSED, [{"messageStart": {"role": "assistant"}}, REFUSED]])
def test_refused_tools_are_called_in_text(refusal: Any) -> None:
    weather = Weather()
    events: list[LoopEvent] = []
    model = Scripted([refusal, action("weather", '{"city": "Rome"}'), final("Sunny in Rome.")])
    loop = AgentLoop(model, [weather.tool()], observe=events.append)
    answer = run(loop)
    assert (answer.text, answer.native) == ("Sunny in Rome.", False)
    assert weather.asked == [{"city": "Rome"}]
    assert [asked.tool_specs is None for asked in model.asked] == [False, True, True]
    assert told(model.asked[2].messages)[-1] == "Observation: sunny in Rome"
    assert kinds(events) == [
        EventKind.CALLED,
        EventKind.FELL_BACK,
        EventKind.CALLED,
        EventKind.REPLIED,
        EventKind.TOOL_STARTED,
        EventKind.TOOL_RESULT,
        EventKind.CALLED,
        EventKind.REPLIED,
        EventKind.ANSWERED,
    ]


def test_refused_on_the_second_turn_the_history_becomes_text() -> None:
    model = Scripted([calls(("t1", "weather", '{"city": "Rome"}')), REFUSED, final("Sunny.")])
    loop = AgentLoop(model, [Weather().tool()])
    assert run(loop).text == "Sunny."
    sent = model.asked[2].messages
    assert not any({"toolUse", "toolResult"} & block.keys() for message in sent for block in message["content"])
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert "sunny in Rome" in told(sent)[-1]


def test_a_refusal_is_remembered() -> None:
    memory = Refusals()
    run(AgentLoop(Scripted([REFUSED, final("a")], {"model_id": "m"}), [Weather().tool()], refusals=memory))
    again = Scripted([final("b")], {"model_id": "m"})
    other = Scripted([text("c")], {"model_id": "n"})
    for model in (again, other):
        run(AgentLoop(model, [Weather().tool()], refusals=memory))
    assert again.asked[0].tool_specs is None
    assert other.asked[0].tool_specs is not None


def test_a_vendors_own_words_are_understood() -> None:
    error = ValueError("registry.ollama.ai/library/gemma3:1b does not support tools")
    assert run(AgentLoop(Scripted([error, final("ok")]), [Weather().tool()])).text == "ok"


def test_words_that_only_echo_the_user_are_no_refusal() -> None:
    error = ValueError('validation failed, input value: "this model does not support tools"')
    with pytest.raises(ValueError, match="validation failed"):
        run(AgentLoop(Scripted([error, final("ok")]), [Weather().tool()]))


def test_without_tools_a_refusal_is_raised() -> None:
    with pytest.raises(ToolsUnsupportedException):
        run(AgentLoop(Scripted([REFUSED, final("ok")])))


def test_the_format_is_explained_in_the_system_prompt_or_in_the_first_message() -> None:
    for system in ("Be brief.", None):
        model = Scripted([final("ok")])
        run(AgentLoop(model, [Weather().tool()], system, settings=Settings(native=False)))
        explained = model.asked[0].system_prompt or told(model.asked[0].messages)[0]
        assert "Action Input:" in explained
        assert "weather" in explained


# --------------------------------------------------------------------------------------------------------------- text


def in_text(script: list[Any], **options: Any) -> tuple[AgentLoop, Scripted, Weather]:
    weather, model = Weather(), Scripted(script)
    settings = options.pop("settings", Settings(native=False))
    return AgentLoop(model, [weather.tool()], settings=settings, **options), model, weather


def test_stop_words_are_sent_and_dropped_once_when_refused() -> None:
    memory = Refusals()
    loop, model, _ = in_text([STOP_REFUSED, action("weather"), final("ok")], refusals=memory)
    assert run(loop).text == "ok"
    assert ["stop_sequences" in asked.options for asked in model.asked] == [True, False, False]


def test_an_error_that_is_not_about_stop_words_is_raised() -> None:
    loop, model, _ = in_text([ValueError("the stopwatch is invalid")])
    with pytest.raises(ValueError, match="stopwatch"):
        run(loop)
    assert len(model.asked) == 1


def test_an_invented_observation_is_cut() -> None:
    invented = "Action: weather\nAction Input: {}\nObservation: snow\nThought: so\nFinal Answer: Snow."
    loop, model, weather = in_text([text(invented), final("Sunny.")])
    assert run(loop).text == "Sunny."
    assert weather.asked == [{}]
    assert not any("snow" in words.lower() for words in told(model.asked[1].messages))


@pytest.mark.parametrize("said", ["It will be sunny.", "Action: weather Action Input", "", "Thought: hm"])
def test_replies_of_no_use_are_taught(said: str) -> None:
    loop, model, _ = in_text([text(said), final("Sunny.")])
    assert run(loop).text == "Sunny."
    assert "Final Answer: " in told(model.asked[1].messages)[-1]


@pytest.mark.parametrize("value", ["[1, 2]", "Rome", "7"])
def test_an_input_that_is_no_object_is_taught(value: str) -> None:
    loop, _, weather = in_text([action("weather", value), final("ok")])
    assert run(loop).text == "ok"
    assert weather.asked == []
    assert any("must be one JSON object" in words for words in told(loop.messages))


def test_an_unknown_tool_is_taught() -> None:
    loop, model, _ = in_text([action("teleport"), final("ok")])
    assert run(loop).text == "ok"
    assert "The tools are: weather" in told(model.asked[1].messages)[-1]


def test_problems_are_told_so_many_times_and_then_an_answer_is_asked_for() -> None:
    loop, model, _ = in_text([text("Thought: hm")], settings=Settings(native=False, max_problems=2))
    with pytest.raises(NoAnswerError) as raised:
        run(loop)
    assert raised.value.text == "Thought: hm"
    assert len(model.asked) == 3 + 2


def test_calls_of_the_vendors_own_are_run_in_text_too() -> None:
    loop, model, weather = in_text([calls(("t1", "weather", '{"city": "Rome"}')), final("ok")])
    assert run(loop).text == "ok"
    assert weather.asked == [{"city": "Rome"}]
    assert "Action: weather" in told(model.asked[1].messages)[-2]


# --------------------------------------------------------------------------------------------------------- safeguards


@pytest.mark.parametrize("native", [True, False])
def test_at_the_limit_an_answer_is_asked_for_without_tools(native: bool) -> None:
    act = calls(("t", "weather", "{}")) if native else action("weather")
    weather, model = Weather(), Scripted([act, act, text("Sunny, I think.")])
    loop = AgentLoop(model, [weather.tool()], settings=Settings(native=native, max_iterations=2))
    assert run(loop).text == "Sunny, I think."
    assert len(weather.asked) == 2
    last = model.asked[2]
    assert last.tool_specs is None
    assert not any({"toolUse", "toolResult"} & block.keys() for each in last.messages for block in each["content"])


@pytest.mark.parametrize(
    "acting", [action("weather"), calls(("t", "weather", "{}")), text("<tool_call>{}"), text("Thought: more to do")]
)
def test_an_action_is_never_passed_off_as_the_answer(acting: list[Event]) -> None:
    weather, model = Weather(), Scripted([action("weather"), acting, acting])
    loop = AgentLoop(model, [weather.tool()], settings=Settings(native=False, max_iterations=1))
    with pytest.raises(MaxIterationsError):
        run(loop)
    assert len(weather.asked) == 1
    assert len(model.asked) == 3


def test_the_second_time_an_answer_may_come() -> None:
    loop, _, _ = in_text(
        [action("weather"), action("weather"), final("ok")], settings=Settings(native=False, max_iterations=1)
    )
    assert run(loop).text == "ok"


def test_an_answer_that_was_cut_is_none() -> None:
    with pytest.raises(AnswerCutError) as raised:
        run(AgentLoop(Scripted([text("Sunny and", stop="max_tokens")])))
    assert raised.value.text == "Sunny and"


def test_events_without_an_end_are_no_reply() -> None:
    with pytest.raises(IncompleteStreamError):
        run(AgentLoop(Scripted([text("Sunny")[:-2]])))


def test_throttled_calls_are_tried_again_also_in_mid_stream() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    throttled = ModelThrottledException("slow down")
    model = Scripted([throttled, [*text("Sun")[:2], throttled], text("Sunny.")])
    assert run(AgentLoop(model, retry=ModelRetryStrategy(sleep=sleep))).text == "Sunny."
    assert waits == [4, 8]


LONG = "What is the weather? " + "I ask since the day will be long. " * 100
TOO_LONG = ContextWindowOverflowException("too long")


def test_an_overflow_is_summarised_and_the_run_goes_on() -> None:
    events: list[LoopEvent] = []
    model = Scripted([TOO_LONG, text("<summary>They ask for the weather.</summary>"), text("Sunny.")])
    loop = AgentLoop(model, [Weather().tool()], observe=events.append)
    assert run(loop, LONG).text == "Sunny."
    assert EventKind.SUMMARISED in kinds(events)
    (sent,) = told(model.asked[-1].messages)
    assert "They ask for the weather." in sent
    assert model.asked[-1].tool_specs is not None
    assert len(sent) < len(LONG)


@pytest.mark.parametrize(("prompt", "wanted"), [(LONG, False), ("Hello", True)])
def test_an_overflow_is_raised_where_that_is_wanted_or_nothing_can_be_shorter(prompt: str, wanted: bool) -> None:
    model = Scripted([TOO_LONG])
    with pytest.raises(ContextWindowOverflowException):
        run(AgentLoop(model, settings=Settings(respect_context_window=wanted)), prompt)
    assert len(model.asked) == 1


def test_summaries_come_to_an_end() -> None:
    model = Scripted([TOO_LONG, text("word " * 500), TOO_LONG, text("word " * 300), TOO_LONG])
    with pytest.raises(ContextWindowOverflowException):
        run(AgentLoop(model, settings=Settings(max_summaries=2)), LONG)
    assert len(model.asked) < 12


# ------------------------------------------------------------------------------------------------------- cancellation


def cancelled_when(begin: Callable[[AgentLoop], Any], loop: AgentLoop, started: asyncio.Event) -> None:
    async def scene() -> None:
        before = asyncio.all_tasks()
        task = asyncio.create_task(begin(loop))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == before

    asyncio.run(scene())


def test_cancelled_among_its_tools_each_call_has_one_result() -> None:
    started = asyncio.Event()

    async def quick(value: Any) -> str:
        return "done"

    async def endless(value: Any) -> str:
        await asyncio.sleep(0)
        started.set()
        await asyncio.Event().wait()
        return "never"

    model = Scripted([calls(("t1", "quick", "{}"), ("t2", "endless", "{}")), text("Sunny.")])
    loop = AgentLoop(model, [Tool(spec("quick"), quick), Tool(spec("endless"), endless)])
    cancelled_when(lambda loop: loop.run("Go."), loop, started)
    assert [(each[0], each[1]) for each in results(loop.messages)] == [("t1", "success"), ("t2", "error")]
    assert asyncio.run(loop.run("Go on.")).text == "Sunny."
    assert [message["role"] for message in model.asked[1].messages] == ["user", "assistant", "user"]


def test_cancelled_while_the_model_speaks_its_stream_is_closed() -> None:
    started = asyncio.Event()

    async def waiting(self: Any, messages: Any, *arguments: Any, **options: Any) -> Any:
        async with aclosing(Scripted.stream(self, messages, *arguments, **options)) as events:
            async for event in events:
                yield event
                started.set()
                await asyncio.Event().wait()

    slow = type("Slow", (Scripted,), {"stream": waiting})([text("Sunny.")])
    loop = AgentLoop(slow)
    cancelled_when(lambda loop: loop.run("Go."), loop, started)
    assert [message["role"] for message in loop.messages] == ["user"]
    assert slow.open == 0


def test_a_thread_has_ended_when_the_cancelled_run_has() -> None:
    started, release, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(value: Any) -> str:
        started.set()
        release.wait(5)
        ended.set()
        return "done"

    agent = AgentLoop(Scripted([calls(("t1", "slow", "{}"))]), [Tool(spec("slow"), slow)])

    async def scene() -> None:
        task = asyncio.create_task(agent.run("Go."))
        await asyncio.to_thread(started.wait, 5)
        task.cancel()
        await asyncio.sleep(0)
        release.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()

    asyncio.run(scene())


def test_one_run_at_a_time() -> None:
    async def inner(value: Any) -> str:
        await loop.run("again")
        return "unreachable"

    loop = AgentLoop(Scripted([calls(("t1", "inner", "{}")), text("ok")]), [Tool(spec("inner"), inner)])
    assert run(loop).text == "ok"
    assert "RuntimeError" in results(loop.messages)[0][2]


# ------------------------------------------------------------------------------------------------------------ stateful


def test_a_model_that_keeps_the_conversation_gets_its_place_and_the_history_is_cleared() -> None:
    model = Scripted([calls(("t1", "weather", "{}")), text("Sunny.")], keeps=True)
    loop = AgentLoop(model, [Weather().tool()])
    loop.model_state["response_id"] = "resp_1"
    run(loop)
    assert loop.messages == []
    assert [asked.options["model_state"] for asked in model.asked] == [{"response_id": "resp_1"}] * 2


def test_a_failed_run_of_such_a_model_keeps_what_was_not_said_yet() -> None:
    loop = AgentLoop(Scripted([ValueError("no")], keeps=True))
    with pytest.raises(ValueError, match="no"):
        run(loop, "Hello")
    assert told(loop.messages) == ["Hello"]
