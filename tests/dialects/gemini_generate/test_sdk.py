"""Witness: google-genai's own types, which forbid fields that they do not have, and its client."""

import asyncio
import json
from base64 import b64encode
from typing import Any

import httpx2
import pytest
from google import genai
from google.genai import errors, types
from pydantic import BaseModel, ValidationError

from harness.dialects.base import ErrorClass, Style
from harness.dialects.gemini_generate import DIALECT
from harness.dialects.gemini_generate.messages import MESSAGES
from harness.dialects.gemini_generate.stops import BLOCK_REASONS
from harness.dialects.reply import Reasoning, Reply, Text, ToolUse, json_text
from tests.dialects.gemini_generate.recorded import documents
from tests.dialects.gemini_generate.samples import CALLS, CUT, FILTERED, PLAIN, SAMPLES, THOUGHT, single_styles

#: what the types lack although it was recorded: the last members of the paths that they refuse
TYPES_LACK = {
    "serviceTier": "recorded in usageMetadata of the Developer API",
    "createTime": "recorded text; the strict type takes only a datetime, which JSON has not",
    "unheardOf": "fields that do not exist yet",
}


def objections(reply: Reply, style: Style, *, stream: bool) -> set[str]:
    """Last members of the paths to which the strict types object."""
    found: set[str] = set()
    for document in documents(DIALECT.encode(reply, style, stream=stream).body):
        try:
            types.GenerateContentResponse.model_validate_json(json.dumps(document), strict=True)
        except ValidationError as error:
            found |= {str(problem["loc"][-1]) for problem in error.errors()}
    return found


@pytest.mark.parametrize("stream", [True, False])
def test_strict_types_object_to_nothing_but_what_they_lack(stream: bool) -> None:
    met: set[str] = set()
    for style in single_styles():
        found = set().union(*(objections(reply, style, stream=stream) for reply in SAMPLES))
        allowed = {"vertex": {"createTime"}, "unknown": {"unheardOf"}, "rated": set()}
        assert found <= allowed.get(style.get("service", ""), {"serviceTier"}), style
        met |= found
    assert met == set(TYPES_LACK)


def test_every_stop_is_a_finish_reason_of_the_sdk_and_every_one_of_these_a_stop() -> None:
    known = {reason.value for reason in types.FinishReason} - {"FINISH_REASON_UNSPECIFIED"}
    assert {row.wire for row in DIALECT.stops} == known | {"UNHEARD_OF"}


def test_block_reasons_are_those_of_the_sdk_that_filter_under_the_same_name() -> None:
    filtering = {row.wire for row in DIALECT.stops if row.means == "content_filtered"}
    assert {reason.value for reason in types.BlockedReason} & filtering == BLOCK_REASONS


# --- requests ---------------------------------------------------------------------------------------------------------

#: messages that the SDK has under another name, or does not have
SDK_NAMES = {"VertexSchema": "Schema"}
#: fields of the SDK's types that are names of its own, or not sent
NOT_SENT = {
    "Schema": {"additionalProperties", "defs", "ref"},
    "Content": set[str](),
}
#: fields that the SDK's GenerationConfig lacks: it sends them from GenerateContentConfig
ADDED = {"GenerationConfig": {"imageConfig"}}


def wire_fields(model: type[BaseModel]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


@pytest.mark.parametrize("message", sorted(MESSAGES.keys() - {"Request"}))
def test_messages_have_the_fields_of_the_sdk(message: str) -> None:
    told = wire_fields(getattr(types, SDK_NAMES.get(message, message)))
    assert set(MESSAGES[message]) == told - NOT_SENT.get(message, set()) | ADDED.get(message, set())


# --- the client -------------------------------------------------------------------------------------------------------


def client(handler: Any) -> genai.Client:
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
    return genai.Client(api_key="k", http_options=types.HttpOptions(httpx_async_client=http))


async def streamed(body: bytes) -> list[types.GenerateContentResponse]:
    """What the client hands over of a stream."""
    head = {"content-type": "text/event-stream"}
    asked = client(lambda _: httpx2.Response(200, headers=head, content=body))
    stream = await asked.aio.models.generate_content_stream(model="gemini-2.5-flash", contents="x")
    return [chunk async for chunk in stream]


def heard(responses: list[types.GenerateContentResponse]) -> list[Any]:
    """Texts, thoughts and calls as the client hands them over, adjacent words joined."""
    told: list[Any] = []
    for response in responses:
        for candidate in response.candidates or ():
            for part in (candidate.content.parts if candidate.content else None) or ():
                told += _heard_part(part, told)
    return told


def _heard_part(part: types.Part, told: list[Any]) -> list[Any]:
    signature = b64encode(part.thought_signature).decode() if part.thought_signature else None
    if part.function_call is not None:
        call = part.function_call
        return [(call.id or "", call.name, json_text(call.args or {}), signature)]
    kind, text = "thought" if part.thought else "text", part.text or ""
    signature = signature if part.thought else None
    if told and told[-1][0] == kind and told[-1][2] is None:
        return [(kind, told.pop()[1] + text, signature)]
    return [(kind, text, signature)] if text else []


def said(reply: Reply) -> list[Any]:
    told: list[Any] = []
    for block in reply.blocks:
        if isinstance(block, ToolUse):
            told.append((block.id, block.name, block.arguments, block.signature))
        elif isinstance(block, Reasoning):
            told.append(("thought", block.text, block.signature))
        elif isinstance(block, Text):
            told.append(("text", block.text, None))
    return told


@pytest.mark.parametrize("reply", [PLAIN, CALLS, THOUGHT, CUT, FILTERED])
def test_client_hands_over_every_style(reply: Reply) -> None:
    async def all_styles() -> None:
        for style in single_styles():
            told = await streamed(DIALECT.encode(reply, style, stream=True).body)
            expected = DIALECT.expected(reply, style, stream=True)
            assert heard(told) == said(expected), style
            assert usage_of(told[-1]) == (expected.usage.total if expected.usage else None), style

    asyncio.run(all_styles())


def usage_of(response: types.GenerateContentResponse) -> int | None:
    return response.usage_metadata.total_token_count if response.usage_metadata else None


@pytest.mark.parametrize("form", ["event", "bare_json"])
def test_client_raises_an_error_in_a_stream(form: str) -> None:
    throttled = next(error for error in DIALECT.errors if error.error_class is ErrorClass.THROTTLE)
    told = DIALECT.encode_stream_error(throttled, PLAIN, {"error": form}, keep=2)
    assert told is not None
    with pytest.raises(errors.ClientError, match="RESOURCE_EXHAUSTED"):
        asyncio.run(streamed(told.body))
