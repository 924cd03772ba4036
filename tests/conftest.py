"""What all tests share: pytest's own tester, and the profile ``nightly`` (``--hypothesis-profile=nightly``)."""

from hypothesis import settings

pytest_plugins = ["pytester"]

settings.register_profile("nightly", max_examples=1000)
