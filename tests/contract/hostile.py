"""Objects that only look like events."""

from typing import Any

from hypothesis import strategies as st

_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.text(max_size=3) | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
_EVENTS = (
    *("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop"),
    *("messageStop", "metadata", "redactContent"),
)
_FIELDS = (
    *("start", "delta", "toolUse", "text", "input", "toolUseId", "name", "reasoningContent", "signature"),
    *("redactedContent", "citation", "role", "stopReason", "usage", "contentBlockIndex"),
)

_BODIES: st.SearchStrategy[Any] = st.recursive(
    _JSON,
    lambda inner: st.dictionaries(st.sampled_from(_FIELDS), inner, max_size=3) | st.lists(inner, max_size=2),
    max_leaves=8,
)

HOSTILE: st.SearchStrategy[Any] = _JSON | st.dictionaries(st.sampled_from(_EVENTS), _BODIES, min_size=1, max_size=2)
