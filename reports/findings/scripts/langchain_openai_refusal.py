import asyncio

from langchain_openai import ChatOpenAI
from service import serve, sse


def chunk(delta, finish=None):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o", "choices": [choice]}


url, _ = serve(sse(chunk({"role": "assistant", "refusal": "I cannot help with that."}), chunk({}, "stop")))
model = ChatOpenAI(model="gpt-4o", api_key="none", base_url=url, streaming=True, max_retries=0)
reply = asyncio.run(model.ainvoke("Hello"))
print(repr(reply.content), reply.additional_kwargs, reply.response_metadata)
