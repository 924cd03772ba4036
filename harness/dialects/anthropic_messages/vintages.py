"""Members that servers of different years and makes add to their objects, as JSON text to append."""

from dataclasses import dataclass
from typing import Final

_CACHE_CREATION = ',"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0}'
_TIER = ',"service_tier":"standard","inference_geo":"not_available"'
_DETAILS = ',"output_tokens_details":{"thinking_tokens":0}'
_SERVER_TOOLS = ',"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0}'
_ITERATIONS = (
    ',"iterations":[{"input_tokens":1,"output_tokens":1,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,'
    '"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"type":"message"}]'
)
_CONTEXT = ',"context_management":{"applied_edits":[]}'
_UNHEARD = ',"unheard_of":{"nested":[null,1,"text"]}'
_UNHEARD_NULL = ',"unheard_of":null'
_REFUSAL = '{"type":"refusal","category":null,"explanation":null}'


@dataclass(frozen=True, slots=True)
class Vintage:
    """What is added to each kind of object."""

    stop_details: bool = False
    message: str = ""
    usage: str = ""
    delta_usage: str = ""
    #: beside ``delta`` and ``usage`` in ``message_delta``, and at the top of a whole body
    reply: str = ""
    event: str = ""
    text: str = ""
    tool: str = ""

    def details(self, stop: str | None) -> str:
        """The ``stop_details`` member, which only says something of a refusal."""
        if not self.stop_details:
            return ""
        return f',"stop_details":{_REFUSAL if stop == "refusal" else "null"}'


VINTAGES: Final[dict[str, Vintage]] = {
    "original": Vintage(),
    "current": Vintage(
        stop_details=True,
        usage=_CACHE_CREATION + _TIER,
        delta_usage=_DETAILS,
        tool=',"caller":{"type":"direct"}',
    ),
    "beta": Vintage(
        stop_details=True,
        message=',"container":null',
        usage=_CACHE_CREATION + _TIER,
        delta_usage=_SERVER_TOOLS + _ITERATIONS,
        reply=_CONTEXT,
        tool=',"caller":{"type":"direct"}',
    ),
    "unknown": Vintage(
        message=_UNHEARD,
        usage=',"pydantic_ai_gateway":{"cost_estimate":0.0001}',
        delta_usage=_UNHEARD,
        reply=_UNHEARD_NULL,
        event=_UNHEARD_NULL,
        text=',"citations":null' + _UNHEARD,
        tool=_UNHEARD,
    ),
}
