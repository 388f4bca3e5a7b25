# Every target makes its own environment, .venv (docs-site: .venv-site), from pyproject.toml; nothing else is installed.
#
#   make demo        build and test every bundled source, and show rows
#   make demo-live   land two real databases through Kafka while they change, and compare
#   make check       what needs no Java: ruff, mypy, import-linter, unit tests
#   make test        the test suite
#   make test-all    everything, in parts: make test-all PARTS="live kafka", PARTS=--list
#   make mutate      change one rule at a time: does a test fail?
#   make lint        ruff, mypy, import-linter, sqlfluff
#   make docs        dbt's documentation of the demo's tables, in target/
#   make docs-site   README.md, CHANGELOG.md and docs/ as a site with a search, in build/site/
#   make clean       remove tables, logs and build results, keep .venv

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
# The versions that CI uses; another environment may have the lowest: docs/CONTRIBUTING.md.
CONSTRAINTS ?= dev/constraints.txt
BIN := $(VENV)/bin
SITE_VENV := .venv-site
STAMP := $(VENV)/.installed
DBT := $(BIN)/dbt
DBT_FLAGS := --profiles-dir profiles
# One Spark for each process; tests/conftest.py says which tests share one.
PYTEST_FLAGS ?= --numprocesses 2 --dist loadscope --no-loadscope-reorder
# Parts of `make test-all`, by default all of them.
PARTS ?=
MUTATE_FLAGS ?=
# Python walks 30 kB of compiled SQL per state model: one process per core halves the time.
# Which models as users' lint sees them, and of which also what the macros render.
LINT_MODELS ?= models
LINT_PATHS ?= models
LINT_FLAGS ?= --disable-progress-bar --processes 2

# What a run of tests took: its 25 slowest, and all of them in a file.
REPORT = --durations=25 --junitxml=artifacts/junit-$(1).xml

.DEFAULT_GOAL := help
.PHONY: help demo demo-live check test test-all mutate lint format docs docs-site clean check-python check-java

help:
	@sed -n '3,12s/^#   //p' Makefile

demo: $(STAMP) check-java
	@$(BIN)/python -m dev.demo

demo-live: $(STAMP) check-java
	@$(BIN)/python -m dev.live $(LIVE_FLAGS)

check: $(STAMP)
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet . && $(BIN)/mypy
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/python -m pytest tests/unit -m "not full" $(PYTEST_FLAGS) $(call REPORT,check)

test: $(STAMP) check-java
	@$(BIN)/python -m pytest tests -m "not full" $(PYTEST_FLAGS) $(call REPORT,test)

test-all: $(STAMP) check-java
	@$(BIN)/python -m tests.full $(PARTS)

mutate: $(STAMP) check-java
	@$(BIN)/python -m tests.mutations $(MUTATE_FLAGS)

lint: $(STAMP) check-java
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/sqlfluff lint $(LINT_FLAGS) $(LINT_MODELS)
	DEBEZIUM_SPARK_LINT=macros $(BIN)/sqlfluff lint $(LINT_FLAGS) $(LINT_PATHS)

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP) check-java
	$(DBT) docs generate $(DBT_FLAGS)

# In an environment of its own, without Spark. A link to a page, heading or line that is not there fails.
docs-site: $(SITE_VENV)/.installed
	@rm -rf build/site
	@$(SITE_VENV)/bin/sphinx-build --quiet --fail-on-warning --keep-going --nitpicky --fresh-env \
		-d build/site-doctrees -c dev/site . build/site
	@echo "Open build/site/index.html."

clean:
	rm -rf target dbt_packages logs .lakehouse artifacts build dist
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis derby.log
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

# The stamp is the last thing written: an interrupted installation is repeated.
$(STAMP): pyproject.toml $(CONSTRAINTS) | check-python
	@echo "Installing the environment into $(VENV) ..."
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile \
		--constraint $(CONSTRAINTS) --editable ".[dev,record,live]"
	@touch $@

$(SITE_VENV)/.installed: pyproject.toml $(CONSTRAINTS) | check-python
	@echo "Installing the site's environment into $(SITE_VENV) ..."
	@test -x $(SITE_VENV)/bin/python || "$(PYTHON)" -m venv $(SITE_VENV)
	@$(SITE_VENV)/bin/python -c 'import tomllib; \
		print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")' \
		> $(SITE_VENV)/requirements.txt
	@$(SITE_VENV)/bin/python -m pip install --quiet --no-compile \
		--constraint $(CONSTRAINTS) --requirement $(SITE_VENV)/requirements.txt
	@touch $@

check-python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed, found: $$("$(PYTHON)" --version 2>&1)." >&2; \
		echo "Install it (Debian: apt-get install python3.11 python3.11-venv), or name it:" >&2; \
		echo "make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }

check-java:
	@sh dev/scripts/check_java.sh
