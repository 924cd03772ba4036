"""Output items that are no part of the reply: what the server did by itself, and how a stream tells of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Noise:
    """One such item. ``opened`` are the values that it has when it is added; ``steps`` are events with their fields."""

    prefix: str
    item: Json
    opened: Json = field(default_factory=dict)
    steps: tuple[tuple[str, Json], ...] = ()


_BEGUN = {"status": "in_progress"}
_CODE = "print(6 * 7)"


def _steps(call: str, *names: str) -> tuple[tuple[str, Json], ...]:
    return tuple((f"response.{call}.{name}", {}) for name in names)


NOISE: Mapping[str, Noise] = {
    "empty_reasoning": Noise("rs", {"type": "reasoning", "summary": []}),
    "web_search": Noise(
        "ws",
        {
            "type": "web_search_call",
            "status": "completed",
            "action": {"type": "search", "query": "weather", "queries": ["weather"]},
        },
        _BEGUN,
        _steps("web_search_call", "in_progress", "searching", "completed"),
    ),
    "file_search": Noise(
        "fs",
        {"type": "file_search_call", "status": "completed", "queries": ["What is AI?"], "results": None},
        _BEGUN | {"queries": []},
        _steps("file_search_call", "in_progress", "searching", "completed"),
    ),
    "code_interpreter": Noise(
        "ci",
        {
            "type": "code_interpreter_call",
            "status": "completed",
            "code": _CODE,
            "container_id": "cntr_68c3",
            "outputs": None,
        },
        _BEGUN | {"code": ""},
        (
            *_steps("code_interpreter_call", "in_progress"),
            ("response.code_interpreter_call_code.delta", {"delta": _CODE}),
            ("response.code_interpreter_call_code.done", {"code": _CODE}),
            *_steps("code_interpreter_call", "interpreting", "completed"),
        ),
    ),
    "mcp_list_tools": Noise(
        "mcpl",
        {
            "type": "mcp_list_tools",
            "server_label": "links",
            "tools": [
                {
                    "name": "shorten",
                    "description": "…",
                    "annotations": {"read_only": False},
                    "input_schema": {"type": "object"},
                }
            ],
        },
        {"tools": []},
        _steps("mcp_list_tools", "in_progress", "completed"),
    ),
    "x_search": Noise(
        "fc",
        {
            "type": "x_search_call",
            "status": "completed",
            "call_id": "",
            "name": "x_semantic_search",
            "arguments": '{"query":"weather"}',
        },
        _BEGUN,
    ),
    "unheard_of": Noise(
        "xf",
        {"type": "x_future_call", "status": "completed", "content": [{"type": "x_future_part", "text": "…"}]},
        _BEGUN | {"content": []},
        _steps("x_future_call", "in_progress", "completed"),
    ),
}
