"""Output models of every shape that schemas of models have, each with an instance."""

from datetime import date
from enum import Enum
from typing import Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")


class Answered(BaseModel):
    """An answer with a confidence."""

    output: str = Field(description="The answer, e.g. Zürich.")
    confidence: float


class Place(BaseModel):
    """A place on a map."""

    city: str
    country: str = Field(description="Its country, e.g. 日本.")


class Journey(BaseModel):
    """Models in models, in lists, and left out."""

    start: Place = Field(description="Where it begins.")
    stops: list[Place]
    end: Place | None = None


class Folder(BaseModel):
    """A model that holds itself."""

    name: str
    inner: list["Folder"] = Field(default_factory=list, description="The folders in it.")


class Aliased(BaseModel):
    """Fields by other names on the wire, some of which are words of JSON Schema."""

    model_config = ConfigDict(populate_by_name=True)

    kind: str = Field(alias="type")
    reference: str = Field(alias="default")
    title: str
    properties: list[str]


class Colour(Enum):
    """Some colours."""

    RED = "red"
    BLUE = "blue"


class Card(BaseModel):
    """One kind of payment."""

    method: Literal["card"]
    digits: str = Field(min_length=4, max_length=4, pattern=r"^\d+$")


class Cash(BaseModel):
    """Another kind of payment."""

    method: Literal["cash"]
    amount: int = Field(ge=1, le=1000)


class Order(BaseModel):
    """Choices, limits, formats and defaults."""

    payment: Card | Cash = Field(discriminator="method")
    colour: Colour = Colour.RED
    day: date
    note: str | None = Field(default=None, description="A word to the shop.")
    size: int | str = 1


class Counts(BaseModel):
    """Maps, of which the keys are not known before."""

    counts: dict[str, int]
    anything: dict[str, Any] = Field(default_factory=dict)


class Page(BaseModel, Generic[T]):
    """A generic model, whose name has brackets."""

    items: list[T]
    more: bool = False


class Pages(Page[Place]):
    """A generic model of a certain type."""


INSTANCES: Final[tuple[BaseModel, ...]] = (
    Journey(start=Place(city="Zürich", country="CH"), stops=[Place(city="東京", country="日本")]),
    Journey(start=Place(city="Rome", country="IT"), stops=[], end=Place(city="Bari", country="IT")),
    Folder(name="a", inner=[Folder(name="b", inner=[Folder(name="c")]), Folder(name="d")]),
    Aliased(type="x", default="#/y", title="z", properties=["p"]),
    Order(payment=Card(method="card", digits="1234"), day=date(2026, 1, 31), colour=Colour.BLUE),
    Order(payment=Cash(method="cash", amount=5), day=date(2026, 1, 31), note="Ünï", size="big"),
    Counts(counts={"a": 1, "日本": 2}, anything={"b": [None, {"c": "d"}]}),
    Pages(items=[Place(city="Rome", country="IT")]),
)
GENERIC: Final = Page[Place](items=[Place(city="Rome", country="IT")], more=True)
