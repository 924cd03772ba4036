"""Which window a model's name stands for."""

import pytest

from harness.agent.windows import DEFAULT, LARGEST, SMALLEST, context_window, load, sources, table, usable_tokens

WINDOWS = {
    "gpt-4o": 128_000,
    "gpt-4": 8192,
    "gpt-4-0613": 8192,
    "gpt-4-turbo-2024-04-09": 128_000,
    "gpt-4.1-mini": 1_047_576,
    "openai/gpt-4o-mini": 128_000,
    "azure/gpt-4o": 128_000,
    "ft:gpt-4o-mini-2024-07-18:org::id": 128_000,
    "o1": 200_000,
    "o1-mini-2024-09-12": 128_000,
    "anthropic.claude-v2": 100_000,
    "anthropic.claude-v2:1": 200_000,
    "bedrock/us.anthropic.claude-3-5-sonnet-20241022-v2:0": 200_000,
    "openrouter/anthropic/claude-3.5-sonnet": 200_000,
    "claude-3-5-sonnet@20240620": 200_000,
    "arn:aws:bedrock:us-east-1:1:inference-profile/us.amazon.nova-pro-v1:0": 300_000,
    "models/gemini-2.0-flash": 1_048_576,
    "gemini/gemini-2.0-flash-thinking-exp-1219": 32_768,
    "meta-llama/Llama-3.1-8B-Instruct": 128_000,
    "ollama/llama3.2:3b": 128_000,
    "us.meta.llama3-1-8b-instruct-v1:0": 128_000,
    "GPT-4O": 128_000,
    "gpt-4omega": DEFAULT,
    "somebodys-model": DEFAULT,
    "": DEFAULT,
}


@pytest.mark.parametrize(("model", "tokens"), WINDOWS.items())
def test_a_name_has_the_window_of_its_longest_row(model: str, tokens: int) -> None:
    assert context_window(model) == tokens


def test_a_row_of_ones_own_wins() -> None:
    assert context_window("ollama/llama3.2:3b", {"llama3.2": 4096}) == 4096
    assert context_window("gpt-4o", {"gpt": 2048, "llama3.2": 4096}) == 2048


@pytest.mark.parametrize("tokens", [SMALLEST - 1, LARGEST + 1, 0, -1, True, 1e4, "8192"])
def test_a_figure_that_cannot_be_right_is_refused(tokens: object) -> None:
    with pytest.raises(ValueError, match="no context window"):
        context_window("gpt-4o", {"gpt-4o": tokens})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="no context window"):
        load(f"[[source]]\ntitle = 'x'\n[source.tokens]\nm = {str(tokens).lower()!r}".replace("'true'", "true"))


def test_the_bounds_themselves_are_right() -> None:
    windows, _ = load(f"[[source]]\ntitle = 'x'\n[source.tokens]\na = {SMALLEST}\nb = {LARGEST}")
    assert windows == {"a": SMALLEST, "b": LARGEST}


def test_a_name_has_one_row() -> None:
    with pytest.raises(ValueError, match="a row for it already"):
        load("[[source]]\ntitle = 'x'\n[source.tokens]\n'a-3.1' = 2048\n'a-3-1' = 4096")


def test_every_row_has_a_source() -> None:
    assert all(sources()[row] for row in table())


def test_of_a_window_85_percent_are_used() -> None:
    assert usable_tokens(8192) == 6963
