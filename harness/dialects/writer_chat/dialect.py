"""The dialect record of Writer's chat."""

from dataclasses import dataclass, replace
from typing import Final

from harness.dialects.base import Axis, RequestFault, RequestView, Shape, StopRow, VendorError, WireRequest
from harness.dialects.openai_chat.dialect import SHAPE, ChatDialect
from harness.dialects.reply import Text, ToolUse
from harness.dialects.writer_chat.check import check_request
from harness.dialects.writer_chat.errors import ERRORS
from harness.dialects.writer_chat.requests import read_request
from harness.dialects.writer_chat.stops import STOPS
from harness.dialects.writer_chat.styles import AXES

#: Without reasoning and without refusals: ``refusal`` is in the schema, but nothing says what it means.
WRITER_SHAPE: Final[Shape] = replace(
    SHAPE, blocks=frozenset({Text, ToolUse}), tool_id_pattern=r"chatcmpl-tool-[0-9a-f]{32}", cache_write=False
)


@dataclass(frozen=True)
class WriterDialect(ChatDialect):
    """The server side of ``POST /v1/chat``."""

    name: str = "writer_chat"
    axes: tuple[Axis, ...] = AXES
    shape: Shape = WRITER_SHAPE
    stops: tuple[StopRow, ...] = STOPS
    errors: tuple[VendorError, ...] = ERRORS

    def read_request(self, request: WireRequest) -> RequestView:
        """What the request says."""
        return read_request(request)

    def check_request(self, request: WireRequest) -> list[RequestFault]:
        """Why Writer would refuse it."""
        return check_request(request)
