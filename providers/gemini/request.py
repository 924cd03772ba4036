"""From the contract's arguments to those of ``generate_content``, as plain objects in the SDK's field names."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from pydantic import BaseModel

from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from providers._shared.content import guarded_text
from providers._shared.request import Request
from providers.gemini.names import NAMES
from providers.gemini.parts import Form, Part, parts_of, text_parts
from providers.gemini.schema import gemini_schema

#: models that refuse media inside function responses (https://ai.google.dev/gemini-api/docs/function-calling)
_BEFORE_GEMINI_3: Final = re.compile(r"(?:^|/)(?:gemini-[12]\b|gemma-)")

#: how long the service may take for a reply, in seconds, where only its silence has a limit
_SERVER_TIMEOUT: Final = "600"

_MODES: Final[Mapping[str, str]] = {"auto": "AUTO", "any": "ANY", "tool": "ANY"}


def contents_of(request: Request, *, nests: bool = True) -> list[Part]:
    """The turns. The service wants roles to alternate, and the results of one turn's calls together.

    ``nests`` says whether the SDK has media inside function responses.
    """
    nests = nests and _BEFORE_GEMINI_3.search(request.model_id) is None
    form = Form(_called(request.messages), nested=nests)
    turns = [
        (message["role"], part)
        for message in request.messages
        for block in message["content"]
        for part in parts_of(block, form)
    ]
    return [
        {"role": "model" if role == "assistant" else "user", "parts": sorted((part for _, part in run), key=_behind)}
        for role, run in groupby(turns, key=lambda turn: turn[0])
    ]


def _called(messages: Messages) -> Mapping[str, str]:
    uses = (block["toolUse"] for message in messages for block in message["content"] if "toolUse" in block)
    return {use["toolUseId"]: use["name"] for use in uses}


def _behind(part: Part) -> bool:
    """Function responses come first in their turn: it must answer the calls before it."""
    return "function_response" not in part


def _http_options(request: Request) -> dict[str, Any] | None:
    """The setting for silence, in milliseconds. The SDK would ask the service to be done by then as well."""
    idle = request.config.get("idle_timeout")
    return None if idle is None else {"timeout": int(idle * 1000), "headers": {"X-Server-Timeout": _SERVER_TIMEOUT}}


def config_of(request: Request) -> dict[str, Any]:
    """Fields of ``GenerateContentConfig``. The settings' ``params`` win over what is derived, and add to the tools."""
    params = dict(request.config.get("params") or {})
    tools = [*function_tools(request.tool_specs), *(request.config.get("gemini_tools") or ()), *params.pop("tools", ())]
    derived = {
        "system_instruction": system_instruction(request.system),
        "tools": tools,
        "tool_config": tool_config(request.tool_choice) if request.tool_specs else None,
        "http_options": _http_options(request),
        # The SDK would call Python functions among the tools by itself.
        "automatic_function_calling": {"disable": True} if tools else None,
    }
    return {**{name: value for name, value in derived.items() if value}, **params}


def system_instruction(blocks: Sequence[SystemContentBlock]) -> Part | None:
    """The system prompt; None where there is none."""
    texts = (block.get("text") or guarded_text(block.get("guardContent") or {}) for block in blocks)
    parts = [part for text in texts for part in text_parts(text)]
    return {"parts": parts} if parts else None


def function_tools(specs: Sequence[ToolSpec]) -> list[Part]:
    """One tool with all functions; none without functions."""
    return [{"function_declarations": [_declaration(spec) for spec in specs]}] if specs else []


def _declaration(spec: ToolSpec) -> Part:
    declared = {"name": NAMES.wire(spec["name"]), "parameters_json_schema": gemini_schema(spec["inputSchema"]["json"])}
    return declared | ({"description": spec["description"]} if spec.get("description") else {})


def tool_config(choice: ToolChoice | None) -> Part | None:
    """The function calling mode; None leaves it to the service."""
    if not choice:
        return None
    mode: Part = {"mode": _MODES[next(iter(choice))]}
    if "tool" in choice:
        mode["allowed_function_names"] = [NAMES.wire(choice["tool"]["name"])]
    return {"function_calling_config": mode}


def structured_config(request: Request, output_model: type[BaseModel]) -> dict[str, Any]:
    """The configuration that has the model answer with JSON of a schema. Tools of the service do not go with that."""
    config = {name: value for name, value in config_of(request).items() if name not in {"tools", "tool_config"}}
    schema = gemini_schema(output_model.model_json_schema())
    return {**config, "response_mime_type": "application/json", "response_json_schema": schema}
