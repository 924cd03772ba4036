"""A conformance harness for model-provider adapters."""

__version__ = "0.1.0"
