"""Settings: what the caller sets arrives at the service, by every method, and stays the caller's."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from harness.checks.failure import is_slip, told
from harness.checks.observation import Observation
from harness.contract.content import ToolSpec
from harness.dialects.base import Dialect
from harness.exchange import Answer, Call, Exchange, Operation
from harness.provider import Provider
from harness.scenarios.catalogue.output_models import Answered
from harness.scenarios.catalogue.samples import WEATHER, said
from harness.scenarios.scenario import Scenario, Stage, modes

_ABSENT: Final = object()


def _has_settings(provider: Provider, dialect: Dialect) -> bool:
    return bool(provider.settings)


async def _sent(stage: Stage) -> None:
    """Each setting through each method and mode. The reply to structured output is none: only the request counts."""
    for config, body in stage.subject.provider.settings:
        for exchange in _asked(stage.subject.provider, stage.subject.dialect, config):
            if body.get("stream", exchange.stream) is not exchange.stream:
                continue  # the setting says which mode it is for
            seen = await stage.watch(exchange)
            lost = _lost(seen, body)
            stage.expect("CONFIG-SENT", not lost, lost, dict(body) or "a call as without it", seen)
            met = f"changed: {', '.join(seen.changed)}"
            stage.expect("LIFE-INPUTS", not seen.changed, met, "inputs as they were", seen)


def _asked(provider: Provider, dialect: Dialect, setting: Mapping[str, Any]) -> Iterator[Exchange]:
    """Calls that share settings of their own: an adapter that changes them must not change the record's."""
    config, stream = deepcopy(dict(setting)), modes(provider)[0]
    tools = [WEATHER] if provider.capabilities.tools else None
    if provider.capabilities.structured:
        call = Call(config=config, operation=Operation.STRUCTURED, output_model=Answered)
        yield Exchange(call, Answer(said(dialect)), stream)
    for mode in modes(provider):
        yield Exchange(Call(tool_specs=tools, config=config), Answer(said(dialect)), mode)


def _lost(seen: Observation, wanted: Mapping[str, Any]) -> str:
    """What did not arrive, in words; structured output may be refused in words, unless the setting means nothing."""
    if not seen.log.exchanges:
        structured = seen.exchange.call.operation is Operation.STRUCTURED
        refused = bool(wanted) and structured and seen.error is not None and not is_slip(seen.error)
        return "" if refused else f"no request, {told(seen.error)}"
    if seen.exchange.call.operation is Operation.STREAM and seen.error is not None and is_slip(seen.error):
        return told(seen.error)
    body = json.loads(seen.log.requests[0].body)
    wrong = {path: met for path, value in wanted.items() if (met := _member(body, path)) != value}
    return "; ".join(f"{path}: {'absent' if met is _ABSENT else repr(met)}" for path, met in wrong.items())


def _member(body: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(body, list):
            body = dict(enumerate(body)).get(int(name), _ABSENT)
        else:
            body = body.get(name, _ABSENT) if isinstance(body, Mapping) else _ABSENT
    return body


#: a tool that any service can be strict about
_PLAIN: Final[ToolSpec] = {
    "name": "get_weather",
    "description": "Weather of a city.",
    "inputSchema": {
        "json": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        }
    },
}


async def _strict(stage: Stage) -> None:
    """A tool that any service can be strict about, with the setting for that."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    for mode in modes(provider):
        asked = Call(tool_specs=[_PLAIN], config=provider.config_for["strict"])
        seen = await stage.watch(Exchange(asked, Answer(said(dialect)), mode))
        met = [tool.strict for view in seen.views for tool in view.tools]
        stage.expect("CONFIG-SENT", met == [True], f"strict: {met}", "a strict tool", seen)


def _can_be_strict(provider: Provider, dialect: Dialect) -> bool:
    return provider.capabilities.tools and "strict" in provider.config_for


SETTINGS: Final = (
    Scenario(
        "settings-sent",
        "settings arrive at the service",
        ("CONFIG-SENT", "LIFE-INPUTS"),
        _sent,
        "strands#983; strands#1183; strands#3423; strands:ollama-keepalive0",
        _has_settings,
    ),
    Scenario(
        "settings-strict",
        "a setting for strict tools arrives with the tools",
        ("CONFIG-SENT",),
        _strict,
        "https://platform.claude.com/docs/en/agents-and-tools/tool-use/strict-tool-use",
        _can_be_strict,
    ),
)
