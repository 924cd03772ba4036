"""What botocore raises, as facts for the contract's classifier, and with notes for those who meet the exception."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError, EventStreamError

from harness.contract.errors import ErrorFacts, to_exception
from harness.contract.exceptions import ModelResponseError
from providers._shared.boto import CONNECTION_ERRORS, connection_error

#: HTTP status of the exceptions that arrive inside a stream, where botocore says 400 of all; source: service model
_IN_STREAM: Final = {
    "validationException": 400,
    "modelStreamErrorException": 424,
    "throttlingException": 429,
    "internalServerException": 500,
    "serviceUnavailableException": 503,
}


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a call was for."""

    model_id: str
    region: str
    endpoint_url: str


@dataclass(frozen=True, slots=True)
class _Advice:
    pattern: re.Pattern[str]
    note: str


#: advice on errors that are met when a model is first set up, by their code and words
_ADVICE: Final = (
    _Advice(
        re.compile("AccessDenied"),
        "The credentials need permission for bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream, and the "
        "account access to the model in this region.",
    ),
    _Advice(
        re.compile("model identifier is invalid|Could not resolve the foundation model", re.IGNORECASE),
        "The model id is not known in this region. Ids of inference profiles begin with their geography (us., eu., …).",
    ),
    _Advice(
        re.compile("on-demand throughput", re.IGNORECASE),
        "This model is called through an inference profile: put the geography (us., eu., …) before the model id.",
    ),
)


def facts_of(error: ClientError) -> ErrorFacts:
    """What the service said."""
    details, answer = error.response.get("Error", {}), error.response.get("ResponseMetadata", {})
    code = str(details.get("Code") or "")
    in_stream = _IN_STREAM.get(code) if isinstance(error, EventStreamError) else None
    return ErrorFacts(
        message=details.get("Message") or str(error),
        status=in_stream or answer.get("HTTPStatusCode"),
        codes=(code,) if code else (),
        headers=answer.get("HTTPHeaders") or {},
        provider="bedrock",
    )


@contextmanager
def vendor_errors(target: Target) -> Iterator[None]:
    """Turn what botocore and urllib3 raise into the contract's exceptions, or let it pass with notes."""
    try:
        yield
    except ClientError as error:
        _annotate(error, target)
        if mapped := to_exception(facts_of(error)):
            raise mapped from error
        raise
    except BotoCoreError as error:
        _annotate(error, target)
        raise
    except UnicodeDecodeError as error:  # botocore takes every body for UTF-8
        raise ModelResponseError(f"the answer is not JSON: {error.object[:200]!r}") from error
    except CONNECTION_ERRORS as error:
        broken = connection_error(error, target.endpoint_url)
        _annotate(broken, target)
        raise broken from error


def _annotate(error: Exception, target: Target) -> None:
    error.add_note(f"Bedrock region: {target.region}")
    error.add_note(f"Model id: {target.model_id}")
    for advice in _ADVICE:
        if advice.pattern.search(str(error)):
            error.add_note(advice.note)
