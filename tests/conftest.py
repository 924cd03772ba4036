"""What all tests share: pytest's own tester, a laboratory, and the profile ``nightly``."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from harness.endpoint.network import no_network
from harness.laboratory import Laboratory

pytest_plugins = ["pytester"]

settings.register_profile("nightly", max_examples=1000)


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    """A laboratory without a network."""
    made = Laboratory()
    with no_network():
        yield made
    made.close()
