"""The bench of code mutants: a sample of what mutmut makes of ``providers/``, against the suite of that adapter alone.

Mutants are never written into the checkout: a process that tries one imports the module from the mutated text.
"""

import difflib
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from itertools import accumulate
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final
from unittest.mock import patch

from harness.discovery import find
from harness.endpoint.in_process import InProcessEndpoint
from harness.laboratory import Laboratory
from tests.mutation.forks import Task, run_all
from tests.mutation.results import Result, hint, keep, kept, recall, recalled
from tests.mutation.suite import ROOT, Kill, Sign, kills, sound
from tests.mutation.wrappers import IMPATIENT, LIMIT, warm

SHARED: Final = "_shared"
_PROVIDERS: Final = ROOT / "providers"
_RECORDS: Final = frozenset({"__init__.py", "records.py"})
#: a mutant of what is shared counts as killed where one of these finds it, each by its own suite alone
_USERS: Final = ("openai", "bedrock", "anthropic", "gemini", "openai_responses", "ollama", "mistral", "llamacpp")


@dataclass(frozen=True)
class CodeMutant:
    """One change of one module. ``id`` outlives changes elsewhere in the module; ``number`` counts its mutants."""

    part: str
    id: str
    path: Path
    number: int
    line: int

    @property
    def module(self) -> str:
        """The module's name."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def source(self) -> str:
        """The module's mutated text."""
        return _mutated(self.path)[self.number]


@cache
def _mutated(path: Path) -> tuple[str, ...]:
    """The text of every mutant of a module, in the order in which mutmut makes them.

    The changed node's text is put in its place: to write the whole tree out costs a hundred times as much.
    """
    from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
    from mutmut.mutation.file_mutation import create_mutations

    text = path.read_text(encoding="utf-8")
    module, mutations, *_ = create_mutations(str(path), text)
    ranges = MetadataWrapper(module, unsafe_skip_copy=True).resolve(WhitespaceInclusivePositionProvider)
    lines = [0, *accumulate(map(len, text.splitlines(keepends=True)))]

    def mutated(change: Any) -> str:
        place = ranges[change.original_node]
        begin, end = (lines[at.line - 1] + at.column for at in (place.start, place.end))
        return text[:begin] + module.code_for_node(change.mutated_node) + text[end:]

    return tuple(map(mutated, mutations))


def mutants(part: str) -> list[CodeMutant]:
    """All mutants of an adapter's own folder, or of what is shared; its records describe it, and have none."""
    paths = [path for path in sorted((_PROVIDERS / part).rglob("*.py")) if path.name not in _RECORDS]
    return [mutant for path in paths for mutant in _of_module(part, path)]


def _of_module(part: str, path: Path) -> Iterator[CodeMutant]:
    plain = path.read_text(encoding="utf-8").splitlines()
    told = Counter[str]()
    for number, source in enumerate(_mutated(path)):
        line, change = _change(plain, source.splitlines())
        told[change] += 1
        again = f" ({told[change]})" if told[change] > 1 else ""
        yield CodeMutant(part, f"{path.relative_to(_PROVIDERS)}: {change}{again}", path, number, line)


def _change(plain: list[str], mutated: list[str]) -> tuple[int, str]:
    """The number of the first line that differs, and the difference."""
    line = next((at for at, (old, new) in enumerate(zip(plain, mutated, strict=False), 1) if old != new), len(plain))
    told = [f"{row[0]} {row[1:].strip()}" for row in difflib.unified_diff(plain, mutated, n=0, lineterm="")][3:]
    return line, " ".join(told)


def sample(part: str, count: int, seed: int) -> list[CodeMutant]:
    """A random sample, the same for the same code and seed."""
    every = mutants(part)
    return random.Random(f"{seed}-{part}").sample(every, min(count, len(every)))


def bench(part: str, wanted: Sequence[CodeMutant], jobs: int = 2) -> Iterator[Result]:
    """The result of each mutant, as they come; those of the cache first."""
    missing = []
    for mutant in wanted:
        result = recalled(part, mutant.id)
        if result is None:
            missing.append(mutant)
        else:
            yield result
    by_id = {mutant.id: mutant for mutant in missing}
    known = _known(users(part), jobs) if missing else {}
    for user in users(part):
        left = list(by_id.values())
        tasks = [Task(each.id, partial(first_kill, user, each, known[user]), partial(warm, user)) for each in left]
        for ended in run_all(tasks, jobs, LIMIT):
            result = _result(by_id[ended.key], user, ended.value, ended.seconds)
            if result.outcome != "survived" or user == users(part)[-1]:
                del by_id[ended.key]
                yield kept(result)


def users(part: str) -> tuple[str, ...]:
    """The adapters whose suites may find a mutant."""
    return _USERS if part == SHARED else (part,)


def _known(names: Sequence[str], jobs: int) -> dict[str, frozenset[Sign]]:
    """What the suite finds without a fault."""
    found: dict[str, Any] = {name: recall(name, "no mutant") for name in names}
    tasks = [
        Task(name, partial(all_signs, name), partial(warm, name)) for name, signs in found.items() if signs is None
    ]
    for ended in run_all(tasks, jobs, LIMIT):
        if ended.value is None:
            raise RuntimeError(f"{ended.key} does not come to an end without a fault")
        keep(ended.key, "no mutant", ended.value)
        found[ended.key] = ended.value
    return {name: sound(name, signs) for name, signs in found.items()}


def _result(mutant: CodeMutant, user: str, told: Any, seconds: float) -> Result:
    place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
    plain = Result(mutant.part, mutant.id, mutant.path.name, place, "survived", seconds=seconds)
    if told is None:
        return replace(plain, outcome="killed", met=f"{user}: the suite does not come to an end")
    if "kill" not in told:
        return plain
    rule, case, level, met = told["kill"]
    return replace(plain, outcome="killed", rule=rule, case=case, level=level, met=met)


def all_signs(user: str) -> list[Sign]:
    """Everything that the suite finds without a fault."""
    return [kill.sign for kill in _play(user)]


def first_kill(user: str, mutant: CodeMutant, known: frozenset[Sign]) -> dict[str, Any]:
    """What gives the mutant away, in an adapter that loads it; to be called in a process of its own."""
    _forget()
    sys.meta_path.insert(0, _Finder(mutant.module, compile(mutant.source, str(mutant.path), "exec")))
    try:
        warm(user)
    except Exception as error:
        return {"kill": ("", "", "MUST", f"{type(error).__name__}: {error}"[:300])}
    if mutant.module not in sys.modules:
        return {}
    kill = next((kill for kill in _play(user, hint(mutant.part, mutant.id)) if kill.sign not in known), None)
    return {} if kill is None else {"kill": (kill.rule, kill.case, kill.level, kill.met)}


def _forget() -> None:
    """Have the adapters' modules imported anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "providers"]:
        del sys.modules[name]


class _Finder(MetaPathFinder, Loader):
    """Finds one module in the text that it is given."""

    def __init__(self, module: str, code: CodeType) -> None:
        self._module, self._code = module, code

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != self._module:
            return None
        origin = Path(self._code.co_filename)
        spec = spec_from_loader(name, self, origin=str(origin), is_package=origin.name == "__init__.py")
        if spec is not None and spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(str(origin.parent))
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)


def _play(user: str, first: str = "") -> Iterator[Kill]:
    with ExitStack() as stack:
        for name, seconds in IMPATIENT.items():
            stack.enter_context(patch(name, seconds))
        laboratory = Laboratory()
        try:
            (record,) = find([user])
            subject = laboratory.bench(record).subject
            yield from kills(laboratory, replace(subject, endpoint=InProcessEndpoint(), settling=0.3), [first])
        except Exception as error:
            yield Kill("", "", "MUST", f"{type(error).__name__}: {error}"[:300])
        finally:
            laboratory.close()
