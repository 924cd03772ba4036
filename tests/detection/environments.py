"""Environments, one for each version of Strands: its own pins hold in it, and all is in it that the harness needs.

They are kept in the user's cache, so that only the first bench pays for them. The harness itself is not installed: it
runs from the checkout, so that one environment does for several.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

#: the checkout
ROOT: Final = Path(__file__).resolve().parents[2]

#: the extras of model classes, whose pins count, and their distributions, since versions do not know every extra yet
_EXTRAS: Final = ("anthropic", "gemini", "litellm", "llamaapi", "mistral", "ollama", "openai", "sagemaker", "writer")
_SDKS: Final = (
    "anthropic",
    "boto3",
    "google-genai",
    "litellm",
    "llama-api-client",
    "mistralai",
    "ollama",
    "openai",
    "writer-sdk",
)
_TIME_LIMIT: Final = 900

Version = tuple[int, ...]


class NoEnvironmentError(RuntimeError):
    """An environment cannot be made; the message says why, in a line or two."""


def parsed(version: str) -> Version:
    """``1.62.0`` as a tuple, to be compared."""
    return tuple(int(part) for part in version.split("."))


def cache_folder() -> Path:
    """Where environments and results are kept: below the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "provider-conformance" / "detection"


#: requirements on top of a version's own, which are too loose to hold today, by the versions that need them
_PINS: Final[Mapping[str, Callable[[Version], bool]]] = {
    "mistralai<2": lambda version: version < (1, 31),  # later ones have moved what these import
}


#: adapters that cannot live beside all others in the versions that are told, and what they need instead
_APART: Final[Mapping[str, tuple[Callable[[Version], bool], tuple[str, ...]]]] = {
    "openai_responses": (lambda version: version < (1, 31), ("openai>=2",)),  # other extras still pin openai<2
}


def requirements(version: str, provider: str = "") -> list[str]:
    """What is installed for an adapter of a version."""
    project: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    if is_apart(version, provider):
        return [f"strands-agents=={version}", *_APART[provider][1], *project]
    pins = [pin for pin, needs in _PINS.items() if needs(parsed(version))]
    return [f"strands-agents[{','.join(_EXTRAS)}]=={version}", *_SDKS, *project, *pins]


def is_apart(version: str, provider: str) -> bool:
    """Whether the adapter has an environment of its own in that version."""
    return provider in _APART and _APART[provider][0](parsed(version))


def environment(version: str, provider: str = "") -> Path:
    """The interpreter of an adapter's environment, made where it is missing. Raises NoEnvironmentError."""
    name = f"{version}-{provider}" if is_apart(version, provider) else version
    folder = cache_folder() / "environments" / name
    python, made = folder / "bin" / "python", folder / "made.txt"
    wanted = requirements(version, provider)
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder.parent / f"{name}.lock"):
        if not made.is_file() or made.read_text(encoding="utf-8") != "\n".join(wanted):
            if not python.is_file():
                _uv("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
            _uv("pip", "install", "--quiet", "--python", str(python), *wanted)
            made.write_text("\n".join(wanted), encoding="utf-8")
    return python


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other threads and processes out."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def uv() -> str | None:
    """The installer: beside this interpreter, or on the path."""
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.is_file() else shutil.which("uv")


def _uv(*arguments: str) -> None:
    tool = uv()
    if tool is None:
        raise NoEnvironmentError("uv is not installed: pip install uv")
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=_TIME_LIMIT, check=False)
    if done.returncode:
        words = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise NoEnvironmentError(" ".join(words)[-600:])
