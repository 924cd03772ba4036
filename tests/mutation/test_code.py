"""Mutants of one adapter's code: what they are, and that its own suite finds one."""

from functools import partial

import pytest
from libcst import Module
from mutmut.mutation.file_mutation import create_mutations

from tests.mutation import code
from tests.mutation.forks import Task, run_all
from tests.mutation.report import argued
from tests.mutation.wrappers import warm

PROVIDER = "openai"
MUTANTS = code.mutants(PROVIDER)


def test_each_mutant_changes_the_module_that_it_is_of() -> None:
    assert MUTANTS
    for mutant in MUTANTS:
        assert mutant.source != mutant.path.read_text(encoding="utf-8")
        assert mutant.id.startswith(f"{PROVIDER}/")


def test_mutants_are_those_of_mutmut() -> None:
    (path,) = {mutant.path for mutant in MUTANTS}
    module, mutations, *_ = create_mutations(str(path), path.read_text(encoding="utf-8"))
    written = [module.deep_replace(each.original_node, each.mutated_node) for each in mutations]
    assert [mutant.source for mutant in MUTANTS] == [each.code for each in written if isinstance(each, Module)]


def test_a_mutant_is_known_by_its_id() -> None:
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS)


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    assert code.sample(PROVIDER, 5, 1) == code.sample(PROVIDER, 5, 1)
    assert code.sample(PROVIDER, 5, 1) != code.sample(PROVIDER, 5, 2)


def test_records_have_no_mutants() -> None:
    assert all(mutant.path.name not in ("__init__.py", "records.py") for mutant in MUTANTS)


def test_arguments_about_code_mutants_name_some() -> None:
    for part, told in argued("code").items():
        assert told.keys() <= {mutant.id for mutant in code.mutants(part)}


def test_a_fault_of_the_code_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "hint", lambda part, mutant: "tool-names")
    (mutant,) = (mutant for mutant in MUTANTS if mutant.id.endswith("+ reader = ChatReader(None)"))
    task = Task(mutant.id, partial(code.first_kill, PROVIDER, mutant, frozenset()), partial(warm, PROVIDER))
    (ended,) = run_all([task], jobs=1, limit=240)
    assert ended.value["kill"][0] == "TOOL-NAME"
