"""Cassettes as files: what was kept is read again, by us and by vcrpy, and no file is ever half of one."""

import http.client
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import vcr
from hypothesis import example, given
from hypothesis import strategies as st

from harness.cassettes.model import Cassette, CassetteError, End, Interaction, Origin, Provenance
from harness.cassettes.storage import cassettes_in, dump, load, parse, save

ORIGIN = Provenance(Origin.EMULATED, "openai", "text", "2026-01-02T03:04:05Z", "m", "1", {"openai": "3.0"}, "1")
TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)
BODIES = st.one_of(st.binary(max_size=60), TEXTS.map(str.encode))


@given(
    st.builds(
        Interaction,
        st.just("POST"),
        st.just("https://example.com/v1/x?alt=sse"),
        st.just((("content-type", "application/json"),)),
        BODIES,
        st.sampled_from([200, 404, 529]),
        st.just((("content-type", "text/event-stream"),)),
        st.lists(BODIES, max_size=4).map(tuple),
        end=st.sampled_from(list(End)),
    )
)
@example(Interaction("POST", "https://example.com/", (), "\x85".encode(), 200, (), ("a\n\u2028".encode(),)))
def test_what_was_kept_is_read_again(one: Interaction) -> None:
    cassette = Cassette(ORIGIN, (one, one))
    assert parse(dump(cassette)) == cassette


def _one(text: str = "Hello", **other: Any) -> Interaction:
    body = f'data: {{"text": "{text}"}}\n\n'.encode()
    return Interaction("POST", "http://127.0.0.1/v1/x", (), b'{"a":1}', 200, (), (body[:9], body[9:]), **other)


def test_lines_are_written_as_lines() -> None:
    assert '        data: {"text": "Hello"}\n' in dump(Cassette(ORIGIN, (_one(),)))


def test_members_are_sorted_and_the_same_cassette_gives_the_same_text() -> None:
    text = dump(Cassette(ORIGIN, (_one(),)))
    assert text == dump(parse(text))
    assert text.index("conformance:") < text.index("interactions:") < text.index("version:")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("version: 1", "version: 2"), "version"),
        (("chunks: [9, 1", "chunks: [8, 1"), "chunks"),
        (("end: complete", "end: happily"), "end"),
        (("origin: emulated", "origin: heard"), "heard"),
        (("interactions:", "interactions: !!python/object/apply:os.system [x]\nothers:"), "YAML"),
        (("method: POST", "method: [1]"), "method"),
        (("code: 200", "code: 20000"), "status"),
    ],
)
def test_what_is_no_cassette_is_told(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    text = dump(Cassette(ORIGIN, (_one(),)))
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(CassetteError, match=told):
        load(path)


KILLED = """
import os, signal, sys
from pathlib import Path
from harness.cassettes import storage
from tests.cassettes.test_storage import NEW

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

step, path = sys.argv[1:]
class Half:
    def __init__(self, file): self.file = file
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def write(self, data):
        self.file.write(data[: len(data) // 2]); self.file.flush(); die()

real_open, real_replace = os.fdopen, os.replace
steps = {
    "half-way": lambda: setattr(os, "fdopen", lambda *a: Half(real_open(*a))),
    "before the disk has it": lambda: setattr(os, "fsync", die),
    "before the name": lambda: setattr(os, "replace", die),
    "after the name": lambda: setattr(os, "replace", lambda *a: (real_replace(*a), die())),
}
steps[step]()
storage.save(Path(path), NEW)
"""
OLD, NEW = Cassette(ORIGIN, (_one("old"),)), Cassette(ORIGIN, (_one("new"), _one("newer")))


@pytest.mark.parametrize(
    ("step", "left"),
    [("half-way", OLD), ("before the disk has it", OLD), ("before the name", OLD), ("after the name", NEW)],
)
def test_a_killed_recorder_leaves_the_old_cassette_or_the_new_one(step: str, left: Cassette, tmp_path: Path) -> None:
    path = tmp_path / "text.yaml"
    save(path, OLD)
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", KILLED, step, str(path)], cwd=root, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert load(path) == left
    assert cassettes_in(tmp_path) == {"text": path}
    save(path, NEW)
    assert [each.name for each in tmp_path.iterdir()] == ["text.yaml"]


def test_vcrpy_alone_replays_them(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    binary = Interaction("POST", "http://127.0.0.1/v1/x", (), b'{"a":1}', 429, (("retry-after", "7"),), (b"\x00\xff",))
    save(path, Cassette(ORIGIN, (_one("Zürich"), binary)))
    with vcr.use_cassette(str(path), record_mode="none", match_on=("method", "uri", "body")) as played:
        for expected in (_one("Zürich"), binary):
            connection = http.client.HTTPConnection("127.0.0.1")
            connection.request("POST", "/v1/x", b'{"a":1}')
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (expected.status, expected.body)
        assert played.all_played
