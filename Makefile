# Every target makes its own environment, .venv, from pyproject.toml; nothing else is installed.
#
#   make demo        build and test every bundled source, and show rows
#   make demo-live   land two real databases through Kafka while they change, and compare
#   make test        the test suite
#   make lint        ruff, mypy, sqlfluff
#   make docs        dbt's documentation of the demo's tables, in target/
#   make clean       remove tables, logs and build results, keep .venv

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DBT := $(BIN)/dbt
DBT_FLAGS := --profiles-dir profiles
# Two Sparks of two cores each; tests/conftest.py says which tests share one.
PYTEST_FLAGS ?= --numprocesses 2 --dist loadscope --no-loadscope-reorder
# The tests of `live` start every server; `make test MARKS=live` runs them.
MARKS ?= not live
# Python walks 30 kB of compiled SQL per state model: one process per core halves the time.
LINT_FLAGS ?= --disable-progress-bar --processes 2

.DEFAULT_GOAL := help
.PHONY: help demo demo-live test lint format docs clean check-python check-java

help:
	@sed -n '3,8s/^#   //p' Makefile

demo: $(STAMP) check-java
	@$(BIN)/python -m demo

demo-live: $(STAMP) check-java
	@$(BIN)/python -m live $(LIVE_FLAGS)

test: $(STAMP) check-java
	@$(BIN)/python -m pytest tests -m "$(MARKS)" $(PYTEST_FLAGS)

lint: $(STAMP) check-java
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(DBT) deps --quiet $(DBT_FLAGS)
	$(BIN)/sqlfluff lint $(LINT_FLAGS) models

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP) check-java
	$(DBT) deps --quiet $(DBT_FLAGS)
	$(DBT) docs generate $(DBT_FLAGS)

clean:
	rm -rf target dbt_packages logs .lakehouse artifacts build dist
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis derby.log
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

# The stamp is the last thing written: an interrupted installation is repeated.
$(STAMP): pyproject.toml | check-python
	@echo "Installing the environment into $(VENV) ..."
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile --editable ".[dev,record,live]"
	@touch $@

check-python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed, found: $$("$(PYTHON)" --version 2>&1)." >&2; \
		echo "Install it (Debian: apt-get install python3.11 python3.11-venv), or name it:" >&2; \
		echo "make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }

check-java:
	@sh scripts/check_java.sh
