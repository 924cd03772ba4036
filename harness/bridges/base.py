"""What every bridge is: a model of the contract around one of a framework."""

import abc
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from harness.contract.model import Model


class CutReplyError(Exception):
    """A reply of which the framework says, in a field, that it is not whole, or failed; it raises nothing."""


class Bridge(Model, abc.ABC):
    """A framework's model behind the contract. Its settings are those of the exchange: the model has its own."""

    def __init__(self, model: Any, settings: Mapping[str, Any]) -> None:
        self._model = model
        self._settings = dict(settings)

    def get_config(self) -> dict[str, Any]:
        """The settings of the exchange."""
        return self._settings

    def update_config(self, **model_config: Any) -> None:
        """Change the settings that the bridge holds."""
        self._settings.update(model_config)

    def structured_output(
        self, output_model: type[Any], prompt: Any, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Not bridged, and claimed by no record."""
        raise NotImplementedError("structured output is not bridged")
