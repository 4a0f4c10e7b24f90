# Everything a person or CI does with this repository. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
PORT ?= 7860
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --constraint constraints.txt
PYTEST := $(BIN)/pytest -n 2
ROOMS := chatbot serving evals tests

.PHONY: help run setup check test test-parts test-engines test-faults bench soak eval format \
	constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## set up, then API and docs on http://127.0.0.1:$(PORT)
	@$(BIN)/zwrotnica serve --port $(PORT)

setup: $(VENV)/.dev ## the environment for development

check: $(VENV)/.dev ## every gate before the tests: style, types, imports, structure, evals
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/architecture
	$(BIN)/zwrotnica eval gate

test: $(VENV)/.dev ## everything that needs nothing but Python, with branch coverage
	$(PYTEST) -m "not parts and not engines and not faults" \
		--cov --cov-report=term:skip-covered tests

test-parts: $(VENV)/.dev ## real parts (KaTeX by node); installs what is missing when root
	bash tests/parts/install.sh
	$(PYTEST) -n 0 -m parts tests/parts

test-engines: $(VENV)/.dev ## vLLM on the CPU, in an environment of its own
	PYTHON=$(PYTHON) sh tests/engines/run.sh

test-faults: $(VENV)/.dev ## the fault matrix with its true limits (minutes)
	$(PYTEST) -m faults --timeout 600 tests/faults

bench: $(VENV)/.dev ## benchmarks: verdict cost, added first-token time (compiles the simulator)
	$(BIN)/zwrotnica bench all

soak: $(VENV)/.dev ## a long run by hand: memory, tasks and descriptors under churn
	$(BIN)/zwrotnica bench soak

eval: $(VENV)/.dev ## function detection of the embedded engine, as a table
	$(BIN)/zwrotnica eval run

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
