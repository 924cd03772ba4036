"""``conformance score errors``."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.cli import main
from tests.shared import SHARED, needs_shared

THROTTLED = {"id": "a", "provider": "groq", "protocol": "openai-chat", "http_status": 429, "error_type": None}
CASES: tuple[dict[str, Any], ...] = (
    {**THROTTLED, "message": "Rate limit reached for model `m`", "class": "throttle"},
    {**THROTTLED, "id": "b", "http_status": 400, "message": "Rate limit reached for model `m`", "class": "quota"},
    {"id": "c", "message": "prompt is too long: 9 tokens > 8 maximum", "class": "overflow"},
    {
        "id": "d",
        "provider": "anthropic",
        "protocol": "anthropic-messages",
        "http_status": 200,
        "in_stream": True,
        "error_type": "overloaded_error",
        "message": "Overloaded",
        "class": "overloaded",
    },
    {"id": "e", "protocol": "new", "http_status": 404, "message": "This model has no name", "class": "model_not_found"},
)


def score(tmp_path: Path, *cases: dict[str, Any]) -> Any:
    file, out = tmp_path / "cases.jsonl", tmp_path / "score.json"
    file.write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    assert main(["score", "errors", str(file), "--json", str(out)]) == 0
    return json.loads(out.read_text(encoding="utf-8"))


def test_found_false_and_wrong_are_counted_twice(tmp_path: Path) -> None:
    found = score(tmp_path, *CASES)
    assert found["fields"]["throttle"] == {"rows": 1, "found": 1, "false_alarms": 1, "wrong": ["b"]}
    assert found["fields"]["overflow"] == {"rows": 1, "found": 1, "false_alarms": 0, "wrong": []}
    assert found["adapters"]["overloaded"] == {"rows": 1, "found": 1, "false_alarms": 1, "wrong": ["b"]}
    assert found["adapters"]["overflow"]["rows"] == 0  # without a status there is no answer to tell
    assert found["adapters"]["throttle+overloaded"]["rows"] == 2


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [
        ("anthropic-messages", "overloaded_error"),
        ("bedrock-converse", "serviceUnavailableException"),
        ("gemini", "UNAVAILABLE"),
        ("mistral", "3505"),
        ("ollama", None),
        ("openai-chat", "503"),
        ("openai-responses", "server_is_overloaded"),
        ("sagemaker-invoke", "ServiceUnavailable"),
        ("llama-api", None),
        ("writer", None),
        ("of nobody", None),
    ],
)
@pytest.mark.parametrize("in_stream", [False, True])
def test_every_protocol_tells_its_errors(protocol: str, kind: str | None, in_stream: bool, tmp_path: Path) -> None:
    case = {
        "id": "a",
        "protocol": protocol,
        "error_type": kind,
        "message": "The model is overloaded",
        "class": "overloaded",
    }
    found = score(tmp_path, {**case, "http_status": 200 if in_stream else 503, "in_stream": in_stream})
    assert found["adapters"]["overloaded"] == {"rows": 1, "found": 1, "false_alarms": 0, "wrong": []}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2: no JSON"),
        ("[]", "line 2: not an object"),
        ('{"id": "x", "class": "throttle"}', "line 2: cannot be a case with message None"),
        ('{"id": "x", "class": "throttle", "message": "", "http_status": "429"}', "with http_status '429'"),
    ],
)
def test_a_broken_line_is_named(line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(f"{json.dumps(CASES[0])}\n{line}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["score", "errors", str(file)])
    assert ended.value.code == 4
    assert told in capsys.readouterr().err


@needs_shared
def test_real_errors_by_their_fields_and_through_every_adapter(tmp_path: Path) -> None:
    out = tmp_path / "score.json"
    assert main(["score", "errors", str(SHARED / "data" / "error_responses.jsonl"), "--json", str(out)]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    for way in ("fields", "adapters"):
        assert {name: row["wrong"] for name, row in found[way].items() if row["wrong"]} == {}
        assert all(row["rows"] == row["found"] for row in found[way].values())
