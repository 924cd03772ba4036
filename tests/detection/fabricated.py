"""Two versions of a package that is called Strands and is not: a model class with one bug, in the first of them.

Nothing is installed for them: a version's environment is this interpreter, which meets the version's folder first.
"""

import shlex
import sys
from pathlib import Path
from typing import Final

from tests.detection.environments import cache_folder, requirements

BAD: Final = "1.0.0"
GOOD: Final = "1.1.0"

_MODULES: Final = {
    "strands/__init__.py": "",
    "strands/models/__init__.py": "",
    "strands/types/__init__.py": "",
    "strands/types/exceptions.py": """
from harness.contract.exceptions import ContextWindowOverflowException, ModelThrottledException
""",
    "strands/event_loop/__init__.py": "",
    "strands/event_loop/streaming.py": """
from harness.contract.assembler import assemble

async def process_stream(chunks):
    read = assemble([chunk async for chunk in chunks])
    calls = any("toolUse" in block for block in read.message["content"])
    stop = "tool_use" if calls and read.stop_reason == "end_turn" else read.stop_reason
    yield {"stop": (stop, read.message, read.usage, read.metrics)}
""",
    "strands/models/openai.py": """
from providers.openai.model import OpenAIModel as Whole

class OpenAIModel(Whole):
    async def stream(self, *arguments, **named):
        async for event in super().stream(*arguments, **named):
            usage = event.get("metadata", {}).get("usage", {})
            if {forgets}:
                usage.pop("cacheReadInputTokens", None)
            yield event
""",
}


def fabricate(folder: Path) -> None:
    """Write both versions below a folder, and their environments into the cache."""
    for version, forgets in ((BAD, True), (GOOD, False)):
        place = folder / version
        for name, source in _MODULES.items():
            module = place / name
            module.parent.mkdir(parents=True, exist_ok=True)
            module.write_text(source.replace("{forgets}", str(forgets)), encoding="utf-8")
        _as_installed(place, version)
        _environment(place, version)


def _as_installed(place: Path, version: str) -> None:
    told = place / f"strands_agents-{version}.dist-info" / "METADATA"
    told.parent.mkdir()
    told.write_text(f"Metadata-Version: 2.1\nName: strands-agents\nVersion: {version}\n", encoding="utf-8")


def _environment(place: Path, version: str) -> None:
    """An interpreter that looks into the version's folder before all others."""
    folder = cache_folder() / "environments" / version
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    first = f"PYTHONPATH={shlex.quote(str(place))}:$PYTHONPATH"
    python.write_text(f'#!/bin/sh\n{first} exec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (folder / "made.txt").write_text("\n".join(requirements(version)), encoding="utf-8")
