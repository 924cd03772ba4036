"""The models of pydantic-ai, any version from 2 on that is installed, as the suite meets them.

``--provider=pydantic_ai/openai`` names one of them, ``--provider=pydantic_ai/all`` all.
"""

from harness.bridges.pydantic_ai.records import PROVIDERS

__all__ = ["PROVIDERS"]
