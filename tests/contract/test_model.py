"""What every model has from its base."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any

import pytest

from harness.contract.model import Model
from harness.contract.tokens import count_tokens


class Plain(Model):
    """A model that adds nothing to its base."""

    def __init__(self, config: Any) -> None:
        self.config = config

    def update_config(self, **model_config: Any) -> None:
        self.config.update(model_config)

    def get_config(self) -> Any:
        return self.config

    def structured_output(
        self, output_model: Any, prompt: Any, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, Any], None]:
        raise NotImplementedError

    def stream(self, messages: Any, *arguments: Any, **kwargs: Any) -> AsyncIterable[Any]:
        raise NotImplementedError


def test_a_model_is_not_stateful() -> None:
    assert Plain({}).stateful is False


@pytest.mark.parametrize(
    ("config", "limit"),
    [
        ({}, None),
        ({"context_window_limit": None}, None),
        ({"context_window_limit": 9}, 9),
        (None, None),
        (object(), None),
    ],
)
def test_context_window_limit_is_what_was_configured(config: Any, limit: int | None) -> None:
    assert Plain(config).context_window_limit == limit


def test_context_window_limit_follows_updates() -> None:
    model = Plain({"context_window_limit": 1})
    model.update_config(context_window_limit=2)
    assert model.context_window_limit == 2


def test_tokens_are_estimated() -> None:
    messages: Any = [{"role": "user", "content": [{"text": "one two three"}]}]
    tools: Any = [{"name": "add", "description": "adds", "inputSchema": {"json": {}}}]
    system: Any = [{"text": "be brief"}]
    counted = asyncio.run(Plain({}).count_tokens(messages, tools, "unused", system))
    assert counted == count_tokens(messages, tools, None, system) > count_tokens(messages) > 0


@pytest.mark.parametrize("missing", ["update_config", "get_config", "structured_output", "stream"])
def test_a_model_without_one_of_its_methods_cannot_be_made(missing: str) -> None:
    body = {name: method for name, method in vars(Plain).items() if name != missing and not name.startswith("_abc")}
    with pytest.raises(TypeError, match=missing):
        type("Partial", (Model,), body)({})
