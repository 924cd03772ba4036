import asyncio
import json

from langchain_google_genai import ChatGoogleGenerativeAI
from service import serve, sse

said = {"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [{"text": "ok"}]}}]}


def sent(**schema):
    url, asked = serve(sse(said))
    model = ChatGoogleGenerativeAI(model="m", api_key="none", base_url=url, streaming=True, max_retries=1)
    tool = {"name": "f", "description": "d", "parameters": {"type": "object", **schema}}
    try:
        asyncio.run(model.bind_tools([{"type": "function", "function": tool}]).ainvoke("Hi"))
    except Exception as error:
        return repr(error)
    return json.dumps(asked[0]["tools"][0]["functionDeclarations"][0]["parameters"]["properties"])


city = {"properties": {"city": {"type": "string"}}}
print("1", sent(properties={"where": {"type": "object", **city}}))
print("2", sent(properties={"where": city}))
node = {"type": "object", "properties": {"label": {"type": "string"}, "left": {"$ref": "#/$defs/node"}}}
print("3", sent(properties={"root": {"$ref": "#/$defs/node"}}, **{"$defs": {"node": {**node, "required": ["label"]}}}))
print("4", sent(properties={"a": {"$ref": "#/$defs/a~1b"}}, **{"$defs": {"a/b": {"type": "string"}}}))
