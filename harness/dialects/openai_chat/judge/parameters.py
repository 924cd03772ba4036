"""The request's own fields: which there are, and the JSON types they take."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault
from harness.dialects.openai_chat.judge.kinds import form, invalid_type, kind

_NUMBER = frozenset({"number", "integer"})
_NUMBER_OR_NULL = _NUMBER | {"null"}
_INTEGER_OR_NULL = frozenset({"integer", "null"})
_BOOLEAN_OR_NULL = frozenset({"boolean", "null"})
_STRING_OR_NULL = frozenset({"string", "null"})
_OBJECT_OR_NULL = frozenset({"object", "null"})
_ARRAY_OR_NULL = frozenset({"array", "null"})

#: OpenAI's parameters and their JSON types (API reference, create chat completion). The ones without null are those
#: that the reference does not call nullable; but null is as good as absent for ``model``, which Azure takes from the
#: path, and for ``response_format`` and ``tool_choice``, which Together takes so.
OPENAI: Mapping[str, frozenset[str]] = {
    "audio": _OBJECT_OR_NULL,
    "frequency_penalty": _NUMBER_OR_NULL,
    "function_call": frozenset({"string", "object"}),
    "functions": frozenset({"array"}),
    "logit_bias": _OBJECT_OR_NULL,
    "logprobs": _BOOLEAN_OR_NULL,
    "max_completion_tokens": _INTEGER_OR_NULL,
    "max_tokens": _INTEGER_OR_NULL,
    "messages": frozenset({"array"}),
    "metadata": _OBJECT_OR_NULL,
    "modalities": _ARRAY_OR_NULL,
    "model": _STRING_OR_NULL,
    "moderation": _OBJECT_OR_NULL,
    "n": _INTEGER_OR_NULL,
    "parallel_tool_calls": frozenset({"boolean"}),
    "prediction": _OBJECT_OR_NULL,
    "presence_penalty": _NUMBER_OR_NULL,
    "prompt_cache_key": _STRING_OR_NULL,
    "prompt_cache_options": frozenset({"object"}),
    "prompt_cache_retention": _STRING_OR_NULL,
    "reasoning_effort": _STRING_OR_NULL,
    "response_format": _OBJECT_OR_NULL,
    "safety_identifier": _STRING_OR_NULL,
    "seed": _INTEGER_OR_NULL,
    "service_tier": _STRING_OR_NULL,
    "stop": frozenset({"string", "array", "null"}),
    "store": _BOOLEAN_OR_NULL,
    "stream": _BOOLEAN_OR_NULL,
    "stream_options": _OBJECT_OR_NULL,
    "temperature": _NUMBER_OR_NULL,
    "tool_choice": frozenset({"string", "object", "null"}),
    "tools": frozenset({"array"}),
    "top_logprobs": _INTEGER_OR_NULL,
    "top_p": _NUMBER_OR_NULL,
    "user": _STRING_OR_NULL,
    "verbosity": _STRING_OR_NULL,
    "web_search_options": frozenset({"object"}),
}

#: What compatible servers take besides, by the vendor whose reference names it (or whose recording has it).
COMPATIBLE: Mapping[str, str] = {
    "alibaba": "enable_search enable_thinking incremental_output result_format search_options thinking_budget "
    "translation_options vl_high_resolution_images",
    "azure": "data_sources",
    "cerebras": "clear_thinking disable_reasoning",
    "gemini": "extra_body",
    "groq": "citation_options compound_custom disable_tool_validation exclude_domains include_domains "
    "include_reasoning reasoning_format search_settings",
    "litellm": "api_base api_key cache caching drop_params fallbacks guardrails mock_response num_retries tags ttl",
    "llama_cpp": "cache_prompt dry_allowed_length dry_base dry_multiplier dry_penalty_last_n dynatemp_exponent "
    "dynatemp_range grammar grammar_lazy id_slot json_schema lora mirostat mirostat_eta mirostat_tau n_keep n_predict "
    "n_probs parse_tool_calls reasoning_budget repeat_last_n repeat_penalty return_progress samplers t_max_predict_ms "
    "tfs_z timings_per_token typical_p xtc_probability xtc_threshold",
    "mistral": "prompt_mode random_seed safe_prompt",
    "ollama": "format keep_alive options think",
    "openrouter": "models plugins provider reasoning route session_id top_a trace transforms usage",
    "perplexity": "disable_search image_domain_filter return_images return_related_questions search_after_date_filter "
    "search_before_date_filter search_domain_filter search_mode search_recency_filter",
    "together": "compliance context_length_exceeded_behavior echo min_p repetition_penalty safety_model top_k",
    "vllm": "add_generation_prompt add_special_tokens allowed_token_ids bad_words best_of cache_salt chat_template "
    "chat_template_kwargs continue_final_message documents guided_choice guided_decoding_backend guided_grammar "
    "guided_json guided_regex guided_whitespace_pattern ignore_eos include_stop_str_in_output kv_transfer_params "
    "length_penalty logits_processors min_tokens mm_processor_kwargs priority prompt_logprobs request_id "
    "return_token_ids return_tokens_as_token_ids skip_special_tokens spaces_between_special_tokens stop_token_ids "
    "structural_tag structured_outputs truncate_prompt_tokens use_beam_search vllm_xargs",
    "xai": "deferred search_parameters",
    "zai": "do_sample meta sensitive_word_check thinking tool_stream user_id",
}

_KNOWN = OPENAI.keys() | {name for names in COMPATIBLE.values() for name in names.split()}
_BOTH_LIMITS = "OpenAI 400: Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
_NO_STREAM = "OpenAI 400: The 'stream_options' parameter is only allowed when 'stream' is enabled."


def parameter_faults(body: Mapping[str, Any], *, needs_model: bool) -> Iterator[RequestFault]:
    """Faults of the top-level fields, but for what is inside messages, tools and response_format."""
    for name, value in body.items():
        kinds = OPENAI.get(name)
        if kinds is not None and kind(value) not in kinds:
            yield invalid_type(name, " or ".join(sorted(kinds)), value)
        elif kinds is None and name not in _KNOWN:
            yield form(name, "unknown parameter", f"OpenAI 400: Unrecognized request argument supplied: {name}")
    if needs_model and not body.get("model"):
        yield form("model", "absent", "OpenAI 400: you must provide a model parameter")
    yield from _together(body)


def _together(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    """Fields that only some company allows."""
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        yield form("max_tokens", "two limits of the output", _BOTH_LIMITS)
    if body.get("stream_options") is not None and body.get("stream") is not True:
        yield form("stream_options", "without stream", _NO_STREAM)
    for name in ("max_tokens", "max_completion_tokens"):
        if kind(body.get(name)) == "integer" and body[name] < 1:
            yield form(name, f"{body[name]}", f"OpenAI 400: Invalid '{name}': integer below minimum value.")
