"""Recorded exchanges of any common recorder, read into one shape.

`read_recording(path)` tells the format from the content and gives a list of `RecordedExchange`; whatever is wrong
with a file, hostile ones included, comes as one `RecordingError`.
"""

from harness.recordings.model import RecordedExchange, RecordedRequest, RecordedResponse, RecordingError
from harness.recordings.readers import read_recording

__all__ = ["RecordedExchange", "RecordedRequest", "RecordedResponse", "RecordingError", "read_recording"]
