"""What is known of single recordings: rows, each needed, each with its reason. Keys are ``path#index``."""

from typing import Final

from harness.dialects.base import ErrorClass

_RUBY: Final = "crmne+ruby_llm__chat_real_error_scenarios_"
_REQ_LLM: Final = "social-growth-studio+req_llm__"

#: exchanges with another endpoint, by the end of its path
OTHER_ENDPOINTS: Final = {
    "/count_tokens": "count_tokens",
    "/token": "OAuth",
}

#: answers in a form that a client must ask for and the SDK never does, by what stands in the query
UNASKED_QUERIES: Final = {
    "enum-encoding%3Dint": "enums as numbers, for which the SDK does not ask",
}
#: and by the manifest's kind of body
UNASKED_KINDS: Final = {
    "json-array-stream": "a stream as a JSON array; the SDK asks for server-sent events",
}

#: recordings that no server can have sent
UNREPLAYABLE: Final[dict[str, str]] = {
    "anthropic-messages/Arize-ai+openinference__redacted-thinking-non-streaming.json#0": (
        "made up: its redacted thinking is plain words, where the API sends base64"
    ),
    "azure-openai-responses/vercel+ai__azure_azure-deepseek-reasoning.1.json#0": (
        "a Chat Completions body, in a folder of Responses"
    ),
}

#: requests that no server can have answered, though the answers are as they are sent
MISWRITTEN: Final[dict[str, str]] = {
    "writer-chat/traceloop+openllmetry__test_chat_test_writer_async_chat_tool_calls_legacy.yaml#0": (
        "edited by hand: a comma too many makes its body no JSON"
    ),
}

_NO_TRAILING_NEWLINE: Final = "a fixture file without a trailing blank line; the SDK drops an event that lacks it"

#: streams of which the file lost the blank line behind the last event; it is put back
MENDED: Final[dict[str, str]] = {
    "anthropic-messages/anthropics+anthropic-sdk-python__streaming_basic_response.txt#0": _NO_TRAILING_NEWLINE,
    "anthropic-messages/anthropics+anthropic-sdk-python__streaming_compaction_response.txt#0": _NO_TRAILING_NEWLINE,
    "anthropic-messages/anthropics+anthropic-sdk-python__streaming_tool_use_response.txt#0": _NO_TRAILING_NEWLINE,
}

#: errors that a person reads as something else than THROTTLE for status 429 and OTHER for the rest
ERROR_CLASSES: Final[dict[str, ErrorClass]] = {
    f"anthropic-messages/{_RUBY}anthropic_claude-haiku-4-5_handles_context_length_exceeded_errors.yml#0": (
        ErrorClass.OVERFLOW
    ),
    f"bedrock-converse/{_RUBY}bedrock_amazon_nova-2-lite-v1_0_handles_context_length_exceeded_errors.yml#0": (
        ErrorClass.OVERFLOW
    ),
    f"ollama-openai-compat/{_RUBY}ollama_cloud_gpt-oss_120b_handles_context_length_exceeded_errors.yml#0": (
        ErrorClass.OVERFLOW
    ),
    f"openai-responses/{_RUBY}openai_gpt-5-nano_handles_context_length_exceeded_errors.yml#0": ErrorClass.OVERFLOW,
    f"openrouter-chat/{_RUBY}openrouter_claude-haiku-4-5_handles_context_length_exceeded_errors.yml#0": (
        ErrorClass.OVERFLOW
    ),
    f"perplexity-chat/{_RUBY}perplexity_sonar_handles_context_length_exceeded_errors.yml#0": ErrorClass.OVERFLOW,
    f"vertex-gemini/{_RUBY}vertexai_gemini-2_5-flash_handles_context_length_exceeded_errors.yml#1": (
        ErrorClass.OVERFLOW
    ),
    f"groq-chat/{_REQ_LLM}groq_meta_llama_llama_guard_4_12b_no_tool.json#0": ErrorClass.TOOLS_UNSUPPORTED,
    f"openai-chat/{_REQ_LLM}openai_gpt_5_chat_latest_no_tool.json#0": ErrorClass.TOOLS_UNSUPPORTED,
    f"openrouter-chat/{_REQ_LLM}openrouter_google_gemma_3_12b_it_no_tool.json#0": ErrorClass.TOOLS_UNSUPPORTED,
}

#: rules that a replay breaks, by exchange and rule: whose fault it is
EXPLAINED: Final[dict[tuple[str, str], str]] = {
    ("mistral-chat/vercel+ai__mistral_mistral-tool-call.chunks.txt#0", "CONTENT-INCREMENTAL"): (
        "a fixture file without [DONE]: of its two chunks the last one holds the whole content"
    ),
    **{
        (f"openai-responses/{_REQ_LLM}openai_o4_mini_deep_research_usage.json#0", rule): (
            "the service tells -9 output tokens, which no usage can hold"
        )
        for rule in ("USAGE-OUTPUT", "USAGE-TOTAL")
    },
}
