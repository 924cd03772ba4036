"""What the harness costs on top of the SDKs. Not tests: ``python -m tests.benchmarks`` prints the numbers."""
