"""The dialect record of llama.cpp's server."""

from dataclasses import dataclass, replace
from typing import Final

from harness.dialects.base import Axis, RequestFault, RequestView, Shape, StopRow, VendorError, WireRequest
from harness.dialects.llamacpp_chat.check import check_request
from harness.dialects.llamacpp_chat.errors import ERRORS
from harness.dialects.llamacpp_chat.requests import read_request
from harness.dialects.llamacpp_chat.stops import STOPS
from harness.dialects.llamacpp_chat.styles import AXES
from harness.dialects.openai_chat.dialect import SHAPE, ChatDialect
from harness.dialects.reply import Reasoning, Text, ToolUse

LLAMACPP_SHAPE: Final[Shape] = replace(
    SHAPE, blocks=frozenset({Reasoning, Text, ToolUse}), tool_id_pattern=r"[A-Za-z0-9]{32}", cache_write=False
)


@dataclass(frozen=True)
class LlamaCppDialect(ChatDialect):
    """The server side of ``POST /v1/chat/completions``."""

    name: str = "llamacpp_chat"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = LLAMACPP_SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read_request(request)

    def check_request(self, request: WireRequest) -> list[RequestFault]:
        """Why the server would refuse it."""
        return check_request(request)
