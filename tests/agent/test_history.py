"""A conversation that does not fit is told shorter: in few calls that fit, and with nothing left out."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agent.history import PROMPT, Budget, shorten, split, summary_of, units
from harness.contract.content import Messages
from harness.contract.exceptions import ContextWindowOverflowException
from harness.contract.tokens import count_tokens, estimate_text


def count(messages: Messages) -> int:
    return count_tokens(messages, count_text=estimate_text)


def said(role: Any, text: str) -> Messages:
    return [{"role": role, "content": [{"text": text}]}]


def called(call: str, result: str) -> Messages:
    return [
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": call, "name": "lookup", "input": {"k": call}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": call, "content": [{"text": result}]}}]},
    ]


def run(messages: Messages, budget: Budget, answer: str = "<summary>short</summary>") -> tuple[Messages, list[str]]:
    prompts: list[str] = []

    async def summarise(prompt: str) -> str:
        prompts.append(prompt)
        return answer

    return asyncio.run(shorten(messages, budget, summarise, count)), prompts


GROUPS = st.lists(
    st.one_of(
        st.integers(1, 400).map(lambda size: said("user", "u" * size) + said("assistant", "a" * size)),
        st.tuples(st.integers(0, 999), st.integers(0, 1500)).map(lambda drawn: called(f"c{drawn[0]}", "r" * drawn[1])),
    ),
    min_size=1,
    max_size=12,
).map(lambda groups: said("user", "q" * 300) + [message for group in groups for message in group])


@given(GROUPS, st.integers(150, 600), st.text(max_size=3000))
def test_it_gets_shorter_or_is_refused(messages: Messages, window: int, answer: str) -> None:
    budget, before = Budget(window), count(messages)
    try:
        found, prompts = run(messages, budget, answer)
    except ContextWindowOverflowException:
        return
    assert count(found) < before
    assert count(found) <= window
    assert len(prompts) <= budget.max_calls
    assert all(count(said("user", prompt)) <= window for prompt in prompts)
    uses = [block["toolUse"]["toolUseId"] for m in found for block in m["content"] if "toolUse" in block]
    results = [block["toolResult"]["toolUseId"] for m in found for block in m["content"] if "toolResult" in block]
    assert uses == results
    assert [m["role"] for m in found] == ["user", "assistant", "user"][: len(found)]


def test_nothing_is_left_out_and_pairs_stay_together() -> None:
    words = [f"word{number} " * 40 for number in range(12)]
    messages = said("user", words[0])
    for number, word in enumerate(words[1:]):
        messages += called(f"id{number}", word)
    _, prompts = run(messages + said("user", "and now?"), Budget(500))
    whole = "\n".join(prompts)
    assert len(prompts) > 1
    assert all(word.strip() in whole for word in words)
    assert all(prompt.count("Action: lookup") == prompt.count("Observation:") for prompt in prompts)


def test_the_last_exchange_is_kept_where_it_is_small() -> None:
    found, _ = run(said("user", "q" * 4000) + called("id", "result"), Budget(1500))
    assert found == [*said("user", "Summary of the conversation so far:\n\nshort"), *called("id", "result")]


def test_a_question_that_is_kept_follows_the_summary_in_one_turn() -> None:
    found, _ = run(said("user", "q" * 4000) + said("assistant", "a") + said("user", "next?"), Budget(1500))
    assert found == [
        {"role": "user", "content": [{"text": "Summary of the conversation so far:\n\nshort"}, {"text": "next?"}]}
    ]


def test_a_message_that_is_too_long_is_split_and_marked() -> None:
    _, prompts = run(said("user", "abcdefgh" * 1000), Budget(1000))
    assert len(prompts) == 3
    assert all(f"[Part {number}/3]" in prompt for number, prompt in enumerate(prompts, 1))


@given(st.text(min_size=1, max_size=500), st.integers(1, 50))
def test_the_parts_of_a_text_are_the_text(text: str, room: int) -> None:
    parts = split(text, room, count)
    assert "".join(parts) == text
    assert all(estimate_text(part) <= room for part in parts)


def test_too_many_calls_are_refused() -> None:
    with pytest.raises(ContextWindowOverflowException):
        run(said("user", "q" * 40000), Budget(500, max_calls=3))


def test_a_window_without_room_for_the_prompt_is_refused() -> None:
    with pytest.raises(ContextWindowOverflowException):
        run(said("user", "q" * 4000), Budget(count(said("user", PROMPT))))


@pytest.mark.parametrize(
    ("reply", "summary"),
    [
        ("<summary> a </summary>", "a"),
        ("Here: <summary>a</summary> Done.", "a"),
        ("<SUMMARY>a</SUMMARY>", "a"),
        ("<summary>a", "a"),
        ("<summary></summary><summary>a</summary>", "a"),
        (" a ", "a"),
        ("<summary></summary>", "<summary></summary>"),
    ],
)
def test_the_summary_stands_between_tags(reply: str, summary: str) -> None:
    assert summary_of(reply) == summary


def test_calls_and_results_are_one_unit() -> None:
    groups = units(said("user", "q") + called("a", "b") + said("assistant", "c"))
    assert [len(group) for group in groups] == [1, 2, 1]
