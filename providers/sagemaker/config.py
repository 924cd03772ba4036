"""The settings of the SageMaker adapter."""

from collections.abc import Mapping
from typing import Any, Final, Required

from harness.contract.model import BaseModelConfig


class SageMakerConfig(BaseModelConfig, total=False):
    """Settings. What is absent or None is not sent, and the endpoint's own default holds."""

    endpoint_name: Required[str]
    #: which of the endpoint's inference components is asked
    inference_component_name: str | None
    #: which model of a multi-model endpoint is asked; such endpoints do not stream
    target_model: str | None
    target_variant: str | None
    #: further arguments of the SDK's operation, such as ``CustomAttributes``
    endpoint_args: Mapping[str, Any] | None
    #: the request's ``model``, for containers that ask for it
    model_id: str | None
    #: further fields of the request, such as ``max_tokens`` and ``temperature``
    params: Mapping[str, Any] | None
    #: whether replies are streamed; True by default
    stream: bool
    #: the field under which reasoning of the history goes back; without it reasoning is not sent
    reasoning_field: str | None
    #: tool results are told by the user, for containers that know no tool messages
    tool_results_as_user_messages: bool


_GROUPS: Final = frozenset({"endpoint_config", "payload_config"})
_OF_PAYLOAD: Final = frozenset({"stream", "tool_results_as_user_messages"})
_MORE: Final = "additional_args"


def plain(settings: Mapping[str, Any], params: Mapping[str, Any] | None) -> dict[str, Any]:
    """Settings as plain keys, where they are grouped as other frameworks have it.

    ``endpoint_config`` holds the endpoint's names, ``payload_config`` fields of the request, each with
    ``additional_args`` beside them. ``params`` are those set before, which a payload is put on top of.
    """
    endpoint, payload = (dict(settings.get(name) or {}) for name in sorted(_GROUPS))
    found = {key: value for key, value in settings.items() if key not in _GROUPS}
    if _MORE in endpoint:
        endpoint["endpoint_args"] = endpoint.pop(_MORE)
    payload |= payload.pop(_MORE, None) or {}
    told = {key: payload.pop(key) for key in _OF_PAYLOAD & payload.keys()}
    fields = {"params": {**(params or {}), **payload, **(found.get("params") or {})}} if payload else {}
    return {**endpoint, **told, **found, **fields}
