"""Stop reasons of the Converse API, and what they mean in the contract."""

from collections.abc import Mapping
from typing import Final

from providers._shared.stops import Stop

STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": Stop("end_turn", "the same, but some models say it beside calls"),
    "stop_sequence": Stop("stop_sequence", "the same; a call that is complete must still be answered"),
    "tool_use": Stop("tool_use", "the same"),
    "max_tokens": Stop("max_tokens", "the same"),
    "guardrail_intervened": Stop("guardrail_intervened", "the same"),
    "content_filtered": Stop("content_filtered", "the same"),
    "model_context_window_exceeded": Stop("max_tokens", "the reply was cut off, by the window and not by the limit"),
    "malformed_model_output": Stop("content_filtered", "the service withholds output that it could not read"),
    "malformed_tool_use": Stop("content_filtered", "the service withholds a call that it could not read"),
}
