"""The scenarios that are recorded: calls to which any service has some answer, whatever its model says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel, Field

from harness.contract.content import Messages
from harness.dialects.base import ErrorClass
from harness.exchange import Call, Exchange, Operation
from harness.provider import Live, Provider
from harness.scenarios.catalogue.samples import CLOCK, WEATHER

#: the longest reply, in tokens, and the one that is cut
LIMIT: Final = 300
SHORT: Final = 16
#: more characters than the context windows of small models take
_LONG: Final = 40_000


@dataclass(frozen=True, slots=True)
class Recordable:
    """One recorded scenario. ``error`` is what an error status means here; ``model`` stands in for the real one."""

    id: str
    title: str
    call: Callable[[Provider], Call]
    stream: bool = True
    needs: Callable[[Provider], bool] = lambda provider: True
    limit: int = LIMIT
    error: ErrorClass = ErrorClass.OTHER
    model: str | None = None

    def exchange(self, provider: Provider, model: str | None = None) -> Exchange:
        """The call, to ``model`` or to the one that the provider is recorded with."""
        live = live_of(provider)
        call = self.call(provider)
        settings = {live.model_setting: self.asked(live, model), **_within(live.limit, self.limit)}
        return Exchange(replace(call, config={**call.config, **settings}), stream=self.stream)

    def asked(self, live: Live, model: str | None = None) -> str:
        """The model that is asked for, with the prefix that says whose it is, where the provider's models have one."""
        name, prefix = self.model or model or live.model, live.model.rpartition("/")[0]
        return f"{prefix}/{name}" if prefix and "/" not in name else name

    def suits(self, provider: Provider) -> bool:
        """Whether it can be recorded with the provider."""
        mode = provider.stream_config if self.stream else provider.whole_config
        return provider.live is not None and mode is not None and self.needs(provider)


def live_of(provider: Provider) -> Live:
    """What the provider says about its service. Raises LookupError where it says nothing."""
    if provider.live is None:
        raise LookupError(f"{provider.name} does not say where its service is, so there are no recordings of it")
    return provider.live


def _within(place: tuple[str, ...], value: Any) -> Mapping[str, Any]:
    for name in reversed(place):
        value = {name: value}
    return dict(value)


def _user(text: str) -> Messages:
    return [{"role": "user", "content": [{"text": text}]}]


class Place(BaseModel):
    """A place and its country."""

    city: str = Field(description="The place, e.g. Zürich.")
    country: str


def _turns(provider: Provider) -> Call:
    return Call(
        [
            *_user("My name is Ada."),
            {"role": "assistant", "content": [{"text": "Hello Ada – 日本."}]},
            *_user("What is my name?"),
        ]
    )


def _tool(provider: Provider, text: str = "What is the weather in Zürich?") -> Call:
    forced = "any" in provider.capabilities.tool_choice
    return Call(_user(text), [WEATHER, CLOCK], tool_choice={"any": {}} if forced else None)


def _result(provider: Provider) -> Call:
    return Call(
        [
            *_user("What is the weather in Zürich?"),
            {
                "role": "assistant",
                "content": [
                    {"toolUse": {"toolUseId": "call00001", "name": "get_weather", "input": {"city": "Zürich"}}}
                ],
            },
            {
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": "call00001", "content": [{"text": "18 °C"}], "status": "success"}}
                ],
            },
        ],
        [WEATHER],
    )


def _tools(provider: Provider) -> bool:
    return provider.capabilities.tools


def _says(text: str, system: str | None = None) -> Callable[[Provider], Call]:
    return lambda provider: Call(_user(text), system_prompt=system)


_TWO: Final = "What is the weather in Zürich and in Bern, and what time is it?"

RECORDABLE: Final = (
    Recordable("text", "a short text", _says("Say hello in five words.")),
    Recordable("text-whole", "a short text, in one piece", _says("Say hello in five words."), stream=False),
    Recordable("system", "a system prompt", _says("Who are you?", "You are a pirate. Ünï 日本.")),
    Recordable("turns", "a conversation of three turns", _turns),
    Recordable("tool", "a tool call", _tool, needs=_tools),
    Recordable("tool-whole", "a tool call, in one piece", _tool, stream=False, needs=_tools),
    Recordable("tools", "several tool calls", lambda provider: _tool(provider, _TWO), needs=_tools),
    Recordable("tool-result", "a reply to a tool's result", _result, needs=_tools),
    Recordable("limit", "a reply cut by the length limit", _says("Count from one to fifty, in words."), limit=SHORT),
    Recordable(
        "structured",
        "structured output",
        lambda provider: Call(_user("Where is Zürich?"), operation=Operation.STRUCTURED, output_model=Place),
        needs=lambda provider: provider.capabilities.structured is not None,
    ),
    Recordable(
        "error-overflow", "a prompt of 40,000 characters", _says("word " * (_LONG // 5)), error=ErrorClass.OVERFLOW
    ),
    Recordable("error-model", "a model that does not exist", _says("Hello"), model="no-such-model-conformance"),
)

BY_ID: Final[Mapping[str, Recordable]] = {each.id: each for each in RECORDABLE}
