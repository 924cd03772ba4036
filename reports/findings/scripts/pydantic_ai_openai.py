import asyncio
import json

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition
from service import serve, sse


def chunk(usage=None, **choice):
    made = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o", "usage": usage}
    return {**made, "choices": [{"index": 0, **choice}] if choice else []}


async def ask(*chunks, schema=None):
    url, asked = serve(sse(chunk(delta={"role": "assistant", "content": "Hi"}, finish_reason=None), *chunks))
    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(api_key="none", base_url=url))
    tools = [ToolDefinition(name="f", parameters_json_schema={"type": "object", **schema})] if schema else []
    question = [ModelRequest([UserPromptPart("Hello")])]
    async with model.request_stream(question, None, ModelRequestParameters(function_tools=tools)) as stream:
        async for _ in stream:
            pass
    return stream.get(), asked[0]


counts = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
end = {"delta": {}, "finish_reason": "stop"}
reply, _ = asyncio.run(ask(chunk(counts, **end), chunk(counts)))
print("1", reply.usage)
sides = ({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]} for name in "ab")
both = {"properties": {"both": {"allOf": [*sides]}}, "required": ["both"]}
_, asked = asyncio.run(ask(chunk(**end), schema=both))
print("2", json.dumps(asked["tools"][0]["function"]))
_, asked = asyncio.run(ask(chunk(**end), schema={"properties": {"anything": {"type": "object"}}}))
print("3", json.dumps(asked["tools"][0]["function"]))
