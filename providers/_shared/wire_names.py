"""Names and ids that a service accepts: pure functions of the caller's, so that a call and its result always agree."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

#: longest name of an alphabet without a limit
UNLIMITED: Final = 2**20

#: hexadecimal digits that tell apart what would look the same: 40 bits
_DIGITS: Final = 10


@dataclass(frozen=True)
class Alphabet:
    """What a service accepts as a name or id.

    ``letters`` are written as inside a character class of a regular expression; the digits and the letters ``a`` to
    ``f`` must be among them. ``longest`` is the greatest length, ``shortest`` the smallest, which may be as great, but
    no greater than ten. ``first`` are the letters that a name may begin with, where these are fewer; ``_`` must be one.
    """

    letters: str
    longest: int = UNLIMITED
    first: str | None = None
    shortest: int = 1

    @cached_property
    def _legal(self) -> re.Pattern[str]:
        rest = f"{{{self.shortest - 1},{self.longest - 1}}}"
        return re.compile(f"[{self.first or self.letters}][{self.letters}]{rest}")

    @cached_property
    def _foreign(self) -> re.Pattern[str]:
        return re.compile(f"[^{self.letters}]")

    @cached_property
    def _joint(self) -> str:
        """What stands for foreign letters and before the digest."""
        return self._foreign.sub("", "_")

    def wire(self, name: str) -> str:
        """The name itself where the service accepts it, else a readable one with a digest that keeps it unique."""
        if self._legal.fullmatch(name):
            return name
        tail = self._joint + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        readable = self._begun(self._foreign.sub(self._joint, name))[: max(self.longest - len(tail), 0)]
        return f"{readable}{tail}" if readable else tail[-min(_DIGITS, self.longest) :]

    def _begun(self, readable: str) -> str:
        return f"_{readable}" if self.first and not re.match(f"[{self.first}]", readable) else readable

    def own(self, names: Iterable[str]) -> Mapping[str, str]:
        """From names on the wire back to the caller's, where they differ."""
        return {wire: name for name in names if (wire := self.wire(name)) != name}
