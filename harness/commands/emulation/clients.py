"""How clients are pointed at the server: the vendor's SDK for Python, and plain HTTP."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Client:
    """The clients of a dialect. ``{url}`` in ``python`` stands for the server's root.

    ``sdk`` is the distribution that ``python`` imports. ``path``, ``headers`` and ``body`` are one request.
    """

    sdk: str
    python: str
    path: str
    headers: tuple[str, ...]
    body: str

    def program(self, url: str) -> str:
        """The program in Python, which prints the reply's text."""
        return self.python.replace("{url}", url)

    def curl(self, url: str) -> str:
        """The request as a command for a shell."""
        headers = " ".join(f"-H '{header}'" for header in ("content-type: application/json", *self.headers))
        return f"curl -s {url}{self.path} {headers} -d '{self.body}'"

    def advice(self, url: str) -> Iterator[str]:
        """Both, for people."""
        yield f"with {self.sdk} for Python:"
        yield from (f"    {line}".rstrip() for line in self.program(url).strip().splitlines())
        yield "with any HTTP client:"
        yield f"    {self.curl(url)}"


@cache
def clients() -> Mapping[str, Client]:
    """The clients, by dialect."""
    text = files("harness.commands.emulation").joinpath("clients.toml").read_text(encoding="utf-8")
    return {name: _client(row) for name, row in tomllib.loads(text).items()}


def _client(row: Mapping[str, Any]) -> Client:
    return Client(**{**row, "headers": tuple(row["headers"])})
