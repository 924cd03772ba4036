"""Token estimates: exact where they are arithmetic, and never over the network."""

import hashlib
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contract import tokens
from harness.contract.tokens import count_tokens, estimate_json, estimate_text, text_counter


def user(*blocks: Any) -> Any:
    return [{"role": "user", "content": list(blocks)}]


def counted(*arguments: Any, **named: Any) -> int:
    return count_tokens(*arguments, count_text=estimate_text, **named)


@pytest.mark.parametrize(("length", "wanted"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_four_characters_are_a_token_and_a_rest_is_one_too(length: int, wanted: int) -> None:
    assert estimate_text("ü" * length) == wanted


@pytest.mark.parametrize(("value", "wanted"), [({}, 1), ({"a": 1}, 4), ("", 1), (None, 2), ("ü", 4), ([1, 2, 3], 5)])
def test_two_characters_of_json_are_a_token(value: Any, wanted: int) -> None:
    assert estimate_json(value) == wanted


def _endless() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


def _deep() -> list[Any]:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


@pytest.mark.parametrize(
    "value",
    [b"bytes", {"a": {1, 2}}, {(1, 2): 3}, object(), _endless(), _deep()],
    ids=lambda value: type(value).__name__,
)
def test_what_json_cannot_say_counts_nothing(value: Any) -> None:
    assert estimate_json(value) == 0


FOUR = "four"
SEEN: dict[str, tuple[Any, int]] = {
    "text": ({"text": FOUR}, 1),
    "a call: its name, and its input as JSON": (
        {"toolUse": {"toolUseId": "long-id", "name": FOUR, "input": {"a": 1}}},
        1 + 4,
    ),
    "a call whose input JSON cannot say": ({"toolUse": {"toolUseId": "1", "name": FOUR, "input": {"a": b""}}}, 1),
    "a result of text and JSON": (
        {"toolResult": {"toolUseId": "1", "content": [{"text": FOUR}, {"json": {"a": 1}}, {"text": "fives"}]}},
        1 + 4 + 2,
    ),
    "a result with an image": (
        {"toolResult": {"toolUseId": "1", "content": [{"image": {"source": {"bytes": b"x"}}}]}},
        0,
    ),
    "reasoning without its signature": ({"reasoningContent": {"reasoningText": {"text": FOUR, "signature": FOUR}}}, 1),
    "redacted reasoning": ({"reasoningContent": {"redactedContent": b"x" * 99}}, 0),
    "text for a guardrail": ({"guardContent": {"text": {"text": FOUR}}}, 1),
    "cited text without its citations": (
        {"citationsContent": {"content": [{"text": FOUR}, {"text": FOUR}], "citations": [{"title": FOUR}]}},
        2,
    ),
    "an image": ({"image": {"format": "png", "source": {"bytes": b"x" * 99}}}, 0),
    "a document": ({"document": {"format": "pdf", "name": FOUR, "source": {"bytes": b"x" * 99}}}, 0),
    "a video": ({"video": {"format": "mp4", "source": {"bytes": b"x" * 99}}}, 0),
    "a cache point": ({"cachePoint": {"type": "default"}}, 0),
}


@pytest.mark.parametrize(("block", "wanted"), SEEN.values(), ids=SEEN)
def test_blocks(block: Any, wanted: int) -> None:
    assert counted(user(block)) == wanted
    assert counted([*user(block), *user({"text": FOUR}, block)]) == 2 * wanted + 1


def test_a_prompt_of_nothing_counts_nothing() -> None:
    assert counted([]) == 0
    assert counted([], [], "", []) == 0


def test_the_system_prompt_counts() -> None:
    assert counted([], system_prompt="fives") == 2
    assert (
        counted([], system_prompt_content=[{"text": "fives"}, {"cachePoint": {"type": "default"}}, {"text": FOUR}]) == 3
    )
    assert counted([], system_prompt_content=[{"guardContent": {"text": {"text": FOUR}}}]) == 1


def test_the_blocks_of_a_system_prompt_win_over_its_text() -> None:
    assert counted([], None, "a very long system prompt", [{"text": FOUR}]) == 1
    assert counted([], None, FOUR, []) == 1


def test_tools_count_as_json() -> None:
    tool = {"name": "add", "description": "adds", "inputSchema": {"json": {}}}
    assert counted([], [tool, tool]) == 2 * estimate_json(tool)


@given(st.lists(st.text(max_size=9), max_size=4), st.text(max_size=9))
def test_the_whole_is_the_sum_of_its_texts(texts: list[str], system: str) -> None:
    blocks = [{"text": text} for text in texts]
    assert counted(user(*blocks), None, system) == sum(map(estimate_text, [*texts, system]))


# --- tiktoken, where it and its vocabulary are on the machine -------------------------------------------------


class Encoding:
    """Stands in for tiktoken's: a token a character, special tokens refused unless they are allowed."""

    def encode(self, text: str, *, disallowed_special: Any = "all") -> list[int]:
        if disallowed_special == "all" and "<|" in text:
            raise ValueError("special token")
        return list(map(ord, text))


@pytest.fixture(autouse=True)
def _no_memory() -> Iterator[None]:
    text_counter.cache_clear()
    yield
    text_counter.cache_clear()


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **named: Any) -> None:
        raise AssertionError("the network was tried")

    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache of tiktoken's."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    return tmp_path


@pytest.fixture
def vocabulary(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Made-up content that passes for the vocabulary, and an encoding that is read from it."""
    content = b"YQ== 0\n"
    monkeypatch.setattr(tokens, "_VOCABULARY_DIGEST", hashlib.sha256(content).hexdigest())
    monkeypatch.setattr("tiktoken.get_encoding", {"cl100k_base": Encoding()}.__getitem__)
    return content


def test_tiktoken_counts_when_its_vocabulary_is_here(cache: Path, vocabulary: bytes) -> None:
    (cache / tokens._VOCABULARY).write_bytes(vocabulary)
    assert text_counter()("seven c") == 7
    assert count_tokens(user({"text": "seven c"}), None, "and nine!") == 16


def test_words_that_look_like_special_tokens_are_counted(cache: Path, vocabulary: bytes) -> None:
    (cache / tokens._VOCABULARY).write_bytes(vocabulary)
    assert text_counter()("<|endoftext|>") == 13


def test_a_counter_of_ones_own_wins(cache: Path, vocabulary: bytes) -> None:
    (cache / tokens._VOCABULARY).write_bytes(vocabulary)
    assert counted(user({"text": FOUR})) == 1


@pytest.mark.usefixtures("vocabulary")
def test_an_empty_cache_is_not_filled(cache: Path) -> None:
    assert text_counter() is estimate_text
    assert list(cache.iterdir()) == []


def test_a_damaged_vocabulary_is_not_fetched_anew(cache: Path, vocabulary: bytes) -> None:
    (cache / tokens._VOCABULARY).write_bytes(vocabulary[:-1])
    assert text_counter() is estimate_text


def test_without_tiktoken_text_is_estimated(cache: Path, vocabulary: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / tokens._VOCABULARY).write_bytes(vocabulary)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    assert text_counter() is estimate_text


def test_the_cache_is_looked_for_where_tiktoken_looks(
    cache: Path, vocabulary: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (cache / tokens._VOCABULARY).write_bytes(vocabulary)
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path_factory.mktemp("empty")))
    assert text_counter() is not estimate_text, "TIKTOKEN_CACHE_DIR comes first"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    text_counter.cache_clear()
    assert text_counter() is estimate_text, "an empty variable turns the cache off"
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(cache))
    text_counter.cache_clear()
    assert text_counter() is not estimate_text, "DATA_GYM_CACHE_DIR comes second"
    monkeypatch.delenv("DATA_GYM_CACHE_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(cache))
    text_counter.cache_clear()
    assert text_counter() is estimate_text
    (cache / "data-gym-cache").mkdir()
    (cache / "data-gym-cache" / tokens._VOCABULARY).write_bytes(vocabulary)
    text_counter.cache_clear()
    assert text_counter() is not estimate_text, "the default is a folder for temporary files"


def test_the_vocabulary_is_the_one_that_tiktoken_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """When tiktoken moves its vocabulary, what this module looks for moves too, or a cache that is here goes unused."""
    openai_public = pytest.importorskip("tiktoken_ext.openai_public", reason="tiktoken is not installed")
    asked: list[tuple[str, str]] = []

    def note(address: str, expected_hash: str) -> dict[bytes, int]:
        asked.append((address, expected_hash))
        return {}

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", note)
    openai_public.cl100k_base()
    ((address, digest),) = asked
    assert hashlib.sha1(address.encode()).hexdigest() == tokens._VOCABULARY
    assert digest == tokens._VOCABULARY_DIGEST
