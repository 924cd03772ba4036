"""Everything that a request says is read."""

from typing import Any

import pytest

from harness.dialects.base import (
    CallPart,
    DecodeError,
    MediaPart,
    ReasoningPart,
    ResultPart,
    TextPart,
    ToolView,
    Turn,
    WireRequest,
)
from harness.dialects.bedrock_converse import DIALECT
from tests.dialects.bedrock_converse.asks import (
    CACHE,
    CLAUDE,
    S3,
    asked,
    assistant,
    call,
    document,
    image,
    reasoning,
    request,
    result,
    text,
    tool,
    user,
)
from tests.recordings.corpus import exchanges
from tests.shared import needs_shared


def parts(*blocks: dict[str, Any]) -> tuple[Any, ...]:
    (turn,) = DIALECT.read_request(request(asked(user(*blocks)))).turns
    return turn.parts


def test_turns_and_system() -> None:
    view = DIALECT.read_request(
        request(asked(user(text("Grüß dich")), assistant(text("b")), system=[text("one"), CACHE, text("two")]))
    )
    assert view.turns == (Turn("user", (TextPart("Grüß dich"),)), Turn("assistant", (TextPart("b"),)))
    assert view.system == ("one", "two")


def test_model_and_mode() -> None:
    for stream in (True, False):
        wire = request(asked(), stream=stream)
        view = DIALECT.read_request(wire)
        assert (view.model, view.stream, DIALECT.is_stream(wire)) == (CLAUDE, stream, stream)


def test_an_arn_is_one_path_segment() -> None:
    arn = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-haiku-v1:0"
    assert DIALECT.read_request(request(asked(), model=arn)).model == arn


@pytest.mark.parametrize(
    ("block", "part"),
    [
        (image("iVBORw=="), MediaPart("image", "png", b"\x89PNG")),
        ({"image": {"format": "png", "source": S3}}, MediaPart("image", "png", None, None, "s3://bucket/key")),
        (document("a", bytes="JVBERi0="), MediaPart("document", "pdf", b"%PDF-", "a")),
        (document("a", "txt", text="Zürich"), MediaPart("document", "txt", "Zürich".encode(), "a")),
        (document("a", "txt", content=[text("x"), text("y")]), MediaPart("document", "txt", b"xy", "a")),
        ({"video": {"format": "mp4", "source": {"bytes": "AAEC"}}}, MediaPart("video", "mp4", b"\0\1\2")),
        ({"guardContent": {"text": {"text": "check"}}}, TextPart("check")),
        ({"citationsContent": {"content": [text("a"), text("b")], "citations": []}}, TextPart("ab")),
        (reasoning(), ReasoningPart("hm", "c2ln")),
        (reasoning(redactedContent="AAEC"), ReasoningPart(None, None, b"\0\1\2")),
        (call(input={"city": "Zürich"}), CallPart("tooluse_1", "get_weather", {"city": "Zürich"})),
        (result(), ResultPart("tooluse_1", ("sunny",))),
        (result(status="error"), ResultPart("tooluse_1", ("sunny",), error=True)),
        (result(status="success"), ResultPart("tooluse_1", ("sunny",), error=False)),
        (
            result("tooluse_1", {"json": {"t": "ü"}}, text("b"), image("iVBORw==")),
            ResultPart("tooluse_1", ('{"t":"ü"}', "b"), (MediaPart("image", "png", b"\x89PNG"),)),
        ),
    ],
)
def test_parts(block: dict[str, Any], part: Any) -> None:
    assert parts(block) == (part,)


def test_tools_and_choice() -> None:
    tools = {
        "tools": [tool("f", description="d", strict=True), CACHE, tool("g")],
        "toolChoice": {"tool": {"name": "f"}},
    }
    view = DIALECT.read_request(request(asked(toolConfig=tools)))
    assert view.tools == (ToolView("f", "d", {"type": "object"}, True), ToolView("g", None, {"type": "object"}))
    assert view.tool_choice == "tool:f"


@pytest.mark.parametrize(("choice", "read"), [({"auto": {}}, "auto"), ({"any": {}}, "any"), (None, None)])
def test_choices(choice: Any, read: str | None) -> None:
    tools = {"tools": [tool()]} | ({"toolChoice": choice} if choice else {})
    assert DIALECT.read_request(request(asked(toolConfig=tools))).tool_choice == read


def test_cache_points() -> None:
    body = asked(user(text(), CACHE), system=[text(), CACHE], toolConfig={"tools": [tool(), CACHE]})
    assert DIALECT.read_request(request(body)).cache_points == (
        "toolConfig.tools[1].cachePoint",
        "system[1].cachePoint",
        "messages[0].content[1].cachePoint",
    )


def test_params_and_response_schema() -> None:
    form = {"type": "json_schema", "structure": {"jsonSchema": {"name": "n", "schema": '{"type":"object"}'}}}
    body = asked(
        inferenceConfig={"maxTokens": 5, "stopSequences": ["END"]},
        additionalModelRequestFields={"top_k": 3},
        outputConfig={"textFormat": form},
    )
    view = DIALECT.read_request(request(body))
    assert view.response_schema == {"type": "object"}
    assert view.params == {
        "maxTokens": 5,
        "stopSequences": ["END"],
        "additionalModelRequestFields": {"top_k": 3},
        "outputConfig": {"textFormat": form},
    }


@pytest.mark.parametrize(
    "wire",
    [
        WireRequest("POST", "/v1/messages", (), b"{}"),
        WireRequest("GET", f"/model/{CLAUDE}/converse", (), b""),
        request(b"not json"),
        request([]),
        request({"messages": [{"role": "user"}]}),
        request(asked(user({"image": {"format": "png", "source": {"bytes": "?"}}}))),
    ],
    ids=["path", "method", "body", "list", "turn", "bytes"],
)
def test_what_is_no_request(wire: WireRequest) -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(wire)


@needs_shared
def test_recorded_requests_lose_no_text() -> None:
    for found in exchanges(["bedrock-converse", "bedrock-converse-stream"]):
        url = str(found.exchange.request.url)
        body = found.exchange.request.body or b""
        view = DIALECT.read_request(WireRequest("POST", url[url.index("/model/") :], (), body))
        said = [part.text for turn in view.turns for part in turn.parts if isinstance(part, TextPart)]
        assert view.turns, found.name
        assert said, found.name
