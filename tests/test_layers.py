"""Imports only go down: read from the sources, by their syntax trees.

``LAYERS`` is the table. A module imports modules of lower layers and of its own unit, and nothing else of ours; a unit
is a row's name with all that is below it, and the longest name wins. A module that no row names is a mistake too.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

#: the units of each layer, lowest first; units of one layer do not import each other
LAYERS: tuple[tuple[str, ...], ...] = (
    ("harness",),  # the package itself: its version
    ("harness.contract",),
    ("harness.wire", "providers._shared"),
    ("harness.dialects", "harness.recordings", "harness.agent"),
    ("harness.endpoint",),
    ("harness.provider",),
    ("harness.discovery", "harness.exchange", "providers"),
    ("harness.checks", "harness.bridges"),
    ("harness.scenarios", "harness.looping"),
    ("harness.listener", "harness.features", "harness.cassettes"),
    ("harness.run",),
    ("harness.bench", "harness.reporting"),
    ("harness.laboratory", "harness.repro"),
    ("harness.suite",),
    ("harness.commands", "harness.local"),
    ("harness.cli", "harness.plugin"),
)

#: what each unit may import besides the standard library and lower layers
OTHERS: Mapping[str, frozenset[str]] = {
    "harness.contract": frozenset({"pydantic", "typing_extensions", "tiktoken"}),
    "harness.recordings": frozenset({"yaml"}),
    "harness.endpoint": frozenset({"h11", "urllib3", "botocore"}),
    "harness.exchange": frozenset({"pydantic"}),
    "harness.bridges": frozenset(
        {"anthropic", "boto3", "botocore", "google", "langchain_core", "litellm", "openai", "pydantic_ai", "strands"}
    ),
    "harness.checks": frozenset({"jsonschema", "referencing"}),
    "harness.scenarios": frozenset({"hypothesis", "pydantic"}),
    "harness.cassettes": frozenset({"botocore", "h11", "pydantic", "yaml"}),
    "harness.reporting": frozenset({"jinja2", "markupsafe", "pydantic", "rich"}),
    "harness.repro": frozenset({"pydantic"}),
    "harness.suite": frozenset({"hypothesis", "pytest", "redis"}),
    "harness.plugin": frozenset({"pytest"}),
    "harness.local": frozenset({"gguf", "numpy", "xllamacpp"}),
}

#: packages that only these modules may import, whatever their layer
ONLY_IN: Mapping[str, tuple[str, ...]] = {
    "pytest": ("harness.plugin", "harness.suite"),
    "hypothesis": ("harness.scenarios", "harness.suite"),
    "botocore": ("harness.endpoint.botocore_hook", "harness.cassettes.signing", "harness.bridges", "providers"),
    "urllib3": ("harness.endpoint.botocore_hook", "providers"),
    "tiktoken": ("harness.contract.tokens",),
    "openai": ("providers", "harness.bridges"),
    "anthropic": ("providers", "harness.bridges"),
    "boto3": ("providers", "harness.bridges"),
    "providers": ("providers",),  # the harness finds them by name, when it runs
    "harness.dialects": ("harness",),
    "harness.endpoint": ("harness", "providers.*.__init__"),
}

#: packages that must stay absent until something is called
LAZY = frozenset({"tiktoken"})
SDKS = frozenset({"openai", "anthropic", "boto3", "botocore"})


@dataclass(frozen=True)
class Import:
    """One import. ``eager`` when it runs as soon as the module is imported."""

    target: str
    eager: bool

    @property
    def package(self) -> str:
        return self.target.partition(".")[0]


@dataclass(frozen=True)
class Module:
    """One source file. ``file`` is its dotted path, where packages end in ``__init__``."""

    file: str
    imports: tuple[Import, ...]

    @property
    def name(self) -> str:
        return self.file.removesuffix(".__init__")


def parse(file: str, source: str, known: Iterable[str] = ()) -> Module:
    """A module from its source. ``from a import b`` means the module ``a.b`` where that is known."""
    return Module(file, tuple(_imports(ast.parse(source), frozenset(known), eager=True)))


def _imports(node: ast.AST, known: frozenset[str], *, eager: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        yield from (Import(alias.name, eager) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        paths = (f"{base}.{alias.name}" for alias in node.names)
        yield from dict.fromkeys(Import(path if path in known else base, eager) for path in paths)
    inside = eager and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, known, eager=inside)


def _is_in(name: str, unit: str) -> bool:
    return name == unit or name.startswith(f"{unit}.")


def unit_of(name: str) -> str | None:
    """The unit that a module belongs to."""
    units = (unit for layer in LAYERS for unit in layer if unit != "harness" or name == "harness")
    return max((unit for unit in units if _is_in(name, unit)), key=len, default=None)


LEVEL = {unit: level for level, layer in enumerate(LAYERS) for unit in layer}


def complaints(module: Module) -> list[str]:
    """What is wrong with a module's imports, in words."""
    unit = unit_of(module.name)
    if unit is None:
        return [f"{module.name} is in no layer"]
    return [
        f"{module.name} imports {imported.target}: {why}"
        for imported in module.imports
        for why in (*_layer(unit, imported), *_foreign(module, unit, imported), *_reserved(module, imported))
    ]


def _is_ours(imported: Import) -> bool:
    return imported.package in ("harness", "providers")


def _layer(unit: str, imported: Import) -> Iterator[str]:
    if not _is_ours(imported):
        return
    other = unit_of(imported.target)
    if other is None:
        yield "that is in no layer"
    elif other != unit and LEVEL[other] >= LEVEL[unit]:
        yield f"{other} is not below {unit}"


def _foreign(module: Module, unit: str, imported: Import) -> Iterator[str]:
    if imported.target.startswith("."):
        yield "relative imports hide what is meant"
    elif not (_is_ours(imported) or imported.package in sys.stdlib_module_names or _is_in(module.name, "providers")):
        parents = (parent for parent in OTHERS if _is_in(unit, parent))
        if imported.package not in frozenset().union(*(OTHERS[parent] for parent in parents)):
            yield f"{unit} does without"
    if imported.eager and imported.package in LAZY:
        yield "only when it is needed, inside a function"


def _reserved(module: Module, imported: Import) -> Iterator[str]:
    for package, places in ONLY_IN.items():
        if _is_in(imported.target, package) and not any(_stands_in(module, place) for place in places):
            yield f"only {' and '.join(places)} may"


def _stands_in(module: Module, place: str) -> bool:
    if "*" in place:
        return Path(module.file.replace(".", "/")).match(place.replace(".", "/"))
    return _is_in(module.name, place)


def provider_complaints(module: Module) -> list[str]:
    """What is wrong with the imports of a provider's module: not another provider's, and no SDK in its record."""
    if not _is_in(module.name, "providers"):
        return []
    own = ".".join(module.name.split(".")[:2])
    fellows = [
        f"{module.name} imports {imported.target}: that is another provider's"
        for imported in module.imports
        if imported.package == "providers"
        and not any(_is_in(imported.target, near) for near in (own, "providers._shared"))
    ]
    record = module.file == f"{own}.__init__"
    eager = [imported for imported in module.imports if record and imported.eager]
    return fellows + [
        f"the record {module.name} imports {imported.target} before it is asked to build"
        for imported in eager
        if imported.target not in RECORD and imported.package not in sys.stdlib_module_names
    ]


#: what a provider's record may import at once: nothing that costs time, or that may be missing
RECORD = frozenset(
    {"harness.contract.capabilities", "harness.endpoint.base", "harness.provider", "providers._shared.records"}
)


def cycle(modules: Iterable[Module]) -> list[str]:
    """The modules of an import cycle, if there is one."""
    graph = {module.name: [imported.target for imported in module.imports] for module in modules}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def reached(start: str, modules: Mapping[str, Module]) -> frozenset[str]:
    """The modules of ours that a module imports, and those that these import, and so on."""
    found, left = {start}, [start]
    while left:
        targets = {imported.target for imported in modules[left.pop()].imports if imported.target in modules}
        left += targets - found
        found |= targets
    return frozenset(found - {start})


def _read() -> dict[str, Module]:
    paths = [path for package in ("harness", "providers") for path in sorted((ROOT / package).rglob("*.py"))]
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    known = [file.removesuffix(".__init__") for file in files]
    parsed = [parse(file, path.read_text(encoding="utf-8"), known) for file, path in files.items()]
    return {module.name: module for module in parsed}


MODULES = _read()
RECORDS = [name for name in MODULES if name.startswith("providers.") and name.count(".") == 1 and "_" not in name]


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
def test_imports_go_down(module: Module) -> None:
    assert complaints(module) == []
    assert provider_complaints(module) == []


def test_there_is_no_import_cycle() -> None:
    assert cycle(MODULES.values()) == []


def test_every_unit_of_the_table_exists() -> None:
    assert {unit_of(name) for name in MODULES} == {unit for layer in LAYERS for unit in layer}


def test_adapters_never_reach_the_dialects() -> None:
    """A record may, by the types of its endpoint; the code that runs against an SDK never does."""
    code = [m for m in MODULES.values() if _is_in(m.name, "providers") and not m.file.endswith("__init__")]
    assert len(code) > 20
    met = {name for module in code for name in reached(module.name, MODULES) if _is_in(name, "harness")}
    assert {unit_of(name) for name in met} == {"harness.contract"}


def test_records_reach_no_more_of_the_dialects_than_their_vocabulary() -> None:
    eager = _without_lazy(MODULES)
    met = {name for record in RECORDS for name in reached(record, eager) if _is_in(name, "harness.dialects")}
    assert met <= {"harness.dialects.base", "harness.dialects.reply"}


def test_endpoints_know_dialects_by_their_vocabulary_only() -> None:
    met = {i.target for m in MODULES.values() if _is_in(m.name, "harness.endpoint") for i in m.imports}
    assert {target for target in met if _is_in(target, "harness.dialects")} == {"harness.dialects.base"}


def _without_lazy(modules: Mapping[str, Module]) -> dict[str, Module]:
    return {n: Module(m.file, tuple(i for i in m.imports if i.eager)) for n, m in modules.items()}


def test_importing_every_record_loads_no_sdk() -> None:
    script = f"import sys, {', '.join(RECORDS)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert set(RECORDS) <= loaded
    assert SDKS & loaded == set()


BAD: dict[str, tuple[str, str, str]] = {
    "up": (
        "harness.contract.x",
        "from harness.wire.sse import SseDecoder",
        "harness.wire is not below harness.contract",
    ),
    "up, inside a function": ("harness.wire.x", "def f():\n    import harness.run", "harness.run is not below"),
    "to the side": ("harness.dialects.x", "import harness.recordings.model", "is not below harness.dialects"),
    "up within a package": ("harness.exchange", "from harness.scenarios import strategies", "is not below"),
    "the harness asks for a provider": (
        "harness.run",
        "from providers.openai import PROVIDER",
        "only providers may",
    ),
    "a dialect asks for a provider": ("harness.dialects.x", "import providers._shared.bridge", "only providers may"),
    "a provider asks for a dialect": (
        "providers.x.model",
        "from harness.dialects.base import Style",
        "only harness may",
    ),
    "an adapter asks for the endpoint": ("providers.x.model", "import harness.endpoint.base", "only harness and"),
    "pytest in the runner": ("harness.run", "import pytest", "harness.run does without"),
    "hypothesis in a check": ("harness.checks.x", "from hypothesis import given", "only harness.scenarios and"),
    "an SDK in a dialect": (
        "harness.dialects.x",
        "def f():\n    import anthropic",
        "only providers and harness.bridges may",
    ),
    "botocore beside its hook": (
        "harness.endpoint.x",
        "from botocore.model import Shape",
        "only harness.endpoint.botocore_hook",
    ),
    "a library in the contract": ("harness.contract.x", "import httpx", "harness.contract does without"),
    "tiktoken at once": ("harness.contract.tokens", "import tiktoken", "inside a function"),
    "tiktoken elsewhere": ("harness.contract.x", "def f():\n    import tiktoken", "only harness.contract.tokens may"),
    "a relative import": ("harness.wire.x", "from .sse import SseDecoder", "relative"),
    "a module that nobody placed": ("harness.novelty", "import json", "is in no layer"),
    "behind TYPE_CHECKING": (
        "harness.wire.x",
        "if TYPE_CHECKING:\n    import harness.run",
        "is not below harness.wire",
    ),
}


@pytest.mark.parametrize(("file", "source", "told"), BAD.values(), ids=BAD)
def test_a_bad_import_is_told(file: str, source: str, told: str) -> None:
    assert any(told in complaint for complaint in complaints(parse(file, source, MODULES)))


BAD_PROVIDERS = {
    "another provider": (
        "providers.x.model",
        "from providers.openai.errors import mapped_errors",
        "another provider's",
    ),
    "an SDK in the record": ("providers.x.__init__", "import openai", "before it is asked to build"),
    "the adapter in the record": (
        "providers.x.__init__",
        "from providers.x.model import X",
        "before it is asked to build",
    ),
}


@pytest.mark.parametrize(("file", "source", "told"), BAD_PROVIDERS.values(), ids=BAD_PROVIDERS)
def test_a_bad_import_of_a_provider_is_told(file: str, source: str, told: str) -> None:
    assert [told in complaint for complaint in provider_complaints(parse(file, source, MODULES))] == [True]


def test_a_good_module_is_not_complained_of() -> None:
    source = "import json\nfrom harness.contract.events import Usage\ndef build():\n    import openai\n"
    module = parse("providers.x.model", source, MODULES)
    assert (complaints(module), provider_complaints(module)) == ([], [])


def test_a_cycle_is_told() -> None:
    pair = [parse("a", "def f():\n    from b import g"), parse("b", "import a")]
    assert set(cycle(pair)) == {"a", "b"}
