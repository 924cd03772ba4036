"""The commands about recorded exchanges."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cassettes.storage import load, save
from harness.cli import main
from tests.shared import SHARED, needs_shared

ROOT = Path(__file__).resolve().parents[2]
TEXT = ROOT / "cassettes" / "openai" / "text.yaml"


def test_what_is_committed_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cassettes", "check", str(ROOT / "cassettes")]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("144 cassettes (60 live, 84 emulated)")
    assert last.endswith("0 with problems, 0 old")
    assert sum(path.stat().st_size for path in (ROOT / "cassettes").rglob("*.yaml")) < 10_000_000


def test_a_secret_is_told_but_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TEXT.read_text(encoding="utf-8").replace("Say hello", "Say sk-proj-a1B2c3D4e5F6g7H8i9J0 hello")
    (tmp_path / "text.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["cassettes", "check", str(tmp_path)])
    assert ended.value.code == 1
    told = capsys.readouterr().out
    assert "request body" in told
    assert "sk-proj-a1B2" not in told


def test_the_value_of_a_key_is_found_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-word-like-any-other")
    cassette = load(TEXT)
    save(
        tmp_path / "x.yaml", replace(cassette, provenance=replace(cassette.provenance, source="a-word-like-any-other"))
    )
    with pytest.raises(SystemExit):
        main(["cassettes", "check", str(tmp_path)])
    assert "value of a key" in capsys.readouterr().out


def test_old_cassettes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cassette = load(TEXT)
    old = replace(cassette.provenance, recorded="2020-01-01T00:00:00Z")
    save(tmp_path / "x.yaml", replace(cassette, provenance=old))
    assert main(["cassettes", "check", str(tmp_path), "--max-age=30"]) == 0
    assert "recorded more than 30 days ago" in capsys.readouterr().out


def test_a_broken_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yaml").write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["cassettes", "check", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main(["show", str(tmp_path / "x.yaml")])
    assert ended.value.code == 4
    assert "interactions is missing" in capsys.readouterr().err


def test_binary_event_streams_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(ROOT / "cassettes" / "bedrock" / "tool.yaml")]) == 0
    told = capsys.readouterr().out
    assert "bedrock: tool (emulated)" in told
    assert '[11]  messageStop  {"stopReason": "tool_use"' in told


def test_a_live_one_shows_when_things_came(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(TEXT)]) == 0
    told = capsys.readouterr().out
    assert f"{load(TEXT).interactions[0].times[0]:.3f} s" in told


def test_other_recordings_become_cassettes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}}]}
    recording = {
        "interactions": [
            {
                "request": {
                    "method": "POST",
                    "uri": "https://api.openai.com/v1/chat/completions?key=hidden",
                    "headers": {"Authorization": ["Bearer sk-proj-a1B2c3D4e5F6g7H8i9J0"]},
                    "body": '{"messages": []}',
                },
                "response": {
                    "status": {"code": 200, "message": "OK"},
                    "headers": {"content-type": ["application/json"]},
                    "body": {"string": json.dumps(body)},
                },
            }
        ]
    }
    (tmp_path / "theirs.json").write_text(json.dumps(recording), encoding="utf-8")
    options = ["cassettes", "import", str(tmp_path / "theirs.json"), "--provider=openai", f"--to={tmp_path}"]
    assert main(options) == 0
    made = load(tmp_path / "openai" / "theirs.yaml")
    assert json.loads(made.interactions[0].body) == body
    assert "key=REDACTED" in made.interactions[0].uri
    assert made.interactions[0].request_headers == ()
    with pytest.raises(SystemExit):
        main(options)
    assert "is there already" in capsys.readouterr().err
    assert main(["cassettes", "check", str(tmp_path / "openai")]) == 0


@needs_shared
def test_all_formats_of_the_corpus_can_be_imported(tmp_path: Path) -> None:
    rows = map(json.loads, (SHARED / "corpus" / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines())
    of_format = {row["format"]: row["path"] for row in rows if row["status"] == 200}
    assert len(of_format) > 10
    for number, path in enumerate(of_format.values()):
        to = tmp_path / str(number)
        assert main(["cassettes", "import", str(SHARED / "corpus" / path), "--provider=openai", f"--to={to}"]) == 0
        (made,) = (to / "openai").iterdir()
        assert load(made).interactions


def test_drift_is_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    docs = ROOT / "docs" / "drift"
    assert main(["drift", str(docs / "old.yaml"), str(docs / "new.yaml"), "--max-age=1"]) == 0
    assert "| high | field vanished | `system_fingerprint` |" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["drift", str(docs / "old.yaml"), str(docs / "nothing.yaml")])
    assert ended.value.code == 4
