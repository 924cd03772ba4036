"""The axes along which builds of llama.cpp's server differ; on the others of Chat Completions it does as is usual."""

from typing import Final

from harness.dialects.base import Axis
from harness.dialects.openai_chat.styles import own

_RECORDED = "llama-cpp-chat/charmbracelet+fantasy__TestOpenAICompatible"
_CALLS: Final = f"{_RECORDED}Common_llama-cpp-gpt-oss_tool_streaming.yaml"
_WHOLE: Final = f"{_RECORDED}Common_llama-cpp-gpt-oss_simple.yaml"
_WHOLE_CALL: Final = f"{_RECORDED}Common_llama-cpp-gpt-oss_tool.yaml"

#: what a build of the server said when it was asked: llama.cpp's own code, in the package xllamacpp 2026.10.11549
RUN: Final = "run: llama.cpp in xllamacpp 2026.10.11549"

AXES: Final[tuple[Axis, ...]] = own(
    {
        "space": {"after_colon": _CALLS, "none": "strands-1.62:llamacpp-sse-space"},
        "comments": {"none": _CALLS, "bare_colon": "mistral-vibe#762"},
        "content_type": {"plain": _CALLS, "charset": "doc: RFC 2046, section 4.1.2: the charset parameter of text"},
        "role": {"own_chunk_null_content": _CALLS},
        "text_pieces": {"few": _CALLS, "whole": "doc: llama.cpp server README: one piece a token", "characters": RUN},
        "nulls": {"none": _CALLS, "null_fields": "strands-1.62:llamacpp-toolcalls-null"},
        "usage": {
            "last_chunk": _CALLS,
            "finish_chunk": "doc: llama.cpp server of early 2025, to_json_oaicompat_chat_stream",
            "absent": RUN,
        },
        "usage_elsewhere": {"absent": _CALLS, "null": "doc: OpenAI API reference, stream_options.include_usage"},
        "vendor": {
            "llama_cpp": _CALLS,
            "none": "doc: llama.cpp server before timings were told",
            "unheard_of": "doc: llama.cpp server README: fields are added without notice",
        },
        "arguments": {"pieces": _CALLS},
        "argument_pieces": {"few": _CALLS, "characters": RUN},
        "no_text": {"null": _WHOLE_CALL, "empty": RUN},
        "error": {"chunk": "strands-1.62:llamacpp-error-in-stream", "field": "e145"},
        "layout": {"compact": _WHOLE},
    }
)
