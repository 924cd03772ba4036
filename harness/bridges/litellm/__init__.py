"""LiteLLM as a library: ``litellm.acompletion``, streamed, to OpenAI's service.

``--provider=litellm/openai`` names it; ``--provider=litellm`` is the adapter of ours that is made of it.
"""

from harness.bridges.litellm.records import PROVIDERS

__all__ = ["PROVIDERS"]
