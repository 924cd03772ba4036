"""Guardrails: which words of a conversation they are shown."""

import json
from collections.abc import Iterator
from typing import Any, Final

from harness.exchange import Answer, Call, Exchange
from harness.scenarios.catalogue.samples import WEATHER, said
from harness.scenarios.catalogue.turns import assistant, result, use, user
from harness.scenarios.scenario import Scenario, Stage, capable, modes

#: words for the guardrail: alone, before tools have run, and beside blank ones
_ASSESSED: Final = (
    ("Is this allowed?", [user({"text": "Is this allowed?"})]),
    (
        "Weather?",
        [
            user({"text": "Weather?"}),
            assistant(use("call_1", {"city": "Rome"})),
            user(result("call_1", {"text": "sunny"})),
        ],
    ),
    ("Is it?", [user({"text": "Hi"}), assistant({"text": "Yes?"}), user({"text": "Is it?"}, {"text": " "})]),
)


async def _assessed(stage: Stage) -> None:
    """The user's last words are marked for the guardrail, and nothing that is blank."""
    config = {"guardrail_id": "guard", "guardrail_version": "1", "guardrail_latest_message": True}
    for words, messages in _ASSESSED:
        for stream in modes(stage.subject.provider):
            asked = Call(messages, tool_specs=[WEATHER] if len(messages) == 3 else None, config=config)
            seen = await stage.watch(Exchange(asked, Answer(said(stage.subject.dialect)), stream))
            marked = [text for request in seen.log.requests for text in _marked(json.loads(request.body))]
            stage.expect("REQUEST-GUARD", marked == [words], marked, [words], seen)


def _marked(body: Any) -> Iterator[str]:
    for message in body["messages"]:
        yield from (block["guardContent"]["text"]["text"] for block in message["content"] if "guardContent" in block)


GUARDING: Final = (
    Scenario(
        "guardrail-latest",
        "the user's last words, for the guardrail",
        ("REQUEST-GUARD",),
        _assessed,
        "strands#1658",
        capable("guardrails"),
    ),
)
