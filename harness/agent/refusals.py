"""What endpoints refuse: how it is recognised, and remembered by endpoint and model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from harness.contract.errors import ErrorFacts, classify
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    ModelThrottledException,
    ToolsUnsupportedException,
)
from harness.contract.model import Model

Feature = Literal["tools", "stop"]

#: endpoint, and model
Place = tuple[str, str]


class Refusals:
    """The memory: hand the same one to several loops, and each refusal is met once."""

    def __init__(self) -> None:
        self._known: set[tuple[Place, Feature]] = set()

    def remember(self, place: Place, feature: Feature) -> None:
        """Note a refusal."""
        self._known.add((place, feature))

    def refused(self, place: Place, feature: Feature) -> bool:
        """Whether the endpoint is known to refuse the feature for the model."""
        return (place, feature) in self._known

    def forget(self, place: Place) -> None:
        """Try everything again at a place, e.g. once its server was set up anew."""
        self._known = {known for known in self._known if known[0] != place}


#: settings that name the endpoint, wherever an adapter has them
_ENDPOINT_KEYS: Final = ("base_url", "endpoint_url", "host", "endpoint_name", "api_base", "region_name")


def place_of(model: Model) -> Place:
    """Endpoint and model, as far as the adapter's class and settings tell them."""
    config = model.get_config()
    settings = config if isinstance(config, Mapping) else {}
    told = [str(found) for key in _ENDPOINT_KEYS if (found := _find(settings, key)) is not None]
    kind = type(model)
    return " ".join((f"{kind.__module__}.{kind.__qualname__}", *told)), str(settings.get("model_id", ""))


def _find(settings: Mapping[str, Any], key: str) -> Any:
    """A setting at the top, or among the arguments of the client."""
    inner = (value for value in settings.values() if isinstance(value, Mapping))
    return next((place[key] for place in (settings, *inner) if key in place), None)


Kind = Literal["throttled", "overflow", "tools"]

#: the meanings in the table of errors by which a vendor's own exceptions are read, for adapters that do not map them
_MEANINGS: Final[Mapping[Kind, frozenset[str]]] = {
    "throttled": frozenset({"throttle", "overloaded"}),
    "overflow": frozenset({"overflow"}),
    "tools": frozenset({"tools_unsupported"}),
}


@dataclass(frozen=True, slots=True)
class ErrorKinds:
    """The exceptions that stand for the contract's in an adapter's framework."""

    throttled: type[BaseException] = ModelThrottledException
    overflow: type[BaseException] = ContextWindowOverflowException
    tools: type[BaseException] = ToolsUnsupportedException

    def means(self, error: Exception, kind: Kind) -> bool:
        """Whether the error is one of a kind, by its type or, where that says nothing, by what it says."""
        if isinstance(error, (self.throttled, self.overflow, self.tools)):
            return isinstance(error, getattr(self, kind))
        row = classify(facts_of(error))
        return row is not None and row.means in _MEANINGS[kind]


def facts_of(error: Exception) -> ErrorFacts:
    """What SDKs' exceptions commonly tell: words, status, and a code.

    Openai's SDK leaves the words to the body alone where that has them as a bare text, as xAI's has.
    """
    status = getattr(error, "status_code", None)
    code = getattr(error, "code", None)
    codes = (code,) if isinstance(code, str) else ()
    body = getattr(error, "body", None)
    words = f"{error} {body}" if isinstance(body, str) and body not in str(error) else str(error)
    return ErrorFacts(words, status if isinstance(status, int) else None, codes)


_STOP: Final = re.compile(r"\bstop(?:[ _-]?sequences?|[ _-]?words?)?\b", re.IGNORECASE)
_REFUSED: Final = re.compile(
    r"\b(?:not|n't|n’t|un)[ -]?(?:support|permitt|allow|recogni|known|accept|valid)"
    r"|unexpected|unrecogni|invalid|extra|failed to satisfy|\bremove\b",
    re.IGNORECASE,
)


def refuses_stop(error: Exception) -> bool:
    """Whether an error says that stop words are not taken. To be asked only of a call that sent some."""
    words = str(error)[:2000]
    return bool(_STOP.search(words) and _REFUSED.search(words))
