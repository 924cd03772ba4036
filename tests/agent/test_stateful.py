"""The loop over a service that keeps the conversation: the Responses API, through its adapter and SDK."""

import asyncio
import json
from typing import Any

import pytest

from harness.agent.loop import AgentLoop
from harness.agent.tools import Tool
from harness.dialects import load_dialect
from harness.dialects.base import WireRequest
from harness.dialects.reply import Reply
from harness.discovery import find
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.exchange import Answer
from harness.scenarios.catalogue.samples import WEATHER, call, called, said

SERVICE = load_dialect("openai_responses")


class Service:
    """Answers in turn, and keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self._answers = iter(replies)
        self.asked: list[dict[str, Any]] = []

    def answer(self, request: WireRequest) -> Delivery:
        """The next reply."""
        self.asked.append(json.loads(request.body))
        assert not SERVICE.check_request(request)
        return Answer(next(self._answers)).delivery(SERVICE, stream=True)

    def model(self, *, stateful: bool) -> Any:
        """The adapter, whose service this is."""
        endpoint = InProcessEndpoint()
        endpoint.reset(self.answer)
        (responses,) = find(["openai_responses"])
        return responses.build(endpoint, {"stateful": stateful})


async def sunny(value: dict[str, Any]) -> str:
    return "sunny"


def test_the_response_id_is_carried_and_the_local_history_cleared() -> None:
    service = Service(called(SERVICE, call(SERVICE, city="Rome")), said(SERVICE, "Sunny."), said(SERVICE, "Still."))
    loop = AgentLoop(service.model(stateful=True), [Tool(WEATHER, sunny)])

    async def scene() -> tuple[str, str]:
        return (await loop.run("The weather?")).text, (await loop.run("And now?")).text

    assert asyncio.run(scene()) == ("Sunny.", "Still.")
    assert loop.messages == []
    first, second, third = service.asked
    assert "previous_response_id" not in first
    assert [item["type"] for item in second["input"]] == ["function_call_output"]
    assert second["previous_response_id"] == third["previous_response_id"] == loop.model_state["response_id"]
    assert "And now?" in json.dumps(third["input"])
    assert "The weather?" not in json.dumps(third["input"])


@pytest.mark.parametrize("stateful", [True, False])
def test_only_a_model_that_keeps_the_conversation_has_the_history_cleared(stateful: bool) -> None:
    service = Service(said(SERVICE, "Hello."))
    loop = AgentLoop(service.model(stateful=stateful))
    asyncio.run(loop.run("Hello"))
    assert bool(loop.messages) is not stateful
