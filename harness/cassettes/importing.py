"""Other people's recordings as cassettes: any format that the importer knows, scrubbed on the way."""

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from harness.cassettes.model import Cassette, CassetteError, End, Interaction, Origin, Provenance
from harness.cassettes.scrub import Scrubber
from harness.provider import Provider
from harness.recordings import RecordedExchange, RecordingError, read_recording

IMPORTED: Final = "imported"
#: where a request went whose recording does not tell
_UNKNOWN: Final = "http://unknown.invalid/"


def imported(path: Path, provider: Provider, scrubber: Scrubber | None = None) -> Cassette:
    """A recording as a cassette. Raises CassetteError for a file that is none."""
    try:
        exchanges = read_recording(path)
    except RecordingError as error:
        raise CassetteError(str(error)) from None
    scrub = (scrubber or Scrubber()).interaction
    provenance = Provenance(Origin.LIVE, provider.name, IMPORTED, source=f"{path.name}, {exchanges[0].format}")
    return Cassette(provenance, tuple(scrub(_interaction(each)) for each in exchanges))


def _interaction(recorded: RecordedExchange) -> Interaction:
    asked, answered = recorded.request, recorded.response
    return Interaction(
        asked.method or "POST",
        _uri(asked.url),
        asked.headers,
        asked.body or b"",
        answered.status,
        answered.headers,
        answered.chunks or ((answered.body,) if answered.body else ()),
        end=End.COMPLETE,
    )


def _uri(url: str | None) -> str:
    """The address; a placeholder for the host becomes a host that never resolves."""
    if url is None:
        return _UNKNOWN
    return url if urlsplit(url).scheme else f"{_UNKNOWN.rstrip('/')}/{url.partition('/')[2]}"
