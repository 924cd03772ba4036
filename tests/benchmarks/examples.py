"""Hypothesis profiles ``times-N``, of N times the usual examples, loaded by ``-p tests.benchmarks.examples``."""

from hypothesis import settings

#: what the usual profile draws
USUAL = 100
TIMES = (1, 2, 5, 10, 20, 40, 100)

for times in TIMES:
    settings.register_profile(f"times-{times}", max_examples=times * USUAL)
