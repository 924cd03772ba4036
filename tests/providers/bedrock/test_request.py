"""Requests: what is sent for which arguments. botocore validates each of them against the service's model."""

import copy
import json
import warnings
from collections.abc import Mapping
from typing import Any

import boto3
import pytest
from botocore.validate import ParamValidator

from harness.contract.config import CacheConfig, CacheToolsConfig, NotStrictWarning, UnsupportedContentWarning
from harness.contract.content import ToolSpec
from providers._shared.request import Request, system_blocks
from providers.bedrock.content import EMPTY_RESULT
from providers.bedrock.names import NAMES
from providers.bedrock.request import counted_of, request_of

CLAUDE = "us.anthropic.claude-sonnet-4-20250514-v1:0"
NOVA = "us.amazon.nova-lite-v1:0"
DEEPSEEK = "us.deepseek.r1-v1:0"

WEATHER: ToolSpec = {
    "name": "weather",
    "description": "Tells the weather.",
    "inputSchema": {"json": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
}

_SERVICE = boto3.Session(aws_access_key_id="none", aws_secret_access_key="none").client(  # built once: it is slow
    "bedrock-runtime", region_name="us-east-1"
)


def request(*turns: tuple[str, list[Any]], model: str = CLAUDE, **options: Any) -> Any:
    """The request for a conversation, checked against the service's model and for unchanged inputs."""
    arguments = {key: options.pop(key) for key in ("tool_specs", "system", "tool_choice") if key in options}
    messages: Any = [{"role": role, "content": content} for role, content in turns]
    before = copy.deepcopy((messages, arguments, options))
    built = request_of(Request({"model_id": model, **options}, messages, **arguments))
    assert (messages, arguments, options) == before
    operation = "ConverseStream" if options.get("streaming", True) else "Converse"
    shape = _SERVICE.meta.service_model.operation_model(operation).input_shape
    report = ParamValidator().validate(built, shape)
    assert not report.has_errors(), report.generate_report()
    return built


def content(*blocks: Any, role: str = "user", **options: Any) -> Any:
    """What is sent of the blocks of one message; None when the message is left out."""
    built = request(("user", [{"text": "first"}]), ("assistant", [{"text": "second"}]), (role, list(blocks)), **options)
    sent = [block for message in built["messages"] for block in message["content"]]
    return sent[2:]


# --- text and turns


def test_blank_text_is_never_sent() -> None:
    assert content({"text": ""}, {"text": " \n\t"}, {"text": " a "}) == [{"text": " a "}]


def test_an_empty_message_is_left_out_and_its_neighbours_are_joined() -> None:
    built = request(("user", [{"text": "a"}]), ("assistant", [{"text": " "}]), ("user", [{"text": "b"}]))
    assert built["messages"] == [{"role": "user", "content": [{"text": "a"}, {"text": "b"}]}]


def test_results_of_parallel_calls_come_in_one_turn() -> None:
    calls = [{"toolUse": {"toolUseId": name, "name": "weather", "input": {}}} for name in "ab"]
    results: Any = [{"toolResult": {"toolUseId": name, "content": [{"text": name}]}} for name in "ab"]
    built = request(
        ("user", [{"text": "?"}]), ("assistant", calls), ("user", results[:1]), ("user", results[1:]), model=NOVA
    )
    assert [message["role"] for message in built["messages"]] == ["user", "assistant", "user"]
    assert [block["toolResult"]["toolUseId"] for block in built["messages"][2]["content"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("prompt", "blocks", "sent"),
    [
        (None, None, None),
        ("", None, None),
        ("a", None, [{"text": "a"}]),
        (None, [{"text": "b"}], [{"text": "b"}]),
        (
            "a",
            [{"text": "b"}, {"cachePoint": {"type": "default"}}],
            [{"text": "b"}, {"cachePoint": {"type": "default"}}],
        ),
        ("a", [{"text": " "}], None),
        (None, [{"guardContent": {"text": {"text": "g"}}}], [{"guardContent": {"text": {"text": "g"}}}]),
    ],
)
def test_system_prompts(prompt: str | None, blocks: Any, sent: Any) -> None:
    built = request(("user", [{"text": "hi"}]), system=system_blocks(prompt, blocks))
    assert built.get("system") == sent


# --- media


@pytest.mark.parametrize("kind", ["image", "video"])
@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ({"bytes": b"x"}, {"bytes": b"x"}),
        (
            {"location": {"type": "s3", "uri": "s3://bucket/key", "bucketOwner": "123456789012"}},
            {"s3Location": {"uri": "s3://bucket/key", "bucketOwner": "123456789012"}},
        ),
        ({"location": {"type": "s3", "uri": "s3://bucket/key"}}, {"s3Location": {"uri": "s3://bucket/key"}}),
    ],
)
def test_media(kind: str, source: Any, sent: Any) -> None:
    media_format = {"image": "png", "video": "mp4"}[kind]
    assert content({kind: {"format": media_format, "source": source}}) == [
        {kind: {"format": media_format, "source": sent}}
    ]


@pytest.mark.parametrize("kind", ["image", "document", "video"])
@pytest.mark.parametrize("source", [{}, {"bytes": b""}, {"location": {"type": "https", "uri": "https://x.test/y"}}])
def test_media_from_elsewhere_warn_and_are_left_out(kind: str, source: Any) -> None:
    with pytest.warns(UnsupportedContentWarning, match=kind):
        assert content({kind: {"format": "png", "name": "n", "source": source}}, {"text": "a"}) == [{"text": "a"}]


def test_unknown_blocks_warn_and_are_left_out() -> None:
    with pytest.warns(UnsupportedContentWarning, match="hologram"):
        assert content({"hologram": {}}, {"text": "a"}) == [{"text": "a"}]


def test_documents() -> None:
    document = {
        "format": "pdf",
        "name": "report.pdf",
        "source": {"bytes": b"x"},
        "citations": {"enabled": True},
        "context": "quarterly",
        "unknown": 1,
    }
    (sent,) = content({"document": document})
    assert sent["document"] == {
        "format": "pdf",
        "name": "report pdf",
        "source": {"bytes": b"x"},
        "citations": {"enabled": True},
        "context": "quarterly",
    }


def test_documents_of_a_request_have_distinct_names() -> None:
    document = {"document": {"format": "txt", "name": "a", "source": {"bytes": b"x"}}}
    names = [block["document"]["name"] for block in content(document, document)]
    assert names == ["a", "a-2"]


# --- tools


@pytest.mark.parametrize(
    ("given", "sent"),
    [({"a": 1}, {"a": 1}), ("{bad", {}), ('{"a": 1}', {"a": 1}), ("[1]", {}), (None, {}), ([1], {}), ("", {})],
)
def test_input_of_calls_is_an_object(given: Any, sent: Any) -> None:
    use = {"toolUseId": "t", "name": "weather", "input": given, "reasoningSignature": "s"}
    assert content({"toolUse": use}, role="assistant") == [
        {"toolUse": {"toolUseId": "t", "name": "weather", "input": sent}}
    ]


@pytest.mark.parametrize(
    ("items", "sent"),
    [
        ([], [{"text": EMPTY_RESULT}]),
        ([{"text": " "}], [{"text": EMPTY_RESULT}]),
        ([{"text": "a"}, {"text": ""}], [{"text": "a"}]),
        ([{"json": {"ü": 1}}], [{"json": {"ü": 1}}]),
        ([{"json": ["ü", 1]}], [{"text": '["ü", 1]'}]),
        ([{"json": None}], [{"text": "null"}]),
        (
            [{"image": {"format": "png", "source": {"bytes": b"x"}}}],
            [{"image": {"format": "png", "source": {"bytes": b"x"}}}],
        ),
        (
            [{"document": {"format": "txt", "name": "n.txt", "source": {"bytes": b"x"}}}],
            [{"document": {"format": "txt", "name": "n txt", "source": {"bytes": b"x"}}}],
        ),
    ],
)
def test_content_of_tool_results(items: Any, sent: Any) -> None:
    (block,) = content({"toolResult": {"toolUseId": "t", "content": items, "unknown": 1}})
    assert block == {"toolResult": {"toolUseId": "t", "content": sent}}


@pytest.mark.parametrize(
    ("model", "setting", "sent"),
    [
        (CLAUDE, "auto", True),
        (NOVA, "auto", False),
        (NOVA, True, True),
        (CLAUDE, False, False),
    ],
)
def test_status_of_tool_results(model: str, setting: Any, sent: bool) -> None:
    result = {"toolUseId": "t", "content": [{"text": "no"}], "status": "error"}
    (block,) = content({"toolResult": result}, model=model, include_tool_result_status=setting)
    assert ("status" in block["toolResult"]) == sent


def test_tools() -> None:
    built = request(("user", [{"text": "hi"}]), tool_specs=[WEATHER])
    assert built["toolConfig"] == {"tools": [{"toolSpec": WEATHER}]}


def test_a_blank_description_is_left_out() -> None:
    built = request(("user", [{"text": "hi"}]), tool_specs=[{**WEATHER, "description": " "}])
    assert "description" not in built["toolConfig"]["tools"][0]["toolSpec"]


@pytest.mark.parametrize("choice", [{"auto": {}}, {"any": {}}, {"tool": {"name": "weather"}}])
def test_tool_choices(choice: Any) -> None:
    built = request(("user", [{"text": "hi"}]), tool_specs=[WEATHER], tool_choice=choice)
    assert built["toolConfig"]["toolChoice"] == choice
    assert "toolConfig" not in request(("user", [{"text": "hi"}]), tool_choice=choice)


def test_names_of_tools_agree_wherever_they_occur() -> None:
    spec: ToolSpec = {**WEATHER, "name": "weather.now"}
    use = {"toolUse": {"toolUseId": "id!", "name": "weather.now", "input": {}}}
    result = {"toolResult": {"toolUseId": "id!", "content": [{"text": "rain"}]}}
    built = request(
        ("user", [{"text": "?"}]),
        ("assistant", [use]),
        ("user", [result]),
        tool_specs=[spec],
        tool_choice={"tool": {"name": "weather.now"}},
    )
    sent_use, sent_result = (
        built["messages"][1]["content"][0]["toolUse"],
        built["messages"][2]["content"][0]["toolResult"],
    )
    assert sent_use["name"] == built["toolConfig"]["tools"][0]["toolSpec"]["name"] == NAMES.wire("weather.now")
    assert built["toolConfig"]["toolChoice"] == {"tool": {"name": NAMES.wire("weather.now")}}
    assert sent_use["toolUseId"] == sent_result["toolUseId"] != "id!"


def test_tools_of_the_history_are_declared_when_none_are_given() -> None:
    use = {"toolUse": {"toolUseId": "t", "name": "weather", "input": {}}}
    built = request(("user", [{"text": "?"}]), ("assistant", [use]))
    (tool,) = built["toolConfig"]["tools"]
    assert tool["toolSpec"]["name"] == "weather"


def test_strict_tools_are_closed() -> None:
    built = request(("user", [{"text": "hi"}]), tool_specs=[WEATHER], strict_tools=True)
    (tool,) = built["toolConfig"]["tools"]
    assert tool["toolSpec"]["strict"] is True
    assert tool["toolSpec"]["inputSchema"]["json"] == {**WEATHER["inputSchema"]["json"], "additionalProperties": False}


def test_tools_without_a_strict_form_are_sent_as_they_are() -> None:
    open_map: Any = {"json": {"type": "object", "additionalProperties": {"type": "string"}}}
    tools: Any = [{**WEATHER, "inputSchema": open_map}]
    with pytest.warns(NotStrictWarning, match="properties of any name"):
        built = request(("user", [{"text": "hi"}]), tool_specs=tools, strict_tools=True)
    (tool,) = built["toolConfig"]["tools"]
    assert "strict" not in tool["toolSpec"]
    assert tool["toolSpec"]["inputSchema"] == open_map


# --- reasoning and citations


@pytest.mark.parametrize(
    ("model", "body", "sent"),
    [
        (CLAUDE, {"reasoningText": {"text": "a", "signature": "s"}}, True),
        (CLAUDE, {"reasoningText": {"text": "", "signature": "s"}}, True),
        (CLAUDE, {"reasoningText": {"text": "a"}}, False),
        (NOVA, {"reasoningText": {"text": "a"}}, True),
        (NOVA, {"reasoningText": {"text": " "}}, False),
        (CLAUDE, {"redactedContent": b"r"}, True),
        (DEEPSEEK, {"reasoningText": {"text": "a", "signature": "s"}}, False),
        (DEEPSEEK, {"redactedContent": b"r"}, False),
    ],
)
def test_reasoning_of_the_history(model: str, body: Any, sent: bool) -> None:
    blocks = content({"reasoningContent": body}, {"text": "answer"}, role="assistant", model=model)
    assert blocks == [*([{"reasoningContent": body}] if sent else []), {"text": "answer"}]


def test_a_missing_signature_is_not_sent_as_null() -> None:
    body = {"reasoningText": {"text": "a", "signature": None}}
    (block,) = content({"reasoningContent": body}, role="assistant", model=NOVA)
    assert block == {"reasoningContent": {"reasoningText": {"text": "a"}}}


def test_citations_of_the_history() -> None:
    citation = {
        "title": "facts",
        "location": {"documentChar": {"documentIndex": 0, "start": 1, "end": 2, "unknown": 3}, "elsewhere": {}},
        "sourceContent": [{"text": "source", "unknown": 1}],
        "unknown": 1,
    }
    body = {"content": [{"text": "said"}], "citations": [citation]}
    (block,) = content({"citationsContent": body}, role="assistant")
    assert block["citationsContent"] == {
        "content": [{"text": "said"}],
        "citations": [
            {
                "title": "facts",
                "sourceContent": [{"text": "source"}],
                "location": {"documentChar": {"documentIndex": 0, "start": 1, "end": 2}},
            }
        ],
    }


def test_text_without_citations_is_text() -> None:
    body = {"content": [{"text": "a"}, {"text": "b"}], "citations": []}
    assert content({"citationsContent": body}, role="assistant") == [{"text": "ab"}]


# --- caching


@pytest.mark.parametrize(
    ("model", "strategy", "cached"), [(CLAUDE, "auto", True), (NOVA, "auto", False), (NOVA, "anthropic", True)]
)
def test_a_cache_point_on_the_last_user_message(model: str, strategy: Any, cached: bool) -> None:
    built = request(
        ("user", [{"text": "a"}]),
        ("assistant", [{"text": "b"}]),
        ("user", [{"text": "c"}]),
        ("assistant", [{"text": "d"}]),
        model=model,
        cache_config=CacheConfig(strategy, ttl="1h"),
    )
    points = [[block for block in message["content"] if "cachePoint" in block] for message in built["messages"]]
    assert points == [[], [], [{"cachePoint": {"type": "default", "ttl": "1h"}}] if cached else [], []]


def test_a_cache_point_is_not_put_after_a_document_nor_twice() -> None:
    document = {"document": {"format": "txt", "name": "a", "source": {"bytes": b"x"}}}
    caching: Mapping[str, Any] = {"cache_config": CacheConfig()}
    point = {"cachePoint": {"type": "default"}}
    assert [next(iter(block)) for block in content({"text": "a"}, document, **caching)] == [
        "text",
        "cachePoint",
        "document",
    ]
    assert content({"text": "a"}, point, {"text": "b"}, **caching) == [{"text": "a"}, point, {"text": "b"}]


def test_no_more_cache_points_than_the_service_takes() -> None:
    full = [{"text": "a"}, *[{"cachePoint": {"type": "default", "ttl": "5m"}}] * 4]
    built = request(
        ("user", full), ("assistant", [{"text": "b"}]), ("user", [{"text": "c"}]), cache_config=CacheConfig()
    )
    assert built["messages"][2]["content"] == [{"text": "c"}]


@pytest.mark.parametrize(
    ("setting", "point"),
    [
        ("default", {"type": "default"}),
        (CacheToolsConfig(ttl="5m"), {"type": "default", "ttl": "5m"}),
    ],
)
def test_a_cache_point_after_the_tools(setting: Any, point: Any) -> None:
    built = request(("user", [{"text": "hi"}]), tool_specs=[WEATHER], cache_tools=setting)
    assert built["toolConfig"]["tools"][1:] == [{"cachePoint": point}]


def test_a_cache_point_after_the_system_prompt() -> None:
    built = request(("user", [{"text": "hi"}]), system=[{"text": "s"}], cache_prompt="default")
    assert built["system"] == [{"text": "s"}, {"cachePoint": {"type": "default"}}]
    assert "system" not in request(("user", [{"text": "hi"}]), cache_prompt="default")


# --- guardrails


def test_guardrails() -> None:
    settings = {"guardrail_id": "g1", "guardrail_version": "DRAFT", "guardrail_stream_processing_mode": "async"}
    expected = {"guardrailIdentifier": "g1", "guardrailVersion": "DRAFT", "trace": "enabled"}
    streamed = request(("user", [{"text": "hi"}]), **settings)
    whole = request(("user", [{"text": "hi"}]), streaming=False, **settings)
    assert streamed["guardrailConfig"] == {**expected, "streamProcessingMode": "async"}
    assert whole["guardrailConfig"] == expected
    assert "guardrailConfig" not in request(("user", [{"text": "hi"}]), guardrail_id="g1")


def test_the_last_text_of_the_user_is_assessed_also_after_a_tool_turn() -> None:
    use = {"toolUse": {"toolUseId": "t", "name": "weather", "input": {}}}
    result = {"toolResult": {"toolUseId": "t", "content": [{"text": "rain"}]}}
    image = {"image": {"format": "png", "source": {"bytes": b"x"}}}
    gif = {"image": {"format": "gif", "source": {"bytes": b"x"}}}
    built = request(
        ("user", [{"text": "old"}]),
        ("assistant", [{"text": "yes"}]),
        ("user", [{"text": "new"}, {"text": " "}, image, gif]),
        ("assistant", [use]),
        ("user", [result]),
        model=NOVA,
        guardrail_latest_message=True,
    )
    contents = [message["content"] for message in built["messages"]]
    assert contents == [
        [{"text": "old"}],
        [{"text": "yes"}],
        [{"guardContent": {"text": {"text": "new"}}}, {"guardContent": image}, gif],
        [use],
        [result],
    ]


# --- the other members


def test_settings_reach_their_members_and_none_is_not_sent() -> None:
    built = request(
        ("user", [{"text": "hi"}]),
        max_tokens=5,
        temperature=0,
        top_p=None,
        stop_sequences=["x"],
        additional_request_fields={"top_k": 3},
        additional_response_field_paths=["/stop_sequence"],
        performance_latency="optimized",
        service_tier="flex",
        additional_args={"requestMetadata": {"a": "b"}},
    )
    assert built == {
        "modelId": CLAUDE,
        "messages": [{"role": "user", "content": [{"text": "hi"}]}],
        "inferenceConfig": {"maxTokens": 5, "temperature": 0, "stopSequences": ["x"]},
        "additionalModelRequestFields": {"top_k": 3},
        "additionalModelResponseFieldPaths": ["/stop_sequence"],
        "performanceConfig": {"latency": "optimized"},
        "serviceTier": {"type": "flex"},
        "requestMetadata": {"a": "b"},
    }


@pytest.mark.parametrize(
    ("choice", "thinks"),
    [(None, True), ({"auto": {}}, True), ({"any": {}}, False), ({"tool": {"name": "weather"}}, False)],
)
def test_a_forced_call_turns_thinking_off(choice: Any, thinks: bool) -> None:
    fields = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "top_k": 3}
    built = request(
        ("user", [{"text": "hi"}]), tool_specs=[WEATHER], tool_choice=choice, additional_request_fields=fields
    )
    assert ("thinking" in built["additionalModelRequestFields"]) == thinks
    assert built["additionalModelRequestFields"]["top_k"] == 3


def test_what_is_counted_is_what_is_sent() -> None:
    messages: Any = [{"role": "user", "content": [{"text": "hi"}, {"text": " "}]}]
    config = {"model_id": CLAUDE, "max_tokens": 5}
    counted = counted_of(Request(config, messages, [WEATHER], [{"text": "s"}]))
    shape = _SERVICE.meta.service_model.shape_for("ConverseTokensRequest")
    assert not ParamValidator().validate(counted, shape).has_errors()
    assert set(counted) == {"messages", "system", "toolConfig"}
    sent = request_of(Request(config, messages, [WEATHER], [{"text": "s"}]))
    assert counted == {name: sent[name] for name in counted}


def test_a_plain_conversation_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        built = request(("user", [{"text": "hi"}]))
    assert json.dumps(built)
