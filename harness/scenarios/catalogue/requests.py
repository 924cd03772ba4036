"""Requests: conversations of every kind, and what the server must see of them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from harness.checks import judge
from harness.contract.content import (
    ContentBlock,
    Messages,
    SourceLocation,
    SystemContentBlock,
    ToolChoice,
    ToolSpec,
)
from harness.contract.rules import RULES
from harness.dialects.base import Dialect
from harness.exchange import Answer, Call, Exchange, hello
from harness.provider import Provider
from harness.scenarios.catalogue.samples import CLOCK, PDF, PNG, WEATHER, call, called, cited, rich, said
from harness.scenarios.catalogue.turns import assistant, result, use, user
from harness.scenarios.scenario import Play, Scenario, Stage, capable, exchanges, modes


def _sent(*calls: Call) -> Play:
    """Send each call, in every mode, and answer with plain text."""

    def make(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
        for stream in modes(provider):
            for each in calls:
                yield Exchange(each, Answer(said(dialect)), stream=stream)

    return exchanges(make)


_BLOCKS: Final[list[SystemContentBlock]] = [{"text": "Be kind – 日本."}, {"text": "Be brief."}]
_TOOLS: Final[list[ToolSpec]] = [WEATHER, CLOCK]

_SYSTEM: Final = (
    Call(system_prompt="Be kind – 日本."),
    Call(system_prompt_content=_BLOCKS),
    Call(system_prompt="Be kind – 日本.\nBe brief.", system_prompt_content=_BLOCKS),
)

_TURNS: Final = (
    Call([user({"text": "One 日本"}), assistant({"text": "Two"}), user({"text": "Three"})]),
    Call([user({"text": "First part."}, {"text": "Second part."})]),
)

#: text that vendors refuse, beside text that they need
_BLANK: Final = (
    Call([user({"text": "Hello"}, {"text": ""})]),
    Call([user({"text": "Hello"}, {"text": " \n"})]),
    Call(
        [
            user({"text": "Hello"}),
            assistant({"text": ""}, use("call_1", {"city": "Rome"})),
            user(result("call_1", {"text": "sunny"})),
        ],
        tool_specs=_TOOLS,
    ),
)

#: names that services refuse, and one that they take and that the first might become
ODD_NAMES: Final = ("weather/today 日本", "weather_today___", "w" * 150)
ODDLY_NAMED: Final = (
    Call(
        [
            user({"text": "Weather?"}),
            assistant(use("call_1", {"city": "Rome"}, ODD_NAMES[0]), use("call_2", {}, ODD_NAMES[2])),
            user(result("call_1", {"text": "sunny"}), result("call_2", {"text": "noon"})),
        ],
        tool_specs=[ToolSpec({**WEATHER, "name": name}) for name in ODD_NAMES],
    ),
)


def names_tools(provider: Provider, dialect: Dialect) -> bool:
    """Adapters that answer for the names of tools."""
    return provider.capabilities.tools and "REQUEST-TOOL-NAME" not in provider.cannot_show


_AFTER_CALL: Final[Messages] = [
    user({"text": "Weather?"}),
    assistant({"text": "Let me see."}, use("call_1", {"city": "Zürich 日本"})),
]
_AFTER_CALLS: Final[Messages] = [
    user({"text": "Weather?"}),
    assistant(use("call_1", {"city": "Rome"}), use("call_2", {}, "clock")),
]

_RESULTS: Final = (
    Call([*_AFTER_CALL, user(result("call_1", {"text": "sunny – 日本"}))], tool_specs=_TOOLS),
    Call([*_AFTER_CALL, user(result("call_1", {"json": {"t": 21.5, "é": ["日本", None]}}))], tool_specs=_TOOLS),
    Call([*_AFTER_CALL, user(result("call_1", {"text": "one"}, {"text": "two"}, {"json": [1, 2]}))], tool_specs=_TOOLS),
    Call([*_AFTER_CALL, user(result("call_1", {"text": "no such city"}, status="error"))], tool_specs=_TOOLS),
    Call([*_AFTER_CALL, user(result("call_1"))], tool_specs=_TOOLS),
    Call([*_AFTER_CALL, user(result("call_1", {"text": "sunny"}), {"text": "And tomorrow?"})], tool_specs=_TOOLS),
    Call(
        [*_AFTER_CALLS, user(result("call_1", {"text": "sunny"}), result("call_2", {"text": "noon"}))],
        tool_specs=_TOOLS,
    ),
    Call(
        [
            *_AFTER_CALL,
            user(result("call_1", {"text": "sunny"})),
            assistant({"text": "Sunny."}),
            user({"text": "Thanks"}),
        ],
        tool_specs=_TOOLS,
    ),
)

#: what other adapters, or a broken reply, left in the history
_ODD_INPUTS: Final = (
    Call(
        [user({"text": "Hi"}), assistant(use("call_1", "{bad")), user(result("call_1", {"text": "?"}))],
        tool_specs=_TOOLS,
    ),
    Call(
        [user({"text": "Hi"}), assistant(use("call_1", None)), user(result("call_1", {"text": "?"}))], tool_specs=_TOOLS
    ),
    Call(
        [user({"text": "Hi"}), assistant(use("call_1", {})), user(result("call_1", {"text": "?"}))], tool_specs=_TOOLS
    ),
)

#: signatures as services make them: of one of several calls, or of each
_SIGNED_CALLS: Final = tuple(
    Call(
        [
            user({"text": "Weather?"}),
            assistant(
                use("call_1", {"city": "Rome"}, reasoningSignature="c2lnbmVk"), use("call_2", {}, "clock", **more)
            ),
            user(result("call_1", {"text": "sunny"}), result("call_2", {"text": "noon"})),
        ],
        tool_specs=_TOOLS,
    )
    for more in ({}, {"reasoningSignature": "b3RoZXI="})
)

_IMAGE: Final[ContentBlock] = {"image": {"format": "png", "source": {"bytes": PNG}}}
_DOCUMENT: Final[ContentBlock] = {"document": {"format": "pdf", "name": "report", "source": {"bytes": PDF}}}
_TEXT_DOCUMENT: Final[ContentBlock] = {
    "document": {"format": "txt", "name": "notes", "source": {"bytes": b"Some notes."}}
}
_VIDEO: Final[ContentBlock] = {"video": {"format": "mp4", "source": {"bytes": b"\x00\x00\x00\x18ftypmp42"}}}
_AWAY: Final[SourceLocation] = {"type": "s3", "uri": "s3://bucket/a.png"}
_ELSEWHERE: Final[ContentBlock] = {"image": {"format": "png", "source": {"location": _AWAY}}}

_MEDIA: Final[tuple[tuple[str, ContentBlock], ...]] = (
    ("image", _IMAGE),
    ("document", _DOCUMENT),
    ("document", _TEXT_DOCUMENT),
    ("video", _VIDEO),
    ("location", _ELSEWHERE),
)


def _media(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Media of each kind, with the settings that the kind needs."""
    for stream in modes(provider):
        for kind, block in _MEDIA:
            asked = Call([user({"text": "What is this?"}, block)], config=provider.config_for.get(kind, {}))
            yield Exchange(asked, Answer(said(dialect)), stream=stream)


_RESULT_MEDIA: Final = (
    Call([*_AFTER_CALL, user(result("call_1", {"text": "a picture"}, {"image": _IMAGE["image"]}))], tool_specs=_TOOLS),
)

_REASONED: Final = (
    Call(
        [
            user({"text": "Hi"}),
            assistant(
                {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2lnbmF0dXJl"}}}, {"text": "Yes."}
            ),
            user({"text": "Sure?"}),
        ]
    ),
    Call(
        [
            user({"text": "Hi"}),
            assistant({"reasoningContent": {"reasoningText": {"text": "Hm."}}}, {"text": "Yes."}),
            user({"text": "Sure?"}),
        ]
    ),
    Call(
        [
            user({"text": "Hi"}),
            assistant({"reasoningContent": {"redactedContent": b"\x00hidden"}}, {"text": "Yes."}),
            user({"text": "Sure?"}),
        ]
    ),
)


def _reasoned(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Reasoning as it is, and to models that take signed reasoning only, or none back, where settings choose such."""
    kinds = ("signed-reasoning", "no-reasoning")
    for config in ({}, *(provider.config_for[kind] for kind in kinds if kind in provider.config_for)):
        for stream in modes(provider):
            for asked in _REASONED:
                yield Exchange(replace(asked, config=config), Answer(said(dialect)), stream=stream)


_PLACE: Final = {"documentChar": {"documentIndex": 0, "start": 0, "end": 2}}
_CITED: Final = (
    Call(
        [
            user({"text": "Hi"}),
            assistant(
                {
                    "citationsContent": {
                        "content": [{"text": "It says so."}],
                        "citations": [{"title": "T", "sourceContent": [{"text": "so"}], "location": _PLACE}],
                    }
                }
            ),
            user({"text": "Sure?"}),
        ]
    ),
)

_CACHED: Final = (
    Call([user({"text": "A long text."}, {"cachePoint": {"type": "default"}})]),
    Call(system_prompt_content=[{"text": "Be kind."}, {"cachePoint": {"type": "default"}}]),
)

_CHOICES: Final[tuple[ToolChoice, ...]] = ({"auto": {}}, {"any": {}}, {"tool": {"name": "get_weather"}})
#: each choice, and one that names a tool by a name that services refuse
_CHOSEN: Final = (
    *(Call(tool_specs=_TOOLS, tool_choice=choice) for choice in _CHOICES),
    Call(tool_specs=ODDLY_NAMED[0].tool_specs, tool_choice={"tool": {"name": ODD_NAMES[0]}}),
)


def _chosen(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Each choice; forced ones of a model that is set to think, too."""
    thinking = provider.config_for.get("thinking")
    thought = [replace(call, config=thinking) for call in _CHOSEN[1:3]] if thinking else []
    for stream in modes(provider):
        for asked in (*_CHOSEN, *thought):
            yield Exchange(asked, Answer(said(dialect)), stream=stream)


async def _replayed(stage: Stage) -> None:
    """Each message that the adapter produces goes back as history, with results for its calls."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    replies = [said(dialect), rich(provider, dialect)]
    replies += [
        called(dialect, call(dialect, 1, city="Zürich"), call(dialect, 2, name="clock"), text="")
    ] * provider.capabilities.tools
    replies += [cited(dialect)] * provider.capabilities.citations
    for reply in replies:
        for stream in modes(provider):
            first = await stage.run(
                Exchange(Call(tool_specs=_TOOLS if reply.tools else None), Answer(reply), stream=stream)
            )
            if first.error is None:
                await replay(stage, first.content, stream=stream)


#: what the message that goes back may break
_OF_A_REQUEST: Final = frozenset(
    rule.id for rule in RULES.values() if rule.id.startswith("REQUEST-") and rule.level == "MUST"
) | {"CONTENT-DELIVERED"}


async def replay(stage: Stage, produced: list[ContentBlock], *, stream: bool) -> None:
    """Send a produced message back, and judge the request."""
    calls = [block["toolUse"] for block in produced if "toolUse" in block]
    results = [result(each["toolUseId"], {"text": "done"}) for each in calls]
    answer = user(*results) if results else user({"text": "Go on."})
    messages = [*hello(), assistant(*produced), answer]
    dialect = stage.subject.dialect
    seen = await stage.watch(
        Exchange(Call(messages, tool_specs=_TOOLS if calls else None), Answer(said(dialect)), stream=stream)
    )
    met = "; ".join(f"{rule}: {found[0].met}" for rule, found in judge(seen).broken.items() if rule in _OF_A_REQUEST)
    stage.expect("REQUEST-REPLAY", not met, met, "a request that the service accepts", seen)


REQUESTS = (
    Scenario(
        "request-system",
        "the system prompt as text, as blocks, as both",
        ("REQUEST-SYSTEM",),
        _sent(*_SYSTEM),
        "strands-1.62:system-content",
    ),
    Scenario("request-turns", "several turns and several texts", ("REQUEST-TEXT", "REQUEST-ROLES"), _sent(*_TURNS)),
    Scenario(
        "request-blank",
        "empty and blank text beside other content",
        ("REQUEST-EMPTY-TEXT",),
        _sent(*_BLANK),
        "buzz#559",
    ),
    Scenario(
        "request-tools",
        "tool definitions",
        ("REQUEST-TOOLS", "REQUEST-SCHEMA"),
        _sent(Call(tool_specs=_TOOLS)),
        "crewAI#6628",
        capable("tools"),
    ),
    Scenario(
        "request-tool-names",
        "tools whose names services refuse",
        ("REQUEST-TOOL-NAME",),
        _sent(*ODDLY_NAMED),
        "continue#7468",
        names_tools,
        "it has no tools, or hands on the names of its caller",
    ),
    Scenario(
        "request-results",
        "tool calls and results of every form",
        ("REQUEST-PAIRING", "REQUEST-RESULTS", "REQUEST-CALLS", "REQUEST-UNICODE", "REQUEST-RESULT-STATUS"),
        _sent(*_RESULTS),
        "strands:openai-toolresult-order",
        capable("tools"),
    ),
    Scenario(
        "request-odd-inputs",
        "calls whose input is no object",
        ("REQUEST-CALLS",),
        _sent(*_ODD_INPUTS),
        "strands:bedrock-tool-input",
        capable("tools"),
    ),
    Scenario(
        "request-media",
        "images, documents, videos, and media elsewhere",
        ("REQUEST-MEDIA", "REQUEST-MEDIA-SENT", "REQUEST-UNSUPPORTED"),
        exchanges(_media),
        "strands#1602",
    ),
    Scenario(
        "request-result-media",
        "an image in a tool's result",
        ("REQUEST-MEDIA-SENT",),
        _sent(*_RESULT_MEDIA),
        "strands#1079",
        capable("tools"),
    ),
    Scenario(
        "request-reasoning",
        "reasoning in the history: signed, unsigned, redacted",
        ("REQUEST-REASONING",),
        exchanges(_reasoned),
        "strands:bedrock-unsigned-reasoning",
    ),
    Scenario(
        "request-signatures",
        "calls with signatures in the history, of this service or of another",
        ("REQUEST-CALL-SIGNATURE", "REQUEST-FORM"),
        _sent(*_SIGNED_CALLS),
        "securo#884",
        capable("tools"),
    ),
    Scenario(
        "request-citations",
        "citations in the history",
        ("REQUEST-UNSUPPORTED",),
        _sent(*_CITED),
        "strands-1.62:history-blocks",
    ),
    Scenario(
        "request-cache",
        "cache points in messages and system prompt",
        ("REQUEST-CACHE", "REQUEST-CACHE-POINTS"),
        _sent(*_CACHED),
        "strands:gemini-cachepoint",
    ),
    Scenario(
        "request-choice",
        "tool choice auto, any, and one tool",
        ("REQUEST-CHOICE", "REQUEST-TOOL-CHOICE", "REQUEST-CHOICE-WARNED"),
        exchanges(_chosen),
        "vercel-ai#11227",
        capable("tools"),
    ),
    Scenario("request-replay", "produced messages sent back", ("REQUEST-REPLAY",), _replayed, "langchain-aws#1010"),
)
