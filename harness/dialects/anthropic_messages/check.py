"""Whether the service would accept a request: first its form, then what its parts say together.

As with the service, the second part is only reached by requests whose form is right.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.dialects.anthropic_messages import shapes
from harness.dialects.anthropic_messages.check_blocks import BLOCK_RULES
from harness.dialects.anthropic_messages.check_tools import TOOL_RULES
from harness.dialects.anthropic_messages.check_turns import TURN_RULES, conversation
from harness.dialects.anthropic_messages.requests import counts_tokens, read_body, vertex
from harness.dialects.anthropic_messages.rules import Faults, Shape, check_object, fault
from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest

Wire = Mapping[str, Any]


def check_request(request: WireRequest) -> Sequence[RequestFault]:
    """Why the service would refuse the request; empty when it would accept it."""
    try:
        body = read_body(request)
    except DecodeError as error:
        return [RequestFault(RequestFaultKind.FORM, "", str(error), "Errors: 400 and 404")]
    return list(_form(body, _body_shape(request))) or list(_sense(body))


def _sense(body: Wire) -> Faults:
    talk = conversation(body)
    for rule in (*TURN_RULES, *BLOCK_RULES):
        yield from rule(talk)
    for check in TOOL_RULES:
        yield from check(body)


def _body_shape(request: WireRequest) -> Shape:
    if vertex(request):
        return shapes.VERTEX_BODY
    beta = "beta=true" in request.path or request.header("anthropic-beta") is not None
    if counts_tokens(request):
        return shapes.BETA_COUNT_BODY if beta else shapes.COUNT_BODY
    return shapes.BETA_BODY if beta else shapes.BODY


# --- form -------------------------------------------------------------------------------------------------------


def _form(body: Wire, shape: Shape) -> Faults:
    faults = list(check_object(body, shape, ""))
    yield from faults or _parts(body)


def _parts(body: Wire) -> Faults:
    for name, shape in _OBJECTS.items():
        if body.get(name) is not None:
            yield from check_object(body[name], shape, name)
    for name, tagged in _TAGGED.items():
        if body.get(name) is not None:
            yield from _check_tagged(body[name], tagged, name)
    if wanted := (body.get("output_config") or {}).get("format"):
        yield from check_object(wanted, shapes.OUTPUT_FORMAT, "output_config.format")
    yield from _content(body.get("system", ""), "system", "system")
    for index, tool in enumerate(body.get("tools", ())):
        yield from _tool(tool, f"tools[{index}]")
    for index, message in enumerate(body["messages"]):
        yield from _message(message, f"messages[{index}]")


_OBJECTS: Final = {
    "metadata": shapes.METADATA,
    "cache_control": shapes.CACHE_CONTROL,
    "output_config": shapes.OUTPUT_CONFIG,
}
_TAGGED: Final = {"thinking": shapes.THINKING, "tool_choice": shapes.TOOL_CHOICE}
_TAGGED_KINDS: Final = {"thinking": RequestFaultKind.REASONING, "tool_choice": RequestFaultKind.TOOL_CHOICE}


def _check_tagged(value: Wire, tagged: Mapping[str, Shape], path: str) -> Faults:
    shape = tagged.get(_tag(value))
    if shape is not None:
        yield from check_object(value, shape, path)
    else:
        kind = _TAGGED_KINDS.get(path, RequestFaultKind.FORM)
        yield fault(kind, f"{path}.type", repr(_tag(value)), f"Input tag should be one of {', '.join(tagged)}")


def _tag(value: Any) -> str:
    tag = value.get("type") if isinstance(value, dict) else None
    return tag if isinstance(tag, str) else repr(tag)


def _tool(tool: Any, path: str) -> Faults:
    if not isinstance(tool, dict):
        yield _no_object(tool, path)
    else:
        yield from check_object(tool, _TOOLS.get(tool.get("type"), shapes.VENDOR_TOOL), path)
        yield from _cache_control(tool, path)


_TOOLS: Final[dict[str | None, Shape]] = {
    None: shapes.TOOL,
    "custom": shapes.TOOL,
    "mcp_toolset": shapes.MCP_TOOLSET,
}


def _message(message: Any, path: str) -> Faults:
    if not isinstance(message, dict):
        yield _no_object(message, path)
        return
    faults = list(check_object(message, shapes.MESSAGE, path))
    yield from faults or _content(message["content"], message["role"], f"{path}.content")


def _content(content: str | Sequence[Any], place: str, path: str) -> Faults:
    if isinstance(content, str):
        return
    for index, block in enumerate(content):
        yield from _block(block, place, f"{path}[{index}]")


def _block(block: Any, place: str, path: str) -> Faults:
    tag = _tag(block)
    if tag not in shapes.PLACES[place]:
        words = "Input tag found using 'type' does not match any of the expected tags"
        yield fault(RequestFaultKind.FORM, f"{path}.type", f"a {tag} block in {place} content", words)
    elif tag not in shapes.SERVER_BLOCKS:
        faults = list(check_object(block, shapes.BLOCKS[tag], path))
        yield from faults or _inside(block, tag, path)


def _inside(block: Wire, tag: str, path: str) -> Faults:
    yield from _cache_control(block, path)
    if tag in shapes.SOURCES:
        yield from _source(block["source"], tag, f"{path}.source")
    if isinstance(block.get("citations"), dict):
        yield from check_object(block["citations"], shapes.CITATIONS, f"{path}.citations")
    if tag in shapes.PLACES:
        yield from _content(block.get("content", ""), tag, f"{path}.content")


def _source(source: Wire, tag: str, path: str) -> Faults:
    shape = shapes.SOURCES[tag].get(_tag(source))
    if shape is None:
        words = f"Input tag should be one of {', '.join(shapes.SOURCES[tag])}"
        yield fault(RequestFaultKind.MEDIA, f"{path}.type", repr(_tag(source)), words)
        return
    faults = list(check_object(source, shape, path))
    yield from faults or _content(source.get("content", ""), "document", f"{path}.content")


def _cache_control(value: Wire, path: str) -> Faults:
    if isinstance(value.get("cache_control"), dict):
        yield from check_object(value["cache_control"], shapes.CACHE_CONTROL, f"{path}.cache_control")


def _no_object(value: object, path: str) -> RequestFault:
    return fault(RequestFaultKind.FORM, path, f"{value!r:.80}", "Input does not match the expected shape")
