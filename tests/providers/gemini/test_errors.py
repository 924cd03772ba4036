from types import SimpleNamespace
from typing import Any

from google.genai.errors import ClientError

from providers.gemini.errors import facts


def test_facts() -> None:
    body = {"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED", "details": [{"a": "b"}]}}
    answer: Any = SimpleNamespace(headers={"Retry-After": "3"})
    found = facts(ClientError(429, body, answer))
    assert (found.message, found.status, found.codes) == ("Slow down.", 429, ("RESOURCE_EXHAUSTED",))
    assert found.headers == {"retry-after": "3"}
    assert found.details == body


def test_facts_of_an_error_without_a_body() -> None:
    found = facts(ClientError(400, {}))
    assert (found.status, found.codes, found.headers) == (400, (), {})
    assert found.message
