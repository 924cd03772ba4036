"""Events and bodies of Responses, written by hand, and readings of them."""

from collections.abc import Iterable
from typing import Any

from harness.contract.assembler import Assembler
from harness.contract.events import StreamEvent
from providers.openai_responses.events import ResponseReader
from tests.providers.shared.openai_chat.wire import in_order

Event = dict[str, Any]

USAGE = {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8}


def event(kind: str, **fields: Any) -> Event:
    return {"type": f"response.{kind}", **fields}


def response(*output: Any, status: str | None = "completed", **fields: Any) -> Event:
    return {"id": "resp_1", "object": "response", "status": status, "output": list(output), "usage": USAGE, **fields}


def completed(*output: Any, **fields: Any) -> Event:
    return event("completed", response=response(*output, **fields))


def cut(reason: str | None, *output: Any) -> Event:
    details = None if reason is None else {"reason": reason}
    return event("incomplete", response=response(*output, status="incomplete", incomplete_details=details))


def text(words: str, *annotations: Any) -> Event:
    return {"type": "output_text", "text": words, "annotations": list(annotations)}


def message(*parts: Any, item_id: str = "msg_1") -> Event:
    return {"type": "message", "id": item_id, "role": "assistant", "content": list(parts)}


def reasoning(*summary: str, item_id: str = "rs_1", **fields: Any) -> Event:
    parts = [{"type": "summary_text", "text": words} for words in summary]
    return {"type": "reasoning", "id": item_id, "summary": parts, **fields}


def call(arguments: Any = "", call_id: str | None = "call_1", name: str | None = "add", item_id: str = "fc_1") -> Event:
    return {"type": "function_call", "id": item_id, "call_id": call_id, "name": name, "arguments": arguments}


def added(item: Event, index: int | None = 0) -> Event:
    return event("output_item.added", item=item, output_index=index)


def done(item: Event, index: int | None = 0) -> Event:
    return event("output_item.done", item=item, output_index=index)


def delta(kind: str, words: str, index: int | None = 0, **fields: Any) -> Event:
    return event(f"{kind}.delta", delta=words, output_index=index, **fields)


def said(words: str, index: int | None = 0, part: int | None = 0, **fields: Any) -> Event:
    return delta("output_text", words, index, content_index=part, **fields)


HELLO_REPLY = (
    event("created", response=response(status="in_progress", usage=None)),
    added(message()),
    said("Hel"),
    said("lo"),
    done(message(text("Hello"))),
    completed(message(text("Hello"))),
)


def events(found: Iterable[Any], reader: ResponseReader | None = None) -> list[StreamEvent]:
    """What the events tell until the response is over."""
    reader, told = reader or ResponseReader(), list[StreamEvent]()
    for each in found:
        if not reader.finished:
            told += reader.feed(each)
    return told


def read(*found: Any) -> Assembler:
    return in_order(events(found))


def whole(body: Any) -> Assembler:
    return in_order(ResponseReader().whole(body))


def content(*found: Any) -> list[Any]:
    return list(read(*found).message["content"])
