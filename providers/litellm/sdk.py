"""What is used of ``litellm``, imported without a look at the network and without words on the standard output."""

import os
from typing import Any, Final

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else prices are fetched when litellm is imported

import litellm
from litellm import exceptions
from litellm.litellm_core_utils.rules import Rules
from litellm.utils import function_setup

__all__ = ["Rules", "exceptions", "function_setup", "listeners", "litellm"]

litellm.suppress_debug_info = True  # else every error prints where to report it

#: names of litellm's own lists of those who want to hear of successes
_LISTS: Final = ("callbacks", "success_callback", "_async_success_callback")


def listeners(log: Any) -> bool:
    """Whether anybody wants to hear of the success of a call: of every call, or of the one that ``log`` is of."""
    everywhere = (getattr(litellm, name) for name in _LISTS)
    return any((*everywhere, log.dynamic_success_callbacks, log.dynamic_async_success_callbacks))
