"""Adapters on top of an SDK's async client."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Required, TypeVar

from harness.contract.model import BaseModelConfig
from providers._shared.clients import LoopClients
from providers._shared.native import NativeModel

C = TypeVar("C")


class StainlessConfig(BaseModelConfig, total=False):
    """Settings.

    ``params`` are further fields of the request, such as ``temperature``, also ones that only some services know, and
    the SDK's ``extra_headers``, ``extra_query``, ``extra_body`` and ``timeout`` (seconds). With ``stream`` False the
    reply is fetched in one piece.
    """

    model_id: Required[str]
    params: Mapping[str, Any] | None
    stream: bool


class StainlessModel(NativeModel, Generic[C]):
    """A model that is reached by a client of the SDK's class ``CLIENT``.

    A ``client`` is used as it is, by whoever calls. Otherwise the adapter makes one from ``client_args`` for each event
    loop, without retries unless they say so: retrying is the caller's business.
    """

    CONFIG: ClassVar[type] = StainlessConfig
    CLIENT: ClassVar[type[Any]]

    def __init__(
        self, *, client: C | None = None, client_args: Mapping[str, Any] | None = None, **model_config: Any
    ) -> None:
        super().__init__(**model_config)
        own = {"max_retries": 0, **(client_args or {})}
        self._clients: LoopClients[C] = LoopClients(lambda: self.CLIENT(**own), client)
