"""Stop reasons: ``done_reason`` of the object in which ``done`` is true (Ollama API documentation, and its sources)."""

from collections.abc import Mapping
from typing import Final

from providers._shared.stops import Stop

STOPS: Final[Mapping[str, Stop]] = {
    "stop": Stop("end_turn", "natural end or a stop sequence of the request, which are not told apart"),
    "length": Stop("max_tokens", "num_predict tokens were made, or the context window is full"),
    "load": Stop("end_turn", "the request had no messages and only loaded the model: an empty reply is the whole one"),
    "unload": Stop("end_turn", "the request had no messages and only unloaded the model"),
    "": Stop("end_turn", "older servers give none; newer ones only when the caller has gone"),
}
