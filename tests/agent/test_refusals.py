"""Exceptions of SDKs are known for what they are by all that they tell."""

import pytest

from harness.agent.refusals import ErrorKinds

TOO_LONG = "This model's maximum prompt length is 131072 but the request contains 200000 tokens."


class StatusError(Exception):
    """An exception as SDKs raise it."""

    status_code = 400

    def __init__(self, words: str, body: object) -> None:
        super().__init__(words)
        self.body = body


@pytest.mark.parametrize(
    ("words", "body"), [(TOO_LONG, None), ("Error code: 400", TOO_LONG), (f"Error code: 400 - {TOO_LONG}", TOO_LONG)]
)
def test_the_words_may_be_in_the_body_alone(words: str, body: object) -> None:
    assert ErrorKinds().means(StatusError(words, body), "overflow")


def test_an_error_without_words_is_of_no_kind() -> None:
    assert not ErrorKinds().means(StatusError("Error code: 400", {"error": 1}), "overflow")
