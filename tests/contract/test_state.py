"""The state machine against an independent statement of the order."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contract.kinds import Kind
from harness.contract.rules import RULES
from harness.contract.state import TABLE, State, StreamMachine, check_events
from tests.contract.hostile import HOSTILE
from tests.contract.mistakes import BAD_BODIES, MISTAKES, UNKNOWN, Wrong
from tests.contract.oracle import is_legal, letter, word
from tests.contract.streams import (
    DELTAS,
    Event,
    Reply,
    begin,
    begin_tool,
    citation,
    end,
    metadata,
    put,
    redact,
    redacted,
    replies,
    start,
    stop,
    swap,
    text,
    thought,
    tool_input,
)

LETTERS: dict[str, Event] = {
    "S": start(),
    "b": begin(),
    "u": begin_tool("a"),
    "t": text(),
    "i": tool_input(),
    "r": thought(),
    "e": end(),
    "p": stop(),
    "m": metadata(),
    "g": redact(),
    "?": {"ping": {}},
}

#: letters that only the words below use: a citation, a begin and a delta that cannot be read
MORE_LETTERS: dict[str, Event] = LETTERS | {
    "c": citation(),
    "B": {"contentBlockStart": {"start": None}},
    "D": {"contentBlockDelta": {"delta": {}}},
}

LEGAL_LISTS: dict[str, list[Event]] = {
    "nothing is said": [start(), stop()],
    "text": [start(), text(), text(), end(), stop(), metadata()],
    "text with a begin": [start(), begin(), text(), end(), stop()],
    "an empty block": [start(), begin(0), end(0), stop()],
    "cited text": [start(), citation(), text(), citation(), end(), stop()],
    "a call without input": [start(), begin_tool("a"), end(), stop("tool_use")],
    "two calls": [start(), begin_tool("a"), tool_input(), end(), begin_tool("b"), tool_input(), end(), stop()],
    "redacted reasoning": [start(), redacted(), redacted(), end(), text(), end(), stop()],
    "indices with gaps, downwards": [start(), text("a", 5), end(5), text("b", 2), end(2), stop()],
    "an index told late": [start(), begin(), text("a", 3), text("b"), end(3), stop()],
    "redaction everywhere": [
        start(),
        redact(),
        begin(),
        redact(),
        text(),
        redact(),
        end(),
        stop(),
        redact(),
        metadata(),
    ],
    "a begin that says it has no tool": [
        start(),
        {"contentBlockStart": {"start": {"toolUse": None}, "contentBlockIndex": None}},
        text(),
        end(),
        stop(),
    ],
}


@pytest.mark.parametrize("events", LEGAL_LISTS.values(), ids=LEGAL_LISTS)
def test_legal_lists(events: list[Event]) -> None:
    assert is_legal(events)
    assert check_events(events) == []


@given(replies(), st.data())
def test_legal_replies_have_no_violation(reply: Reply, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, reply.stop_place + 1))
    for events in (reply.events, put(reply.events, place, redact(), redact())):
        assert is_legal(events)
        assert check_events(events) == []


def test_every_short_word() -> None:
    """All words of up to three letters, and of up to four after messageStart: some 18 000 streams."""
    short = ("".join(w) for size in range(4) for w in itertools.product(LETTERS, repeat=size))
    begun = ("S" + "".join(w) for size in range(5) for w in itertools.product(LETTERS, repeat=size))
    wrong, legal = [], set()
    for told in itertools.chain(short, begun):
        events = [LETTERS[sign] for sign in told]
        passes = check_events(events) == []
        legal |= {told} if passes else set()
        wrong += [told] if passes != is_legal(events) else []
    assert wrong == []
    assert {"Sp", "Spm", "Sbep", "Stepm", "Suiep", "Sgtep", "Spgm", "Srep"} <= legal


def _random_events() -> st.SearchStrategy[Event]:
    index = st.sampled_from([None, None, 0, 1, 2])
    good = st.one_of(
        st.sampled_from([*LETTERS.values(), *(event for deltas in DELTAS.values() for event in deltas)]),
        st.builds(begin, index),
        st.builds(begin_tool, st.sampled_from(["a", "b", "", None, 7]), st.sampled_from(["add", "", None]), index),
        st.builds(text, st.just("a"), index),
        st.builds(tool_input, st.just(""), index),
        st.builds(thought, st.just("a"), index),
        st.builds(end, index),
    )
    bad = st.sampled_from([*UNKNOWN, *({key: body} for key, bodies in BAD_BODIES.items() for body in bodies)])
    return st.one_of(good, good, good, bad)


CHANGES: dict[str, Callable[[list[Event], int, Event], list[Event]]] = {
    "drop": lambda events, place, _: swap(events, place),
    "double": lambda events, place, _: put(events, place, *events[place : place + 1]),
    "move": lambda events, place, _: put(swap(events, place), place + 1, *events[place : place + 1]),
    "put": lambda events, place, extra: put(events, place, extra),
    "swap": lambda events, place, extra: swap(events, place, extra),
}


@st.composite
def _changed_replies(draw: st.DrawFn) -> list[Event]:
    """Legal replies after a few random changes: most are illegal, some are legal again."""
    events = draw(replies()).events
    for change in draw(st.lists(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=3)):
        events = CHANGES[change](events, draw(st.integers(0, len(events))), draw(_random_events()))
    return events


@given(st.one_of(st.lists(_random_events(), max_size=8), _changed_replies()))
def test_machine_and_oracle_agree(events: list[Event]) -> None:
    assert is_legal(events) == (check_events(events) == []), word(events)


@pytest.mark.parametrize(("rule", "mistake"), MISTAKES, ids=[mistake.__name__ for _, mistake in MISTAKES])
def test_one_mistake_is_told_once_under_its_rule(rule: str, mistake: Callable[[], st.SearchStrategy[Wrong]]) -> None:
    """Neither under another rule, nor again at what follows, and at the event where it shows."""

    @given(mistake())
    def told_once(wrong: Wrong) -> None:
        assert not is_legal(wrong.events)
        assert [(found.rule, found.index) for found in check_events(wrong.events)] == [(rule, wrong.at)]

    told_once()


def test_every_rule_of_the_order_has_a_mistake() -> None:
    assert {rule for rule, _ in MISTAKES} == {rule for rule in RULES if rule.startswith("STREAM-")}


TWO_MISTAKES: dict[str, tuple[list[Event], list[str]]] = {
    "metadata before and after": (
        [start(), metadata(), text(), end(), stop(), metadata()],
        ["STREAM-METADATA-ORDER", "STREAM-METADATA-ONCE"],
    ),
    "a call without id or name": (
        [start(), begin_tool("", ""), end(), stop()],
        ["STREAM-TOOL-IDENTITY", "STREAM-TOOL-IDENTITY"],
    ),
    "two calls without id": (
        [start(), begin_tool(""), end(), begin_tool(""), end(), stop()],
        ["STREAM-TOOL-IDENTITY", "STREAM-TOOL-IDENTITY"],
    ),
    "no start, no end": ([text(), stop()], ["STREAM-START-FIRST", "STREAM-BLOCK-UNCLOSED"]),
    "no start, no stop": ([text(), end()], ["STREAM-START-FIRST", "STREAM-STOP-MISSING"]),
    "content after stop, and after metadata": (
        [start(), stop(), text(), end(), metadata(), text(), end()],
        ["STREAM-AFTER-STOP", "STREAM-AFTER-METADATA"],
    ),
    "mixed kinds in two blocks": (
        [start(), text(), thought(), end(), thought(), text(), end(), stop()],
        ["STREAM-DELTA-KIND", "STREAM-DELTA-KIND"],
    ),
    "a malformed event out of order": (
        [start(), stop(), {"contentBlockDelta": {"delta": {}}}],
        ["STREAM-EVENT-SHAPE", "STREAM-AFTER-STOP"],
    ),
    "a second stop, malformed": ([start(), stop(), {"messageStop": {}}], ["STREAM-EVENT-SHAPE", "STREAM-STOP-ONCE"]),
    "three calls at a time": (
        [start(), *(begin_tool(f"{n}", "add", n) for n in range(3)), *(end(n) for n in range(3)), stop()],
        ["STREAM-BLOCK-OVERLAP", "STREAM-BLOCK-OVERLAP"],
    ),
}


@pytest.mark.parametrize(("events", "wanted"), TWO_MISTAKES.values(), ids=TWO_MISTAKES)
def test_two_mistakes_are_told_twice(events: list[Event], wanted: list[str]) -> None:
    assert [found.rule for found in check_events(events)] == wanted


#: words, and the rules that each of them breaks, in order: what is told of a second mistake shows where the first led
RECOVERY: dict[str, tuple[str, ...]] = {
    "": ("Scep", "Sbcep", "Sbcctep"),
    "EVENT-SHAPE": ("SbDep", "SBtriep", "SBcep", "SBep", "SBgep", "SDtriep", "SDep", "SDgep", "SbDtep", "SuDiep"),
    "EVENT-SHAPE EVENT-SHAPE": ("SBDtep", "SbDDtep", "SDDep"),
    "EVENT-SHAPE TOOL-BEGIN": ("SbDiep", "SbDgiep"),
    "EVENT-SHAPE DELTA-KIND": ("StDrep", "StDiep", "SuDtep", "SuDcep", "SrDtep", "SrDcep", "SrDiep"),
    "EVENT-SHAPE START-ONCE": ("SBStriep", "SDSep"),
    "EVENT-SHAPE BLOCK-UNCLOSED": ("SBp", "SDp", "SBtp"),
    "EVENT-SHAPE BLOCK-UNCLOSED AFTER-STOP": ("SBpt", "SDpt"),
    "EVENT-SHAPE METADATA-ORDER": ("SBmtriep", "SDmtriep"),
    "EVENT-SHAPE START-FIRST": ("Btriep", "Dtriep"),
    "EVENT-SHAPE BLOCK-OVERLAP": ("SBbep", "StBtriep", "SbBtriep", "SuBtriep", "SrBtriep"),
    "EVENT-SHAPE EVENT-SHAPE BLOCK-OVERLAP": ("SBBtriep",),
    "EVENT-SHAPE BLOCK-OVERLAP TOOL-BEGIN": ("SBbiep",),
    "EVENT-SHAPE BLOCK-OVERLAP DELTA-KIND": ("SButep",),
    "EVENT-SHAPE AFTER-STOP": ("SpBtrie", "SpDtrie"),
    "AFTER-STOP EVENT-SHAPE": ("SptBe", "SptDe", "SptBt", "SptDt"),
    "EVENT-SHAPE AFTER-METADATA": ("SpmBtrie", "SpmDtrie"),
    "AFTER-METADATA EVENT-SHAPE": ("SpmtBe", "SpmtDe", "SpmtBt", "SpmtDt"),
    "START-FIRST": ("tep", "cep", "rep", "bep", "uiep", "iep", "ep", "gp", "mp", "p", "pS", "pm"),
    "START-FIRST DELTA-KIND": ("tiep", "ciep", "rtep", "utep", "itep"),
    "START-FIRST TOOL-BEGIN": ("biep",),
    "START-FIRST AFTER-STOP": ("pt",),
    "BLOCK-OVERLAP TOOL-BEGIN": ("Stbiep", "Sbbiep", "Subiep", "Srbiep"),
    "BLOCK-OVERLAP DELTA-KIND": ("Stutep", "Sbutep", "Suutep", "Srutep"),
    "DELTA-KIND": ("Surep", "Sucep", "Srcep", "Sctriep", "Stirtep", "Sutricep", "Srtiep"),
    "DELTA-KIND BLOCK-OVERLAP TOOL-BEGIN": ("Strbiep",),
    "BLOCK-UNCLOSED AFTER-STOP": ("Stpt", "Sbpt", "Supt", "Srpt"),
    "METADATA-ORDER": ("Sbmep", "Stmep", "Srmep", "Smp", "Stmtep", "Sbmtep", "Sumiep", "Srmrep"),
    "START-ONCE": ("SbSep", "StSep", "SrSep", "SSp", "StStep", "SbStep", "SuSiep", "SrSrep", "SpS", "SpmS"),
    "START-ONCE AFTER-STOP": ("SpSt",),
    "START-ONCE AFTER-METADATA": ("SpmSt",),
    "AFTER-STOP START-ONCE": (
        "SptSe",
        "SptSt",
    ),
    "AFTER-METADATA START-ONCE": (
        "SpmtSe",
        "SpmtSt",
    ),
    "STOP-ONCE AFTER-STOP": ("Sppt",),
    "STOP-ONCE AFTER-METADATA": ("Spmpt",),
    "AFTER-STOP STOP-ONCE": (
        "Sptpe",
        "Sptpt",
    ),
    "AFTER-METADATA STOP-ONCE": (
        "Spmtpe",
        "Spmtpt",
    ),
    "METADATA-ONCE AFTER-METADATA": ("Spmmt",),
    "AFTER-METADATA METADATA-ONCE": (
        "Spmtme",
        "Spmtmt",
    ),
    "AFTER-STOP": tuple(f"Sp{first}{then}t" for first in "butcire" for then in "butcireg"),
    "AFTER-STOP AFTER-METADATA": tuple(f"Sp{first}{then}mt" for first in "butcire" for then in "butcireg"),
    "AFTER-METADATA": tuple(f"Spm{first}{then}{last}" for first in "butcireg" for then in "butcireg" for last in "te"),
    "TOOL-BEGIN": ("Siep", "Siiep", "Sbiep"),
    "BLOCK-UNOPENED": ("Sep", "Seuiep"),
    "BLOCK-OVERLAP": ("Stbep", "Sbbep", "Subep", "Srbep"),
}


@pytest.mark.parametrize(("rules", "words"), RECOVERY.items(), ids=RECOVERY)
def test_the_machine_goes_on_behind_a_mistake(rules: str, words: tuple[str, ...]) -> None:
    wanted = [f"STREAM-{rule}" for rule in rules.split()]
    met = {told: [found.rule for found in check_events([MORE_LETTERS[sign] for sign in told])] for told in words}
    assert {told: found for told, found in met.items() if found != wanted} == {}


def test_a_stream_that_raised_needs_no_stop() -> None:
    assert check_events([start(), text()], finished=False) == []


def test_what_was_met_is_told_in_words() -> None:
    events = [start(), text(), begin_tool("a"), {"contentBlockDelta": {"delta": {"text": None}}}, text(), stop()]
    assert [found.met for found in check_events(events)] == [
        "contentBlockStart(toolUse) when text block open",
        "{'contentBlockDelta': {'delta': {'text': None}}} when tool block open",
        "contentBlockDelta(text) when tool block open",
        "messageStop when block of mixed or unreadable kinds open",
    ]


def test_a_huge_malformed_event_is_told_in_short() -> None:
    huge = {"messageStart": {"role": "assistant"}, "x" * 10_000: ["y" * 10_000] * 100}
    assert len(check_events([huge, stop()])[0].met) < 300  # type: ignore[list-item]


@pytest.mark.parametrize("state", State)
def test_the_table_has_a_step_for_every_kind(state: State) -> None:
    assert set(TABLE[state]) == set(Kind)
    assert {after for after, _ in TABLE[state].values()} <= set(State)


def test_rules_of_the_table_exist_and_are_of_the_order() -> None:
    used = {rule for row in TABLE.values() for _, rule in row.values() if rule}
    assert used <= {rule for rule in RULES if rule.startswith("STREAM-")}


def test_every_state_is_reached() -> None:
    reached = {State.INITIAL}
    for _ in State:
        reached |= {after for state in reached for after, _ in TABLE[state].values()}
    assert reached == set(State)


def test_the_steps_of_the_table_spell_the_docstring() -> None:
    """Runs of six events that break no rule are beginnings of the words that the module's theory allows."""
    letters = dict(zip(Kind, "Sbu?tirt?epmg", strict=True))
    theory = re.compile(r"S(g|b?g*(t[tg]*)?e|b?g*(r[rg]*)?e|u[ig]*e)*(b?g*(t[tg]*|r[rg]*)?|u[ig]*|pg*m?)")
    runs = [("", State.INITIAL)]
    for _ in range(6):
        runs = [
            (told + letters[kind], after)
            for told, state in runs
            for kind, (after, rule) in TABLE[state].items()
            if rule is None and letters[kind] not in told.replace("g", "") * (letters[kind] in "Spm") + "?"
        ]
    clean = [told for told, _ in runs if not re.search("m.*p|mg|m[^p]|[^p]g*m", told)]
    assert len(clean) > 300
    assert [told for told in clean if not theory.fullmatch(told)] == []


@pytest.mark.parametrize(("first", "fragment"), [(begin(0), text("a" * 100, 0)), (begin_tool("a"), tool_input("{"))])
def test_deltas_leave_nothing_behind(first: Event, fragment: Event) -> None:
    machine = StreamMachine()
    for event in (start(), first, fragment):
        machine.feed(event)
    before = _memory(machine)
    for _ in range(100_000):
        machine.feed(fragment)
    assert machine.count == 100_003
    assert _memory(machine) == before


def test_mistaken_deltas_leave_nothing_behind() -> None:
    machine = StreamMachine()
    for event in (start(), text("a", 0), thought("b", 1)):
        machine.feed(event)
    before = _memory(machine)
    for n in range(10_000):
        machine.feed(tool_input("", n))
    assert _memory(machine) == before


def _memory(machine: StreamMachine) -> str:
    return repr({name: value for name, value in vars(machine).items() if name != "count"})


@given(st.lists(HOSTILE, max_size=6))
def test_no_event_makes_the_machine_raise(events: list[Any]) -> None:
    found = check_events(events)
    assert {violation.rule for violation in found} <= set(RULES)
    odd = {n for n, event in enumerate(events) if letter(event) == "?"}
    assert odd == {violation.index for violation in found if violation.rule == "STREAM-EVENT-SHAPE"}
