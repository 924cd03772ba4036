import asyncio

from langchain_anthropic import ChatAnthropic
from service import serve, sse

message = {"id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-4-0", "content": []}
message |= {"stop_reason": None, "stop_sequence": None}
message["usage"] = {"input_tokens": 11, "cache_read_input_tokens": 100, "output_tokens": 1}
said = (
    {"type": "message_start", "message": message},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
    {"type": "content_block_stop", "index": 0},
)


def delta(stop, tokens):
    told = {"stop_reason": stop, "stop_sequence": None}
    return {"type": "message_delta", "delta": told, "usage": {"output_tokens": tokens}}


def usage(*deltas):
    url, _ = serve(sse(*said, *deltas, {"type": "message_stop"}))
    model = ChatAnthropic(model="claude-sonnet-4-0", api_key="none", base_url=url, streaming=True, max_retries=0)
    return asyncio.run(model.ainvoke("Hello")).usage_metadata


print("one delta:", usage(delta("end_turn", 7)))
print("two deltas:", usage(delta(None, 3), delta("end_turn", 7)))
