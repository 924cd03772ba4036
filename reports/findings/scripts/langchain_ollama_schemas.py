import asyncio
import json

from langchain_ollama import ChatOllama
from service import serve

last = {"model": "m", "created_at": "2025-01-01T00:00:00Z", "message": {"role": "assistant", "content": "Hi"}}
url, asked = serve(json.dumps({**last, "done": True, "done_reason": "stop"}).encode() + b"\n", "application/x-ndjson")
where = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
either = {"anyOf": [{"type": "string"}, {"type": "null", "description": "Not known."}]}
schema = {"type": "object", "properties": {"where": where, "either": either}, "required": ["where"]}
tool = {"type": "function", "function": {"name": "weather", "description": "Tells it.", "parameters": schema}}
asyncio.run(ChatOllama(model="m", base_url=url).bind_tools([tool]).ainvoke("Hi"))
print(json.dumps(asked[0]["tools"][0]["function"]["parameters"]))
