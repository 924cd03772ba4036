"""Configuration handling that every adapter shares."""

from typing import Any, ClassVar

from harness.contract.config import warn_unknown_keys
from harness.contract.model import BaseModelConfig, Model


class ConfiguredModel(Model):
    """A model whose settings are one dictionary, declared by the TypedDict ``CONFIG``."""

    CONFIG: ClassVar[type] = BaseModelConfig

    def __init__(self, **model_config: Any) -> None:
        self.config: dict[str, Any] = {}
        self.update_config(**model_config)

    def update_config(self, **model_config: Any) -> None:
        """Change settings; unknown keys warn and are kept, as they may belong to a newer version."""
        warn_unknown_keys(model_config, self.CONFIG)
        self.config.update(model_config)

    def get_config(self) -> dict[str, Any]:
        """The live settings."""
        return self.config
