"""``python -m harness.local [DIR]``: record every scenario from a real server on this machine, and judge it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from harness.local.server import serving

#: the adapters whose protocols the server speaks, and what points them at it
PROVIDERS: Final = ("openai", "openai_responses", "anthropic", "litellm", "llamacpp")
_MODEL: Final = "conformance"
_FOLDER: Final = Path("build/live")


def environment(address: str) -> dict[str, str]:
    """What the usual variables are, so that all of them reach the server; it asks for no key."""
    addresses = dict.fromkeys(("ANTHROPIC_BASE_URL", "LLAMACPP_BASE_URL", "OPENAI_BASE_URL"), address)
    keys = dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY"), "key-that-opens-nothing")
    return {**os.environ, **addresses, **keys}


def main(folder: Path) -> int:
    """Record to a folder; the exit code is pytest's."""
    asked = [f"--provider={','.join(PROVIDERS)}", "--record-mode=rewrite", f"--record-model={_MODEL}"]
    command = [sys.executable, "-m", "pytest", *asked, f"--cassettes={folder}", "--record-limit=500,2000000"]
    with serving() as address:
        return subprocess.run(command, env=environment(address), check=False).returncode  # noqa: S603 - our own words


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else _FOLDER))
