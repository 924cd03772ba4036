# Everything a fresh machine needs is Python 3.11 or newer, pip and make; each target sets up .venv when it is missing.
PYTHON ?= python3
PROVIDER ?= bedrock
PYTEST_OPTIONS ?=
VENV := .venv
BIN := $(VENV)/bin

.PHONY: conformance test lint cassettes live clean

conformance: $(VENV)/ready
	$(BIN)/pytest --provider=$(PROVIDER) $(PYTEST_OPTIONS)

test: $(VENV)/ready
	$(BIN)/pytest -n 2 --dist worksteal

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# No secrets, and nothing that no service would send, in what is committed.
cassettes: $(VENV)/ready
	$(BIN)/conformance cassettes check

# Every recordable scenario against llama.cpp's own server on this machine, over real sockets.
LIVE ?= build/live
live: $(VENV)/live
	$(BIN)/python -m harness.local $(LIVE)

$(VENV)/live: $(VENV)/ready
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[dev,local]'
	touch $@

# uv, from PyPI, resolves and installs several times faster than pip.
$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV)
