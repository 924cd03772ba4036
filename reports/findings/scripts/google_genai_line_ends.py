import asyncio
import json

from google import genai
from service import serve

content = {"role": "model", "parts": [{"text": "a\x85b"}]}
said = {"candidates": [{"index": 0, "finishReason": "STOP", "content": content}]}
url, _ = serve(b"data: " + json.dumps(said, ensure_ascii=False).encode() + b"\r\n\r\n")


async def main():
    client = genai.Client(api_key="none", http_options={"base_url": url})
    async for chunk in await client.aio.models.generate_content_stream(model="m", contents="Hi"):
        print(repr(chunk.text))


try:
    asyncio.run(main())
except Exception as error:
    print(type(error).__name__, str(error)[:120])
