"""Witness: there is no SDK of llama.cpp's own; its server promises to be read by OpenAI's."""

from collections.abc import Iterator
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import BaseModel

from harness.dialects.llamacpp_chat import DIALECT
from tests.dialects.llamacpp_chat.samples import SAMPLES
from tests.dialects.relatives import documents, single_styles

#: fields that OpenAI's types do not have
OWN_FIELDS = {"timings", "reasoning_content", "x_future"}


def unknown_fields(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        yield from unknown_fields([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, list):
        for item in value:
            yield from unknown_fields(item)


@pytest.mark.parametrize("stream", [True, False])
def test_openais_types_take_every_style_but_for_fields_of_its_own(stream: bool) -> None:
    model: type[BaseModel] = ChatCompletionChunk if stream else ChatCompletion
    unknown = {
        field
        for reply in SAMPLES
        for style in single_styles(DIALECT)
        for body in documents(DIALECT.encode(reply, style, stream=stream).body, stream=stream)
        for field in unknown_fields(model.model_validate_json(body, strict=True))
    }
    assert unknown == OWN_FIELDS
