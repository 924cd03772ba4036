"""Names of tools: those that services refuse go by another name, and come back by their own."""

from typing import Final

from harness.checks.failure import told
from harness.exchange import Answer, Call, Exchange
from harness.scenarios.catalogue.requests import ODD_NAMES, ODDLY_NAMED, names_tools
from harness.scenarios.catalogue.samples import call, called, said
from harness.scenarios.scenario import Scenario, Stage, modes


async def _called_back(stage: Stage) -> None:
    """The model calls each tool by the name that it arrived with; the caller knows it by the name that he gave it."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    asked = Call(tool_specs=ODDLY_NAMED[0].tool_specs)
    for stream in modes(provider):
        first = await stage.watch(Exchange(asked, Answer(said(dialect)), stream))
        if not first.log.exchanges:
            continue
        names = [tool.name for tool in first.views[0].tools]
        calls = (call(dialect, number, name, city="Rome") for number, name in enumerate(names, 1))
        seen = await stage.watch(Exchange(asked, Answer(called(dialect, *calls)), stream))
        met = [block["toolUse"]["name"] for block in seen.content if "toolUse" in block]
        shown = f"{met} for {names}" if seen.error is None else told(seen.error)
        stage.expect("TOOL-NAME", met == list(ODD_NAMES), shown, list(ODD_NAMES), seen)


NAMING: Final = (
    Scenario(
        "tool-names",
        "calls of tools that go by another name on the wire",
        ("TOOL-NAME",),
        _called_back,
        "continue#7468",
        names_tools,
        "it has no tools, or hands on the names of its caller",
    ),
)
