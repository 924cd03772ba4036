"""Faults in what the adapter sends: arguments that get lost or change, and bodies that no service takes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from harness.dialects.base import WireRequest
from tests.miniatures.adapters import Asking
from tests.mutation.mutant import Asked, Mutant, asks, sends

Block = dict[str, Any]


def _blocks(asked: Asked, kind: str) -> Iterator[Any]:
    """The values of all blocks of a kind."""
    return (block[kind] for turn in asked["messages"] for block in turn["content"] if kind in block)


def _each(kind: str, change: Callable[[Any], object]) -> Callable[[Asked], None]:
    """Change the value of each block of a kind."""

    def edit(asked: Asked) -> None:
        for value in _blocks(asked, kind):
            change(value)

    return edit


def _turns(change: Callable[[list[Any]], list[Any]]) -> Callable[[Asked], None]:
    def edit(asked: Asked) -> None:
        asked["messages"] = change(asked["messages"])

    return edit


def _texts(change: Callable[[str], str]) -> Callable[[Asked], None]:
    """Change all plain text."""

    def edit(asked: Asked) -> None:
        for turn in asked["messages"]:
            for block in turn["content"]:
                if "text" in block:
                    block["text"] = change(block["text"])

    return edit


def _without(kind: str) -> Callable[[Asked], None]:
    def edit(asked: Asked) -> None:
        for turn in asked["messages"]:
            turn["content"] = [block for block in turn["content"] if kind not in block]

    return edit


def _contents(change: Callable[[list[Block]], list[Block]]) -> Callable[[Asked], None]:
    """Change the blocks of each turn."""

    def edit(asked: Asked) -> None:
        for turn in asked["messages"]:
            turn["content"] = change(turn["content"])

    return edit


def _tools(change: Callable[[list[Any]], Any]) -> Callable[[Asked], None]:
    def edit(asked: Asked) -> None:
        if asked["tool_specs"]:
            asked["tool_specs"] = change(asked["tool_specs"])

    return edit


def _each_tool(change: Callable[[Any], object]) -> Callable[[Asked], None]:
    return _tools(lambda specs: [spec for spec in specs if change(spec) or True])


def _schemas(change: Callable[[Any], object]) -> Callable[[Asked], None]:
    return _each_tool(lambda spec: change(spec["inputSchema"]["json"]))


def _replaced(name: str, value: Any) -> Callable[[Asked], None]:
    """Another value of an argument, where one is given."""

    def edit(asked: Asked) -> None:
        if asked.get(name):
            asked[name] = value

    return edit


def _no_system(asked: Asked) -> None:
    asked["system_prompt"] = None
    asked.pop("system_prompt_content", None)


def _system_in_turns(asked: Asked) -> None:
    if asked["system_prompt"]:
        turn = {"role": "user", "content": [{"text": asked["system_prompt"]}]}
        asked["messages"], asked["system_prompt"] = [turn, *asked["messages"]], None


def _cut_system(asked: Asked) -> None:
    if asked["system_prompt"]:
        asked["system_prompt"] = asked["system_prompt"][:-1]


def _roles(asked: Asked) -> None:
    for turn in asked["messages"]:
        turn["role"] = {"user": "assistant", "assistant": "user"}[turn["role"]]


def _results(change: Callable[[list[Any]], list[Any]]) -> Callable[[Asked], None]:
    return _each("toolResult", lambda result: result.update(content=change(result["content"])))


def _failed(result: Any) -> None:
    if result.get("status") == "error":
        result["status"] = "success"


def _no_signature(block: Any) -> None:
    block.get("reasoningText", {}).pop("signature", None)


def _other_bytes(media: Any) -> None:
    if "bytes" in media["source"]:
        media["source"]["bytes"] += b"\0"


def _first_block(turns: list[Any]) -> list[Any]:
    return [{**turn, "content": turn["content"][:1]} for turn in turns]


def _choice_is(kind: str, value: Any) -> Callable[[Asked], None]:
    return _replaced("tool_choice", {kind: value})


_ARGUMENTS: Final = (
    asks("no system prompt", _no_system, "request-system", peers=True),
    asks("the system prompt is a turn of the user's", _system_in_turns, "request-system"),
    asks("the system prompt loses its last character", _cut_system, "request-system"),
    asks("blocks of the system prompt are lost", lambda asked: asked.pop("system_prompt_content", 0), "request-system"),
    asks("no tools", _tools(lambda specs: None), "request-tools", peers=True),
    asks("the first tool alone", _tools(lambda specs: specs[:1]), "request-tools"),
    asks("the last tool comes twice", _tools(lambda specs: [*specs, specs[-1]]), "request-tools"),
    asks("tools lose their descriptions", _each_tool(lambda spec: spec.update(description="")), "request-tools"),
    asks("tools have other names", _each_tool(lambda spec: spec.update(name=spec["name"] + "_")), "request-tools"),
    asks("schemas are empty", _each_tool(lambda spec: spec.update(inputSchema={"json": {}})), "request-tools"),
    asks("schemas require nothing", _schemas(lambda schema: schema.pop("required", 0)), "request-tools"),
    asks("schemas lose their properties", _schemas(lambda schema: schema.pop("properties", 0)), "request-tools"),
    asks("no tool choice", _replaced("tool_choice", None), "request-choice", peers=True),
    asks("every tool choice is auto", _choice_is("auto", {}), "request-choice"),
    asks("every tool choice is any", _choice_is("any", {}), "request-choice"),
    asks("another tool is chosen", _choice_is("tool", {"name": "other"}), "request-choice"),
    asks("no stop words", _replaced("stop_sequences", None), "loop-text"),
)

_HISTORY: Final = (
    asks("the first turn is lost", _turns(lambda turns: turns[1:]), "request-turns"),
    asks("the last turn is lost", _turns(lambda turns: turns[:-1]), "request-turns"),
    asks("the last turn alone", _turns(lambda turns: turns[-1:]), "request-turns", peers=True),
    asks("the last turn comes twice", _turns(lambda turns: [*turns, turns[-1]]), "request-turns"),
    asks("turns in the opposite order", _turns(lambda turns: turns[::-1]), "request-turns"),
    asks("roles change places", _roles, "request-turns"),
    asks("the first block of each turn alone", _turns(_first_block), "request-results"),
    asks("blocks of each turn in the opposite order", _contents(lambda blocks: blocks[::-1]), "request-turns"),
    asks("texts are trimmed", _texts(str.strip), "request-turns"),
    asks(
        "texts lose their non-ASCII characters", _texts(lambda t: t.encode("ascii", "ignore").decode()), "request-turns"
    ),
    asks("texts lose their last character", _texts(lambda text: text[:-1] or text), "request-turns"),
    asks("an empty text in each turn", _contents(lambda blocks: [*blocks, {"text": ""}]), "text"),
    asks("calls of the history are lost", _without("toolUse"), "request-results"),
    asks("calls of the history have no input", _each("toolUse", lambda call: call.update(input={})), "request-results"),
    asks(
        "calls of the history have one name",
        _each("toolUse", lambda call: call.update(name="clock")),
        "request-results",
    ),
    asks(
        "calls of the history have other ids",
        _each("toolUse", lambda c: c.update(toolUseId="other")),
        "request-results",
    ),
    asks("results are lost", _without("toolResult"), "request-results", peers=True),
    asks("results are empty", _results(lambda items: []), "request-results"),
    asks("the first item of each result alone", _results(lambda items: items[:1]), "request-results"),
    asks("results have other ids", _each("toolResult", lambda r: r.update(toolUseId="other")), "request-results"),
    asks("failed results are good ones", _each("toolResult", _failed), "request-results"),
    asks("reasoning of the history loses its signature", _each("reasoningContent", _no_signature), "request-reasoning"),
    asks("reasoning of the history is lost", _without("reasoningContent"), "request-reasoning"),
    asks("images are lost", _without("image"), "request-media"),
    asks("images have other bytes", _each("image", _other_bytes), "request-media"),
    asks("images are of another format", _each("image", lambda image: image.update(format="gif")), "request-media"),
    asks("documents are lost", _without("document"), "request-media"),
    asks("documents have other bytes", _each("document", _other_bytes), "request-media"),
    asks("videos are lost", _without("video"), "request-media"),
    asks("cache points are lost", _without("cachePoint"), "request-cache"),
)


# --- bodies -------------------------------------------------------------------------------------------------------


def _places(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a body, the outermost first."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _places(inner)


def _everywhere(name: str, change: Callable[[Any], Any]) -> Callable[[Block], None]:
    """Change what stands under a name, wherever that is."""

    def edit(body: Block) -> None:
        for place in list(_places(body)):
            if name in place:
                place[name] = change(place[name])

    return edit


def _lost(*names: str) -> Callable[[Block], None]:
    """Leave out what stands under names, wherever that is."""

    def edit(body: Block) -> None:
        for place in list(_places(body)):
            for name in names:
                place.pop(name, None)

    return edit


def _first_of(*names: str) -> Callable[[Block], str | None]:
    return lambda body: next((name for name in names if name in body), None)


_TURNS: Final = _first_of("messages", "contents", "input")


def _in_turns(change: Callable[[list[Any]], list[Any]]) -> Callable[[Block], None]:
    """Change the list of turns on the wire."""

    def edit(body: Block) -> None:
        name = _TURNS(body)
        if name is not None and isinstance(body[name], list):
            body[name] = change(body[name])

    return edit


def _numbers_as_text(body: Block) -> None:
    for place in list(_places(body)):
        for name, value in place.items():
            if type(value) in (int, float) and name != "days":
                place[name] = str(value)


def _wrapped(body: Block) -> None:
    inner = dict(body)
    body.clear()
    body["request"] = inner


def _camel(body: Block) -> None:
    """The names of the outermost fields in another style of writing."""
    for name in list(body):
        body[name.swapcase()] = body.pop(name)


def _sent(name: str, change: Callable[[WireRequest], WireRequest]) -> Mutant:
    return Mutant(id=name, kind="request", rewrite=change, hint="text")


_BODIES: Final = (
    sends("a field that there is not", lambda body: body.update(no_such_field=1), "text"),
    sends(
        "a field in each turn that there is not",
        _in_turns(lambda turns: [{**turn, "extra": 1} for turn in turns]),
        "text",
    ),
    sends("no turns", _in_turns(lambda turns: []), "text"),
    sends("fields in another case", _camel, "text"),
    sends("the body in an envelope", _wrapped, "text"),
    sends("numbers as text", _numbers_as_text, "request-params"),
    sends("other roles", _everywhere("role", lambda role: "human" if role == "user" else role), "text"),
    sends("no roles", _lost("role"), "text"),
    sends("no content", _lost("content", "parts"), "text"),
    sends("null for content", _everywhere("content", lambda _: None), "text"),
    sends(
        "other types", _everywhere("type", lambda kind: f"{kind}x" if isinstance(kind, str) else kind), "request-tools"
    ),
    sends("no ids", _lost("id", "toolUseId", "tool_use_id", "tool_call_id", "call_id"), "request-results"),
    sends("no descriptions", _lost("description"), "request-tools"),
    sends("no names", _lost("name", "tool_name"), "request-tools"),
    sends("arguments as they are", _everywhere("arguments", lambda text: {"text": text}), "request-results"),
    sends("no stream flag", _lost("stream"), "text"),
    _sent("another method", lambda request: replace(request, method="PUT")),
    _sent("another path", lambda request: replace(request, path=f"{request.path}/other")),
    _sent("no body", lambda request: replace(request, body=b"")),
    _sent("a body that is cut", lambda request: replace(request, body=request.body[:-1])),
)


# --- the caller's own ---------------------------------------------------------------------------------------------


def _own(name: str, change: Callable[[Asked], object]) -> Mutant:
    """A change of the caller's own values."""

    def edit(asked: Asked) -> None:
        change(asked)

    return Mutant(id=name, kind="request", wrap=Asking.by(edit), hint="rich", quiet=True)


def _spoil_tools(asked: Asked) -> None:
    for spec in asked["tool_specs"] or ():
        spec["inputSchema"]["json"].pop("properties", None)


def _spoil_text(asked: Asked) -> None:
    for block in asked["messages"][0]["content"]:
        if "text" in block:
            block["text"] += "."


_OWN: Final = (
    _own(
        "the caller's messages grow",
        lambda asked: asked["messages"].append({"role": "user", "content": [{"text": "x"}]}),
    ),
    _own("the caller's text changes", _spoil_text),
    _own("the caller's schemas change", _spoil_tools),
)

ASKED: Final[tuple[Mutant, ...]] = (*_ARGUMENTS, *_HISTORY, *_BODIES, *_OWN)
