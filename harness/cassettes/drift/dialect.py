"""Our dialect as a witness: whether it ever says a field or a word."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from harness.cassettes.drift.inventory import Inventory
from harness.cassettes.model import Interaction
from harness.dialects import load_dialect
from harness.dialects.base import Dialect, WireReply
from harness.dialects.reply import Reasoning, Reply
from harness.scenarios.catalogue.samples import cached_usage, call, called, said
from harness.scenarios.styles import single_styles


@cache
def spoken(name: str) -> Inventory:
    """What a dialect says, of plain replies, in every style, and of errors."""
    dialect, made = load_dialect(name), Inventory()
    for number, wire in enumerate(_replies(dialect)):
        made.add(str(number), [Interaction("POST", "/", (), b"", wire.status, wire.headers, wire.frames)])
    return made


def _replies(dialect: Dialect) -> Iterator[WireReply]:
    for stream in (True, False):
        for reply in _samples(dialect):
            yield from (dialect.encode(reply, style, stream=stream) for style in single_styles(dialect, stream=stream))
    yield from map(dialect.encode_error, dialect.errors)


def _samples(dialect: Dialect) -> Iterator[Reply]:
    yield replace(said(dialect), usage=cached_usage(dialect))
    yield called(dialect, call(dialect, 1, city="Bern"), call(dialect, 2, name="clock"))
    if Reasoning in dialect.shape.blocks:
        signature = "c2ln" if dialect.shape.signed else None
        yield replace(said(dialect), blocks=(Reasoning("Hm.", signature), *said(dialect).blocks))
    for row in dialect.stops:
        if row.common and row.with_tools is not True:
            yield replace(said(dialect), stop=row.means)
