from typing import Any

import pytest

from providers._shared.request import Request, system_blocks

POINT: Any = {"cachePoint": {"type": "default"}}


@pytest.mark.parametrize(
    ("prompt", "content", "blocks"),
    [
        (None, None, []),
        ("", [], []),
        ("a", None, [{"text": "a"}]),
        ("a", [], [{"text": "a"}]),
        (None, [{"text": "b"}], [{"text": "b"}]),
        ("a", [{"text": "b"}, POINT], [{"text": "b"}, POINT]),
        ("a", [{"text": " "}], [{"text": " "}]),
        ("a", [POINT], [{"text": "a"}, POINT]),
        (None, [POINT], [POINT]),
    ],
)
def test_the_system_prompt_as_blocks(prompt: str | None, content: Any, blocks: Any) -> None:
    assert list(system_blocks(prompt, content)) == blocks


@pytest.mark.parametrize(
    ("choice", "forces"), [(None, False), ({}, False), ({"auto": {}}, False), ({"any": {}}, True), ({"tool": {}}, True)]
)
def test_choices_that_force_a_call(choice: Any, forces: bool) -> None:
    assert Request({}, [], tool_choice=choice).forces_call is forces


def test_tools_of_the_request_and_of_its_history() -> None:
    uses: Any = [{"toolUse": {"toolUseId": name, "name": name, "input": {}}} for name in "bab"]
    spec: Any = {"name": "c", "description": "", "inputSchema": {"json": {}}}
    request = Request({}, [{"role": "assistant", "content": [{"text": "x"}, *uses]}], [spec])
    assert request.called_tools == ["b", "a"]
    assert request.tool_names == ["c", "b", "a"]
