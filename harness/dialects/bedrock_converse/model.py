"""The request of Converse and ConverseStream: its members, and what each may hold."""

import re
from collections.abc import Mapping
from typing import Final

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.bedrock_converse.constraints import (
    MODEL,
    Blob,
    Boolean,
    Document,
    ListOf,
    MapOf,
    Node,
    Number,
    OneOf,
    Rule,
    String,
    Struct,
    one_of,
    struct,
    union,
)

_TEXT: Final = String()
_SOME: Final = String(1)
_MEDIA: Final = Rule(Kind.MEDIA, MODEL)
_BLANK: Final = Rule(
    Kind.EMPTY_TEXT,
    "ValidationException: the text field in the ContentBlock object is blank (OpenHands#5339, botocore#3525)",
)
_EMPTY_CONTENT: Final = Rule(
    Kind.FORM, "ValidationException: the content field in the Message object at messages.N is empty"
)
_NAME_RULE: Final = Rule(
    Kind.MEDIA,
    "ValidationException: document names hold alphanumeric characters, whitespace, hyphens, parentheses and square "
    "brackets, no two whitespace characters in a row (vercel-ai#20365); an underscore was accepted in "
    "bedrock-converse/langchain-ai+langchain-aws__aws_test_citations_document0.yaml.gz",
)
_INPUT_RULE: Final = Rule(
    Kind.FORM, "ValidationException: toolUse.input: provide a json object for the field (strands:bedrock-tool-input)"
)

_JSON_RULE: Final = Rule(
    Kind.FORM,
    "ValidationException: toolResult.content.N.json: provide a json object (haystack-core-integrations#3766)",
)

_SAYS: Final = String(pattern=re.compile(r"\s*\S[\s\S]*"), rule=_BLANK)
_TOOL_NAME: Final = String(1, 64, re.compile(r"[a-zA-Z0-9_-]+"), Rule(Kind.TOOL_NAME, f"{MODEL}: ToolName"))
_TOOL_ID: Final = String(1, 64, re.compile(r"[a-zA-Z0-9_.:-]+"), Rule(Kind.TOOL_ID, f"{MODEL}: ToolUseId"))
_S3_URI: Final = String(1, 1024, re.compile(r"s3://[a-z0-9][.a-z0-9-]{1,61}[a-z0-9](/.*)?"), _MEDIA)
_S3: Final = struct("uri", uri=_S3_URI, bucketOwner=String(pattern=re.compile(r"[0-9]{12}")))
_BYTES: Final = Blob(1, _MEDIA)
_SWITCH: Final = struct("enabled", enabled=Boolean())
_CACHE: Final = struct(
    "type",
    type=one_of("default", Rule(Kind.CACHE, f"{MODEL}: CachePointType")),
    ttl=one_of("5m 1h", Rule(Kind.CACHE, f"{MODEL}: CacheTTL")),
)


def _media(formats: str) -> Struct:
    failure = struct(message=_TEXT)
    return struct(
        "format", "source", format=one_of(formats, _MEDIA), source=union(bytes=_BYTES, s3Location=_S3), error=failure
    )


_IMAGE: Final = _media("png jpeg gif webp")
_AUDIO: Final = _media("mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm")
_VIDEO: Final = struct(
    "format",
    "source",
    format=one_of("mkv mov mp4 webm flv mpeg mpg wmv three_gp", _MEDIA),
    source=union(bytes=_BYTES, s3Location=_S3),
)
_DOCUMENT: Final = struct(
    "name",
    "source",
    format=one_of("pdf csv doc docx xls xlsx html txt md", _MEDIA),
    name=String(1, 200, re.compile(r"(?!.*\s\s)[A-Za-z0-9_\s()\[\]-]+", re.ASCII | re.DOTALL), _NAME_RULE),
    source=union(bytes=_BYTES, s3Location=_S3, text=_TEXT, content=ListOf(union(text=_TEXT))),
    context=_TEXT,
    citations=_SWITCH,
)
_SEARCH_RESULT: Final = struct(
    "source",
    "title",
    "content",
    source=_TEXT,
    title=_TEXT,
    content=ListOf(struct("text", text=_TEXT)),
    citations=_SWITCH,
)
_GUARDED: Final = union(
    text=struct("text", text=_SAYS, qualifiers=ListOf(one_of("grounding_source query guard_content"))),
    image=struct("format", "source", format=one_of("png jpeg", _MEDIA), source=union(bytes=_BYTES)),
)


def _range(index: str) -> Struct:
    at = Number(0, whole=True)
    return struct(**{index: at, "start": at, "end": at})


_LOCATION: Final = union(
    web=struct(url=_TEXT, domain=_TEXT),
    documentChar=_range("documentIndex"),
    documentPage=_range("documentIndex"),
    documentChunk=_range("documentIndex"),
    searchResultLocation=_range("searchResultIndex"),
)
_CITATION: Final = struct(title=_TEXT, source=_TEXT, sourceContent=ListOf(union(text=_TEXT)), location=_LOCATION)
_REASONING: Final = union(
    reasoningText=struct("text", text=_TEXT, signature=_TEXT),
    redactedContent=Blob(),
)
_TOOL_USE: Final = struct(
    "toolUseId",
    "name",
    "input",
    toolUseId=_TOOL_ID,
    name=_TOOL_NAME,
    input=Document(mapping=True, rule=_INPUT_RULE),
    type=one_of("server_tool_use"),
)
_TOOL_RESULT: Final = struct(
    "toolUseId",
    "content",
    toolUseId=_TOOL_ID,
    content=ListOf(
        union(
            json=Document(mapping=True, rule=_JSON_RULE),
            text=_TEXT,
            image=_IMAGE,
            document=_DOCUMENT,
            video=_VIDEO,
            searchResult=_SEARCH_RESULT,
        ),
    ),
    status=one_of("success error"),
    type=_TEXT,
)
_TOOL_REFERENCE: Final = struct("tool", tool=struct(type=String(1, 64), name=String(1, 128), serverName=String(1, 128)))

CONTENT_BLOCK: Final = union(
    text=_SAYS,
    image=_IMAGE,
    document=_DOCUMENT,
    video=_VIDEO,
    audio=_AUDIO,
    toolUse=_TOOL_USE,
    toolResult=_TOOL_RESULT,
    guardContent=_GUARDED,
    cachePoint=_CACHE,
    reasoningContent=_REASONING,
    citationsContent=struct(content=ListOf(union(text=_TEXT)), citations=ListOf(_CITATION)),
    searchResult=_SEARCH_RESULT,
    toolAddition=_TOOL_REFERENCE,
    toolRemoval=_TOOL_REFERENCE,
)
_MESSAGE: Final = struct(
    "role",
    "content",
    role=OneOf(frozenset({"user", "assistant", "system"}), Rule(Kind.ROLES, f"{MODEL}: ConversationRole")),
    content=ListOf(CONTENT_BLOCK, least=1, rule=_EMPTY_CONTENT),
)
_TOOL: Final = union(
    toolSpec=struct(
        "name",
        "inputSchema",
        name=_TOOL_NAME,
        description=_SOME,
        inputSchema=union(json=Document(mapping=True, rule=Rule(Kind.SCHEMA, f"{MODEL}: ToolInputSchema"))),
        strict=Boolean(),
    ),
    systemTool=struct("name", name=_TOOL_NAME),
    cachePoint=_CACHE,
)
_TOOL_CONFIG: Final = struct(
    "tools",
    tools=ListOf(_TOOL, least=1, rule=Rule(Kind.TOOL_CHOICE, f"{MODEL}: ToolConfiguration.tools has at least one")),
    toolChoice=union(auto=struct(), any=struct(), tool=struct("name", name=_TOOL_NAME)),
)
_GUARDRAIL_ID: Final = re.compile(r"|[a-z0-9]+|arn:aws[^:]*:bedrock:[^:]+:[0-9]{12}:guardrail/[a-z0-9]+")
_GUARDRAIL: Final[Mapping[str, Node]] = {
    "guardrailIdentifier": String(0, 2048, _GUARDRAIL_ID),
    "guardrailVersion": String(pattern=re.compile(r"|[1-9][0-9]{0,7}|DRAFT")),
    "trace": one_of("enabled disabled enabled_full"),
}
_OUTPUT: Final = struct(
    textFormat=struct(
        "type",
        "structure",
        type=one_of("json_schema"),
        structure=union(jsonSchema=struct("schema", schema=_TEXT, name=_TEXT, description=_TEXT)),
    ),
    effort=String(0, 16),
)

_PROJECT: Final = re.compile(r"[a-zA-Z0-9_-]+|arn:aws[^:]*:bedrock:[^:]+:[0-9]{12}:project/[a-zA-Z0-9_-]+")
_METADATA: Final = r"[a-zA-Z0-9\s:_@$#=/+,.-]"

_REQUEST: Final[Mapping[str, Node]] = {
    "messages": ListOf(_MESSAGE),
    "system": ListOf(union(text=_SAYS, guardContent=_GUARDED, cachePoint=_CACHE)),
    "inferenceConfig": struct(
        maxTokens=Number(1, whole=True),
        temperature=Number(0, 1),
        topP=Number(0, 1),
        stopSequences=ListOf(_SOME, most=2500),
    ),
    "toolConfig": _TOOL_CONFIG,
    "projectIdentifier": String(1, 2048, _PROJECT),
    "additionalModelRequestFields": Document(mapping=True),
    "promptVariables": MapOf(_TEXT, union(text=_TEXT)),
    "additionalModelResponseFieldPaths": ListOf(String(1, 256), most=10),
    "requestMetadata": MapOf(
        String(1, 256, re.compile(f"{_METADATA}{{1,256}}")),
        String(0, 256, re.compile(f"{_METADATA}{{0,256}}")),
        least=1,
        most=16,
    ),
    "performanceConfig": struct(latency=one_of("standard optimized")),
    "serviceTier": struct("type", type=one_of("priority default flex reserved")),
    "outputConfig": _OUTPUT,
}

WHOLE_REQUEST: Final = Struct({**_REQUEST, "guardrailConfig": Struct(_GUARDRAIL)})
STREAM_REQUEST: Final = Struct(
    {**_REQUEST, "guardrailConfig": Struct({**_GUARDRAIL, "streamProcessingMode": one_of("sync async")})}
)
