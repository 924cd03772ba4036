"""llama.cpp's own HTTP server, in this process, on a port of 127.0.0.1."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.local.weights import CONTEXT, write_model


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server that lets in everybody. It ends with the process."""
    import xllamacpp

    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "random.gguf"
        write_model(model)
        params = xllamacpp.CommonParams()
        params.model.path = str(model)
        params.model_alias = {"conformance"}
        params.n_ctx, params.n_parallel, params.warmup = CONTEXT, 2, False
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        params.hostnames, params.port = ["127.0.0.1"], 0
        params.use_jinja, params.verbosity = True, -1
        params.sampling.seed = 7
        server = xllamacpp.Server(params)
        yield str(server.listening_address)
        del server
