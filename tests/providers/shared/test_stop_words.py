"""Stop words of a call, put where the settings have them."""

from typing import Any

import pytest

from providers._shared.config import with_stop_words


@pytest.mark.parametrize(
    ("config", "path", "wanted"),
    [
        ({}, ("stop_sequences",), {"stop_sequences": ["X"]}),
        ({"params": None}, ("params", "stop"), {"params": {"stop": ["X"]}}),
        ({"params": {"stop": "A", "n": 1}}, ("params", "stop"), {"params": {"stop": ["A", "X"], "n": 1}}),
        ({"options": {"stop": ["A"]}}, ("options", "stop"), {"options": {"stop": ["A", "X"]}}),
        ({"params": {}}, (), {"params": {}}),
    ],
)
def test_they_stand_beside_those_of_the_settings(config: Any, path: tuple[str, ...], wanted: Any) -> None:
    assert with_stop_words(config, path, ["X"]) == wanted


def test_the_settings_are_not_changed() -> None:
    config = {"params": {"stop": ["A"]}}
    with_stop_words(config, ("params", "stop"), ["X"])
    assert config == {"params": {"stop": ["A"]}}
