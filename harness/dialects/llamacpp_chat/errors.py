"""Errors of llama.cpp's server, in its own words; most come with HTTP 500, whoever is to blame."""

import json
from typing import Any, Final

from harness.dialects.base import ErrorClass, Headers, VendorError
from harness.dialects.llamacpp_chat.styles import RUN

_JSON: Final[Headers] = (("content-type", "application/json; charset=utf-8"),)
_TOO_LONG: Final = "request (3619 tokens) exceeds the available context size (512 tokens), try increasing it"
_NO_IMAGES: Final = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"


def _row(
    name: str, error_class: ErrorClass, code: int, kind: str, message: str, evidence: str, **more: Any
) -> VendorError:
    streams = more.pop("streams", False)
    body = json.dumps({"error": {"code": code, "message": message, "type": kind, **more}}, separators=(",", ":"))
    return VendorError(name, error_class, code, body.encode(), evidence, _JSON, body.encode() if streams else None)


ERRORS: Final[tuple[VendorError, ...]] = (
    _row(
        "context_size",
        ErrorClass.OVERFLOW,
        400,
        "exceed_context_size_error",
        _TOO_LONG,
        RUN,
        n_prompt_tokens=3619,
        n_ctx=512,
        streams=True,
    ),
    _row(
        "context_size_2025",
        ErrorClass.OVERFLOW,
        400,
        "exceed_context_size_error",
        "the request exceeds the available context size. try increasing the context size or enable context shift",
        "e145",
        streams=True,
    ),
    _row(
        "context_exceeded_later",
        ErrorClass.OVERFLOW,
        500,
        "server_error",
        "Context size has been exceeded.",
        "e146",
        streams=True,
    ),
    _row(
        "loading",
        ErrorClass.THROTTLE,
        503,
        "unavailable_error",
        "Loading model",
        "doc: llama.cpp server README, GET /health: 503 while the model loads",
    ),
    VendorError(
        "gateway_rate_limit",
        ErrorClass.THROTTLE,
        429,
        b"Too many requests\n",
        "strands-1.62:llamacpp-429-and-overflow-words",
        (("content-type", "text/plain; charset=utf-8"),),
    ),
    _row(
        "tools_without_jinja",
        ErrorClass.TOOLS_UNSUPPORTED,
        500,
        "server_error",
        "tools param requires --jinja flag",
        "e147",
    ),
    _row("invalid_key", ErrorClass.OTHER, 401, "authentication_error", "Invalid API Key", RUN),
    _row("not_found", ErrorClass.OTHER, 404, "not_found_error", "File Not Found", RUN),
    _row("grammar", ErrorClass.OTHER, 400, "invalid_request_error", "Failed to parse grammar", "e151"),
    _row(
        "slot",
        ErrorClass.OTHER,
        400,
        "invalid_request_error",
        "invalid slot id",
        "strands-1.62:llamacpp-429-and-overflow-words",
    ),
    _row(
        "system_not_first",
        ErrorClass.OTHER,
        500,
        "server_error",
        "Jinja Exception: System message must be at the beginning",
        "e150",
    ),
    _row("no_images", ErrorClass.OTHER, 500, "server_error", _NO_IMAGES, RUN),
    _row(
        "decode_failed",
        ErrorClass.OTHER,
        500,
        "server_error",
        "Invalid input batch.",
        "doc: llama.cpp server source, update_slots: what it says when llama_decode fails",
        streams=True,
    ),
)
