"""Errors keep the words of services whose error objects the SDK does not quote."""

import json
from importlib import import_module
from typing import Any

import openai
import pytest

from harness.endpoint.libraries import async_library
from providers._shared.openai_sdk.errors import mapped_errors


def refused(body: Any, told: str = "Error code: 400") -> openai.BadRequestError:
    library = import_module(async_library("openai"))
    request = library.Request("POST", "http://service.invalid/v1/chat/completions")
    response = library.Response(400, request=request, text=json.dumps(body))
    return openai.BadRequestError(told, response=response, body=body.get("error", body))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"code": "invalid", "error": "Model x has no such thing"}, "Model x has no such thing"),
        ({"error": {"message": "Provider returned error", "metadata": {"raw": "the cause"}}}, "the cause"),
    ],
)
def test_words_that_the_sdk_leaves_out_are_told(body: Any, words: str) -> None:
    original = refused(body)
    with pytest.raises(openai.BadRequestError, match=words) as caught, mapped_errors():
        raise original
    assert caught.value.__cause__ is original
    assert (caught.value.response, caught.value.body) == (original.response, original.body)


def test_an_error_that_tells_its_words_leaves_as_it_is() -> None:
    original = refused({"error": {"message": "no such field"}}, "Error code: 400 - no such field")
    with pytest.raises(openai.BadRequestError) as caught, mapped_errors():
        raise original
    assert caught.value is original
