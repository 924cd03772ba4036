"""Warnings about settings: whether they come, what they say, and which line they point at."""

import inspect
import warnings
from collections.abc import Callable
from typing import Any, Required

import pytest
from typing_extensions import TypedDict

from harness.contract.config import (
    UnknownConfigWarning,
    UnsupportedToolChoiceWarning,
    warn_tool_choice,
    warn_unknown_keys,
)
from harness.contract.content import ToolChoice


class Base(TypedDict, total=False):
    limit: int | None


class Middle(Base, total=False):
    model_id: Required[str]


class Last(Middle, total=False):
    stream: bool


def warned(call: Callable[[], Any]) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return caught


@pytest.mark.parametrize("key", ["limit", "model_id", "stream"])
def test_keys_of_a_typed_dict_and_its_bases_are_known(key: str) -> None:
    assert warned(lambda: warn_unknown_keys({key: 1}, Last)) == []


def test_no_settings_warn_of_nothing() -> None:
    assert warned(lambda: warn_unknown_keys({}, Last)) == []


def test_unknown_keys_are_named_once_with_those_that_are_known() -> None:
    (warning,) = warned(lambda: warn_unknown_keys({"strem": True, "limit": 1, "Model_id": "m"}, Last))
    assert warning.category is UnknownConfigWarning
    assert "Model_id, strem." in str(warning.message)
    assert str(warning.message).endswith("Known keys: limit, model_id, stream")


def test_keys_of_a_subclass_are_unknown_to_its_base() -> None:
    (warning,) = warned(lambda: warn_unknown_keys({"stream": True}, Middle))
    assert str(warning.message).endswith("Known keys: limit, model_id")


class Configured:
    def __init__(self, **settings: Any) -> None:
        self.update_config(**settings)

    def update_config(self, **settings: Any) -> None:
        warn_unknown_keys(settings, Last)


class Derived(Configured):
    def __init__(self, *, name: str, **settings: Any) -> None:
        self.name = name
        super().__init__(**settings)

    def update_config(self, **settings: Any) -> None:
        super().update_config(**settings)


SETTERS: dict[str, Callable[[], Any]] = {
    "the function itself": lambda: warn_unknown_keys({"strem": 1}, Last),
    "a constructor": lambda: Configured(strem=1),
    "a constructor of a subclass": lambda: Derived(name="d", strem=1),
    "an update": lambda: Configured().update_config(strem=1),
    "an update of a subclass": lambda: Derived(name="d").update_config(strem=1),
}


@pytest.mark.parametrize("setter", SETTERS.values(), ids=SETTERS)
def test_the_warning_points_at_the_line_that_set_the_key(setter: Callable[[], Any]) -> None:
    (warning,) = warned(setter)
    assert (warning.filename, warning.lineno) == (__file__, inspect.getsourcelines(setter)[1])


CHOICES: dict[str, tuple[ToolChoice | None, frozenset[str], ToolChoice | None]] = {
    "none": (None, frozenset(), None),
    "empty": ({}, frozenset(), None),
    "auto, which is the default": ({"auto": {}}, frozenset(), None),
    "auto, supported": ({"auto": {}}, frozenset({"auto"}), {"auto": {}}),
    "any, supported": ({"any": {}}, frozenset({"auto", "any"}), {"any": {}}),
    "a tool, supported": ({"tool": {"name": "add"}}, frozenset({"tool"}), {"tool": {"name": "add"}}),
}


@pytest.mark.parametrize(("choice", "supported", "sent"), CHOICES.values(), ids=CHOICES)
def test_tool_choices_that_need_no_warning(
    choice: ToolChoice | None, supported: frozenset[str], sent: ToolChoice | None
) -> None:
    assert warn_tool_choice(choice, supported) == sent


@pytest.mark.parametrize("choice", [{"any": {}}, {"tool": {"name": "add"}}])
def test_a_tool_choice_that_cannot_be_sent_warns_the_adapters_caller(choice: ToolChoice) -> None:
    def adapter() -> ToolChoice | None:
        return warn_tool_choice(choice, frozenset({"auto"}))

    def caller() -> None:
        assert adapter() is None

    (warning,) = warned(caller)
    assert warning.category is UnsupportedToolChoiceWarning
    assert f"tool_choice {next(iter(choice))} is not supported" in str(warning.message)
    assert (warning.filename, warning.lineno) == (__file__, inspect.getsourcelines(caller)[1] + 1)
