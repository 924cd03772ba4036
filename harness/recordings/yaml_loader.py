"""A YAML loader for files of unknown origin: builds plain values only, executes nothing, bounds expansion.

Recorders of three languages leave tags behind: Psych writes `!binary`, PyYAML writes `!!binary` and, for the
header names of aiohttp, `!!python/object/apply:multidict…istr`. Those are read as the bytes and strings that
they stand for; any other unknown tag is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from harness.recordings.model import Malformed

if TYPE_CHECKING:
    _Base = yaml.SafeLoader
else:
    _Base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# The longest real recordings have a few thousand nodes; aliases can make a small file stand for billions.
MAX_NODES = 1_000_000

_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_PYTHON = "tag:yaml.org,2002:python/"


class RecordingLoader(_Base):
    """The safe loader with timestamps left as text and the recorders' tags read as plain values."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own class-level table
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for first, resolvers in _Base.yaml_implicit_resolvers.items()
    }


def load_yaml(text: str) -> object:
    """The plain value of one YAML document. Raises Malformed with line and column."""
    loader = RecordingLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _bound_expansion(node)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise Malformed(f"not readable as YAML: {_described(error)}") from None
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        # A wrong explicit tag (`!!int x`) leaves PyYAML's constructors as whatever Python raised in them.
        raise Malformed(f"not readable as YAML: {' '.join(str(error).split())}") from None
    finally:
        loader.dispose()


def _described(error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    return f"{error.problem or error.context}{where}"


def _bound_expansion(root: yaml.Node) -> None:
    """Count nodes with every alias expanded, without expanding any. Raises Malformed."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        if id(node) in sizes:
            stack.pop()
            continue
        children = _children(node)
        pending = [child for child in children if id(child) not in sizes]
        if not pending:
            sizes[id(node)] = min(1 + sum(sizes[id(child)] for child in children), MAX_NODES + 1)
            open_nodes.discard(id(node))
            continue
        if id(node) in open_nodes:
            raise _bomb(node, "contains itself through an alias")
        open_nodes.add(id(node))
        stack.extend(pending)
    if sizes[id(root)] > MAX_NODES:
        raise _bomb(root, f"expands to more than {MAX_NODES} nodes")


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _bomb(node: yaml.Node, what: str) -> Malformed:
    return Malformed(f"the YAML node at line {node.start_mark.line + 1} {what}", "write the file without aliases")


def _binary(loader: Any, node: yaml.ScalarNode) -> bytes:
    octets: bytes = loader.construct_yaml_binary(node)
    return octets


def _plain_text(loader: Any, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _case_insensitive_name(loader: Any, _suffix: str, node: yaml.SequenceNode) -> str:
    (name,) = loader.construct_sequence(node)
    return str(name)


RecordingLoader.add_constructor("!binary", _binary)
RecordingLoader.add_constructor(f"{_PYTHON}bytes", _binary)
RecordingLoader.add_constructor(f"{_PYTHON}str", _plain_text)
RecordingLoader.add_constructor(f"{_PYTHON}unicode", _plain_text)
RecordingLoader.add_multi_constructor(f"{_PYTHON}object/apply:multidict.", _case_insensitive_name)
RecordingLoader.add_multi_constructor(f"{_PYTHON}object/new:multidict.", _case_insensitive_name)
