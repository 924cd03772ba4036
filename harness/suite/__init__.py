"""The tests that `pytest --provider` runs."""
