# Everything a person or CI does with this repository. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
PORT ?= 7860
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --constraint constraints.txt
PYTEST := $(BIN)/pytest -n 2
COVERAGE ?= $(CI)
PARTS := -m parts tests/parts tests/serving/storage tests/serving/billing tests/serving/auth tests/serving/limits \
	tests/serving/gateway/test_idempotency.py tests/faults
PLAIN := -m "not parts and not engines and not faults" --ignore=tests/parts --ignore=tests/architecture
# What failed runs once more, alone: limits in seconds are lost to a busy machine, faults are not.
AGAIN = --last-failed --last-failed-no-failures none -n 0
MEASURE := $(if $(COVERAGE),--cov --cov-report=)

# Compiled code is kept: a second run reads and rewrites no module again.
unexport PYTHONDONTWRITEBYTECODE
# Tests run side by side, as workers do; see serving/settings/environment.py.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help run setup check test test-parts screenshots test-engines test-faults bench soak eval eval-figures \
	format constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## set up, then web chat and API on http://127.0.0.1:$(PORT)
	@$(BIN)/zwrotnica serve --port $(PORT)

setup: $(VENV)/.dev ## the environment for development

check: $(VENV)/.dev ## every gate before the tests: style, types, imports, structure, evals
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/architecture
	$(BIN)/zwrotnica eval gate

test: $(VENV)/.dev ## all behaviour that needs nothing but Python; COVERAGE=1 measures branches (CI does)
	$(PYTEST) -n 3 $(PLAIN) $(MEASURE) tests || $(PYTEST) $(PLAIN) $(AGAIN) tests

test-parts: $(VENV)/.dev ## real parts: KaTeX, MediaWiki, Chromium, PostgreSQL, Redis; installs what is missing when root
	bash tests/parts/install.sh
	$(PYTEST) $(PARTS) || $(PYTEST) $(AGAIN) $(PARTS)

screenshots: $(VENV)/.dev ## pictures of the page for the documentation, into docs/images
	bash tests/parts/install.sh
	PYTHONPATH=tests $(BIN)/python -m parts.screenshots docs/images

test-engines: $(VENV)/.dev ## vLLM and diffusers on the CPU, in an environment of their own
	PYTHON=$(PYTHON) sh tests/engines/run.sh

test-faults: $(VENV)/.dev ## the fault matrix with its true limits (minutes)
	$(PYTEST) -n 3 --dist loadfile --no-loadscope-reorder -m faults --timeout 600 tests/faults || \
		$(PYTEST) -m faults --timeout 600 $(AGAIN) tests/faults

bench: $(VENV)/.dev ## benchmarks: verdict cost, the gateway's added time and cost (compiles the simulator)
	$(BIN)/zwrotnica bench all

soak: $(VENV)/.dev ## 100,000 requests by hand: memory, threads and descriptors under churn
	$(BIN)/zwrotnica bench soak

eval: $(VENV)/.dev ## function detection of the embedded engine, as a table
	$(BIN)/zwrotnica eval run

EMBEDDED := $(BIN)/zwrotnica eval run --engine embedded --today 2026-11-18

eval-figures: $(VENV)/.dev ## renew the tables of docs/evals.md
	$(EMBEDDED) --into docs/evals.md#everyday_pl >/dev/null
	$(EMBEDDED) --cases evals/cases/zwrotnica_pl --split dev --into docs/evals.md#zwrotnica_pl-dev >/dev/null
	$(EMBEDDED) --cases evals/cases/zwrotnica_pl --split test --into docs/evals.md#zwrotnica_pl-test >/dev/null
	$(BIN)/zwrotnica eval modes --engine embedded --today 2026-11-18 --split test --into docs/evals.md#modes >/dev/null

format: $(VENV)/.dev ## put the code into its form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

constraints: $(VENV)/.uv ## pin every dependency anew, with hashes
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --upgrade --extra dev pyproject.toml -o constraints.txt

clean: ## remove environments and caches (not your data)
	rm -rf $(VENV) .venv-engines .cache .mypy_cache .ruff_cache .pytest_cache build dist

$(VENV)/.uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; set PYTHON=python3.x"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@

$(VENV)/.run: $(VENV)/.uv pyproject.toml constraints.txt
	$(UV) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.uv pyproject.toml constraints.txt
	$(UV) --editable '.[dev]'
	@touch $@ $(VENV)/.run
