"""Whatever the model says, the loop ends in an answer or an exception, with a history that every service takes.

A machine makes runs one after the other, with all that a model may say, refuse and break off, and cancels some.
"""

import asyncio
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from harness.agent.conversation import Conversation
from harness.agent.events import EventKind, LoopEvent
from harness.agent.loop import AgentLoop, Answer
from harness.agent.settings import Settings
from harness.agent.tools import Tool
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    ModelThrottledException,
    ToolsUnsupportedException,
)
from harness.discovery import find, shipped
from harness.endpoint.network import no_network
from harness.exchange import Answer as Said
from harness.exchange import Call, Exchange
from harness.laboratory import Laboratory
from harness.run import observe
from harness.scenarios.catalogue.samples import said
from tests.agent.scripted import Scripted, action, calls, final, text

TOOLS = ("good", "bad", "slow")
SPECS: Any = [
    {"name": name, "description": "A tool.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
    for name in TOOLS
]

words = st.text(st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    ["", " \n", "sunny", "Thought: hm", "<tool_call>{}</tool_call>", "Final Answer:", "Observation: x", "\0"]
)
names = st.sampled_from([*TOOLS, *TOOLS, "", "god", "find it!", "x" * 80, "名前", "functions.good"])
ids = st.sampled_from(["t1", "t2", "t1", "", "call", "toolu_01", "日本", "a" * 70])
inputs = st.sampled_from(["{}", "", '{"a": 1}', "{'a': 1}", '{"a": ', "[]", "7", "nonsense", '{"a": "\\ud83d\\ude00"}'])
ends = st.sampled_from(["end_turn", "tool_use", "max_tokens", "stop_sequence", "content_filtered"])
called = st.lists(st.tuples(ids, names, inputs), min_size=1, max_size=3)

replies = st.one_of(
    st.builds(text, words, ends),
    st.builds(lambda asked, said, end: calls(*asked, words=said, stop=end), called, words, ends),
    st.builds(action, names, inputs, words),
    st.builds(final, words),
    st.builds(lambda name, value, said: text(f"Action: {name}\nAction Input: {value}\n{said}"), names, inputs, words),
)
failures = st.sampled_from(
    [
        ToolsUnsupportedException("no tools"),
        ContextWindowOverflowException("too long"),
        ModelThrottledException("slow down"),
        ValueError("Unsupported parameter: 'stop' is not supported with this model."),
        ConnectionError("gone"),
    ]
)


@st.composite
def broken_off(draw: st.DrawFn) -> list[Any]:
    """A reply that ends, or fails, in its midst; or whose events are in disorder."""
    events = draw(replies)
    kept = events[: draw(st.integers(0, len(events)))]
    return draw(st.sampled_from([kept, [*kept, draw(failures)], draw(st.permutations(events))]))


scripts = st.lists(replies | replies | failures | broken_off(), min_size=1, max_size=6)


@pytest.fixture(scope="module", autouse=True)
def laboratory() -> Iterator[None]:
    LoopMachine.laboratory = Laboratory()
    with no_network(), warnings.catch_warnings(action="ignore"):
        yield
    LoopMachine.laboratory.close()


class LoopMachine(RuleBasedStateMachine):
    """A loop, used again and again."""

    laboratory: ClassVar[Laboratory]

    @initialize(
        native=st.booleans(),
        policy=st.sampled_from(["parallel", "first"]),
        turns=st.integers(1, 4),
        problems=st.integers(0, 2),
        kept=st.booleans(),
    )
    def begin(self, native: bool, policy: Any, turns: int, problems: int, kept: bool) -> None:
        self.ran: Counter[str] = Counter()
        self.events: list[LoopEvent] = []
        self.model = Scripted([])
        limits = Settings(native, policy, turns, problems, respect_context_window=kept, max_summaries=1)
        tools = [Tool(spec, getattr(self, f"_{spec['name']}")) for spec in SPECS]
        self.loop = AgentLoop(self.model, tools, settings=limits, observe=self._observe)
        self.cancel_at = -1

    async def _good(self, value: dict[str, Any]) -> Any:
        self.ran["good"] += 1
        return value

    async def _bad(self, value: dict[str, Any]) -> Any:
        self.ran["bad"] += 1
        raise RuntimeError("\n")

    async def _slow(self, value: dict[str, Any]) -> Any:
        self.ran["slow"] += 1
        await asyncio.sleep(0)
        return ""

    def _observe(self, event: LoopEvent) -> None:
        self.events.append(event)
        if len(self.events) == self.cancel_at and event.kind not in (EventKind.ANSWERED, EventKind.FAILED):
            self.task.cancel()

    @rule(script=scripts, cancel_at=st.just(-1) | st.integers(1, 30))
    def run(self, script: list[Any], cancel_at: int) -> None:
        self.model.script, self.model.asked = script, []
        self.events, self.ran, self.cancel_at = [], Counter(), cancel_at
        before = len(self.loop.kit.conversation.used_ids())
        outcome = asyncio.run(self._outcome())
        self._check_ending(outcome)
        self._check_calls(before)

    async def _outcome(self) -> Any:
        self.task = asyncio.ensure_future(self.loop.run("What now?"))
        (outcome,) = await asyncio.gather(self.task, return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return outcome

    def _check_ending(self, outcome: Any) -> None:
        """An answer that the model gave, or an exception; and the last event says which."""
        ending = EventKind.ANSWERED if isinstance(outcome, Answer) else EventKind.FAILED
        assert [event.kind for event in self.events if event.kind in (EventKind.ANSWERED, EventKind.FAILED)] == [ending]
        assert self.events[-1].kind is ending
        if isinstance(outcome, Answer):
            assert outcome.text.strip()
            assert outcome.text in "".join(block.get("text", "") for block in outcome.message["content"])
            assert self.loop.messages[-1]["role"] == "assistant"

    def _check_calls(self, before: int) -> None:
        """Each call that was started was run once, and no call was started twice."""
        started = Counter(event.data.id for event in self.events if event.kind is EventKind.TOOL_STARTED)
        names = Counter(event.data.name for event in self.events if event.kind is EventKind.TOOL_STARTED)
        assert all(count == 1 for count in started.values()) or not self._native()
        assert self.ran == names

    def _native(self) -> bool:
        return any("toolUse" in block for message in self.loop.messages for block in message["content"])

    @invariant()
    def nothing_is_open(self) -> None:
        assert self.model.open == 0

    @invariant()
    def each_call_has_one_result(self) -> None:
        messages = self.loop.messages
        assert [message["role"] for message in messages] == [
            ("user", "assistant")[at % 2] for at in range(len(messages))
        ]
        nothing: Any = {"content": []}
        for message, answer in pairwise([*messages, nothing]):
            asked = [block["toolUse"]["toolUseId"] for block in message["content"] if "toolUse" in block]
            told: Any = [block["toolResult"]["toolUseId"] for block in answer["content"] if "toolResult" in block]
            assert told == asked
        assert len(self.loop.kit.conversation.used_ids()) == sum(
            "toolUse" in block for message in messages for block in message["content"]
        )

    def teardown(self) -> None:
        """Every service would take the history."""
        if not hasattr(self, "loop") or not self.loop.messages:
            return
        history = Conversation(self.loop.messages)
        history.say({"text": "Go on."})
        asked = Call(history.messages, SPECS if self._native() else None)
        for record in find(shipped()):
            subject = self.laboratory.bench(record).subject
            seen = self.laboratory.run(observe(subject, Exchange(asked, Said(said(subject.dialect)))))
            assert (record.name, seen.error, list(seen.faults)) == (record.name, None, [])


#: without shrinking, since each example goes through twelve SDKs
LoopMachine.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=4,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
TestLoop = LoopMachine.TestCase
