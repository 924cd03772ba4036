"""The axes: how the model server speaks (vLLM, TGI, DJL), and how SageMaker cuts what it says into parts."""

from typing import Final

from harness.dialects.base import Axis, Option, Style
from harness.dialects.openai_chat.styles import own

_VLLM: Final = "vllm-chat/traceloop+openllmetry__test_llms_test_trace_propagation_stream_ChatOpenAI.yaml"
_WHOLE: Final = "vllm-chat/traceloop+openllmetry__test_llms_test_trace_propagation_ChatOpenAI.yaml"
_VLLM_DOC: Final = "doc: vLLM, OpenAI-compatible server: chat API"
_TGI: Final = "doc: text-generation-inference, Messages API"
_DJL: Final = "doc: DJL Serving LMI, chat completions API schema"
_PARTS: Final = "strands#4035"

#: how the bytes of the model server fall on PayloadParts
_PART: Final = Axis(
    "parts",
    (
        Option("event_each", "doc: SageMaker Runtime API reference, PayloadPart"),
        Option("two_events", _PARTS),
        Option("all_in_one", _PARTS),
        Option("cut", _PARTS),
        Option("inside_character", "strands-1.62:sagemaker-unicode"),
    ),
    whole=False,
)
_LINES: Final = Axis("lines", (Option("events", _VLLM), Option("json", _DJL)), whole=False)

#: the axes of the event stream around the chat, which the chat itself knows nothing of
AROUND: Final[tuple[Axis, ...]] = (_PART, _LINES)

CHAT: Final[tuple[Axis, ...]] = own(
    {
        "space": {"after_colon": _VLLM, "none": _TGI},
        "comments": {"none": _VLLM, "bare_colon": _TGI},
        "done": {"present": _VLLM, "absent": _TGI},
        "escapes": {"raw": _VLLM, "ascii": _DJL},
        "role": {
            "own_chunk_empty_content": _VLLM,
            "own_chunk": _VLLM_DOC,
            "every": _TGI,
            "absent": "text-generation-inference#1927",
        },
        "text_pieces": {"few": _VLLM, "whole": _DJL, "characters": _TGI},
        "blanks": {"none": _VLLM, "between": _VLLM_DOC},
        "nulls": {"none": _VLLM, "null_fields": "strands-1.62:sagemaker-missing-keys"},
        "finish": {"own_chunk": _VLLM_DOC, "empty_content": _TGI, "with_last": _VLLM},
        "usage": {
            "last_chunk": _VLLM_DOC,
            "finish_chunk": _TGI,
            "every_chunk": "doc: vLLM, stream_options.continuous_usage_stats",
            "absent": _VLLM_DOC,
        },
        "usage_elsewhere": {"absent": _DJL, "null": _TGI},
        "usage_details": {"as_counted": _VLLM_DOC, "null": "doc: vLLM, UsageInfo: details optional, sent as null"},
        "vendor": {"vllm": _VLLM, "none": _DJL, "unheard_of": "doc: vLLM, OpenAI-compatible server: extra fields"},
        "reasoning_field": {"reasoning_content": _VLLM_DOC, "reasoning": "doc: vLLM, reasoning outputs"},
        "tool_id": {"first": _VLLM_DOC, "repeated": _TGI},
        "tool_name": {"first": _VLLM_DOC, "null_later": _TGI},
        "tool_type": {"first": _VLLM_DOC, "every": _TGI},
        "arguments": {"empty_then_pieces": _VLLM_DOC, "pieces": _TGI, "whole": _DJL},
        "argument_pieces": {"few": _VLLM_DOC, "characters": _TGI},
        "calls": {"one_by_one": _VLLM_DOC, "in_one_chunk": _DJL},
        "no_text": {"null": _VLLM_DOC, "empty": _TGI, "missing": _DJL},
        "no_calls": {"missing": _TGI, "null": _DJL, "empty_list": _WHOLE},
        "arguments_form": {"string": _VLLM_DOC, "object": "text-generation-inference#2461"},
    }
)

AXES: Final[tuple[Axis, ...]] = (*AROUND, *CHAT)

_NAMES: Final = {axis.name: axis.names for axis in AROUND}


def chosen(style: Style, name: str) -> str:
    """The option of one of :data:`AROUND`'s axes. Raises ValueError for one that it does not have."""
    option = style.get(name, _NAMES[name][0])
    if option not in _NAMES[name]:
        raise ValueError(f"no style of SageMaker: {name}={option}")
    return option


def chat_style(style: Style) -> Style:
    """The part of a style that is the model server's own."""
    return {name: option for name, option in style.items() if name not in _NAMES}
