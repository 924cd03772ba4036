"""The model classes of Strands Agents (``strands-agents``, any version that is installed), as the suite meets them.

``--provider=strands/bedrock`` names one of them, ``--provider=strands/all`` all. ``strands/event_loop`` is what the
framework's loop does around a model: its messages on their way out, and its own reading of the events.
"""

from collections.abc import Mapping
from typing import Final

from harness.bridges.strands.reading import EVENT_LOOP
from harness.bridges.strands.records import PROVIDERS as _MODELS
from harness.provider import Provider

PROVIDERS: Final[Mapping[str, Provider]] = {**_MODELS, "event_loop": EVENT_LOOP}
