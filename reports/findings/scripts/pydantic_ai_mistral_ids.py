import asyncio

from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.providers.mistral import MistralProvider
from service import serve, sse

choice = {"index": 0, "delta": {"role": "assistant", "content": "Sunny."}, "finish_reason": "stop"}
chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
url, asked = serve(sse(chunk))
history = [  # as it comes from another of pydantic-ai's models
    ModelRequest([UserPromptPart("Weather?")]),
    ModelResponse([ToolCallPart("weather", {"city": "Rome"}, "call_62136354v3bWdEfg")]),
    ModelRequest([ToolReturnPart("weather", "sunny", "call_62136354v3bWdEfg")]),
]


async def main():
    model = MistralModel("m", provider=MistralProvider(api_key="none", base_url=url))
    async with model.request_stream(history, None, ModelRequestParameters()) as stream:
        async for _ in stream:
            pass


asyncio.run(main())
print(asked[0]["messages"][1]["tool_calls"][0]["id"], asked[0]["messages"][2]["tool_call_id"])
