"""The one error every framing raises."""


class WireError(ValueError):
    """Bytes break the framing they are read as, or a value cannot be framed at all."""
