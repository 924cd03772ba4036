"""Hypothesis profiles for runs of the suite in a process of their own, loaded by ``-p tests.suite.profiles``."""

from hypothesis import settings

settings.register_profile("hardly-any", max_examples=1)
settings.register_profile("few", max_examples=5)
settings.register_profile("many", max_examples=200)
