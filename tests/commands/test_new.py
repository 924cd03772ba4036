"""New adapters, written into an empty project and run there as their author would."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from harness.cli import main
from harness.commands.scaffold.templates import adapter, class_name, parts
from harness.dialects import dialect_names

ROOT = Path(__file__).resolve().parents[2]
#: what of the suite is run here; the whole of it takes half a minute an adapter
SCENARIOS = (
    "text,rich,stops,incremental,styles,error-throttle,error-overflow,error-throttle-in-stream,fault-cut,fault-eof,fault-html,"
    "request-system,request-turns,request-replay,close,cancel,loops,settings,tokens"
)

OPTIONS = ("-p", "no:cacheprovider", "-q", "--provider=my_adapter:PROVIDER", "--profile=core")


def new(folder: Path, name: str, dialect: str) -> int:
    return main(["new", name, "--dialect", dialect, "--into", str(folder)])


@pytest.mark.parametrize("dialect", parts())
def test_a_new_adapter_is_small_and_passes_at_once(dialect: str, tmp_path: Path) -> None:
    assert new(tmp_path, "my_adapter", dialect) == 0
    assert sum(len(path.read_text().splitlines()) for path in (tmp_path / "my_adapter").iterdir()) < 150
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, f"--scenario={SCENARIOS}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.mark.parametrize("dialect", parts())
def test_what_is_written_is_in_order(dialect: str) -> None:
    for file, text in adapter("my_adapter", dialect).items():
        ast.parse(text, file)
        assert "$" not in text
        assert max(map(len, text.splitlines())) <= 120
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


def test_the_workflow_installs_what_the_adapter_needs_and_runs_the_gate(tmp_path: Path) -> None:
    assert new(tmp_path, "my_adapter", "anthropic_messages") == 0
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "conformance-my_adapter.yml").read_text())
    commands = [step["run"] for step in workflow["jobs"]["conformance"]["steps"] if "run" in step]
    assert commands == [
        "pip install 'provider-conformance[anthropic]'",
        "pytest --provider=my_adapter:PROVIDER --profile=core",
    ]


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "my_adapter" / "model.py"
    model.parent.mkdir()
    model.write_text("# mine\n")
    assert new(tmp_path, "my_adapter", "openai_chat") == 4
    assert model.read_text() == "# mine\n"
    assert [path.name for path in tmp_path.rglob("*")] == ["my_adapter", "model.py"]
    (told,) = capsys.readouterr().err.splitlines()
    assert str(model) in told


@pytest.mark.parametrize(
    ("name", "dialect", "told"),
    [
        ("my-adapter", "openai_chat", "small letters, digits and underscores"),
        ("class", "openai_chat", "is no name for a package"),
        ("openai", "openai_chat", "which the adapter would hide"),
        ("json", "openai_chat", "which the adapter would hide"),
        ("bedrock", "bedrock_converse", "Choose another name: my_bedrock"),
        ("mine", "openai_cha", "did you mean openai_chat?"),
    ],
)
def test_a_name_that_cannot_be_is_one_line(
    name: str, dialect: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(tmp_path, name, dialect) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dialect", sorted({*dialect_names()} - {*parts()}))
def test_a_dialect_without_a_template_names_those_that_have_one(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(tmp_path, "mine", dialect) == 4
    assert "There are templates for: openai_chat" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "made"), [("mine", "MineModel"), ("my_openai2", "MyOpenai2Model")])
def test_a_class_is_named_after_its_package(name: str, made: str) -> None:
    assert class_name(name) == made
