"""Stop reasons of the Messages API (https://docs.claude.com/en/api/handling-stop-reasons)."""

from collections.abc import Mapping
from typing import Final

from providers._shared.stops import Stop

STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": Stop("end_turn", "the same"),
    "max_tokens": Stop("max_tokens", "the same"),
    "stop_sequence": Stop("stop_sequence", "the same"),
    "tool_use": Stop("tool_use", "the same; calls of the vendor's own tools are no calls of the contract"),
    "pause_turn": Stop("max_tokens", "a long loop of the vendor's tools was paused: what is cut must not look whole"),
    "compaction": Stop("max_tokens", "paused as well, to compact the history"),
    "refusal": Stop("content_filtered", "the model declined, or a classifier of the vendor stopped it"),
    "model_context_window_exceeded": Stop("max_tokens", "cut by a limit of length: the window, not the request's"),
}
