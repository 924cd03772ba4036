"""Chat Completions by a model server behind a SageMaker endpoint.

``InvokeEndpoint`` hands the server's body through; ``InvokeEndpointWithResponseStream`` hands its bytes through too, in
the ``PayloadPart`` events of an AWS event stream, cut wherever they happened to be.
"""

from harness.dialects.base import Dialect
from harness.dialects.sagemaker_chat.dialect import SageMakerDialect

DIALECT: Dialect = SageMakerDialect()
