"""Files that are broken or meant to do harm: one clear RecordingError each, and nothing executed."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.recordings import RecordingError, read_recording, source
from tests.recordings.test_formats import HTTPRR, NOCK, OLD_VCRPY, REQLLM, RUBY, VCRPY


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def bomb(levels: int) -> str:
    """Each level holds the one below ten times."""
    lines = ["l0: &l0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"l{n}: &l{n} [{','.join([f'*l{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join([*lines, "interactions: []", ""])


@dataclass(frozen=True)
class Case:
    name: str
    content: str | bytes
    says: str


CASES = [
    Case("empty", b"", "the file is empty"),
    Case("blank", b"\n \n", "the file is empty"),
    Case("binary", bytes(range(128, 256)) * 4, "byte 0 is not UTF-8"),
    Case("control characters", b"interactions: \x00\x01", "not readable as YAML"),
    Case("truncated json", '{\n  "request": {"method": "POST"', "line 2, column 31"),
    Case("truncated chunks", '{"a":1}\n{"a":', "event 2: not readable as JSON"),
    Case("deep json", "[" * 200_000, "not readable as JSON"),
    Case("long number", f'{{"a": {"9" * 5000}}}', "not readable as JSON"),
    Case("truncated yaml", VCRPY[:-40].rsplit("'", 1)[0], "not readable as YAML"),
    Case("deep yaml", "a: " + "[" * 200_000, "not readable as YAML"),
    Case("wrong explicit tag", "interactions: !!int x", "not readable as YAML"),
    Case("empty explicit tag", "interactions: !!int ''", "not readable as YAML"),
    Case("wrong boolean tag", "interactions: !!bool x", "not readable as YAML"),
    Case("wrong timestamp tag", "interactions: !!timestamp x", "not readable as YAML"),
    Case("bad binary", "interactions: !!binary 'é'", "line 1, column 15"),
    Case("two documents", "interactions: []\n---\ninteractions: []\n", "line 2, column 1"),
    Case("unknown tag", "a: 1\ninteractions: !!python/name:os.system ''", "line 2, column 15"),
    Case("alias bomb", bomb(9), "line 1 expands to more than"),
    Case("endless alias", "interactions: &a [*a]", "line 1 contains itself through an alias"),
    Case("other yaml", "services: {web: {image: x}}", "no known recording format"),
    Case("other text", "just words", "no known recording format"),
    Case("json string", '"just words"', "no known recording format"),
    Case("no list", "interactions: 3", "interactions: expected a list, found 3"),
    Case("scalar entry", "interactions: [3]", "interactions[0]: expected a mapping, found 3"),
    Case("no request", "interactions: [{response: {}}]", "interactions[0].request is missing"),
    Case("no url", changed(VCRPY, "uri:", "uro:"), "interactions[0].request.uri is missing"),
    Case(
        "status", changed(VCRPY, "code: 200", "code: ok"),
        "interactions[0].response.status.code: expected an HTTP status, found 'ok'",
    ),
    Case("status range", changed(OLD_VCRPY, "200", "9"), "interactions[0].response.status_code: expected an HTTP"),
    Case("headers", changed(OLD_VCRPY, "headers: {}", "headers: x"), "request.headers: expected a mapping"),
    Case("method", changed(RUBY, "method: post", "method: [post]"), "request.method: expected a string"),
    Case("body type", changed(VCRPY, "body: {string:", "body: {string: 5, was:"), "body.string: expected a string"),
    Case("unpaired", "requests: []\nresponses: [{}]", "responses: expected 0, one a request, found 1"),
    Case("bad base64", json.dumps(REQLLM).replace('"b64": "', '"b64": "*'), "request.body.b64: expected base64"),
    Case("lone surrogate", json.dumps(REQLLM).replace("u00e9", "ud800"), "response.body: expected a value that JSON"),
    Case("bad hex", json.dumps([NOCK[0] | {"response": "zz", "responseIsBinary": True}]), "[0].response: expected hex"),
    Case("odd headers", json.dumps([NOCK[0] | {"rawHeaders": ["a"]}]), "[0].rawHeaders: expected names and values"),
    Case("httprr sizes", "httprr trace v1\nx y\n", "byte 16: expected the sizes"),
    Case("httprr cut", HTTPRR[:-3], "byte 16: the exchange ends at byte"),
    Case("httprr head", "httprr trace v1\n3 3\nabcdef", "byte 20: expected an HTTP message"),
    Case("httprr line", "httprr trace v1\n5 5\na\n\nbca\n\nbc", "byte 20: expected a request line"),
    Case("damaged gzip", gzip.compress(b"interactions: []" * 99, mtime=0)[:-9], "the file is damaged gzip"),
    Case("false gzip", b"\x1f\x8bnot gzip", "the file is damaged gzip"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_error_names_file_place_and_remedy(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "recording"
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    with pytest.raises(RecordingError) as raised:
        read_recording(path)
    assert case.says in raised.value.what
    assert str(raised.value) == f"{path}: {raised.value.what}; {raised.value.remedy}"
    assert raised.value.remedy
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "tag", ["object/apply:os.mkdir", "object/new:os.mkdir", "object/apply:builtins.eval", "object/apply:subprocess.run"]
)
def test_tags_that_would_run_code_are_refused_unrun(tag: str, tmp_path: Path) -> None:
    marker = tmp_path / "made"
    path = tmp_path / "recording.yaml"
    path.write_text(f"interactions:\n- !!python/{tag} ['{marker}']\n")
    with pytest.raises(RecordingError, match=r"could not determine a constructor for the tag .* line 2, column 3"):
        read_recording(path)
    assert not marker.exists()


def test_a_missing_file_is_the_same_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="cannot be opened") as raised:
        read_recording(tmp_path / "absent.yaml")
    assert raised.value.path == str(tmp_path / "absent.yaml")


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_file_over_the_bound_is_refused(packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 1000)
    path = tmp_path / "recording"
    text = b"data: 1\n\n" * 200
    path.write_bytes(gzip.compress(text, mtime=0) if packed else text)
    with pytest.raises(RecordingError, match="larger than 1000 bytes"):
        read_recording(path)


def test_a_compressed_body_over_the_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 2000)
    path = tmp_path / "a.json"
    body = gzip.compress(b"x" * 5000, mtime=0).hex()
    path.write_text(json.dumps([NOCK[0] | {"response": body, "responseIsBinary": True}]))
    with pytest.raises(RecordingError, match="a response body, decompressed, is larger than 2000 bytes"):
        read_recording(path)


def test_a_few_aliases_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(
        changed(changed(OLD_VCRPY, "headers: {}, method", "headers: &h {}, method"), "headers: {}", "headers: *h")
    )
    assert [exchange.request.headers for exchange in read_recording(path)] == [()]
