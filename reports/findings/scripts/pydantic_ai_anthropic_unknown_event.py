import asyncio
import traceback

from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from service import serve, sse

message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
message |= {"stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
end = {"stop_reason": "end_turn", "stop_sequence": None}
url, _ = serve(
    sse(
        {"type": "message_start", "message": message},
        {"type": "notice", "message": "a kind of event that there is not yet"},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    )
)


async def main():
    model = AnthropicModel("claude-sonnet-4-0", provider=AnthropicProvider(api_key="none", base_url=url))
    question = [ModelRequest([UserPromptPart("Hello")])]
    async with model.request_stream(question, None, ModelRequestParameters()) as stream:
        async for _ in stream:
            pass


try:
    asyncio.run(main())
except Exception:
    print(traceback.format_exc(limit=-1))
