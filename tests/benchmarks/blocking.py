"""Plain calls of the SDKs that block: rows as in :mod:`tests.benchmarks.bare`, but for the calls being functions."""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final

from harness.endpoint.base import Endpoint
from tests.benchmarks.said import ABOUT, PROMPT, SCHEMA, TOOL, read_lines

#: makes one call: whether the reply is streamed, and whether a tool is offered
BlockingCall = Callable[[bool, bool], None]


def _client(service: str, endpoint: Endpoint) -> Any:
    import boto3

    client = boto3.client(
        service,
        region_name="us-east-1",
        endpoint_url=endpoint.base_url,
        aws_access_key_id="none",
        aws_secret_access_key="none",
    )
    endpoint.attach_botocore(client)
    return client


def _bedrock(endpoint: Endpoint) -> BlockingCall:
    client = _client("bedrock-runtime", endpoint)
    plain = {"modelId": "conformance", "messages": [{"role": "user", "content": [{"text": PROMPT}]}]}
    spec = {"name": TOOL, "description": ABOUT, "inputSchema": {"json": SCHEMA}}
    tools = {"toolConfig": {"tools": [{"toolSpec": spec}]}}

    def call(stream: bool, offered: bool) -> None:
        request = {**plain, **tools} if offered else plain
        if stream:
            for _ in client.converse_stream(**request)["stream"]:
                pass
        else:
            client.converse(**request)

    return call


def _sagemaker(endpoint: Endpoint) -> BlockingCall:
    client = _client("sagemaker-runtime", endpoint)
    function = {"name": TOOL, "description": ABOUT, "parameters": SCHEMA}
    plain = {"messages": [{"role": "user", "content": PROMPT}]}
    tools = {"tools": [{"type": "function", "function": function}]}

    def call(stream: bool, offered: bool) -> None:
        asked = {**plain, **(tools if offered else {}), "stream": stream}
        request = {"EndpointName": "conformance", "ContentType": "application/json", "Body": json.dumps(asked)}
        if stream:
            parts = client.invoke_endpoint_with_response_stream(**request)["Body"]
            read_lines(part["PayloadPart"]["Bytes"] for part in parts if "PayloadPart" in part)
        else:
            with closing(client.invoke_endpoint(**request)["Body"]) as body:
                json.loads(body.read())

    return call


BLOCKING: Final[Mapping[str, Callable[[Endpoint], BlockingCall]]] = {"bedrock": _bedrock, "sagemaker": _sagemaker}
