"""The messages of a request, as ProtoJSON reads them: names in camel case or with underscores, and no others.

A table for every message that the rules look into; what they do not look into is opaque, as are the values of the
caller: arguments, results and JSON Schemas.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

#: a message's fields: the message that a field (or each item of it) holds, or None for an opaque value
Fields = Mapping[str, str | None]

_OPAQUE: Final = None


def _opaque(*names: str) -> dict[str, str | None]:
    return dict.fromkeys(names, _OPAQUE)


_SCHEMA_FIELDS: Final[dict[str, str | None]] = {
    **_opaque("type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "required"),
    **_opaque("minProperties", "maxProperties", "minimum", "maximum", "minLength", "maxLength", "pattern", "example"),
    **_opaque("propertyOrdering", "default"),
    "items": "Schema",
    "anyOf": "Schema",
    "properties": "map of Schema",
}

MESSAGES: Final[Mapping[str, Fields]] = {
    "Request": {
        "contents": "Content",
        "systemInstruction": "Content",
        "tools": "Tool",
        "toolConfig": "ToolConfig",
        "generationConfig": "GenerationConfig",
        **_opaque("model", "safetySettings", "cachedContent", "labels", "modelArmorConfig", "serviceTier", "store"),
        **_opaque("continuationToken", "automaticContinuation", "generationOutputConfig"),
    },
    "Content": {"parts": "Part", "role": _OPAQUE},
    "Part": {
        "inlineData": "Blob",
        "fileData": "FileData",
        "functionCall": "FunctionCall",
        "functionResponse": "FunctionResponse",
        **_opaque("text", "thought", "thoughtSignature", "executableCode", "codeExecutionResult", "toolCall"),
        **_opaque("toolResponse", "videoMetadata", "mediaResolution", "partMetadata", "audioTranscription"),
        **_opaque("mediaProcessing", "speechMetadata", "documentMetadata", "spreadsheetMetadata", "audioMetadata"),
    },
    "Blob": _opaque("mimeType", "data", "displayName"),
    "FileData": _opaque("mimeType", "fileUri", "displayName"),
    "FunctionCall": _opaque("id", "name", "args", "partialArgs", "willContinue"),
    "FunctionResponse": {
        "parts": "FunctionResponsePart",
        **_opaque("id", "name", "response", "willContinue", "scheduling"),
    },
    "FunctionResponsePart": {
        "inlineData": "Blob",
        "fileData": "FileData",
        **_opaque("mediaProcessing", "mediaResolution", "videoMetadata", "documentMetadata", "spreadsheetMetadata"),
        **_opaque("audioMetadata"),
    },
    "Tool": {
        "functionDeclarations": "FunctionDeclaration",
        **_opaque("retrieval", "computerUse", "fileSearch", "googleSearch", "googleMaps", "codeExecution"),
        **_opaque("enterpriseWebSearch", "googleSearchRetrieval", "parallelAiSearch", "urlContext", "mcpServers"),
        **_opaque("exaAiSearch"),
    },
    "FunctionDeclaration": {
        "parameters": "Schema",
        "response": "Schema",
        **_opaque("name", "description", "parametersJsonSchema", "responseJsonSchema", "behavior"),
    },
    "Schema": _SCHEMA_FIELDS,
    # Vertex AI knows references in its own Schema, under names of its own.
    "VertexSchema": {**_SCHEMA_FIELDS, "defs": "map of Schema", **_opaque("ref", "additionalProperties")},
    "ToolConfig": {
        "functionCallingConfig": "FunctionCallingConfig",
        **_opaque("retrievalConfig", "includeServerSideToolInvocations"),
    },
    "FunctionCallingConfig": _opaque("mode", "allowedFunctionNames", "streamFunctionCallArguments"),
    "GenerationConfig": {
        "responseSchema": "Schema",
        **_opaque("modelSelectionConfig", "responseJsonSchema", "audioTimestamp", "candidateCount", "seed"),
        **_opaque("enableAffectiveDialog", "frequencyPenalty", "logprobs", "maxOutputTokens", "mediaResolution"),
        **_opaque("presencePenalty", "responseLogprobs", "responseMimeType", "responseModalities", "routingConfig"),
        **_opaque("speechConfig", "stopSequences", "temperature", "thinkingConfig", "topK", "topP", "imageConfig"),
        **_opaque("enableEnhancedCivicAnswers", "responseFormat", "translationConfig", "audioTranscriptionConfig"),
    },
}

_UNDERSCORE: Final = re.compile(r"_([a-z0-9])")
_MAP: Final = "map of "


def camel(name: str) -> str:
    """A field's name as ProtoJSON writes it."""
    return _UNDERSCORE.sub(lambda match: match[1].upper(), name) if "_" in name else name


class Reader:
    """Reads messages into camel case, and keeps what no message has a place for."""

    def __init__(self, *, vertex: bool) -> None:
        self.vertex = vertex
        self._messages = {**MESSAGES, "Schema": MESSAGES["VertexSchema"]} if vertex else MESSAGES
        #: paths of unknown names, and of values that are no message where one belongs
        self.unknown: list[tuple[str, str]] = []
        self.misplaced: list[tuple[str, Any]] = []

    def read(self, value: Any, message: str | None, path: str) -> Any:
        """The value with its fields in camel case."""
        if message is None or value is None:
            return value
        if isinstance(value, list):
            return [self.read(item, message, f"{path}[{place}]") for place, item in enumerate(value)]
        if not isinstance(value, dict):
            self.misplaced.append((path, value))
            return {}
        if message.startswith(_MAP):
            inner = message.removeprefix(_MAP)
            return {name: self.read(item, inner, f"{path}.{name}") for name, item in value.items()}
        return self._fields(value, self._messages[message], path)

    def _fields(self, value: dict[str, Any], fields: Fields, path: str) -> dict[str, Any]:
        read = {}
        for name, inner in value.items():
            known = camel(name)
            if known in fields:
                read[known] = self.read(inner, fields[known], f"{path}.{known}" if path else known)
            else:
                self.unknown.append((path, name))
        return read


def items(value: Any) -> list[Any]:
    """A repeated field's items: ProtoJSON takes one item for a list of it."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
