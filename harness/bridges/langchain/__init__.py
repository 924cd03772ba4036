"""The chat models of LangChain's partner packages, any versions that are installed, as the suite meets them.

``--provider=langchain/openai`` names one of them, ``--provider=langchain/all`` all.
"""

from harness.bridges.langchain.records import PROVIDERS

__all__ = ["PROVIDERS"]
