"""YAML for people: texts of several lines in lines, short rows in one, bytes as text wherever they are one."""

from collections.abc import Sequence
from typing import Any, Final

import yaml

#: what YAML readers take for other line ends than they are, or lose, unless it is escaped
_ESCAPED: Final[Sequence[str]] = ("\r", "\x85", "\u2028", "\u2029", "\ufeff")


def dump_yaml(document: Any, *, sort_keys: bool) -> str:
    """The text of a document of plain values, which any safe loader reads."""
    return yaml.dump(
        document, Dumper=_Dumper, sort_keys=sort_keys, allow_unicode=True, width=120, default_flow_style=None
    )


def as_written(body: bytes) -> str | bytes:
    """Text where the bytes are one, which YAML can hold as it is; else the bytes."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return body
    return text if yaml.reader.Reader.NON_PRINTABLE.search(text) is None else body


class _Dumper(yaml.SafeDumper):
    """Writes no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text))


def _style(text: str) -> str | None:
    if any(mark in text for mark in _ESCAPED):
        return '"'
    return "|" if "\n" in text and "\t" not in text else None


_Dumper.add_representer(str, _represent_text)
