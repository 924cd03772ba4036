"""What a conversion says of what it could not keep."""

from dataclasses import dataclass


class SchemaNotStrict(ValueError):
    """A schema has no strict form: ``path`` is the JSON path of the part, ``remedy`` says what helps."""

    def __init__(self, path: str, reason: str, remedy: str) -> None:
        super().__init__(f"{path}: {reason}. {remedy}")
        self.path = path
        self.reason = reason
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Weakening:
    """A demand of the schema that the strict one does not make: what takes the values must check them."""

    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"
