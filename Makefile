# Everything runs in .venv, which is made on first use; it needs Python 3.11 or newer and nothing else.
PYTHON ?= python3
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: grade test bench facts stubs clean

grade: .venv/installed  # the reference's whole score table
	.venv/bin/grade all --reference

test: .venv/installed-dev  # tests, style and types
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/grade stubs --check
	.venv/bin/pytest

bench: .venv/installed-dev  # measure, side by side; not a test
	.venv/bin/python tests/bench/run_all.py

facts: .venv/installed  # what boards/index.yaml says, held to the exact engine
	.venv/bin/python -m grader.oracle.facts

stubs: .venv/installed  # cut student/ from grader/reference/
	.venv/bin/grade stubs

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

.venv/installed-dev: .venv/installed
	$(PIP) --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv dist
