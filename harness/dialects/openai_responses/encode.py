"""Say a reply as one JSON body, and what both ways of saying have in common."""

import json
from typing import Any

from harness.dialects.base import WireReply
from harness.dialects.openai_responses.citations import to_wire
from harness.dialects.openai_responses.items import Item, done_item, items_of
from harness.dialects.openai_responses.manner import Manner, added
from harness.dialects.openai_responses.stops import COMPLETED
from harness.dialects.openai_responses.usage import usage_object
from harness.dialects.reply import Reasoning, RedactedReasoning, Reply, Text, ToolUse

Json = dict[str, Any]

_JSON_HEADERS = (("content-type", "application/json"),)


def check_shape(reply: Reply) -> None:
    """Raise ValueError for a reply that the Responses API cannot say."""
    for block in reply.blocks:
        if isinstance(block, RedactedReasoning):
            raise ValueError("the Responses API has no place for RedactedReasoning: sealed reasoning is a signature")
        if not isinstance(block, ToolUse) and not (block.text or _sealed(block)):
            raise ValueError("an empty block would leave no trace on the wire")
        if isinstance(block, ToolUse) and block.signature is not None:
            raise ValueError("the Responses API has no place for the signature of a call")
        for citation in block.citations if isinstance(block, Text) else ():
            to_wire(citation, 0)
    if reply.guardrail or reply.latency_ms is not None:
        raise ValueError("the Responses API tells neither guardrails nor the service's latency")


def _sealed(block: Any) -> bool:
    return isinstance(block, Reasoning) and block.signature is not None


def told_end(reply: Reply, wire: str, manner: Manner) -> str:
    """The end as the style tells it: some servers call a reply completed that their limit cut."""
    hidden = manner.options["cut_status"] == "completed" and wire == "max_output_tokens"
    return COMPLETED if hidden and all(call.complete for call in reply.tools) else wire


def ending(wire: str) -> Json:
    """Status and incomplete_details of a response that ended with ``wire``."""
    if wire == COMPLETED:
        return {"status": COMPLETED}
    return {"status": "incomplete", "incomplete_details": {"reason": wire}}


def usage_text(reply: Reply, manner: Manner) -> str:
    """The ``usage`` field as text, with its leading comma; nothing where the style has no such field."""
    how = manner.options["usage"]
    if how == "absent" or (how == "present" and reply.usage is None):
        return ""
    if how == "null" or reply.usage is None:
        return ',"usage":null'
    told = usage_object(reply.usage, manner.options["usage_details"]) | dict(manner.vendor.usage)
    return added({"usage": told}, manner.dumps)


def status_of(item: Item, items: list[Item], wire: str) -> str:
    """The status of an item: an incomplete response was cut in its last one."""
    return COMPLETED if wire == COMPLETED or item is not items[-1] else "incomplete"


def encode_whole(reply: Reply, manner: Manner, wire: str) -> WireReply:
    """One JSON body."""
    items, wire = items_of(reply, manner), told_end(reply, wire, manner)
    output = [_whole_item(item, manner, status_of(item, items, wire)) for item in items]
    text = manner.response(output=manner.dumps(output), usage=usage_text(reply, manner), **ending(wire))
    if manner.options["layout"] == "indented":
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=manner.options["escapes"] == "ascii") + "\n"
    return WireReply(200, _JSON_HEADERS, (text.encode(),))


def _whole_item(item: Item, manner: Manner, status: str) -> Json:
    told = done_item(item, manner, status)
    if item.kind == "function_call" and manner.options["call_item_id"] == "item_id":
        return {"item_id": told.pop("id"), "output_index": item.place, **told}
    return told
