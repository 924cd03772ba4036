"""``done_reason``: every value that is documented or recorded."""

from typing import Final

from harness.contract.events import STOP_REASONS
from harness.dialects.base import StopRow

_RECORDED: Final = "ollama-chat/tmc+langchaingo__ollama_ollamaclient_TestClient_GenerateChat.httprr"
_DOC: Final = "doc: Ollama API, chat: {}"
_ENDED: Final = frozenset({"end_turn"})

#: ``stop`` also ends replies with calls: Ollama has no word of its own for them.
STOPS: Final[tuple[StopRow, ...]] = (
    StopRow("stop", "end_turn", _ENDED, _DOC.format("response, done_reason"), with_tools=False),
    StopRow(
        "stop",
        "tool_use",
        frozenset({"tool_use"}),
        "ollama-chat/Arize-ai+openinference__ollama_test_instrumentor_test_chat_with_tool_call.yaml",
        with_tools=True,
    ),
    StopRow("length", "max_tokens", frozenset({"max_tokens"}), _RECORDED),
    StopRow("load", "end_turn", _ENDED, _DOC.format("load a model"), with_tools=False, common=False),
    StopRow("unload", "end_turn", _ENDED, _DOC.format("unload a model"), with_tools=False, common=False),
    # Not a value of today, but releases add values, and an adapter must survive the next one.
    StopRow(
        "unheard_of",
        "end_turn",
        STOP_REASONS,
        "doc: Ollama, llm.DoneReason: an enumeration that grows",
        with_tools=False,
        common=False,
        known=False,
    ),
)
