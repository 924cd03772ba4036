"""What no bridge can show, and what no adapter of a framework without the contract's exceptions can."""

from collections.abc import Mapping
from typing import Final

from harness.contract.rules import RULES

_BORDERS: Final = "the bridge makes the events: the framework tells what is new, and no borders of blocks"
_NAMELESS: Final = "the framework has no exceptions of its own for it, and hands on the SDK's"
_COUNTS: Final = "the framework counts tokens in calls of another kind, which are not bridged"
_SETTINGS: Final = "the framework's models are configured by their constructors"

BRIDGED: Final[Mapping[str, str]] = {
    **{rule: _BORDERS for rule in RULES if rule.startswith("STREAM-") and rule != "STREAM-STOP-MISSING"},
    "ERROR-THROTTLE": _NAMELESS,
    "ERROR-OVERFLOW": _NAMELESS,
    "ERROR-TOOLS": _NAMELESS,
    "ERROR-CAUSE": _NAMELESS,
    "ERROR-RETRY-AFTER": _NAMELESS,
    "RETRY-COUNT": _NAMELESS,
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
