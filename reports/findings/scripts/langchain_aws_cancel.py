import asyncio
import json
import struct
from binascii import crc32

import boto3
from langchain_aws import ChatBedrockConverse
from service import endless


def frame(event, **payload):
    told = {":event-type": event, ":content-type": "application/json", ":message-type": "event"}
    pairs = ((name.encode(), value.encode()) for name, value in told.items())
    headers = b"".join(bytes([len(n)]) + n + b"\x07" + struct.pack("!H", len(v)) + v for n, v in pairs)
    body = json.dumps(payload).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(body), len(headers))
    message = prelude + struct.pack("!I", crc32(prelude)) + headers + body
    return message + struct.pack("!I", crc32(message))


piece = frame("contentBlockDelta", contentBlockIndex=0, delta={"text": "on and on "})
url, left = endless(piece, "application/vnd.amazon.eventstream")
keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none")
client = boto3.client("bedrock-runtime", region_name="us-east-1", endpoint_url=url, **keys)
name = "anthropic.claude-sonnet-4-20250514-v1:0"
model = ChatBedrockConverse(model=name, provider="anthropic", client=client, bedrock_client=client)


async def listen():
    async for _ in model.astream("Hi"):
        pass


async def main():
    task = asyncio.create_task(listen())
    await asyncio.sleep(4)
    task.cancel()
    print(await asyncio.gather(task, return_exceptions=True))
    await asyncio.sleep(4)
    print("4 s later the caller has hung up:", bool(left))


asyncio.run(main())
