import asyncio

from langchain_openai import ChatOpenAI
from service import serve, sse


def chunk(delta, finish=None):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o", "choices": [choice]}


call = {"index": 0, "id": "call_1", "type": "function"}
call["function"] = {"name": "delete", "arguments": '{"path": "/home/me'}
url, _ = serve(sse(chunk({"role": "assistant", "tool_calls": [call]}), chunk({}, "length")))
model = ChatOpenAI(model="gpt-4o", api_key="none", base_url=url, streaming=True, max_retries=0)
reply = asyncio.run(model.ainvoke("Delete /home/me/old.txt"))
print("tool_calls:", reply.tool_calls)
print("invalid_tool_calls:", reply.invalid_tool_calls, reply.response_metadata["finish_reason"])
