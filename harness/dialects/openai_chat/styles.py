"""The axes along which servers of Chat Completions differ, and how a style is read.

Evidence names a recording of the corpus (a path under ``corpus/``), a public report (an id of
``adapter_bugs.jsonl``), or, after ``doc:``, a vendor's document. A server of the family that says less is a
subset of these axes: ``replace(DIALECT, axes=restricted(AXES, {...}))``. A relative may have options of its own, which
the tables know but these axes do not offer: :func:`own`.
"""

from collections.abc import Mapping

from harness.dialects.base import Axis, Option

#: options chosen, as pairs of axis and option: a style that can be hashed
Choices = tuple[tuple[str, str], ...]
#: the choices that a dialect allows
Known = frozenset[tuple[str, str]]

# Recordings that several options cite.
_OPENAI_TOOLS = "openai-chat/DataDog+dd-trace-py__contrib_litellm_completion_stream_multiple_choices_with_tools.yaml"
_OPENAI_REFUSAL = (
    "openai-chat/openai+openai-python__.inline-snapshot_external_"
    "173417d553406f034f643e5db3f8d591fb691ebac56f5ae39a22cc7d455c5353.bin"
)
_OPENAI_WHOLE = "openai-chat/braintrustdata+braintrust-sdk-python__test_agent_with_document_input.yaml"
_AZURE = "azure-openai-chat/DataDog+dd-trace-py__contrib_litellm_completion_azure_stream.yaml"
_AZURE_FILTERED = (
    "azure-openai-chat/traceloop+openllmetry__test_azure_test_chat_content_filtering_with_events_with_content.yaml"
)
_AZURE_FILTER_CHUNK = "azure-openai-chat/DataDog+dd-trace-py__contrib_openai_azure_chat_completion_streamed.yaml"
_ALIBABA_TEXT = "alibaba-chat/vercel+ai__alibaba_alibaba-text.chunks.txt"
_ALIBABA_TOOLS = "alibaba-chat/vercel+ai__alibaba_alibaba-tool-call.chunks.txt"
_AVIAN = "avian-chat/charmbracelet+fantasy__TestOpenAICompatibleCommon_avian-kimi_simple_streaming.yaml"
_CEREBRAS = "cerebras-chat/social-growth-studio+req_llm__cerebras_gpt_oss_120b_streaming.json"
_CEREBRAS_WHOLE = (
    "cerebras-chat/pydantic+pydantic-ai__test_cerebras_test_cerebras_zai_reasoning_replayed_as_think_tags.yaml"
)
_DEEPSEEK = "deepseek-chat/DataDog+dd-trace-py__contrib_openai_deepseek_streamed_reasoning_content.yaml"
_DEEPSEEK_TOOLS = "deepseek-chat/vercel+ai__deepseek_chat_deepseek-tool-call.chunks.txt"
_GEMINI = "gemini-openai-compat/pydantic+pydantic-ai__test_openai_test_compatible_api_with_tool_calls_without_id.yaml"
_GPUSTACK = "gpustack-chat/crmne+ruby_llm__chat_streaming_responses_gpustack_qwen3_supports_streaming_responses.yml"
_GROQ = "groq-chat/Arize-ai+openinference__llama_index_test_token_counts_TestTokenCounts.test_groq.yaml"
_GROQ_TOOLS = "groq-chat/charmbracelet+fantasy__TestOpenAICompatibleCommon_groq-kimi-k2_multi_tool_streaming.yaml"
_GROQ_ESCAPES = "groq-chat/pypi+langchain_groq-1.1.3__langchain_groq-1.1.3_test_code_interpreter.yaml.gz"
_GROQ_ERROR = "groq-chat/pydantic+pydantic-ai__test_groq_test_tool_use_failed_error_streaming.yaml"
_LITELLM = "litellm-proxy-chat/DataDog+dd-trace-py__contrib_litellm_completion_stream_proxy.yaml"
_LLAMA_CPP = "llama-cpp-chat/charmbracelet+fantasy__TestOpenAICompatibleCommon_llama-cpp-gpt-oss_tool_streaming.yaml"
_OLLAMA = (
    "ollama-openai-compat/crmne+ruby_llm__chat_function_calling_ollama_cloud_gpt-oss_120b_"
    "can_use_tools_with_multi-turn_streaming_conversations.yml"
)
_OPENROUTER = (
    "openrouter-chat/charmbracelet+fantasy__TestOpenRouterCommonWithAnthropicCache_anthropic_multi_tool_streaming.yaml"
)
_OPENROUTER_WHOLE = "openrouter-chat/DataDog+dd-trace-py__contrib_litellm_completion_openrouter_byok.yaml"
_OPENROUTER_ERROR = "openrouter-chat/pydantic+pydantic-ai__test_openrouter_test_openrouter_stream_error.yaml"
_PERPLEXITY = (
    "perplexity-chat/crmne+ruby_llm__chat_streaming_responses_perplexity_sonar_supports_streaming_responses.yml"
)
_SNOWFLAKE = "snowflake-chat/pydantic+pydantic-ai__test_snowflake_test_snowflake_model_streaming.yaml"
_TOGETHER = "together-chat/Arize-ai+openinference__together_test_instrumentor_test_async_chat_stream.yaml"
_TOGETHER_TOOLS = "together-chat/Arize-ai+openinference__together_test_instrumentor_test_chat_with_tool_call.yaml"
_VERCEL = "vercel-ai-gateway-chat/charmbracelet+fantasy__TestVercelCommon_claude-sonnet-4_multi_tool_streaming.yaml"
_VLLM = "vllm-chat/traceloop+openllmetry__test_llms_test_trace_propagation_stream_ChatOpenAI.yaml"
_XAI = "xai-chat/charmbracelet+fantasy__TestOpenAICompatibleCommon_xai-grok-4-fast_multi_tool_streaming.yaml"


def _axis(name: str, options: Mapping[str, str], *, streamed: bool = True, whole: bool = True) -> Axis:
    return Axis(name, tuple(Option(*row) for row in options.items()), streamed, whole)


def _streamed(name: str, options: Mapping[str, str]) -> Axis:
    return _axis(name, options, whole=False)


def _whole(name: str, options: Mapping[str, str]) -> Axis:
    return _axis(name, options, streamed=False)


_FRAMING = (
    _streamed("newline", {"lf": _OPENAI_TOOLS, "crlf": _PERPLEXITY}),
    _streamed("space", {"after_colon": _OPENAI_TOOLS, "none": "inference-perf#781"}),
    # The openai SDK (3.57) drops the first event after a BOM without a word, so here the BOM stands before a
    # chunk that says only the role: what an adapter cannot see is not held against it.
    _streamed("bom", {"absent": _OPENAI_TOOLS, "present": "ANOLISA#2209"}),
    _streamed(
        "comments",
        {
            "none": _OPENAI_TOOLS,
            "before": _OPENROUTER,
            "between": "openai-python#2722",
            "bare_colon": "mistral-vibe#762",
        },
    ),
    _streamed("done", {"present": _OPENAI_TOOLS, "absent": _CEREBRAS, "no_blank_line": "apogee#139"}),
    _streamed("content_type", {"plain": _DEEPSEEK, "charset": _OPENAI_TOOLS}),
    _axis("escapes", {"raw": _VERCEL, "ascii": _GROQ_ESCAPES}),
    _whole("layout", {"compact": _AZURE_FILTERED, "indented": _OPENAI_WHOLE, "blank_lines_first": _OPENROUTER_WHOLE}),
)

_CHUNKS = (
    _streamed(
        "role",
        {
            "own_chunk_empty_content": _ALIBABA_TEXT,
            "own_chunk": _VLLM,
            "own_chunk_null_content": _LLAMA_CPP,
            "with_first": _XAI,
            "every": _OPENROUTER,
            "absent": _GPUSTACK,
        },
    ),
    _streamed("prelude", {"none": _OPENAI_TOOLS, "empty_choices": _AZURE}),
    _streamed(
        "hollow_chunk",
        {
            "none": _OPENAI_TOOLS,
            "no_delta": _AZURE_FILTER_CHUNK,
            "null_delta": "pydantic-ai#797",
            "empty_delta": _LITELLM,
        },
    ),
    _streamed("text_pieces", {"few": _OPENAI_TOOLS, "whole": _OPENROUTER, "characters": "tensai#110"}),
    _streamed("blanks", {"none": _OPENAI_TOOLS, "between": "agentgateway#2147"}),
    _streamed(
        "nulls",
        {"none": _XAI, "null_fields": _DEEPSEEK, "empty_fields": _SNOWFLAKE, "empty_tool_calls": "autogen#5222"},
    ),
    _streamed(
        "finish",
        {
            "own_chunk": _OPENAI_TOOLS,
            "empty_content": _DEEPSEEK,
            "with_last": _VLLM,
            "twice": _OPENROUTER,
            "empty_deltas_after": _LITELLM,
            "no_delta": "hayhooks#69",
        },
    ),
    _streamed("padding", {"none": _DEEPSEEK, "obfuscation": _AZURE}),
)

_USAGE = (
    _axis(
        "usage",
        {
            "last_chunk": _OPENAI_TOOLS,
            "finish_chunk": _DEEPSEEK,
            "finish_and_last": _GROQ_TOOLS,
            "finish_then_none": "strands-1.62:openai-usage-on-finish",
            "every_chunk": _PERPLEXITY,
            "last_chunk_with_choice": _LITELLM,
            "absent": "betalgo-openai#404",
        },
    ),
    _streamed("usage_elsewhere", {"absent": _GROQ, "null": _AZURE}),
    _axis("usage_details", {"as_counted": _ALIBABA_TEXT, "all": _AZURE, "null": _OPENROUTER_WHOLE}),
)

_VENDOR = (
    _axis(
        "vendor",
        {
            "openai": _OPENAI_WHOLE,
            "none": _GPUSTACK,
            "azure": _AZURE,
            "groq": _GROQ,
            "openrouter": _OPENROUTER,
            "vllm": _VLLM,
            "llama_cpp": _LLAMA_CPP,
            "cerebras": _CEREBRAS,
            "litellm": _LITELLM,
            "together": _TOGETHER,
            "perplexity": _PERPLEXITY,
            "unheard_of": "doc: OpenAI API reference, backwards compatibility: new properties are not breaking",
        },
    ),
    _axis(
        "reasoning_field",
        {
            "reasoning_content": _DEEPSEEK,
            "reasoning": _CEREBRAS,
            "both": "DeepSeek-Reasonix#5901",
            "details_too": _OPENROUTER,
        },
    ),
    _axis(
        "content",
        {"string": _OPENAI_TOOLS, "parts": "doc: Mistral API, chat completion: content may be a list of chunks"},
    ),
)

_CALLS = (
    _streamed(
        "tool_index",
        {
            "present": _OPENAI_TOOLS,
            "sparse": "litellm#32759",
            "missing": "openai-python#2806",
            "null": "term-llm#314",
            "same": "LibreChat#13885",
        },
    ),
    _axis(
        "tool_id",
        {
            "first": _OPENAI_TOOLS,
            "repeated": "agent-framework#7651",
            "empty_later": _ALIBABA_TOOLS,
            "null_later": "litellm#20711",
            "empty": _GEMINI,
            "missing": _GEMINI,
        },
    ),
    _streamed(
        "tool_name",
        {
            "first": _OPENAI_TOOLS,
            "repeated": "agent-framework#7651",
            "null_later": "pgadmin4#9828",
            "empty_later": "vercel-ai#16507",
            "late": "vercel-ai#16507",
        },
    ),
    _streamed("tool_type", {"first": _OPENAI_TOOLS, "every": _ALIBABA_TOOLS, "absent": _TOGETHER_TOOLS}),
    _streamed(
        "arguments",
        {
            "empty_then_pieces": _OPENAI_TOOLS,
            "whole": _XAI,
            "pieces": _LLAMA_CPP,
            "null_then_pieces": "pydantic-ai#1654",
            "empty_then_whole": _VERCEL,
            "whole_then_empty": "vercel-ai#3953",
        },
    ),
    _streamed("argument_pieces", {"few": _OPENAI_TOOLS, "characters": "dify#9775"}),
    _streamed(
        "calls", {"one_by_one": _OPENAI_TOOLS, "interleaved": "experiential#621", "in_one_chunk": "adk-python#7004"}
    ),
    _axis(
        "no_arguments",
        {
            "as_written": _OPENAI_TOOLS,
            "empty": "litellm#5063",
            "null": "pydantic-ai#1654",
            "missing": "pydantic-ai#1654",
        },
    ),
)

_WHOLE = (
    _whole(
        "no_text", {"null": _OPENAI_WHOLE, "empty": _OLLAMA, "missing": _CEREBRAS_WHOLE, "no_message": _AZURE_FILTERED}
    ),
    _whole("no_calls", {"missing": _OPENAI_WHOLE, "null": _LITELLM, "empty_list": _TOGETHER_TOOLS}),
    _whole("call_index", {"missing": _OPENAI_WHOLE, "present": _DEEPSEEK_TOOLS}),
    _whole("arguments_form", {"string": _OPENAI_WHOLE, "object": "text-generation-inference#2461"}),
)

_ERRORS = (
    _streamed("error", {"chunk": "agent-os#2214", "event": _GROQ_ERROR, "chunk_with_choice": _OPENROUTER_ERROR}),
)

AXES: tuple[Axis, ...] = (*_FRAMING, *_CHUNKS, *_USAGE, *_VENDOR, *_CALLS, *_WHOLE, *_ERRORS)


def restricted(axes: tuple[Axis, ...], kept: Mapping[str, tuple[str, ...]]) -> tuple[Axis, ...]:
    """Axes with only the ``kept`` options of those named, in the order given, so that the first is the usual one."""
    return tuple(
        Axis(
            axis.name,
            tuple(option for name in kept.get(axis.name, axis.names) for option in axis.options if option.name == name),
            axis.streamed,
            axis.whole,
        )
        for axis in axes
    )


def own(rows: Mapping[str, Mapping[str, str]]) -> tuple[Axis, ...]:
    """Axes of a relative: its options and their evidence on the axes it names; elsewhere it does as is usual."""
    return tuple(
        Axis(axis.name, tuple(Option(*row) for row in rows[axis.name].items()), axis.streamed, axis.whole)
        for axis in AXES
        if axis.name in rows
    )


def known(axes: tuple[Axis, ...]) -> Known:
    """The choices that ``axes`` or the family's own offer."""
    return frozenset((axis.name, option) for axis in (*AXES, *axes) for option in axis.names)


def usual(axes: tuple[Axis, ...]) -> Choices:
    """The usual option of every axis: that of ``axes``, else that of the family."""
    return tuple({axis.name: axis.names[0] for axis in (*AXES, *axes)}.items())


def resolve(usual_options: Choices, allowed: Known, chosen: Choices) -> dict[str, str]:
    """Every axis's option. Raises ValueError for an axis or an option that is not ``allowed``."""
    for name, option in chosen:
        if (name, option) not in allowed:
            raise ValueError(f"no style of Chat Completions: {name}={option}")
    return dict(usual_options) | dict(chosen)
