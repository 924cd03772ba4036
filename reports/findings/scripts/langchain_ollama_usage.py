import asyncio
import json

from langchain_ollama import ChatOllama
from service import serve

last = {"model": "m", "created_at": "2025-01-01T00:00:00Z", "message": {"role": "assistant", "content": "Hi"}}
last |= {"done": True, "done_reason": "stop", "eval_count": 7}
url, _ = serve(json.dumps(last).encode() + b"\n", "application/x-ndjson")
reply = asyncio.run(ChatOllama(model="m", base_url=url).ainvoke("Hello"))
print(reply.usage_metadata, reply.response_metadata["eval_count"])
