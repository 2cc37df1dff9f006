# Everything runs in .venv, which is made on first use; it needs Python 3.11 or newer and nothing else.
PYTHON ?= python3
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check

# Tests start hundreds of processes, and without bytecode each compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE

AXE = 4.14.1
PYODIDE := $(shell sed -n 's/^VERSION = "\(.*\)".*/\1/p' grader/site/bundle.py)

# Two workers more than there are cores: many tests wait, for a process or for a limit.
WORKERS := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 2)')
SELECTED = -m 'not slow'
PYTEST = .venv/bin/pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: grade test test-rest test-all test-whole same check axe pyodide scripts bench docs site facts stubs clean

grade: .venv/installed  # the reference's whole score table
	.venv/bin/grade all --reference

test: .venv/installed-dev axe pyodide scripts  # style, types, and every test but those marked slow: 3 minutes
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo
	.venv/bin/grade doctor --course
	$(PYTEST) $(SELECTED)

test-rest: .venv/installed-dev axe pyodide scripts  # the tests marked slow
	$(PYTEST) -m slow

test-all: SELECTED =
test-all: test  # both, in one run

test-whole: .venv/installed-dev axe pyodide scripts  # every test, and nothing of any left out: half an hour more
	$(PYTEST) --whole

same: .venv/installed-dev  # whether many programs still get the verdicts and points that are on record
	.venv/bin/python tests/same.py

check: .venv/installed  # what the course forgot: pages, hints, markers, stubs, facts, reasons; all of it
	.venv/bin/grade doctor --course

bench: .venv/installed-dev  # measure, side by side; not a test
	.venv/bin/python tests/bench/run_all.py

docs: .venv/installed-dev  # the documents as a site, in site/; a broken link fails
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict
	@echo 'open site/index.html'

site: .venv/installed-dev pyodide  # the course in a browser, in dist/site: students write and run there
	rm -rf dist/site
	.venv/bin/grade site dist/site $(if $(wildcard .venv/pyodide-$(PYODIDE).tgz),--pyodide .venv/pyodide-$(PYODIDE).tgz)

facts: .venv/installed  # what boards/index.yaml says, held to the exact engine
	.venv/bin/python -m grader.research.facts

stubs: .venv/installed  # cut student/ from grader/reference/
	.venv/bin/python -m grader.release.release

axe: .venv/axe-core-$(AXE).tgz  # what checks how easy the pages are to use
.venv/axe-core-$(AXE).tgz: | .venv/installed
	@npm pack --silent --pack-destination .venv axe-core@$(AXE) >/dev/null 2>&1 \
		|| echo "axe-core could not be fetched (is npm installed?): its tests are skipped"

scripts: .venv/scripts/node_modules  # TypeScript and ESLint, which check the pages' scripts
.venv/scripts/node_modules: tests/scripts/package-lock.json | .venv/installed
	@mkdir -p .venv/scripts && cp tests/scripts/* tests/scripts/.npmrc .venv/scripts
	@npm ci --prefix .venv/scripts --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null 2>&1 \
		&& touch $@ || echo "TypeScript and ESLint could not be fetched (is npm installed?): their test is skipped"

pyodide: .venv/pyodide-$(PYODIDE).tgz  # Python for browsers
.venv/pyodide-$(PYODIDE).tgz: | .venv/installed
	@npm pack --silent --pack-destination .venv pyodide@$(PYODIDE) >/dev/null 2>&1 \
		|| echo "Pyodide could not be fetched (is npm installed?): tests in it are skipped"

.venv/installed: pyproject.toml
	@echo 'installing into .venv; this takes a minute or two'
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[play,watch]'
	@touch $@

.venv/installed-dev: .venv/installed
	$(PIP) --editable '.[dev,docs]'
	@touch $@

clean:
	rm -rf .venv dist site
