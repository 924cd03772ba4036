"""Names of documents within the service's alphabet."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.bedrock.names import DocumentNames


@given(st.lists(st.text(), max_size=6))
def test_document_names_are_valid_and_distinct(names: list[str]) -> None:
    documents = DocumentNames()
    sent = [documents.sent(name) for name in names]
    assert len(set(sent)) == len(sent)
    for name in sent:
        assert re.fullmatch(r"[a-zA-Z0-9()\[\] -]{1,200}", name)
        assert "  " not in name
        assert name == name.strip()


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Report (draft) [2]", "Report (draft) [2]"),
        ("report.csv", "report csv"),
        ("Bob's  #1", "Bob s 1"),
        ("資料", "document"),
        (None, "document"),
        ("x" * 300, "x" * 200),
    ],
)
def test_document_names(name: str | None, sent: str) -> None:
    assert DocumentNames().sent(name) == sent


def test_equal_document_names_are_numbered() -> None:
    documents = DocumentNames()
    assert [documents.sent(name) for name in ("a", "a", None, None)] == ["a", "a-2", "document", "document-2"]
