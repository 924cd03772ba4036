"""Dialects on loopback, met by the vendors' SDKs, by plain HTTP, and as a command."""

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import pytest

from harness.cli import main
from harness.commands.emulation.clients import clients
from harness.commands.emulation.manner import Manner, cut_of, error_of, fault_of, style_of
from harness.commands.emulation.replies import SCRIPTS, instance
from harness.commands.emulation.server import Emulation, EmulationServer
from harness.commands.problems import UsageError
from harness.dialects import dialect_names, load_dialect

SAID = "Grüezi 🙂"
PLAIN = Manner({})
OPENAI = load_dialect("openai_chat")


@contextmanager
def served(
    dialect: str = "openai_chat", manner: Manner = PLAIN, reply: str = "text"
) -> Iterator[tuple[Emulation, str, list[str]]]:
    """A server, its address, and what it logs."""
    log: list[str] = []
    emulation = Emulation(load_dialect(dialect), SCRIPTS[reply], SAID, manner, log.append)
    with closing(EmulationServer(emulation)) as server:
        yield emulation, server.base_url, log


def post(url: str, path: str, body: bytes) -> tuple[int, bytes]:
    """One request, by the standard library's client."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    with closing(connection):
        connection.request("POST", path, body, {"content-type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()


def ask(url: str, **fields: Any) -> tuple[int, bytes]:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], **fields}
    return post(url, "/v1/chat/completions", json.dumps(body).encode())


def test_every_dialect_is_served_and_has_its_clients() -> None:
    assert list(clients()) == list(dialect_names())


@pytest.mark.parametrize("name", clients())
def test_the_vendors_sdk_reads_the_reply_and_its_request_is_fine(name: str) -> None:
    assert version(clients()[name].sdk)
    with served(name) as (emulation, url, log):
        program = clients()[name].program(url)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == SAID, done.stderr
    assert "the real service would accept it" in log[1]
    assert (emulation.answered, emulation.refusable) == (1, 0)


@pytest.mark.parametrize("name", clients())
def test_a_plain_client_reads_the_reply(name: str) -> None:
    client = clients()[name]
    with served(name) as (emulation, url, log):
        status, body = post(url, client.path, client.body.encode())
    assert status == 200
    assert load_dialect(name).decode(body, stream=False).blocks[0].text == SAID  # type: ignore[union-attr]
    assert emulation.refusable == 0, log


def test_a_streamed_reply_is_streamed() -> None:
    with served() as (_, url, log):
        _, body = ask(url, stream=True)
    assert body.endswith(b"data: [DONE]\n\n")
    assert "streamed" in log[0]


def test_what_the_service_would_refuse_is_logged_and_answered() -> None:
    with served() as (emulation, url, log):
        status, _ = ask(url, tools=[], nonsense=1)
    assert status == 200
    assert emulation.refusable == 1
    assert any("would refuse it" in line and "nonsense" in line for line in log)


@pytest.mark.parametrize(("path", "body"), [("/v1/nonsense", b"{}"), ("/v1/chat/completions", b"no json"), ("/", b"")])
def test_what_is_no_request_is_told_so_and_the_server_goes_on(path: str, body: bytes) -> None:
    with served() as (_, url, _log):
        status, told = post(url, path, body)
        assert status == 400
        assert json.loads(told)["error"]["message"]
        assert ask(url)[0] == 200


TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        },
    }
    for name in ("first", "second")
]


@pytest.mark.parametrize(
    ("reply", "choice", "called"),
    [
        ("tool", "auto", ["first"]),
        ("tools", "auto", ["first", "second"]),
        ("tool", {"type": "function", "function": {"name": "second"}}, ["second"]),
        ("tools", "none", []),
    ],
)
def test_the_requests_own_tools_are_called(reply: str, choice: Any, called: list[str]) -> None:
    with served(reply=reply) as (_, url, _log):
        _, body = ask(url, tools=TOOLS, tool_choice=choice)
    calls = OPENAI.decode(body, stream=False).tools
    assert [(call.name, call.input) for call in calls] == [(name, {"n": 1}) for name in called]


def test_once_a_tool_has_answered_the_text_is_said() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "first", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "done"},
    ]
    with served(reply="tool") as (_, url, _log):
        _, body = ask(url, tools=TOOLS, messages=history)
    assert SAID in body.decode()


PAIR = {"type": "array", "items": {"type": "boolean"}, "minItems": 2}


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"required": ["a"], "properties": {"a": {"enum": ["x", "y"]}, "b": {"type": "string"}}}, {"a": "x"}),
        ({"type": "OBJECT", "required": ["a"], "properties": {"a": {"type": ["null", "string"]}}}, {"a": None}),
        ({"required": ["a"], "properties": {"a": {"anyOf": [{"type": "number", "minimum": 3}]}}}, {"a": 3.0}),
        ({"required": ["a"], "properties": {"a": PAIR}}, {"a": [True, True]}),
        (None, {}),
        (True, {}),
    ],
)
def test_arguments_are_the_plainest_that_a_schema_asks_for(schema: Any, made: Any) -> None:
    assert instance(schema) == made


def test_a_chosen_style_is_told() -> None:
    with served(manner=Manner(style_of(OPENAI, ["newline=crlf"]))) as (_, url, log):
        _, body = ask(url, stream=True)
        assert ask(url)[0] == 200  # the style has no meaning for whole replies, and is left out
    assert body.endswith(b"\r\n\r\n")
    assert "newline=crlf" in log[0]
    assert "newline=crlf" not in log[2]


def test_each_style_comes_in_turn() -> None:
    with served(manner=Manner({}, each=True)) as (_, url, log):
        bodies = {ask(url, stream=True)[1] for _ in range(5)}
    assert len(bodies) > 1
    assert len({line for line in log if line.startswith("#")}) == 5


def test_a_fault_spoils_the_first_requests_only() -> None:
    with served(manner=Manner({}, fault=fault_of("clean_eof@1"), spoiled=1)) as (_, url, log):
        cut, whole = ask(url, stream=True)[1], ask(url, stream=True)[1]
    assert b"[DONE]" not in cut
    assert b"[DONE]" in whole
    assert "fault clean_eof" in log[0]


def test_an_error_is_the_vendors() -> None:
    error = error_of(OPENAI, "openai_rate_limit_tokens", None)
    with served(manner=Manner({}, error=error, spoiled=2)) as (_, url, _log):
        answers = [ask(url) for _ in range(3)]
    assert [status for status, _ in answers] == [429, 429, 200]
    assert answers[0][1] == error.body


def test_an_error_comes_inside_the_stream() -> None:
    named = next(error for error in OPENAI.errors if error.in_stream is not None)
    manner = Manner({}, error=error_of(OPENAI, named.id, 2), error_after=2)
    with served(manner=manner) as (_, url, _log):
        status, body = ask(url, stream=True)
    assert status == 200
    assert b"error" in body
    assert b"[DONE]" not in body


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: style_of(OPENAI, ["newlin=crlf"]), "did you mean newline?"),
        (lambda: style_of(OPENAI, ["newline=crl"]), "did you mean crlf?"),
        (lambda: fault_of("clean_eo"), "did you mean clean_eof?"),
        (lambda: fault_of("reset@2"), "fraction from 0 to 1"),
        (lambda: cut_of("byte"), "did you mean bytes?"),
        (lambda: cut_of("fixed:x"), "--cut fixed:x"),
        (lambda: error_of(OPENAI, "openai_rate_limit_token", None), "did you mean openai_rate_limit_tokens?"),
    ],
)
def test_a_name_that_is_not_there_is_told_with_the_nearest(make: Callable[[], object], told: str) -> None:
    with pytest.raises(UsageError) as error:
        make()
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--dialect", "openai"], "openai_chat"),
        (["--dialect", "openai_chat", "--reply", "txt"], "did you mean text?"),
        (["--dialect", "ollama_chat", "--reply", "citations"], "There are: text"),
        (["--dialect", "openai_chat", "--error-after", "2"], "--error-after needs --error"),
        (["--dialect", "openai_chat", "--text", ""], "--text is empty"),
        (["--dialect", "openai_chat", "--port", "99999"], "--port 99999"),
    ],
)
def test_a_wrong_argument_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as (_, url, _log):
        assert main(["serve", "--dialect", "openai_chat", "--port", str(urlsplit(url).port)]) == 4
    assert "without --port a free one is taken" in capsys.readouterr().err


@pytest.mark.parametrize("name", clients())
def test_what_can_be_chosen_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--dialect", name, "--choices"]) == 0
    told = capsys.readouterr().out
    assert all(axis.name in told for axis in load_dialect(name).axes)
    assert all(error.id in told for error in load_dialect(name).errors)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_told_to_end(number: signal.Signals) -> None:
    command = [sys.executable, "-c", "from harness.cli import main; raise SystemExit(main())"]
    arguments = ["serve", "--dialect", "openai_chat", "--text", SAID]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        url = next(word for word in first.split() if word.startswith("http://"))
        status, body = ask(url)
        process.send_signal(number)
        out = process.stdout.read()
        assert process.stderr is not None
        err = process.stderr.read()
    assert status == 200
    assert SAID in body.decode()
    assert (process.returncode, err) == (0, "")
    assert f'base_url="{url}/v1"' in out
    assert out.rstrip().endswith("1 requests, of which the real service would refuse 0")
