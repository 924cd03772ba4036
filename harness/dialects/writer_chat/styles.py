"""The axes along which Writer's replies differ; on the others of Chat Completions it does as is usual."""

from typing import Final

from harness.dialects.base import Axis
from harness.dialects.openai_chat.styles import own

_RECORDED = "writer-chat/traceloop+openllmetry__test_chat_test_writer_async_"
_TEXT: Final = f"{_RECORDED}streaming_chat_legacy.yaml"
_CALLS: Final = f"{_RECORDED}streaming_chat_multiple_tool_call_requests_legacy.yaml"
_WHOLE: Final = f"{_RECORDED}chat_multiple_choices_legacy.yaml"
_WHOLE_CALL: Final = f"{_RECORDED}chat_tool_call_request_legacy.yaml"
_EXAMPLE: Final = f"{_RECORDED}chat_legacy.yaml"
_FRAGMENT: Final = "doc: Writer API reference, chat completion chunk: tool_calls, all but index optional"

AXES: Final[tuple[Axis, ...]] = own(
    {
        "done": {"absent": _TEXT, "present": "doc: writer-sdk, Stream: a [DONE] ends the stream"},
        "content_type": {"plain": _TEXT, "charset": _EXAMPLE},
        "escapes": {"raw": _EXAMPLE, "ascii": "doc: RFC 8259, section 7: any character may be escaped"},
        "layout": {"compact": _WHOLE, "indented": "doc: RFC 8259, section 2: white space between tokens"},
        "role": {"own_chunk_null_content": _TEXT},
        "text_pieces": {"few": _TEXT, "whole": "doc: Writer API reference, delta.content", "characters": _TEXT},
        "usage": {"last_chunk": _TEXT, "absent": "doc: Writer API reference, stream_options.include_usage"},
        "usage_elsewhere": {"null": _TEXT, "absent": "doc: Writer API reference, chat completion chunk: usage"},
        "usage_details": {"writer_null": _TEXT, "writer_all": _EXAMPLE},
        "vendor": {
            "writer": _TEXT,
            "none": "doc: Writer API reference, chat completion chunk: message is deprecated, the rest optional",
            "unheard_of": "doc: Writer API reference: fields are added without notice",
        },
        "tool_id": {"null_later": _CALLS, "first": _FRAGMENT},
        "tool_name": {"null_later": _CALLS, "first": _FRAGMENT},
        "tool_type": {"null_later": _CALLS, "first": _FRAGMENT},
        "arguments": {
            "null_then_pieces": _CALLS,
            "empty_then_pieces": _FRAGMENT,
            "pieces": _FRAGMENT,
            "whole": "strands-1.62:writer-first-delta",
        },
        "argument_pieces": {"few": _CALLS, "characters": _FRAGMENT},
        "no_text": {"null": _WHOLE_CALL, "empty": "doc: Writer API reference, message.content: a string"},
        "no_calls": {
            "null": _WHOLE,
            "empty_list": _EXAMPLE,
            "missing": "doc: Writer API reference, message.tool_calls",
        },
        "call_index": {"null": _WHOLE_CALL, "missing": _FRAGMENT, "present": "doc: Writer API reference, tool call"},
    }
)
