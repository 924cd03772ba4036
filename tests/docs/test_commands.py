"""Every command in the documents runs, in a folder of its own, in the order in which readers come to it.

Commands stand in fenced blocks of ``sh``. One that ends in ``# exits with 1`` must. What needs a network or a new
environment is checked without: see ``CHECKED``.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.contract.expected import read_expected
from harness.contract.rules import RULES
from harness.discovery import every_name, find, missing

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    ROOT / name
    for name in ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
]
TOOLS = ("pytest", "conformance", "pip", "make", "python", "python3", "curl", ".ci/run")

_FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exits with (\d)$")


@dataclass(frozen=True)
class Command:
    """One line for a shell, and the exit code that it must have."""

    line: str
    code: int = 0

    @property
    def tool(self) -> str:
        """The program, whichever environment it is of."""
        return re.sub(r"^\.venv[-\w]+/bin/", "", self.line.split()[0])

    @property
    def elsewhere(self) -> bool:
        """Whether it runs in another environment than this one."""
        return self.line.startswith(".venv-")


def commands(document: Path) -> list[Command]:
    text = document.read_text(encoding="utf-8")
    lines = [line for block in _FENCE.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    return [_command(line) for line in lines if line.strip() and not line.startswith("#")]


def _command(line: str) -> Command:
    code = _EXIT.search(line)
    return Command(_EXIT.sub("", line).partition("   #")[0].strip(), int(code[1]) if code else 0)


# --- what is not run as it stands ---------------------------------------------------------------------------------


def _installs(line: str) -> None:
    """What is installed is there: an extra of ours, or a distribution that an adapter needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (name,) = [word.strip("'") for word in line.split()[2:] if not word.startswith("-")]
    ours = re.fullmatch(rf"{project['name']}\[([\w-]+)\]", name)
    needed = {distribution for provider in find(every_name()) for distribution in provider.requires}
    assert (ours and ours[1] in project["optional-dependencies"]) or name in needed


def _is_target(line: str) -> None:
    """A target of the Makefile, which the gate makes."""
    target = line.split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def _is_environment(line: str) -> None:
    assert re.fullmatch(r"python3 -m venv \.venv[-\w]*|\. \.venv/bin/activate", line)


def _is_known(line: str) -> None:
    """A run in an environment that is not this one names adapters and files that are there."""
    options = dict(word.removeprefix("--").split("=") for word in line.split()[1:] if "=" in word)
    assert find([options["provider"]])
    assert (ROOT / options.get("expected-failures", ".")).exists()


def _is_bench(line: str) -> None:
    """A bench of hours: its own tests run a part of it."""
    assert find_spec(f"{line.split()[2]}.__main__")


def _is_gate(line: str) -> None:
    assert os.access(ROOT / line, os.X_OK)


def _wants_more(command: Command) -> bool:
    """Whether a run is of adapters whose framework is not installed here."""
    names = re.findall(r"--provider=(\w+/\w+)", command.line)
    return any(missing(provider) for provider in (find(names) if names else ()))


#: benches that run for hours
BENCHES = ("tests.detection", "tests.mutation")
#: how the lines are checked that are not run, by the name of the program
CHECKED: Mapping[str, Callable[[str], None]] = {
    "pip": _installs,
    "make": _is_target,
    "python3": _is_environment,
    ".": _is_environment,
    ".ci/run": _is_gate,
}


# --- the others -----------------------------------------------------------------------------------------------------


def _environment(line: str) -> dict[str, str]:
    """Runs are cut to one scenario where they are of whole suites, and record from the stand-in."""
    options = ["-p no:cacheprovider", "-p no:randomly"]
    if line.startswith("pytest") and "--scenario" not in line and "--repro" not in line:
        options.append("--scenario=cassette-text" if "--record-mode" in line else "--scenario=text")
    if "--record-mode" in line:
        options.append("--record-emulated")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": " ".join(options), "COLUMNS": "100"}


def _run(command: Command, folder: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", command.line],
        cwd=folder,
        env=_environment(command.line),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == command.code, f"{command.line}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reader's folder, with what a clone has of files that commands name."""
    for name in ("docs", "cassettes"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def serving(folder: Path) -> Iterator[Callable[[Command], None]]:
    """What starts servers, which end by Ctrl-C once the document has been read."""
    running: list[subprocess.Popen[str]] = []

    def serve(command: Command) -> None:
        process = subprocess.Popen(
            command.line.split(), cwd=folder, env=_environment(command.line), stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("serving ")

    yield serve
    for process in running:
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 0, out


def _stays(command: Command) -> bool:
    return command.line.startswith("conformance serve") and "--choices" not in command.line


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_commands_of_a_document_run(document: Path, folder: Path, serving: Callable[[Command], None]) -> None:
    for command in commands(document):
        if command.tool == "pytest" and (command.elsewhere or _wants_more(command)):
            _is_known(command.line)
        elif command.tool in CHECKED:
            CHECKED[command.tool](command.line)
        elif command.line.startswith(tuple(f"python -m {bench} " for bench in BENCHES)):
            _is_bench(command.line)
        elif _stays(command):
            serving(command)
        else:
            _run(command, folder)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_command_stands_outside_of_a_block_that_is_run(document: Path) -> None:
    rest = _FENCE.sub("", document.read_text(encoding="utf-8"))
    lines = [line.strip() for line in rest.splitlines() if line.startswith(("    ", "$ ", "\t"))]
    assert [line for line in lines if line.removeprefix("$ ").split(" ")[0] in TOOLS] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target


def test_the_tutorial_goes_from_nothing_to_a_gate() -> None:
    lines = [command.line for command in commands(ROOT / "docs" / "tutorial.md")]
    assert lines[0] == "python3 -m venv .venv"
    assert any(line.startswith("conformance new") for line in lines)
    assert any(command.code == 1 for command in commands(ROOT / "docs" / "tutorial.md"))


def test_the_list_of_expected_failures_in_the_document_is_one(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "maintainers.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    file = tmp_path / "expected.toml"
    file.write_text(block, encoding="utf-8")
    (entry,) = read_expected(file)
    assert entry.rule in RULES
    assert entry.of("openai")
