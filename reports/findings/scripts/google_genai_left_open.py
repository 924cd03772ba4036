import asyncio
import sys

from service import endless, sse

url, left = endless(sse({"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": "on "}]}}]}))


async def langchain():
    from langchain_google_genai import ChatGoogleGenerativeAI

    stream = ChatGoogleGenerativeAI(model="m", api_key="none", base_url=url, max_retries=1).astream("Hi")
    await anext(stream)
    await stream.aclose()


async def pydantic_ai():
    from pydantic_ai import Agent
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    model = GoogleModel("gemini-2.5-flash", provider=GoogleProvider(api_key="none", base_url=url))
    async with Agent(model).run_stream("Hi") as run:
        async for _ in run.stream_text(delta=True):
            break


async def main():
    await globals()[sys.argv[1]]()
    await asyncio.sleep(3)
    print("3 s after the stream was left, the caller has hung up:", bool(left))


asyncio.run(main())
