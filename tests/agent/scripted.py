"""A model that says what a script says."""

from collections.abc import AsyncGenerator, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from harness.contract.model import Model

Event = dict[str, Any]

#: what the model does in one call: the events it yields, the exception it raises, or events and then an exception
Say = list[Any] | Exception


def text(words: str, stop: str = "end_turn") -> list[Event]:
    """A reply of words."""
    return [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"delta": {"text": words}}},
        {"contentBlockStop": {}},
        {"messageStop": {"stopReason": stop}},
        {"metadata": {"usage": {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}}},
    ]


def calls(*asked: tuple[str, str, str], words: str = "", stop: str = "tool_use") -> list[Event]:
    """A reply that calls: id, name, and the text of the input."""
    blocks: list[Event] = []
    if words:
        blocks += [{"contentBlockDelta": {"delta": {"text": words}}}, {"contentBlockStop": {}}]
    for call_id, name, value in asked:
        blocks += [
            {"contentBlockStart": {"start": {"toolUse": {"toolUseId": call_id, "name": name}}}},
            {"contentBlockDelta": {"delta": {"toolUse": {"input": value}}}},
            {"contentBlockStop": {}},
        ]
    return [{"messageStart": {"role": "assistant"}}, *blocks, {"messageStop": {"stopReason": stop}}]


def action(name: str, value: str = "{}", thought: str = "Let me see.") -> list[Event]:
    """A reply that acts in text."""
    return text(f"Thought: {thought}\nAction: {name}\nAction Input: {value}")


def final(words: str) -> list[Event]:
    """A reply that answers in text."""
    return text(f"Thought: I know.\nFinal Answer: {words}")


@dataclass
class Asked:
    """The arguments of one call."""

    messages: list[Any]
    tool_specs: Any
    system_prompt: Any
    options: dict[str, Any]


@dataclass
class Scripted(Model):
    """Says one thing a call; the last one again and again. ``asked`` are the calls, as they were."""

    script: list[Say]
    config: dict[str, Any] = field(default_factory=dict)
    keeps: bool = False
    asked: list[Asked] = field(default_factory=list)
    open: int = 0

    @property
    def stateful(self) -> bool:
        return self.keeps

    def update_config(self, **model_config: Any) -> None:
        self.config.update(model_config)

    def get_config(self) -> dict[str, Any]:
        return self.config

    def structured_output(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **options: Any
    ) -> AsyncGenerator[Any, None]:
        self.asked.append(Asked(deepcopy(messages), deepcopy(tool_specs), system_prompt, deepcopy(options)))
        self.open += 1
        try:
            for event in self._said():
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.open -= 1

    def _said(self) -> Iterable[Any]:
        said = self.script[min(len(self.asked), len(self.script)) - 1]
        return [said] if isinstance(said, Exception) else said
