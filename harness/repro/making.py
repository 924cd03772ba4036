"""Repro files from findings: what was seen of an exchange, without what nobody may read."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from harness import __version__
from harness.bench import Finding
from harness.cassettes.model import split
from harness.cassettes.scrub import Scrubber, Secrets
from harness.cassettes.scrub.bodies import hide_in_body
from harness.cassettes.service import secret_values
from harness.checks.observation import Observation
from harness.discovery import versions
from harness.endpoint.base import Delivery, ExchangeLog
from harness.exchange import Exchange
from harness.recordings.fields import Field
from harness.recordings.model import Malformed
from harness.reporting.text import printable
from harness.repro.model import Repro, Told
from harness.repro.plain import NotPlainError, from_plain, to_plain
from harness.repro.storage import dump, parse

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def repro_of(finding: Finding, scenario: str, title: str) -> Repro:
    """The repro of a finding; with its exchange where that alone shows it and can be written down."""
    seen = finding.seen
    scrubber = Scrubber(Secrets(secret_values(seen.provider)))
    made = Repro(
        replace(
            finding.violation,
            met=_hidden(finding.violation.met, scrubber),
            wanted=finding.violation.wanted and _hidden(finding.violation.wanted, scrubber),
        ),
        seen.provider.name,
        seen.dialect.name,
        scenario,
        title,
        tuple(_told(log, scrubber) for log in seen.log.exchanges),
        words=_texts(finding.exchange, scrubber),
        timeline=_texts(finding.timeline, scrubber),
        versions={"provider-conformance": __version__, **versions(seen.provider)},
    )
    whole = replace(made, exchange=_written(seen, scrubber) if finding.alone else None)
    return whole if _is_read_again(whole) else made


def _told(log: ExchangeLog, scrubber: Scrubber) -> Told:
    """A request without secrets, and its answer: the harness's own, in which the adapter's secrets can be at most."""
    delivery = log.delivery
    headers = tuple((name, scrubber.secrets.hide_text(value)) for name, value in delivery.headers)
    body = hide_in_body(b"".join(delivery.chunks), scrubber.secrets)
    chunks = split(body, [len(chunk) for chunk in delivery.chunks])
    kept = Delivery(delivery.status, headers, chunks, delivery.terminal, delivery.gap, delivery.refused)
    return Told(scrubber.request(log.request), kept)


def _written(seen: Observation, scrubber: Scrubber) -> Exchange | None:
    """The exchange, as it is read from the file."""
    try:
        plain = to_plain(seen.exchange, Exchange)
        exchange: Exchange = from_plain(Field(_without_secrets(plain, "", scrubber.secrets)), Exchange)
    except (NotPlainError, Malformed):
        return None
    return exchange


def _without_secrets(value: Any, name: str, secrets: Secrets) -> Any:
    """A plain value, in which nothing is left that is a secret by its form or by the name it stands under."""
    if isinstance(value, dict):
        return {key: _without_secrets(item, key, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_secrets(item, name, secrets) for item in value]
    if isinstance(value, bytes):
        return secrets.hide(value)
    if isinstance(value, str) and not _SURROGATE.search(value):
        return _hidden_under(name, value, secrets)
    return value


def _hidden_under(name: str, value: str, secrets: Secrets) -> str:
    start, data = f'"{name}": "'.encode(), value.encode()
    return secrets.hide(start + data + b'"')[len(start) : len(start) + len(data)].decode("utf-8", "replace")


def _is_read_again(repro: Repro) -> bool:
    try:
        return parse(dump(repro)) == repro
    except Malformed:
        return False


def _texts(lines: Iterable[str], scrubber: Scrubber) -> tuple[str, ...]:
    return tuple(_hidden(printable(line), scrubber) for line in lines)


def _hidden(text: str, scrubber: Scrubber) -> str:
    """A text without secrets, that UTF-8 can hold."""
    return scrubber.secrets.hide_text(_SURROGATE.sub(lambda found: rf"\u{ord(found[0]):04x}", text))
