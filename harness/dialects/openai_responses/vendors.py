"""What each vendor adds to the protocol of its own accord: fields that mean nothing to a caller."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Fields = Mapping[str, Any]

CREATED = 1_760_000_000


@dataclass(frozen=True, slots=True)
class Vendor:
    """Fields by the object that they stand in."""

    #: every response object; that of a reply which has only begun; that of one which has ended
    top: Fields = field(default_factory=dict)
    begun: Fields = field(default_factory=dict)
    ended: Fields = field(default_factory=dict)
    usage: Fields = field(default_factory=dict)
    message: Fields = field(default_factory=dict)
    part: Fields = field(default_factory=dict)
    #: every event of a stream
    event: Fields = field(default_factory=dict)
    #: reasoning items have a status
    reasoning_status: bool = False


#: what the SDK's type of a response requires, beside what differs from reply to reply
_LEAST: dict[str, Any] = {
    "instructions": None,
    "metadata": {},
    "model": "gpt-5-mini-2025-08-07",
    "parallel_tool_calls": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
}
_COMMON = _LEAST | {
    "background": False,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": "medium", "summary": None},
    "safety_identifier": None,
    "service_tier": "default",
    "store": True,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "top_logprobs": 0,
    "truncation": "disabled",
}
_PENALTIES = {"frequency_penalty": 0.0, "presence_penalty": 0.0}
_STARTED = {"completed_at": None}
_DONE = {"completed_at": CREATED + 2}

_SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}
_JAILBREAK = {"jailbreak": {"detected": False, "filtered": False}}
_COPIED = {
    name: {"detected": False, "filtered": False} for name in ("protected_material_code", "protected_material_text")
}


def _judged(source: str, results: Fields) -> dict[str, Any]:
    return {
        "blocked": False,
        "source_type": source,
        "content_filter_raw": [],
        "content_filter_results": results,
        "content_filter_offsets": {"start_offset": 0, "end_offset": 624, "check_offset": 0},
    }


_NO_IMAGES = {
    "input_tokens": 0,
    "input_tokens_details": {"image_tokens": 0, "text_tokens": 0},
    "output_tokens": 0,
    "output_tokens_details": {"image_tokens": 0, "text_tokens": 0},
    "total_tokens": 0,
}
_FUTURE = {"x_future": {"kind": "unheard_of", "values": [1, None, "…"]}}

VENDORS: Mapping[str, Vendor] = {
    "openai": Vendor(
        top=_COMMON | _PENALTIES | {"user": None, "prompt_cache_retention": None},
        begun=_STARTED,
        ended=_DONE
        | {"billing": {"payer": "developer"}, "moderation": None}
        | {"tool_usage": {"image_gen": _NO_IMAGES, "web_search": {"num_requests": 0}}},
    ),
    "none": Vendor(top=_LEAST),
    "azure": Vendor(
        top=_COMMON | _PENALTIES | {"user": None, "moderation": None, "prompt_cache_retention": "in_memory"},
        begun=_STARTED | {"content_filters": None},
        ended=_DONE
        | {"content_filters": [_judged("prompt", _SAFE | _JAILBREAK), _judged("completion", _SAFE | _COPIED)]},
    ),
    "xai": Vendor(
        top=_COMMON | _PENALTIES | {"user": None, "metadata": {"system_fingerprint": "fp_eb3c003fc66c14ed"}},
        begun=_STARTED,
        ended=_DONE,
        usage={
            "num_sources_used": 0,
            "num_server_side_tools_used": 0,
            "cost_in_usd_ticks": 5743500,
            "context_details": {"input_tokens": 199, "output_tokens": 184},
            "server_side_tool_usage_details": {"web_search_calls": 0, "x_search_calls": 0, "mcp_calls": 0},
        },
        reasoning_status=True,
    ),
    "deepseek": Vendor(
        top=_COMMON | _PENALTIES | {"user": None, "moderation": None, "content_filters": None},
        begun=_STARTED,
        ended=_DONE,
        message={"phase": "final_answer"},
        reasoning_status=True,
    ),
    "lm_studio": Vendor(top=_COMMON | _PENALTIES, begun=_STARTED, ended=_DONE, reasoning_status=True),
    "openrouter": Vendor(
        top=_COMMON | {"user": None, "output_text": "", "reasoning": None, "temperature": None, "top_p": None},
        usage={
            "cost": 0.0000113,
            "is_byok": False,
            "cost_details": {
                "upstream_inference_cost": None,
                "upstream_inference_input_cost": 0.0000039,
                "upstream_inference_output_cost": 0.0000074,
            },
        },
    ),
    "mantle": Vendor(
        top=_LEAST | {"background": False, "service_tier": "default", "truncation": "disabled", "metadata": None},
        reasoning_status=True,
    ),
    "unheard_of": Vendor(
        top=_COMMON | _FUTURE, usage=_FUTURE, message=_FUTURE, part=_FUTURE, event=_FUTURE, reasoning_status=True
    ),
}
