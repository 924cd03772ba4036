import asyncio
import json

import boto3
from langchain_aws import ChatBedrockConverse
from service import serve

url, asked = serve(b"", "application/vnd.amazon.eventstream")
keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none")
client = boto3.client("bedrock-runtime", region_name="us-east-1", endpoint_url=url, **keys)
name = "anthropic.claude-sonnet-4-20250514-v1:0"
model = ChatBedrockConverse(model=name, provider="anthropic", client=client, bedrock_client=client)
either = {"anyOf": [{"type": "string"}, {"type": "null", "description": "Not known."}]}
schema = {"type": "object", "properties": {"either": either}, "required": ["either"]}
tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}}
try:
    asyncio.run(model.bind_tools([tool]).ainvoke("Hi"))
except Exception as error:  # the service's answer is empty
    print(type(error).__name__)
print(json.dumps(asked[0]["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]))
