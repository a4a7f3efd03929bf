# `make run` needs Python 3.11 or newer, pip and make; everything else it fetches itself, once.
# PORT=8000 and HOST=0.0.0.0 change where it serves; DATABASE_URL=... is for `make hosted`.

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
# The newest Python here that is new enough; PYTHON=... overrides the search.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP := $(PY) -m pip --disable-pip-version-check --quiet
SHELL := /bin/bash
# One process a processor, each with its own databases and browser; a test waits for the next that is free.
PYTEST := $(PY) -m pytest -n auto --maxprocesses 4 --dist worksteal
.DEFAULT_GOAL := help
.PHONY: help run hosted test check lint bench lighthouse shots translations lock clean browser postgresql

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: $(VENV)/run.ok ## make what is missing, then serve on the LAN and print the address
	@exec $(BIN)/companion run $(ARGS)

hosted: $(VENV)/hosted.ok ## serve many tables from a PostgreSQL: DATABASE_URL=... (docs/hosting.md)
	@exec $(BIN)/companion hosted

test: $(VENV)/test.ok browser postgresql ## every test, the browser ones too (ARGS=... goes to pytest)
	$(PYTEST) $(ARGS)

check: lint ## lint and the quick tests: no browser, no PostgreSQL, nothing that waits (about a minute and a half)
	$(PYTEST) -m "not browser and not postgres and not slow" $(ARGS)

lint: $(VENV)/test.ok ## style, types, and whether the translations are fresh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(PY) -m tools.catalogues check

bench: $(VENV)/bench.ok ## the budgets, measured on this machine
	$(PY) -m bench

lighthouse: $(VENV)/test.ok browser ## Lighthouse on table, scores and referee (needs node)
	$(PY) -m tools.lighthouse

translations: $(VENV)/test.ok ## extract the texts, update and compile the catalogues
	$(PY) -m tools.catalogues update

shots: $(VENV)/test.ok browser ## take the pictures of the README anew
	$(PY) -m tools.shots

lock: $(VENV)/test.ok ## renew the locked requirements within the ranges of pyproject.toml
	$(PIP) install uv
	tools/lock

clean: ## forget the environment and the caches; the database stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis build *.egg-info

# Debian's Chromium, where we may install it; elsewhere the tests look for one and say what is missing.
browser:
	@tools/browser

# In CI Debian's PostgreSQL too; elsewhere its tests look for one and say what is missing.
postgresql:
	@tools/postgresql

# One stamp a kind of environment: done again only when its requirements change.
$(VENV)/run.ok: requirements.txt pyproject.toml | $(VENV)/made
	$(PIP) install --require-hashes -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation --no-index -e .
	@touch $@

$(VENV)/hosted.ok: requirements-hosted.txt $(VENV)/run.ok
	$(PIP) install --require-hashes -r requirements-hosted.txt
	@touch $@

$(VENV)/test.ok: requirements-test.txt $(VENV)/hosted.ok
	$(PIP) install --require-hashes -r requirements-test.txt
	@touch $@

$(VENV)/bench.ok: requirements-bench.txt $(VENV)/test.ok
	$(PIP) install --require-hashes -r requirements-bench.txt
	@touch $@

$(VENV)/made:
	@if [ -z "$(PYTHON)" ]; then echo "Gripe Companion needs Python 3.11 or newer, and none was found." \
		"On Debian or Ubuntu: sudo apt install python3 python3-venv" >&2; exit 1; fi
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "This Python cannot make environments:" \
		"its venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@echo "Making the environment in $(VENV) (once; a minute or so)…"
	@$(PYTHON) -m venv $(VENV)
	@touch $@
