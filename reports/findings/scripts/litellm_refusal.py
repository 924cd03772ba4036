import asyncio

import litellm
from service import serve, sse


def chunk(delta, finish=None):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o", "choices": [choice]}


async def main():
    pieces = [chunk({"refusal": text}) for text in ("I cannot ", "help.")]
    url, _ = serve(sse(chunk({"role": "assistant", "content": ""}), *pieces, chunk({}, "stop")))
    asked = {"model": "openai/gpt-4o", "messages": [{"role": "user", "content": "Hello"}], "stream": True}
    chunks = [each async for each in await litellm.acompletion(**asked, api_base=url, api_key="none", num_retries=0)]
    print([each.choices[0].delta.model_dump(exclude_none=True) for each in chunks])
    print(litellm.stream_chunk_builder(chunks).choices[0].message.model_dump(exclude_none=True))


asyncio.run(main())
