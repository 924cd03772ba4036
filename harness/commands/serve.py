"""``conformance serve``: a vendor's protocol as a server on loopback, for clients in any language."""

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Final

from harness.commands.emulation.clients import clients
from harness.commands.emulation.manner import EACH, Manner, choices, cut_of, error_of, fault_of, style_of
from harness.commands.emulation.replies import SCRIPTS
from harness.commands.emulation.server import Emulation, EmulationServer
from harness.commands.problems import UsageError, unknown
from harness.dialects import dialect_names, load_dialect
from harness.dialects.base import Dialect

_TEXT: Final = "Hello, wörld 🙂. How are you?"


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("serve", help="serve a vendor's protocol on loopback, for any client")
    parser.add_argument("--dialect", required=True, metavar="NAME", help="the protocol, e.g. openai_chat")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--reply", default="text", metavar="NAME", help=", ".join(SCRIPTS))
    parser.add_argument("--text", default=_TEXT, help="what the model says")
    parser.add_argument(
        "--style", action="append", default=[], metavar="AXIS=OPTION", help=f"repeatable; {EACH}: each style in turn"
    )
    parser.add_argument("--cut", default="frames", metavar="KIND[:N]", help="where bodies are cut into chunks")
    parser.add_argument("--gap", type=_seconds, default=0.0, metavar="SECONDS", help="silence before each chunk")
    parser.add_argument("--fault", metavar="KIND[@FRACTION]", help="how bodies end badly")
    parser.add_argument("--error", metavar="ID", help="answer with this error of the vendor")
    parser.add_argument("--error-after", type=int, metavar="FRAMES", help="tell the error inside the stream")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N requests meet the fault or error")
    parser.add_argument("--choices", action="store_true", help="print what can be chosen for the dialect, and end")
    parser.set_defaults(command=_serve)


def _seconds(text: str) -> float:
    seconds = float(text)
    if seconds < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than no time")
    return seconds


def _serve(options: argparse.Namespace) -> None:
    if options.dialect not in dialect_names():
        raise unknown("dialect", options.dialect, dialect_names())
    dialect = load_dialect(options.dialect)
    if options.choices:
        for line in choices(dialect):
            _say(line)
        return
    emulation = _emulation(dialect, options)
    with _told_to_end() as over, closing(_server(emulation, options.port)) as server:
        _say(f"serving {dialect.name} at {server.base_url} until Ctrl-C")
        for line in clients()[dialect.name].advice(server.base_url):
            _say(line)
        over.wait()
    _say(f"{emulation.answered} requests, of which the real service would refuse {emulation.refusable}")


def _emulation(dialect: Dialect, options: argparse.Namespace) -> Emulation:
    script = SCRIPTS.get(options.reply)
    able = [name for name, each in SCRIPTS.items() if each.can(dialect)]
    if script is None or not script.can(dialect):
        raise unknown(f"reply of {dialect.name}", options.reply, able)
    if not options.text:
        raise UsageError("--text is empty; an empty text leaves no trace on the wire")
    return Emulation(dialect, script, options.text, _manner(dialect, options), _say)


def _manner(dialect: Dialect, options: argparse.Namespace) -> Manner:
    given = [pair for value in options.style for pair in value.split(",")]
    each = given == [EACH]
    if options.error_after is not None and options.error is None:
        raise UsageError("--error-after needs --error ID")
    return Manner(
        {} if each else style_of(dialect, given),
        each,
        cut_of(options.cut),
        fault_of(options.fault) if options.fault else None,
        error_of(dialect, options.error, options.error_after) if options.error else None,
        options.error_after,
        options.first,
        options.gap,
    )


def _server(emulation: Emulation, port: int) -> EmulationServer:
    try:
        return EmulationServer(emulation, port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"--port {port} of 127.0.0.1: {error}; without --port a free one is taken") from None


@contextmanager
def _told_to_end() -> Iterator[threading.Event]:
    """Set by Ctrl-C, or when the process is told to end."""
    over = threading.Event()
    before = {number: signal.signal(number, lambda *_: over.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield over
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(line: str) -> None:
    print(line, flush=True)  # whoever reads through a pipe wants each line as it comes
