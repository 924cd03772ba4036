"""Results of tools without effects, by the tool and its input."""

import json
from typing import Any

from harness.agent.tools import Tool
from harness.contract.content import ToolResult


class ToolCache:
    """Remembers the successes of tools that opted in. One may serve several loops; ``clear`` it when the world moved.

    The order of an input's keys does not matter, and ``1``, ``1.0`` and ``true`` are different inputs.
    """

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str], str] = {}

    def get(self, tool: Tool, value: dict[str, Any]) -> str | None:
        """The text of an earlier result; None where there is none, or the tool did not opt in."""
        return self._texts.get(_key(tool, value)) if tool.cached else None

    def put(self, tool: Tool, value: dict[str, Any], result: ToolResult) -> None:
        """Remember a result, if it is one to remember."""
        if tool.cached and result.get("status") == "success":
            self._texts[_key(tool, value)] = result["content"][0]["text"]

    def clear(self) -> None:
        """Forget everything."""
        self._texts.clear()


def _key(tool: Tool, value: dict[str, Any]) -> tuple[str, str]:
    return tool.name, json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
