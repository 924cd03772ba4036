import asyncio

from langchain_google_genai import ChatGoogleGenerativeAI
from service import serve, sse


def said(text, prompt, total, **more):
    candidate = {"index": 0, "content": {"role": "model", "parts": [{"text": text}]}, **more}
    usage = {"promptTokenCount": prompt, "candidatesTokenCount": total - prompt, "totalTokenCount": total}
    return {"candidates": [candidate], "usageMetadata": usage}


url, _ = serve(sse(said("Hel", 50, 53), said("lo", 11, 18, finishReason="STOP")))
model = ChatGoogleGenerativeAI(model="m", api_key="none", base_url=url, streaming=True, max_retries=1)
print(asyncio.run(model.ainvoke("Hi")).usage_metadata)
