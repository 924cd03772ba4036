"""Real errors of Ollama and its cloud: all say ``{"error": "…"}``, at the call and as a line of a stream."""

import json
from typing import Any, Final

from harness.dialects.base import ErrorClass, Headers, VendorError

_JSON: Final[Headers] = (("content-type", "application/json; charset=utf-8"),)
_MID_STREAM: Final = "doc: Ollama API, errors: errors while streaming"

#: llama-server's own error, which releases from 0.34 on hand through as a string
_LLAMA_SERVER: Final = json.dumps(
    {
        "error": {
            "code": 400,
            "message": "request (2622 tokens) exceeds the available context size (512 tokens), try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 2622,
            "n_ctx": 512,
        }
    },
    separators=(",", ":"),
)
_RUNNER: Final = (
    "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama "
    "server logs for details"
)


def _row(
    name: str, kind: ErrorClass, status: int, message: str, evidence: str, *, streams: bool = False, **more: Any
) -> VendorError:
    body = json.dumps({"error": message, **more}, separators=(",", ":")).encode()
    line = json.dumps({"error": message}, separators=(",", ":")).encode()
    return VendorError(name, kind, status, body, evidence, _JSON, line if streams else None)


ERRORS: Final[tuple[VendorError, ...]] = (
    _row(
        "server_busy",
        ErrorClass.THROTTLE,
        503,
        "server busy, please try again.  maximum pending requests exceeded",
        "doc: Ollama FAQ, how does Ollama handle concurrent requests: 503 when overloaded",
    ),
    _row(
        "cloud_overloaded",
        ErrorClass.THROTTLE,
        503,
        "Server overloaded, please retry shortly (ref: 00000000-0000-0000-0000-000000000000)",
        "report: ollama/ollama#15934",
    ),
    _row(
        "rate_limited",
        ErrorClass.THROTTLE,
        429,
        "too many requests",
        "doc: Ollama API, errors: 429 Too Many Requests (e.g. when a rate limit is exceeded)",
    ),
    _row(
        "cloud_prompt_too_long",
        ErrorClass.OVERFLOW,
        400,
        "prompt too long; exceeded max context length by 100918 tokens",
        "e137",
    ),
    _row(
        "cloud_prompt_too_long_by_proxy",
        ErrorClass.OVERFLOW,
        400,
        "prompt too long; exceeded max context length by 4 tokens",
        "doc: Ollama, api/types.go: StatusError, as a local server hands on its cloud's",
        StatusCode=400,
        Status="400 Bad Request",
    ),
    _row(
        "input_length",
        ErrorClass.OVERFLOW,
        400,
        "the input length exceeds the context length",
        "doc: Ollama 0.12, runner: with truncate false",
    ),
    _row(
        "llama_server_context_size",
        ErrorClass.OVERFLOW,
        400,
        _LLAMA_SERVER,
        "doc: llama.cpp server: exceed_context_size_error; Ollama from 0.34 with truncate false",
    ),
    _row(
        "tools_unsupported",
        ErrorClass.TOOLS_UNSUPPORTED,
        400,
        "registry.ollama.ai/library/gemma3:1b does not support tools",
        "e135",
    ),
    _row(
        "thinking_unsupported",
        ErrorClass.OTHER,
        400,
        '"gemma3:1b" does not support thinking',
        "doc: Ollama API, chat: think, for models that can",
    ),
    _row(
        "model_not_found",
        ErrorClass.OTHER,
        404,
        "model 'nonexistent-model:latest' not found",
        "ollama-chat/Arize-ai+openinference__ollama_test_instrumentor_test_chat_error_records_model_name.yaml",
    ),
    _row("model_not_pulled", ErrorClass.OTHER, 404, 'model "X" not found, try pulling it first', "e141"),
    _row(
        "invalid_request",
        ErrorClass.OTHER,
        400,
        "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string",
        "doc: Go, encoding/json: UnmarshalTypeError",
    ),
    _row(
        "unauthorized",
        ErrorClass.OTHER,
        401,
        "unauthorized",
        "doc: Ollama, api/types.go: AuthorizationError",
        signin_url="https://ollama.com/connect",
    ),
    _row(
        "weekly_limit",
        ErrorClass.OTHER,
        429,
        "you've reached your weekly usage limit, please wait or upgrade to continue",
        "report: HomericIntelligence/Scylla#346; a quota: waiting a little does not help",
    ),
    _row("runner_crashed", ErrorClass.OTHER, 500, "model runner crashed unexpectedly", "e140", streams=True),
    _row(
        "runner_stopped", ErrorClass.OTHER, 500, _RUNNER, "doc: Ollama, llm/server.go: on a failed read", streams=True
    ),
    _row(
        "error_while_running",
        ErrorClass.OTHER,
        500,
        "an error was encountered while running the model",
        _MID_STREAM,
        streams=True,
    ),
)
