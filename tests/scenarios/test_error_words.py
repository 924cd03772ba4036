import json

import pytest

from harness.dialects import load_dialect
from harness.dialects.base import ErrorClass, VendorError
from harness.scenarios.error_words import with_numbers

SAID = "maximum context length is 8192 tokens: 8000 + 500 > 8192 (status 400, try in 12s)"
ERROR = VendorError(
    "x",
    ErrorClass.OVERFLOW,
    400,
    json.dumps({"error": {"message": SAID, "code": "3051", "type": "gpt-2024", "list": [7000, "over 7000"]}}).encode(),
    "made up",
    in_stream=json.dumps({"message": SAID}).encode(),
)


def test_counts_in_sentences_change_and_keep_their_order() -> None:
    changed = with_numbers(ERROR, 3)
    said = "maximum context length is 24576 tokens: 24000 + 500 > 24576 (status 400, try in 12s)"
    assert json.loads(changed.body) == {
        "error": {"message": said, "code": "3051", "type": "gpt-2024", "list": [7000, "over 21000"]}
    }
    assert json.loads(changed.in_stream or b"") == {"message": said}
    assert (changed.status, changed.error_class) == (ERROR.status, ERROR.error_class)


def test_once_is_the_same() -> None:
    assert json.loads(with_numbers(ERROR, 1).body) == json.loads(ERROR.body)


@pytest.mark.parametrize("body", [b"<html>502 from 10000</html>", b"", b"\xff"])
def test_what_is_no_json_is_left_alone(body: bytes) -> None:
    error = VendorError("x", ErrorClass.OTHER, 502, body, "made up")
    assert with_numbers(error, 7) == error


def test_frames_of_bedrocks_stream_are_left_alone() -> None:
    throttled = next(error for error in load_dialect("bedrock_converse").errors if error.in_stream is not None)
    assert with_numbers(throttled, 7).in_stream == throttled.in_stream
