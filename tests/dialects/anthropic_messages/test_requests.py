import base64

import pytest

from harness.dialects.anthropic_messages import DIALECT
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
from tests.dialects.anthropic_messages.requests import (
    CACHED,
    PDF,
    PNG,
    assistant,
    body,
    call,
    document,
    image,
    request,
    result,
    text,
    thinking,
    tool,
    user,
)

VERTEX = "/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-5:"


def test_a_request_says_all_it_has() -> None:
    view = DIALECT.read_request(
        request(
            body(
                user(text("Grüße 😀"), image(), document(type="base64", media_type="application/pdf", data=PDF)),
                assistant(
                    thinking(),
                    {"type": "redacted_thinking", "data": "AAEC"},
                    text("Ja"),
                    call("toolu_9", "wetter", ort="Köln"),
                ),
                user(result("toolu_9", [text("warm"), image()], is_error=False)),
                system=[text("Kurz."), text("Höflich.", cache_control=CACHED)],
                tools=[tool("wetter", description="Wie es ist", strict=True)],
                tool_choice={"type": "tool", "name": "wetter"},
                stream=True,
                temperature=0.5,
            )
        )
    )
    png = MediaPart("image", "png", base64.b64decode(PNG))
    assert view.model == "claude-opus-5"
    assert view.stream
    assert view.system == ("Kurz.", "Höflich.")
    assert view.turns == (
        Turn("user", (TextPart("Grüße 😀"), png, MediaPart("document", "pdf", base64.b64decode(PDF), "Report"))),
        Turn(
            "assistant",
            (
                ReasoningPart("hm", "c2ln"),
                ReasoningPart(None, redacted=b"\x00\x01\x02"),
                TextPart("Ja"),
                CallPart("toolu_9", "wetter", {"ort": "Köln"}),
            ),
        ),
        Turn("user", (ResultPart("toolu_9", ("warm",), (png,), False),)),
    )
    assert view.tools == (ToolView("wetter", "Wie es ist", {"type": "object", "properties": {}}, True),)
    assert view.tool_choice == "tool:wetter"
    assert view.cache_points == ("system[1].cache_control",)
    assert view.params == {"max_tokens": 64, "temperature": 0.5}


def test_bare_texts_are_texts() -> None:
    view = DIALECT.read_request(request(body(user("a"), assistant(call()), user(result(content="b")), system="s")))
    assert view.system == ("s",)
    assert view.turns[0] == Turn("user", (TextPart("a"),))
    assert view.turns[2] == Turn("user", (ResultPart("toolu_1", ("b",)),))
    assert not view.stream
    assert view.tool_choice is None


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ({"type": "text", "media_type": "text/plain", "data": "é"}, ("txt", "é".encode(), None)),
        ({"type": "content", "content": [text("a"), text("b")]}, ("txt", b"a\nb", None)),
        ({"type": "url", "url": "https://example.com/a.pdf"}, (None, None, "https://example.com/a.pdf")),
        ({"type": "file", "file_id": "file_1"}, (None, None, "file_1")),
        ({"type": "base64", "media_type": "application/pdf", "data": "%"}, ("pdf", None, None)),
    ],
)
def test_sources_of_documents(source: dict[str, object], part: tuple[str | None, bytes | None, str | None]) -> None:
    view = DIALECT.read_request(request(body(user(document(**source)))))
    form, data, uri = part
    assert view.turns[0].parts == (MediaPart("document", form, data, "Report", uri),)


@pytest.mark.parametrize("choice", ["auto", "any", "none"])
def test_choices_have_the_same_names(choice: str) -> None:
    assert DIALECT.read_request(request(body(tools=[tool()], tool_choice={"type": choice}))).tool_choice == choice


def test_a_schema_for_the_answer() -> None:
    schema = {"type": "object", "additionalProperties": False}
    current = body(output_config={"format": {"type": "json_schema", "schema": schema}})
    older = body(output_format={"type": "json_schema", "schema": schema})
    assert DIALECT.read_request(request(current)).response_schema == schema
    assert DIALECT.read_request(request(older)).response_schema == schema
    assert DIALECT.read_request(request(body())).response_schema is None


def test_cache_points_come_in_the_services_order() -> None:
    wire = body(
        user(text("a", cache_control=CACHED)),
        assistant(call()),
        user(result(content=[text("b", cache_control=CACHED)])),
        system=[text("s", cache_control=CACHED)],
        tools=[tool(cache_control=CACHED, schema={"type": "object", "properties": {"cache_control": {}}})],
    )
    assert DIALECT.read_request(request(wire)).cache_points == (
        "tools[0].cache_control",
        "system[0].cache_control",
        "messages[0].content[0].cache_control",
        "messages[2].content[0].content[0].cache_control",
    )


def test_vertex_requests_name_model_and_mode_in_the_path() -> None:
    wire = body(model=None, anthropic_version="vertex-2023-10-16")
    whole, stream = (request(wire, VERTEX + verb) for verb in ("rawPredict", "streamRawPredict"))
    assert [DIALECT.is_stream(each) for each in (whole, stream)] == [False, True]
    assert {DIALECT.read_request(each).model for each in (whole, stream)} == {"claude-opus-5"}


@pytest.mark.parametrize(
    "wrong",
    [
        WireRequest("GET", "/v1/messages", (), b"{}"),
        WireRequest("POST", "/v1/chat/completions", (), b"{}"),
        WireRequest("POST", "/v1/messages", (), b"nonsense"),
        WireRequest("POST", "/v1/messages", (), b"[]"),
        WireRequest("POST", "/v1/messages", (), b"{}"),
        request(body("text")),
        request(body(tools=[1])),
    ],
    ids=["method", "path", "json", "list", "empty", "message", "tool"],
)
def test_what_is_no_request_of_the_protocol_is_not_read(wrong: WireRequest) -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(wrong)
