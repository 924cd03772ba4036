"""Miniatures of the rules about calls: errors, faults, requests, settings, structured output, counts, life."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any, Final

from harness.contract.exceptions import ModelResponseError, ModelThrottledException
from harness.dialects.base import WireRequest
from tests.miniatures.adapters import (
    Asking,
    Deaf,
    Easygoing,
    Finishing,
    Forgetful,
    FromNothing,
    Grudging,
    Mute,
    Overlooking,
    Quiet,
    Repeating,
    Retrying,
    Stateful,
    Structured,
    Swallowing,
    failing,
    raised,
)
from tests.miniatures.edits import STOP, TEXT, double, drop, edited, every, first, has
from tests.miniatures.living import (
    Blocking,
    Breaking,
    Breeding,
    Drowsy,
    Hanging,
    Holding,
    Leaving,
    Lingering,
    Littering,
    Overflowing,
    Settled,
    Sharing,
    Stubborn,
    Waiting,
)
from tests.miniatures.miniature import Miniature, Rewrite, rewritten

#: time limits of the runner, in seconds, for what is only known by waiting for it
_DEAF: Final = {"harness.scenarios.catalogue.silence.PATIENCE": 0.3}
_IMPATIENT: Final = {"harness.run.SETTLE_LIMIT": 0.3, "harness.listener.SETTLE_LIMIT": 0.3}


def _of_its_kind(error: Exception) -> Exception:
    """The same exception, without a cause."""
    made = type(error)(str(error))
    vars(made).update(vars(error))
    return made


def _hurried(error: Exception) -> Exception:
    """The same exception, which no longer says how long to wait."""
    made = _of_its_kind(error)
    vars(made)["retry_after"] = None
    made.__cause__ = error.__cause__
    return made


def _wordless(error: Exception) -> Exception:
    """An exception of the same kind, and a cause, that say nothing."""
    made = type(error)("failed")
    vars(made).update(retry_after=getattr(error, "retry_after", None))
    made.__cause__ = RuntimeError("failed")
    return made


def _throttled(error: Exception) -> Exception:
    made = ModelThrottledException(str(error))
    made.__cause__ = error
    return made


def _by_substring(error: Exception) -> Exception:
    """Throttling wherever its words are part of others."""
    return _throttled(error) if "rate" in str(error) or "429" in str(error) else error


def _no_json(error: Exception) -> Exception:
    return json.JSONDecodeError(str(error), "", 0)


def _slip(error: Exception) -> Exception:
    made = AttributeError(str(error))
    made.__cause__ = error
    return made


def _elsewhere() -> Rewrite:
    """Has every second request go to another host."""
    hosts = cycle(("here.invalid", "elsewhere.invalid"))

    def rewrite(request: WireRequest) -> WireRequest:
        kept = tuple(pair for pair in request.headers if pair[0] != "host")
        return replace(request, headers=(*kept, ("host", next(hosts))))

    return rewrite


ERRORS: Final = (
    Miniature("ERROR-THROTTLE", "rate limits as something else", "error-throttle", raised(ModelResponseError)),
    Miniature("ERROR-OVERFLOW", "overflow as something else", "error-overflow", raised(ModelResponseError)),
    Miniature(
        "ERROR-TOOLS",
        "refused tools as something else",
        "error-tools",
        raised(ModelResponseError),
        on=("bedrock", "openai"),
    ),
    Miniature("ERROR-OTHER", "everything is throttling", "error-other", raised(ModelThrottledException)),
    Miniature("ERROR-OTHER", "words in words are throttling", "error-words", failing(_by_substring)),
    Miniature("ERROR-SWALLOWED", "an error is an empty reply", "error-throttle", Swallowing),
    Miniature("ERROR-NO-STOP", "messageStop before an error", "error-throttle", Finishing),
    Miniature("ERROR-CAUSE", "the cause is lost", "error-throttle", failing(_of_its_kind)),
    Miniature("ERROR-RETRY-AFTER", "no wait", "error-throttle", failing(_hurried), on=("anthropic", "openai")),
    Miniature("ERROR-MESSAGE", "the vendor's words are lost", "error-throttle", failing(_wordless)),
    Miniature("ERROR-TYPED", "an error is a slip", "error-other", failing(_slip)),
    Miniature(
        "ERROR-MISNAMED",
        "a broken connection is throttling",
        "fault-cut",
        failing(_throttled),
    ),
    Miniature("ERROR-ONE-REQUEST", "a call is tried again", "error-throttle", Retrying),
    Miniature("FAULT-CUT", "a cut is an end", "fault-cut", Swallowing),
    Miniature("FAULT-EOF", "a clean EOF reported as end_turn", "fault-eof", Swallowing),
    Miniature("FAULT-BODY", "a broken body is an end", "fault-html", Swallowing),
    Miniature("FAULT-REFUSED", "no connection is an empty reply", "fault-refused", Swallowing),
    Miniature("FAULT-SILENCE", "silence is an end", "fault-silence", Swallowing),
    Miniature("FAULT-IDLE", "the setting is not heeded", "fault-idle", settings={"idle_timeout": 600.0}),
    Miniature("FAULT-CHECKSUM", "a wrong checksum is an end", "fault-checksum", Swallowing, on=("bedrock",)),
    Miniature("FAULT-ENCODING", "broken compression is an end", "fault-gzip", Swallowing),
    Miniature("FAULT-STATUS", "a refusal is an empty reply", "fault-html-status", Swallowing),
    Miniature("FAULT-STATUS", "429 without a body as something else", "fault-empty-status", raised(ModelResponseError)),
    Miniature("FAULT-REDIRECT", "credentials go with a redirect", "fault-redirect", Retrying, rewrite=_elsewhere()),
    Miniature("RETRY-COUNT", "a call is tried again", "retry", Retrying),
    Miniature("FAULT-TYPED", "a fault is a slip", "fault-cut", failing(_slip)),
    Miniature("FAULT-DECODE", "a decoder's error leaves as it is", "fault-html", failing(_no_json)),
    Miniature("FAULT-PREFIX", "said twice before a fault", "fault-cut", edited(first(TEXT, double))),
    Miniature("FAULT-NEXT-CALL", "a fault spoils the next call", "fault-cut", Grudging),
)


# --- requests ---------------------------------------------------------------------------------------------------


def _blocks(asked: dict[str, Any], kind: str) -> Iterator[Any]:
    """The values of all blocks of a kind in the messages of a call."""
    return (block[kind] for turn in asked["messages"] for block in turn["content"] if kind in block)


def _without(kind: str) -> Any:
    """Leaves out the blocks of a kind, in messages of the adapter's own."""

    def change(asked: dict[str, Any]) -> None:
        asked["messages"] = [
            {**turn, "content": [block for block in turn["content"] if kind not in block]} for turn in asked["messages"]
        ]

    return Asking.by(change)


def _no_system(asked: dict[str, Any]) -> None:
    asked["system_prompt"] = None
    asked.pop("system_prompt_content", None)


def _no_choice(asked: dict[str, Any]) -> None:
    asked["tool_choice"] = None


def _last_text(body: dict[str, Any]) -> None:
    body["messages"][-1]["content"] = "Something else"


def _described(body: dict[str, Any]) -> None:
    body["tools"][0]["description"] = "A tool."


def _other_input(body: dict[str, Any]) -> None:
    for block in _wire_blocks(body, "tool_use"):
        block["input"] = {"city": "Zürich 日本", "days": 3}


def _other_result(body: dict[str, Any]) -> None:
    for block in _wire_blocks(body, "tool_result"):
        block["content"] = "error: lost"


def _all_well(body: dict[str, Any]) -> None:
    for block in _wire_blocks(body, "tool_result"):
        block.pop("is_error", None)


def _wire_blocks(body: dict[str, Any], kind: str) -> Iterator[Any]:
    """The blocks of a type in an Anthropic request."""
    contents = (message["content"] for message in body["messages"] if isinstance(message["content"], list))
    return (block for content in contents for block in content if block["type"] == kind)


def _blank(body: dict[str, Any]) -> None:
    body["messages"][0]["content"].append({"type": "text", "text": " "})


def _results_last(body: dict[str, Any]) -> None:
    for message in body["messages"]:
        if any(block["type"] == "tool_result" for block in message["content"]):
            message["content"].insert(0, {"type": "text", "text": "Here it is:"})


def _model_first(body: dict[str, Any]) -> None:
    body["messages"].insert(0, {"role": "assistant", "content": [{"type": "text", "text": "Hello!"}]})


def _own_name(body: dict[str, Any]) -> None:
    sent = body["tools"][0]["name"]
    for holder in (body["tools"][0], *_wire_blocks(body, "tool_use")):
        if holder["name"] == sent:
            holder["name"] = "weather/today 日本"


def _own_id(body: dict[str, Any]) -> None:
    for kind, name in (("tool_use", "id"), ("tool_result", "tool_use_id")):
        for block in _wire_blocks(body, kind):
            block[name] = block[name].replace("_", ".")


def _thinks(body: dict[str, Any]) -> None:
    body["thinking"] = {"type": "enabled", "budget_tokens": 1024}
    body["max_tokens"] = 4096


def _empty_tools(body: dict[str, Any]) -> None:
    body["tools"] = []


def _many_marks(body: dict[str, Any]) -> None:
    marked = {"type": "text", "text": "More.", "cache_control": {"type": "ephemeral"}}
    body["messages"][0]["content"] += [marked] * 5


def _other_type(body: dict[str, Any]) -> None:
    for block in _wire_blocks(body, "image"):
        block["source"]["media_type"] = "image/jpeg"


def _array(body: dict[str, Any]) -> None:
    body["tools"][0]["input_schema"]["type"] = "array"


def _unsigned(body: dict[str, Any]) -> None:
    for message in body["messages"]:
        for block in message["content"]:
            block.get("reasoningContent", {}).get("reasoningText", {}).pop("signature", None)


def _unsigned_calls(body: dict[str, Any]) -> None:
    for turn in body["contents"]:
        for part in turn["parts"]:
            part.pop("thoughtSignature", None)


def _warm(body: dict[str, Any]) -> None:
    body.get("inferenceConfig", body).pop("temperature", None)


def _unguarded(body: dict[str, Any]) -> None:
    for message in body["messages"]:
        message["content"] = [block.get("guardContent", block) for block in message["content"]]
        message["content"] = [
            block["text"] if isinstance(block.get("text"), dict) else block for block in message["content"]
        ]


def _escaped(body: dict[str, Any]) -> None:
    for message in body["messages"]:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.dumps(json.loads(call["function"]["arguments"]))


def _blank_after_calls(body: dict[str, Any]) -> None:
    for message in body["messages"]:
        if message["role"] == "assistant":
            message["content"].append({"type": "text", "text": ""})


def _unknown(body: dict[str, Any]) -> None:
    body["no_such_field"] = 1


def _on_the_wire(rule: str, title: str, scenario: str, edit: Any, base: str = "anthropic") -> Miniature:
    return Miniature(rule, title, scenario, rewrite=rewritten(edit), on=(base,))


REQUESTS: Final = (
    _on_the_wire("REQUEST-FORM", "a field that there is not", "text", _unknown),
    _on_the_wire("REQUEST-NO-TOOLS", "no tools as an empty list", "text", _empty_tools, "openai"),
    _on_the_wire("REQUEST-EMPTY-TEXT", "a blank text", "text", _blank),
    _on_the_wire("REQUEST-PAIRING", "text before results", "request-results", _results_last),
    _on_the_wire("REQUEST-ROLES", "the model speaks first", "text", _model_first),
    _on_the_wire("REQUEST-TOOL-NAME", "names as they are", "request-tool-names", _own_name),
    _on_the_wire("REQUEST-TOOL-ID", "ids of another alphabet", "request-results", _own_id),
    _on_the_wire("REQUEST-TOOL-CHOICE", "a forced call of a model that thinks", "request-choice", _thinks),
    replace(
        _on_the_wire("REQUEST-MEDIA", "a wrong media type", "request-media", _other_type),
        also=frozenset({"REQUEST-MEDIA-SENT"}),
        because="the bytes are there, but not by their type",
    ),
    _on_the_wire("REQUEST-CACHE", "too many marks", "request-cache", _many_marks),
    _on_the_wire("REQUEST-SCHEMA", "a schema of a list", "request-tools", _array),
    replace(
        _on_the_wire("REQUEST-REASONING", "reasoning without its signature", "request-reasoning", _unsigned, "bedrock"),
        also=frozenset({"REQUEST-REASONING-SENT"}),
        because="the signature is sent back no more",
    ),
    _on_the_wire("REQUEST-GUARD", "no words for the guardrail", "guardrail-latest", _unguarded, "bedrock"),
    _on_the_wire("REQUEST-TEXT", "other words", "request-turns", _last_text),
    _on_the_wire("REQUEST-TOOLS", "another description", "request-tools", _described),
    _on_the_wire("REQUEST-CALLS", "other inputs", "request-results", _other_input),
    _on_the_wire(
        "REQUEST-CALL-SIGNATURE", "calls lose their signatures", "request-signatures", _unsigned_calls, "gemini"
    ),
    _on_the_wire("REQUEST-RESULTS", "other results", "request-results", _other_result),
    _on_the_wire("REQUEST-RESULT-STATUS", "a failure is a result", "request-results", _all_well),
    _on_the_wire("REQUEST-UNICODE", "characters escaped", "request-results", _escaped, "openai"),
    _on_the_wire("REQUEST-REPLAY", "an empty text after the model's", "request-replay", _blank_after_calls),
    Miniature("REQUEST-SYSTEM", "no system prompt", "request-system", Asking.by(_no_system)),
    Miniature("REQUEST-MEDIA-SENT", "no document", "request-media", _without("document")),
    Miniature(
        "REQUEST-REASONING-SENT",
        "no reasoning of the history",
        "request-reasoning",
        _without("reasoningContent"),
        on=("bedrock", "anthropic"),
    ),
    Miniature("REQUEST-UNSUPPORTED", "left out in silence", "request-media", Quiet, on=("anthropic", "openai")),
    Miniature("REQUEST-CHOICE", "no tool choice", "request-choice", Asking.by(_no_choice)),
    Miniature("REQUEST-CHOICE-WARNED", "ignored with two warnings", "request-choice", Repeating, on=("ollama",)),
    Miniature(
        "REQUEST-CACHE-POINTS", "no cache points", "request-cache", _without("cachePoint"), on=("bedrock", "anthropic")
    ),
)

# --- everything else --------------------------------------------------------------------------------------------


def _say_thanks(asked: dict[str, Any]) -> None:
    asked["messages"].append({"role": "assistant", "content": [{"text": "Thanks."}]})
    asked["messages"] = asked["messages"][:-1]


OTHERS: Final = (
    Miniature("CONFIG-UNKNOWN", "no warning", "settings", Mute),
    Miniature("CONFIG-UPDATE", "no update", "settings", Deaf),
    Miniature("CONFIG-MODE", "always streams", "text", settings={"stream": True}, on=("openai",)),
    Miniature("CONFIG-SENT", "no temperature", "settings-sent", rewrite=rewritten(_warm)),
    Miniature("STATE-DECLARED", "claims a state", "settings", Stateful),
    Miniature("STRUCT-OUTPUT", "the result twice", "structured", Structured.by(first(has("output"), double))),
    Miniature(
        "STRUCT-OUTPUT", "the result comes first", "structured", Structured.by(lambda items: items[-1:] + items[:-1])
    ),
    Miniature("STRUCT-EVENTS", "no messageStop", "structured", Structured.by(every(STOP, drop))),
    Miniature("STRUCT-PROMPT", "no system prompt", "structured", Forgetful),
    Miniature("STRUCT-INVALID", "a half-filled instance", "structured-invalid", Easygoing),
    Miniature("STRUCT-ERROR", "errors as something else", "error-structured", raised(ModelResponseError)),
    Miniature("TOKENS-COUNT", "counts from one", "tokens", FromNothing),
    Miniature("TOKENS-GROWS", "counts messages alone", "tokens", Overlooking),
    Miniature("LIFE-INPUTS", "a mutated message list", "text", Asking.by(_say_thanks)),
    Miniature("LIFE-LOOP", "a blocked loop", "text", Blocking),
    Miniature("LIFE-LOOP", "a client that blocks", "free-loop", Waiting, limits=_DEAF),
    Miniature("LIFE-ENDS", "closing never ends", "close", Lingering, limits={"harness.run.TIME_LIMIT": 0.2}),
    Miniature("LIFE-ENDS", "an answer once it is cancelled", "text", Drowsy, limits={"harness.run.TIME_LIMIT": 0.2}),
    Miniature(
        "LIFE-ENDS",
        "a read that blocks for ever",
        "text",
        Hanging,
        on=("openai",),
        also=frozenset({"LIFE-LOOP"}),
        because="the loop is blocked by whoever blocks for ever",
        limits={"harness.endpoint.watchdog.PATIENCE": 0.3},
    ),
    Miniature("LIFE-RELEASED", "the rest is not read", "text", Leaving, on=("anthropic",)),
    Miniature("LIFE-CLOSE", "a connection left open after aclose()", "close", Holding, limits=_IMPATIENT),
    Miniature("LIFE-CANCEL", "a cancellation is swallowed", "cancel", Stubborn),
    Miniature("LIFE-TASKS", "a task is left", "text", Littering, limits=_IMPATIENT),
    Miniature("LIFE-TASKS", "a thread is left", "threads", Breeding),
    Miniature("LIFE-TASKS", "a thread is left by what fails", "growth", Breaking),
    Miniature("CONTENT-TEXT", "a slow caller misses words", "slow", Overflowing, on=("bedrock", "anthropic")),
    Miniature("LIFE-CONCURRENT", "one memory for all streams", "concurrent", Sharing),
    Miniature("LIFE-LOOPS", "the first loop only", "loops", Settled),
    Miniature("LIFE-LOOPS", "the first loop's connections", "loops-socket", Settled),
)

CALLS: Final = (*ERRORS, *REQUESTS, *OTHERS)
