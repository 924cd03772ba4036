import asyncio

import litellm
from service import serve


async def ask(body, content_type="text/event-stream"):
    url, _ = serve(body, content_type)
    asked = {"model": "openai/gpt-4o", "messages": [{"role": "user", "content": "Is it safe?"}], "stream": True}
    chunks = [each async for each in await litellm.acompletion(**asked, api_base=url, api_key="none", num_retries=0)]
    reply = litellm.stream_chunk_builder(chunks)
    print([each.choices[0].finish_reason for each in chunks], repr(reply.choices[0].message.content) if reply else None)


asyncio.run(ask(b""))
asyncio.run(ask(b"<html>Bad gateway</html>", "text/html"))
