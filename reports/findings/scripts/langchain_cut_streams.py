import asyncio
import json

from langchain_anthropic import ChatAnthropic
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_mistralai import ChatMistralAI
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from service import serve, sse

SAID = "It is not"
choice = {"index": 0, "delta": {"role": "assistant", "content": SAID}, "finish_reason": None}
chat = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
response = {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": "in_progress", "output": []}
response |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
place = {"item_id": "m", "output_index": 0, "content_index": 0}
responses = (
    {"type": "response.created", "sequence_number": 0, "response": response},
    {"type": "response.output_text.delta", "sequence_number": 1, **place, "delta": SAID, "logprobs": []},
)
message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
message |= {"stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
anthropic = (
    {"type": "message_start", "message": message},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}},
)
gemini = {"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": SAID}]}}]}
ollama = {"model": "m", "created_at": "2025-01-01T00:00:00Z", "message": {"role": "assistant", "content": SAID}}


def ask(kind, body, place="base_url", content_type="text/event-stream", **more):
    url, _ = serve(body, content_type)
    reply = asyncio.run(kind(model="m", **{place: url}, **more).ainvoke("Is it safe?"))
    print(f"{kind.__name__}: {reply.content!r} {reply.response_metadata}")


common = {"api_key": "none", "streaming": True, "max_retries": 1}
ask(ChatOpenAI, sse(chat), **common)
ask(ChatOpenAI, sse(*responses), use_responses_api=True, **common)
ask(ChatAnthropic, sse(*anthropic), **common)
ask(ChatGoogleGenerativeAI, sse(gemini), **common)
ask(ChatMistralAI, sse(chat), place="endpoint", **common)
ask(ChatOllama, json.dumps({**ollama, "done": False}).encode() + b"\n", content_type="application/x-ndjson")
