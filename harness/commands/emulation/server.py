"""The server: answers every request by the dialect, and says what the real service would have thought of it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from harness.commands.emulation.manner import Manner
from harness.commands.emulation.replies import Script
from harness.dialects.base import DecodeError, Dialect, WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.exchange import Answer

#: is told each line of the log
Say = Callable[[str], None]

_BAD_REQUEST: Final = 400


@dataclass
class Emulation:
    """What a dialect says, and how. ``answered`` and ``refusable`` count requests."""

    dialect: Dialect
    script: Script
    text: str
    manner: Manner
    say: Say
    answered: int = 0
    refusable: int = 0

    def respond(self, request: WireRequest) -> Delivery:
        """The answer to a request; both are told."""
        number = self.answered
        self.answered += 1
        try:
            delivery, told = self._answer(request, number)
        except DecodeError as error:
            delivery, told = _refused(str(error), request), str(error)
        self.say(f"#{number + 1} {request.method} {request.path} -> {delivery.status} {told}")
        for line in self._judged(request):
            self.say(f"   {line}")
        return delivery

    def _answer(self, request: WireRequest, number: int) -> tuple[Delivery, str]:
        view = self.dialect.read_request(request)
        stream = self.dialect.is_stream(request)
        manner, spoils = self.manner, self.manner.spoils(number)
        error = manner.error if spoils else None
        answer = Answer(
            self.script.say(self.dialect, view, self.text),
            manner.style_for(self.dialect, number, stream=stream),
            manner.cut,
            manner.fault if spoils else None,
            error,
            manner.error_after if error is not None and stream else None,
            manner.gap,
        )
        delivery = answer.delivery(self.dialect, stream=stream)
        return delivery, ", ".join(_told(answer, stream, delivery))

    def _judged(self, request: WireRequest) -> Iterator[str]:
        """What the real service would say."""
        faults = self.dialect.check_request(request)
        if not faults:
            yield "the real service would accept it"
            return
        self.refusable += 1
        for fault in faults:
            yield f"the real service would refuse it: {fault.kind} at {fault.path}: {fault.what} ({fault.evidence})"


def _told(answer: Answer, stream: bool, delivery: Delivery) -> Iterator[str]:
    yield "streamed" if stream else "whole"
    yield f"{len(delivery.chunks)} chunks"
    yield from (f"{axis}={option}" for axis, option in answer.style.items())
    if answer.fault is not None:
        yield f"fault {answer.fault.kind}"
    if answer.error is not None:
        yield f"error {answer.error.id}"


def _refused(message: str, request: WireRequest) -> Delivery:
    """The answer to what is no request of the protocol."""
    body = json.dumps({"error": {"message": message, "path": request.path}}).encode()
    return Delivery(_BAD_REQUEST, (("content-type", "application/json"),), (body,))


class EmulationServer(LoopbackEndpoint):
    """Serves an emulation until it is closed; it keeps no log, however long it runs."""

    def __init__(self, emulation: Emulation, port: int = 0) -> None:
        super().__init__(keep_alive=True, port=port)
        self._emulation = emulation
        self.reset(self._respond)

    def _respond(self, request: WireRequest) -> Delivery:
        self._exchanges.log.exchanges.clear()
        return self._emulation.respond(request)
