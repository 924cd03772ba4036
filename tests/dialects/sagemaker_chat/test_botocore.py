"""Witness: botocore's service model of sagemaker-runtime, and its client."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError
from botocore.loaders import Loader
from botocore.model import ServiceModel

from harness.dialects.base import VendorError, WireReply
from harness.dialects.sagemaker_chat import DIALECT
from harness.dialects.sagemaker_chat.requests import MAX_BODY, MAX_NAME
from tests.dialects.relatives import single_styles
from tests.dialects.sagemaker_chat.samples import CALLS, PLAIN

MODEL = ServiceModel(Loader().load_service_model("sagemaker-runtime", "service-2"))
STREAMED = [error for error in DIALECT.errors if error.in_stream]


class _Body:
    """What botocore reads a response from."""

    def __init__(self, told: WireReply) -> None:
        self._told = told

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield from self._told.frames

    def read(self, *_: Any, **__: Any) -> bytes:
        return self._told.body

    def close(self) -> None:
        """There is nothing to close."""


def client(told: WireReply) -> Any:
    made = boto3.client(
        "sagemaker-runtime",
        region_name="us-east-1",
        aws_access_key_id="x",
        aws_secret_access_key="x",
        config=Config(retries={"total_max_attempts": 1}),
    )
    answer = lambda request, **_: AWSResponse(request.url, told.status, dict(told.headers), _Body(told))  # noqa: E731
    made.meta.events.register("before-send.sagemaker-runtime", answer)
    return made


def streamed(told: WireReply) -> list[bytes]:
    """The bytes of each part, as the client hands them over."""
    answer = client(told).invoke_endpoint_with_response_stream(EndpointName="e", Body=b"{}")
    return [event["PayloadPart"]["Bytes"] for event in answer["Body"]]


@pytest.mark.parametrize("style", list(single_styles(DIALECT)), ids=str)
def test_the_client_hands_over_every_part(style: dict[str, str]) -> None:
    told = DIALECT.encode(CALLS, style, stream=True)
    parts = streamed(told)
    assert len(parts) == len(told.frames)
    chat = b"".join(parts)
    assert chat.startswith((b"data:", b":", b"{"))


def test_the_client_hands_over_a_whole_body() -> None:
    told = DIALECT.encode(CALLS, {}, stream=False)
    answer = client(told).invoke_endpoint(EndpointName="e", Body=b"{}")
    assert (answer["Body"].read(), answer["ContentType"]) == (told.body, "application/json")
    assert answer["InvokedProductionVariant"] == "AllTraffic"


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_the_client_raises_the_error_that_the_row_names(error: VendorError) -> None:
    with pytest.raises(ClientError) as raised:
        client(DIALECT.encode_error(error)).invoke_endpoint(EndpointName="e", Body=b"{}")
    response = raised.value.response
    assert response["Error"]["Code"] == dict(error.headers)["x-amzn-errortype"]
    assert response["Error"]["Message"]
    assert response["ResponseMetadata"]["HTTPStatusCode"] == error.status


def test_the_envelope_of_a_model_error_is_parsed() -> None:
    [error] = [error for error in DIALECT.errors if error.id == "overflow_tgi"]
    with pytest.raises(ClientError) as raised:
        client(DIALECT.encode_error(error)).invoke_endpoint(EndpointName="e", Body=b"{}")
    told = raised.value.response
    assert told["OriginalStatusCode"] == 422
    assert "must have less than 1000 tokens" in told["OriginalMessage"]
    assert told["LogStreamArn"].startswith("arn:aws:logs:")


@pytest.mark.parametrize("error", [error for error in STREAMED if b"exception" in (error.in_stream or b"")])
def test_the_client_raises_an_exception_of_the_stream(error: VendorError) -> None:
    told = DIALECT.encode_stream_error(error, PLAIN, {}, keep=2)
    assert told is not None
    with pytest.raises(EventStreamError, match=r"ModelStreamError|InternalStreamFailure"):
        streamed(told)


def test_exceptions_of_the_stream_are_those_of_the_service_model() -> None:
    members = set(MODEL.shape_for("ResponseStream").members)
    told = {name for name in members for error in STREAMED if name.encode() in (error.in_stream or b"")}
    assert told == members


def test_statuses_are_those_of_the_service_model() -> None:
    shapes = {shape.name: shape for shape in MODEL.operation_model("InvokeEndpoint").error_shapes}
    for error in DIALECT.errors:
        code = dict(error.headers)["x-amzn-errortype"]
        if code in shapes:
            assert error.status == shapes[code].metadata["error"]["httpStatusCode"], error.id
    assert set(shapes) == {dict(error.headers)["x-amzn-errortype"] for error in DIALECT.errors} & set(shapes)


def test_limits_are_those_of_the_service_model() -> None:
    assert MODEL.shape_for("EndpointName").metadata["max"] == MAX_NAME
    assert MODEL.shape_for("BodyBlob").metadata["max"] == MAX_BODY
