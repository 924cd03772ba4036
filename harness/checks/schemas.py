"""SCHEMA: what schemas mean where they arrive, whatever an adapter made of them on the way."""

import copy
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from harness.checks.failure import is_slip, told
from harness.checks.findings import Findings, shown
from harness.checks.observation import Observation
from harness.dialects.base import RequestView, ToolView
from harness.dialects.schemas import json_schema, places
from harness.exchange import Call, Operation, Samples


def check_schemas(seen: Observation, findings: Findings) -> None:
    """Schemas that are hard to send arrive as what they mean, or are refused in words."""
    call = seen.exchange.call
    if not call.samples:
        return
    handled = not seen.timed_out and (seen.error is None or not is_slip(seen.error))
    findings.expect("SCHEMA-HANDLED", handled, told(seen.error), "a request, or an error that says what is wrong")
    if seen.log.exchanges:
        for name, original, sent in _pairs(call, seen.views[0]):
            _judge(name, call.samples[name], original, sent, findings)


def _pairs(call: Call, view: RequestView) -> Iterator[tuple[str, Any, ToolView]]:
    """The name, the caller's schema and the one that arrived, of each schema with samples."""
    if call.operation is Operation.STRUCTURED and call.output_model is not None:
        model = call.output_model
        forced = view.tools[0] if view.tools else None
        sent = forced if view.response_schema is None else ToolView(model.__name__, None, view.response_schema)
        pairs: list[tuple[str, Any, ToolView | None]] = [(model.__name__, model.model_json_schema(), sent)]
    else:
        specs = zip(call.tool_specs or (), view.tools, strict=False)
        pairs = [(spec["name"], spec["inputSchema"]["json"], tool) for spec, tool in specs]
    for name, original, tool in pairs:
        if name in call.samples and tool is not None and isinstance(tool.schema, dict):
            yield name, original, tool


def _judge(name: str, samples: Samples, original: Any, sent: ToolView, findings: Findings) -> None:
    meaning = _Meaning.of(sent.schema)
    for value in samples.allowed:
        problem = meaning.problem(value)
        findings.expect("SCHEMA-COMPLETE", problem is None, f"{name}: {shown(value, 60)}: {problem}", "allowed")
    for value in samples.refused:
        allowed = meaning.problem(value) is None
        findings.expect("SCHEMA-SOUND", not allowed, f"{name}: {shown(value, 100)} is allowed", "refused")
    for value, emptied in samples.maps:
        closed = meaning.problem(value) is not None and meaning.problem(emptied) is None
        findings.expect("SCHEMA-MAP", not closed, f"{name}: {shown(value, 60)} can only be empty", "an open map")
    _check_words(name, original, sent, findings)


#: the documents that references outside their own lead to: none is fetched
_NOTHING_ELSE: Final[Registry[Any]] = Registry()


class _Meaning:
    """What a schema allows, where null stands for a property that is left out."""

    def __init__(self, schema: Any) -> None:
        relaxed = copy.deepcopy(schema)
        strict = Draft202012Validator(relaxed, registry=_NOTHING_ELSE)
        for place in places(relaxed, ""):
            _relax(strict, place.schema)
        self._validator = Draft202012Validator(relaxed, registry=_NOTHING_ELSE)

    @classmethod
    def of(cls, schema: Any) -> "_Meaning":
        """The meaning of a schema of JSON, or of OpenAPI with its capital letters."""
        return _meaning(json.dumps(json_schema(schema) if _is_openapi(schema) else schema))

    def problem(self, value: Any) -> str | None:
        """Why the schema refuses a value; None where it does not."""
        try:
            found: ValidationError | None = best_match(self._validator.iter_errors(value))
        except Unresolvable as error:
            return f"a reference leads nowhere: {error}"
        except RecursionError:
            return "references go in circles"
        return None if found is None else f"{found.json_path}: {shown(found.message, 80)}"


def _relax(strict: Draft202012Validator, schema: Any) -> None:
    """Require no property that may be null."""
    named = schema.get("properties")
    if isinstance(named, dict) and isinstance(schema.get("required"), list):
        schema["required"] = [name for name in schema["required"] if not _may_be_null(strict, named.get(name, False))]


def _may_be_null(strict: Draft202012Validator, schema: Any) -> bool:
    try:
        return bool(strict.evolve(schema=schema).is_valid(None))
    except (Unresolvable, RecursionError):
        return False


_REMEMBERED: Final = 256


@lru_cache(_REMEMBERED)
def _meaning(text: str) -> _Meaning:
    return _Meaning(json.loads(text))


def _is_openapi(schema: Any) -> bool:
    kind = schema.get("type")
    return isinstance(kind, str) and kind.isupper()


def _check_words(name: str, original: Any, sent: ToolView, findings: Findings) -> None:
    found = (place.schema.get("description") for place in places(original, ""))
    wanted = [words for words in found if isinstance(words, str)]
    if wanted:
        text = json.dumps([sent.description, sent.schema], ensure_ascii=False)
        lost = [words for words in wanted if json.dumps(words, ensure_ascii=False)[1:-1] not in text]
        findings.expect("SCHEMA-WORDS", not lost, f"{name}: {lost} did not arrive", "every description")
