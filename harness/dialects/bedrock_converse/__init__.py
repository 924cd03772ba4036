"""Amazon Bedrock's Converse and ConverseStream: JSON over HTTP, and the AWS event stream."""

from harness.dialects.bedrock_converse.dialect import DIALECT

__all__ = ["DIALECT"]
