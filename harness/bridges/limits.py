"""What no bridge can show, and what no adapter of a framework without the contract's exceptions can."""

from collections.abc import Mapping
from typing import Final

from harness.contract.rules import RULES
from harness.dialects import load_dialect

_BORDERS: Final = "the bridge makes the events: the framework tells what is new, and no borders of blocks"
_NAMELESS: Final = "the framework has no exceptions of its own for it, and hands on the SDK's"
_COUNTS: Final = "the framework counts tokens in calls of another kind, which are not bridged"
_NAMES: Final = "the framework hands on the names that its caller gives to tools, and the service's refusal"
_SETTINGS: Final = "the framework's models are configured by their constructors"

BRIDGED: Final[Mapping[str, str]] = {
    **{rule: _BORDERS for rule in RULES if rule.startswith("STREAM-") and rule != "STREAM-STOP-MISSING"},
    "ERROR-THROTTLE": _NAMELESS,
    "ERROR-OVERFLOW": _NAMELESS,
    "ERROR-TOOLS": _NAMELESS,
    "ERROR-CAUSE": _NAMELESS,
    "ERROR-RETRY-AFTER": _NAMELESS,
    "FAULT-DECODE": _NAMELESS,
    "RETRY-COUNT": _NAMELESS,
    "REQUEST-TOOL-NAME": _NAMES,
    "CONFIG-UNKNOWN": _SETTINGS,
    "CONFIG-UPDATE": _SETTINGS,
    "STATE-DECLARED": _SETTINGS,
    "TOKENS-COUNT": _COUNTS,
    "TOKENS-GROWS": _COUNTS,
    "CONFIG-MODE": "the bridge asks for streams",
    "USAGE-LATENCY": "the framework measures no times",
    "STOP-TOOLS": "the framework's loop goes by the calls themselves",
    "STOP-KNOWN": "the framework hands on the vendor's word, which the bridge reads",
    "STOP-UNKNOWN": "the framework hands on the vendor's word, which the bridge reads",
    "STOP-MAPPED": "the framework hands on the vendor's word, which the bridge reads",
    "CONTENT-EMPTY": "the bridge tells no empty blocks",
    "REQUEST-UNSUPPORTED": "the bridge leaves out what it does not translate",
    "REQUEST-CHOICE-WARNED": "the bridge leaves out what it does not translate",
    "ERROR-NO-STOP": "the bridge tells the end of a reply once the framework has",
}
"""Rules that are not applicable through a bridge, with the reason."""


def told_by_others(dialect: str, *own: str) -> frozenset[str]:
    """The unusual ways of telling, ``axis=option``, whose evidence is not of the vendor's ``own``: its begins so.

    They are those of servers that speak the vendor's protocol.
    """
    axes = load_dialect(dialect).axes
    return frozenset(
        f"{axis.name}={option.name}"
        for axis in axes
        for option in axis.options[1:]
        if not option.evidence.startswith(own)
    )


#: how OpenAI's own service, and Azure's of it, are known to tell replies
OF_OPENAI: Final = ("openai-chat/", "openai-responses/", "azure-openai-", "doc: OpenAI")
