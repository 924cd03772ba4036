"""The axes along which servers of the Responses API differ, and how a style is read.

Evidence names a recording of the corpus (a path under ``corpus/``), a public report (an id of ``adapter_bugs.jsonl``,
or ``report:`` and the repository with its number), or, after ``doc:``, a vendor's document.
"""

from collections.abc import Mapping

from harness.dialects.base import Axis, Option

#: options chosen, as pairs of axis and option: a style that can be hashed
Choices = tuple[tuple[str, str], ...]

# Recordings that several options cite.
_OPENAI = "openai-responses/alexrudall+ruby-openai__responses_stream.yml"
_OPENAI_TOOLS = (
    "openai-responses/charmbracelet+fantasy__TestOpenAIResponsesCommon_openai-gpt-5_multi_tool_streaming.yaml"
)
_OPENAI_WHOLE = "openai-responses/Arize-ai+openinference__test_processor_test_agent_with_system_instructions.yaml"
_OPENAI_2026 = (
    "openai-responses/crmne+ruby_llm__chat_streaming_responses_openai_gpt-5-nano_supports_streaming_responses.yml"
)
_OPENAI_ERROR = "openai-responses/vercel+ai__openai_responses_openai-error.1.chunks.txt"
_OPENAI_CODE = "openai-responses/pypi+langchain_openai-1.7.4__langchain_openai-1.7.4_test_code_interpreter.yaml.gz"
_AZURE = "azure-openai-responses/charmbracelet+fantasy__TestAzureResponsesCommon_azure-o4-mini_simple_streaming.yaml"
_AZURE_WHOLE = "azure-openai-responses/charmbracelet+fantasy__TestAzureResponsesCommon_azure-gpt-5-mini_simple.yaml"
_AZURE_SUMMARY = "azure-openai-responses/vercel+ai__azure_azure-reasoning-encrypted-content.1.chunks.txt"
_AZURE_TWO_SUMMARIES = (
    "azure-openai-responses/charmbracelet+fantasy__TestAzureResponsesWithSummaryThinking_azure-gpt-5-mini_thinking.yaml"
)
_DEEPSEEK = (
    "deepseek-responses/crmne+ruby_llm__chat_responses_protocol_dialects_with_deepseek_deepseek-v4-flash_"
    "streams_reasoning_deltas.yml"
)
_DEEPSEEK_SEARCH = (
    "deepseek-responses/crmne+ruby_llm__chat_web_search_with_deepseek_deepseek-v4-flash_"
    "searches_server-side_and_records_the_search_turns.yml"
)
_LM_STUDIO = "lmstudio-responses/vercel+ai__open-responses_responses_lmstudio-tool-call.1.chunks.txt"
_OPENROUTER = (
    "openrouter-responses/pydantic+pydantic-ai__test_openai_responses_"
    "test_openai_responses_raw_cot_stream_openrouter.yaml"
)
_MANTLE = (
    "bedrock-mantle-responses/crmne+ruby_llm__providers_bedrock_mantle_responses_chat_"
    "streams_through_the_responses_surface.yml"
)
_MANTLE_TOOLS = (
    "bedrock-mantle-responses/crmne+ruby_llm__providers_bedrock_mantle_responses_chat_"
    "calls_tools_through_the_responses_surface.yml"
)
_XAI = (
    "xai-responses/crmne+ruby_llm__chat_function_calling_xai_grok-4-1-fast-non-reasoning_"
    "can_use_tools_without_parameters_in_multi-_9e562d63.yml"
)
_LLAMA_CPP = "report: ggml-org/llama.cpp#24957"


def _axis(name: str, options: Mapping[str, str], *, streamed: bool = True, whole: bool = True) -> Axis:
    return Axis(name, tuple(Option(*row) for row in options.items()), streamed, whole)


def _streamed(name: str, options: Mapping[str, str]) -> Axis:
    return _axis(name, options, whole=False)


def _whole(name: str, options: Mapping[str, str]) -> Axis:
    return _axis(name, options, streamed=False)


_FRAMING = (
    _streamed("event_line", {"present": _OPENAI, "absent": _OPENROUTER}),
    _streamed("id_line", {"absent": _OPENAI, "present": "goose#11297"}),
    # The openai SDK drops the first event after a BOM without a word, so here the BOM stands before an event that
    # only says that the reply begins: what an adapter cannot see is not held against it.
    _streamed("bom", {"absent": _OPENAI, "present": "vm0#24687"}),
    _streamed("comments", {"none": _OPENAI, "before": _OPENROUTER}),
    _streamed("done", {"absent": _OPENAI, "present": _OPENROUTER}),
    _streamed("content_type", {"charset": _OPENAI, "plain": _MANTLE}),
    _axis("escapes", {"raw": _AZURE, "ascii": _AZURE_WHOLE}),
    _whole("layout", {"compact": _MANTLE_TOOLS, "indented": _OPENAI_WHOLE}),
)

_EVENTS = (
    _streamed(
        "opening",
        {
            "created_and_in_progress": _OPENAI,
            "created": "gemini-web2api#57",
            "queued": "doc: OpenAI API reference, streaming events: response.queued",
            "none": "report: BerriAI/litellm#22102",
        },
    ),
    _streamed(
        "skeleton",
        {
            "full": _OPENAI,
            "no_text_done": "report: ogx-ai/ogx#5309",
            "deltas_only": "llm-rosetta#56",
            "done_only": "gemini-web2api#57",
        },
    ),
    _streamed("sequence_number", {"present": _OPENAI, "absent": _LLAMA_CPP}),
    _streamed("indexes", {"present": _OPENAI, "absent": "report: lemonade-sdk/lemonade#3607"}),
    _streamed(
        "item_ids",
        {
            "stable": _OPENAI,
            "other_at_the_end": _OPENROUTER,
            "other_in_every_event": "report: BerriAI/litellm#30072",
        },
    ),
    _streamed("overlap", {"none": _OPENAI, "reasoning_done_late": _OPENROUTER}),
    _streamed("final_output", {"full": _OPENAI, "empty": "llm-rosetta#56", "without_calls": "portkey-python-sdk#421"}),
    _streamed("encrypted", {"once": _XAI, "anew_at_the_end": _AZURE_SUMMARY}),
    _streamed("text_pieces", {"few": _OPENAI, "whole": _MANTLE, "characters": _DEEPSEEK, "none": "gemini-web2api#57"}),
    _streamed(
        "arguments",
        {
            "few": _OPENAI_TOOLS,
            "whole": _XAI,
            "characters": _AZURE_SUMMARY,
            "empty_then_few": "litellm#39288",
            "none": _LM_STUDIO,
        },
    ),
    _streamed("padding", {"none": _OPENAI, "obfuscation": _AZURE}),
    _streamed(
        "extra_events",
        {
            "none": _OPENAI,
            "keepalive": "report: openai/openai-node#1964",
            "unheard_of": "doc: OpenAI API reference, backwards compatibility: new event types are not breaking",
        },
    ),
)

_USAGE = (
    _axis(
        "usage",
        {
            "present": _OPENAI,
            "null": "report: LionSR/TeXRA#1857",
            "absent": "report: envoyproxy/ai-gateway#2184",
        },
    ),
    _axis(
        "usage_details",
        {
            "all": _OPENAI_2026,
            "cached_only": _OPENAI,
            "as_counted": "report: exo-explore/exo#1885",
            "null": "litellm#15376",
        },
    ),
)

_ITEMS = (
    _axis(
        "vendor",
        {
            "openai": _OPENAI_WHOLE,
            "none": "doc: OpenAI API reference, the response object: required fields",
            "azure": _AZURE,
            "xai": _XAI,
            "deepseek": _DEEPSEEK,
            "lm_studio": _LM_STUDIO,
            "openrouter": _OPENROUTER,
            "mantle": _MANTLE,
            "unheard_of": "doc: OpenAI API reference, backwards compatibility: new properties are not breaking",
        },
    ),
    _axis(
        "messages", {"one_item": "doc: OpenAI API reference, output message: content", "own_items": _DEEPSEEK_SEARCH}
    ),
    _axis("reasoning_as", {"summary": _AZURE_SUMMARY, "content_parts": _DEEPSEEK, "reasoning_parts": _MANTLE}),
    _axis("reasoning_told_in", {"one_part": _AZURE_SUMMARY, "two_parts": _AZURE_TWO_SUMMARIES}),
    _axis("logprobs", {"empty": _OPENAI, "absent": _OPENROUTER, "filled": _LM_STUDIO}),
    _axis("annotation", {"none": _OPENAI, "unheard_of": "doc: OpenAI API reference, backwards compatibility"}),
    _axis(
        "noise",
        {
            "none": _OPENAI,
            "empty_reasoning": _AZURE,
            "web_search": "openai-responses/charmbracelet+fantasy__providertests_TestOpenAIWebSearch_stream.yaml",
            "file_search": "openai-responses/vercel+ai__openai_responses_openai-file-search-tool.1.chunks.txt",
            "code_interpreter": _OPENAI_CODE,
            "mcp_list_tools": "openai-responses/vercel+ai__openai_responses_openai-mcp-tool-approval.1.chunks.txt",
            "x_search": "xai-responses/vercel+ai__xai_responses_xai-x-search-tool.1.json",
            "unheard_of": "doc: OpenAI API reference, backwards compatibility: new item types are not breaking",
        },
    ),
    _axis(
        "cut_status",
        {
            "incomplete": "openai-responses/social-growth-studio+req_llm__openai_gpt_5_token_limit.json",
            "completed": _LLAMA_CPP,
        },
    ),
    _whole("call_item_id", {"id": _OPENAI_WHOLE, "item_id": _MANTLE_TOOLS}),
)

_ERRORS = (
    _streamed(
        "error",
        {
            "error_and_failed": _OPENAI_ERROR,
            "failed": "report: earendil-works/pi#1458",
            "error": "report: XiaomiMiMo/MiMo-Code#2083",
            "flat_error": "doc: OpenAI API reference, streaming events: error",
        },
    ),
)

AXES: tuple[Axis, ...] = (*_FRAMING, *_EVENTS, *_USAGE, *_ITEMS, *_ERRORS)

USUAL: Mapping[str, str] = {axis.name: axis.names[0] for axis in AXES}
_NAMES = {axis.name: frozenset(axis.names) for axis in AXES}


def resolve(chosen: Choices) -> dict[str, str]:
    """Every axis's option. Raises ValueError for an axis or an option that the protocol does not have."""
    for name, option in chosen:
        if option not in _NAMES.get(name, ()):
            raise ValueError(f"no style of the Responses API: {name}={option}")
    return _settled({**USUAL, **dict(chosen)})


def _settled(options: dict[str, str]) -> dict[str, str]:
    """Options after what they rule out for each other, because no reader could tell what belongs where."""
    for (name, option), ruled in _RULED_OUT:
        if options[name] == option:
            options |= {other: value for (other, met), value in ruled.items() if options[other] == met}
    return options


#: if an axis has an option, then other axes must not have theirs, and take these instead
_RULED_OUT: tuple[tuple[tuple[str, str], Mapping[tuple[str, str], str]], ...] = (
    # Without deltas, the text stands in its done event.
    (("skeleton", "done_only"), {("text_pieces", name): "none" for name in ("few", "whole", "characters")}),
    (("skeleton", "deltas_only"), {("text_pieces", "none"): "few"}),
    (("skeleton", "no_text_done"), {("text_pieces", "none"): "few"}),
    # An event belongs to an item by its index or by its id.
    (("item_ids", "other_in_every_event"), {("indexes", "absent"): "present"}),
    # Sources come with content parts, or at the end.
    (("skeleton", "done_only"), {("final_output", name): "full" for name in ("empty", "without_calls")}),
    (("bom", "present"), {("opening", "none"): "created"}),
)
