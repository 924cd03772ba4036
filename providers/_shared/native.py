"""Adapters of services that can be held to a schema, so that structured output is a reply like any other."""

import abc
from collections.abc import AsyncGenerator
from typing import Any

from pydantic import BaseModel

from harness.contract.events import StreamEvent
from harness.contract.model import T
from providers._shared.config import ConfiguredModel
from providers._shared.request import Request
from providers._shared.structured import from_json_reply


class NativeModel(ConfiguredModel):
    """A model whose service takes the schema of its answer. An adapter defines :meth:`_reply` alone."""

    def _events(self, request: Request) -> AsyncGenerator[StreamEvent, None]:
        return self._reply(request)

    def _structured(self, output_model: type[T], request: Request) -> AsyncGenerator[dict[str, T | Any], None]:
        """The answer as JSON that the service holds to the model's schema."""
        return from_json_reply(output_model, self._reply(request, output_model))

    @abc.abstractmethod
    def _reply(
        self, request: Request, output_model: type[BaseModel] | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        """The events of the reply to ``request``; with ``output_model`` its text is to be JSON of that schema."""
