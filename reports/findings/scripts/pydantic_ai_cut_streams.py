import asyncio

import boto3
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.mistral import MistralProvider
from service import serve, sse

SAID = "It is not"
message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
message |= {"stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
anthropic = (
    {"type": "message_start", "message": message},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": SAID}},
)
gemini = {"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": SAID}]}}]}
choice = {"index": 0, "delta": {"role": "assistant", "content": SAID}, "finish_reason": None}
mistral = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def address(body, content_type="text/event-stream"):
    return serve(body, content_type)[0]


async def ask(model):
    question = [ModelRequest([UserPromptPart("Is it safe?")])]
    async with model.request_stream(question, None, ModelRequestParameters()) as stream:
        async for _ in stream:
            pass
    reply = stream.get()
    print(f"{type(model).__name__}: {reply.parts} {reply.state=} {reply.finish_reason=}")


keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none")
place = address(b"", "application/vnd.amazon.eventstream")
client = boto3.client("bedrock-runtime", region_name="us-east-1", endpoint_url=place, **keys)
claude = AnthropicProvider(api_key="none", base_url=address(sse(*anthropic)))
google = GoogleProvider(api_key="none", base_url=address(sse(gemini)))
asyncio.run(ask(AnthropicModel("claude-sonnet-4-0", provider=claude)))
asyncio.run(ask(BedrockConverseModel("us.amazon.nova-pro-v1:0", provider=BedrockProvider(bedrock_client=client))))
asyncio.run(ask(GoogleModel("gemini-2.5-flash", provider=google)))
asyncio.run(ask(MistralModel("m", provider=MistralProvider(api_key="none", base_url=address(sse(mistral))))))
