"""What each vendor adds to the protocol of its own accord: fields that mean nothing to a caller."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Fields = Mapping[str, Any]

#: fields of a streamed choice that repeat what its delta says: from the delta, the text so far, finish_reason
Echo = Callable[[Fields, str, str | None], Fields]


@dataclass(frozen=True, slots=True)
class Vendor:
    """Added fields, by the object that they stand in."""

    #: every chunk, and the whole reply
    top: Fields = field(default_factory=dict)
    #: the whole reply, the first chunk and the last chunk only
    whole: Fields = field(default_factory=dict)
    first: Fields = field(default_factory=dict)
    last: Fields = field(default_factory=dict)
    #: every streamed choice; that of a whole reply
    choice: Fields = field(default_factory=dict)
    whole_choice: Fields = field(default_factory=dict)
    message: Fields = field(default_factory=dict)
    role_delta: Fields = field(default_factory=dict)
    #: every delta
    delta: Fields = field(default_factory=dict)
    usage: Fields = field(default_factory=dict)
    #: name and other fields of an object that repeats the usage of the finish chunk
    usage_again: tuple[str, Fields] | None = None
    echo: Echo | None = None
    #: ``object`` of the last chunk
    last_object: str = "chat.completion.chunk"


_SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}
_JAILBREAK = {"jailbreak": {"detected": False, "filtered": False}}

#: Azure's first chunk, which says nothing but how the prompt was judged.
AZURE_PRELUDE: Fields = {
    "choices": [],
    "created": 0,
    "id": "",
    "model": "",
    "object": "",
    "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": _SAFE | _JAILBREAK}],
}

_GROQ_TIMES = {"queue_time": 0.018, "prompt_time": 0.001, "completion_time": 0.021, "total_time": 0.023}
_TIMINGS = {
    "cache_n": 0,
    "prompt_n": 12,
    "prompt_ms": 120.5,
    "prompt_per_token_ms": 10.04,
    "prompt_per_second": 99.58,
    "predicted_n": 5,
    "predicted_ms": 80.25,
    "predicted_per_token_ms": 16.05,
    "predicted_per_second": 62.3,
}
_TIME_INFO = {
    "queue_time": 0.0002,
    "prompt_time": 0.0011,
    "completion_time": 0.0044,
    "total_time": 0.0071,
    "created": 1,
}
_CITED = {
    "citations": ["https://example.com/a"],
    "search_results": [
        {
            "title": "A",
            "url": "https://example.com/a",
            "date": "2025-06-10",
            "last_updated": "2026-06-08",
            "snippet": "…",
            "source": "web",
        }
    ],
}
_FUTURE = {"x_future": {"kind": "unheard_of", "values": [1, None, "…"]}}


def _together(delta: Fields, so_far: str, finish: str | None) -> Fields:
    content = delta.get("content")
    return {"text": content if isinstance(content, str) else "", "seed": None}


def _perplexity(delta: Fields, so_far: str, finish: str | None) -> Fields:
    return {"message": {"role": "assistant", "content": so_far}}


def _openrouter(delta: Fields, so_far: str, finish: str | None) -> Fields:
    return {"native_finish_reason": finish, "logprobs": None}


#: What Writer says of each of its own tools, in every message and delta; the field ``image_data`` is in no SDK type.
_WRITER_TOOLS: Fields = {
    "graph_data": {"sources": None, "status": None, "subqueries": None},
    "llm_data": None,
    "image_data": None,
    "translation_data": None,
    "web_search_data": None,
    "refusal": None,
}

_OPENAI = Vendor(
    top={"service_tier": "default", "system_fingerprint": "fp_44709d6fcb"},
    choice={"logprobs": None},
    whole_choice={"logprobs": None},
    message={"refusal": None, "annotations": []},
    role_delta={"refusal": None},
)

VENDORS: Mapping[str, Vendor] = {
    "none": Vendor(),
    "openai": _OPENAI,
    "azure": Vendor(
        top={"system_fingerprint": None},
        whole={"prompt_filter_results": AZURE_PRELUDE["prompt_filter_results"]},
        choice={"content_filter_results": _SAFE, "logprobs": None},
        whole_choice={"content_filter_results": _SAFE, "logprobs": None},
        message={"refusal": None, "annotations": []},
        role_delta={"refusal": None},
    ),
    "groq": Vendor(
        top={"system_fingerprint": "fp_a97cfe35ae"},
        whole={
            "usage_breakdown": None,
            "x_groq": {"id": "req_01jqz98j8aebc9adbjntxg8qwg"},
            "service_tier": "on_demand",
        },
        first={"x_groq": {"id": "req_01jqz98j8aebc9adbjntxg8qwg"}},
        choice={"logprobs": None},
        whole_choice={"logprobs": None},
        usage=_GROQ_TIMES,
        usage_again=("x_groq", {"id": "req_01jqz98j8aebc9adbjntxg8qwg"}),
    ),
    "openrouter": Vendor(
        top={"provider": "Amazon Bedrock"},
        whole={"system_fingerprint": None},
        whole_choice={"native_finish_reason": "end_turn", "logprobs": None},
        message={"refusal": None, "reasoning": None},
        usage={"cost": 0.000315, "is_byok": False, "cost_details": {"upstream_inference_cost": None}},
        echo=_openrouter,
    ),
    "vllm": Vendor(
        whole={"prompt_logprobs": None, "kv_transfer_params": None, "service_tier": None, "system_fingerprint": None},
        choice={"logprobs": None, "stop_reason": None, "token_ids": None},
        whole_choice={"logprobs": None, "stop_reason": None, "token_ids": None},
        message={"refusal": None, "annotations": None, "audio": None, "function_call": None},
    ),
    "llama_cpp": Vendor(
        top={"system_fingerprint": "b8204-ad08b6e5c"},
        whole={"timings": _TIMINGS},
        last={"timings": _TIMINGS},
    ),
    "cerebras": Vendor(
        top={"system_fingerprint": "fp_3fc8e8d2a7"}, whole={"time_info": _TIME_INFO}, last={"time_info": _TIME_INFO}
    ),
    "litellm": Vendor(
        first={"stream_options": {"include_usage": True}},
        whole={"service_tier": "default", "system_fingerprint": None},
        message={"function_call": None},
    ),
    "together": Vendor(
        whole={"prompt": []},
        choice={"logprobs": None},
        whole_choice={"logprobs": None, "seed": 2151581269210956000},
        echo=_together,
    ),
    "perplexity": Vendor(
        top=_CITED,
        whole_choice={"delta": {"role": "assistant", "content": ""}},
        usage={
            "search_context_size": "low",
            "cost": {"input_tokens_cost": 0.1, "output_tokens_cost": 0.2, "total_cost": 0.3},
        },
        echo=_perplexity,
        last_object="chat.completion.done",
    ),
    "writer": Vendor(
        top={"system_fingerprint": "v1", "service_tier": None},
        choice={"logprobs": None, "trace_details": None},
        whole_choice={"logprobs": None, "trace_details": None},
        message=_WRITER_TOOLS,
        delta={"content": None, "role": "assistant", "tool_calls": None, **_WRITER_TOOLS},
        echo=lambda delta, so_far, finish: {"message": delta},
    ),
    "unheard_of": Vendor(
        top=_FUTURE, choice=_FUTURE, whole_choice=_FUTURE, message=_FUTURE, role_delta=_FUTURE, usage=_FUTURE
    ),
}
