# Veche: every command of the house. `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run serve test lint fmt type imports fuzz soak bench golden picture datapack protos \
        lock deploy-check rehearse clean
SHELL := /bin/bash

# The first Python >= 3.11 on PATH; only `make setup` uses it, everything else runs in .venv.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV := .venv/bin/python
SETUP := $(or $(PYTHON),$(error Python 3.11 or newer is needed on PATH)) deploy/setup.py

GAME ?= rurik
N ?= 1000
PYTEST_WORKERS ?= 2
MATCH_FLAGS = --game '$(GAME)' $(if $(SEATS),--seats '$(SEATS)') $(if $(OPPONENTS),--opponents '$(OPPONENTS)') \
	$(if $(DIFFICULTY),--difficulty '$(DIFFICULTY)') $(if $(SEED),--seed '$(SEED)') $(if $(RESUME),--resume '$(RESUME)') \
	$(if $(filter-out 0,$(AUTO)),--auto)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: ## prepare .venv and gen/ (run by the targets that need it)
	@$(SETUP) run

setup-dev:
	@$(SETUP) dev

run: setup ## host a match and play it; GAME= SEATS= OPPONENTS= DIFFICULTY= SEED= RESUME=, AUTO=1 lets a bot play your seat
	@exec $(VENV) -m services.cli run $(MATCH_FLAGS)

serve: setup ## host matches until stopped, data kept under .veche/
	@exec $(VENV) -m services.cli serve

test: setup-dev lint type imports ## lint, types, import arrows and all tests
	@echo "test: pytest with $(PYTEST_WORKERS) processes"
	@$(VENV) -m pytest -n $(PYTEST_WORKERS) --dist worksteal $(PYTEST_ARGS)

lint: setup-dev ## check style and format
	@echo "lint: ruff"
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --check --quiet . || { echo "lint: run 'make fmt'"; .venv/bin/ruff format --check . | head -20; exit 1; }

fmt: setup-dev ## format the code and apply safe fixes
	@.venv/bin/ruff check --quiet --fix .; .venv/bin/ruff format .

type: setup-dev ## check types, strictly
	@echo "type: mypy --strict"
	@.venv/bin/mypy

imports: setup-dev ## check that imports follow the arrows of the design
	@echo "imports: import-linter"
	@.venv/bin/lint-imports --no-cache | tail -n 20; exit $${PIPESTATUS[0]}

fuzz: setup-dev ## play N= random games of every seat count and check every one
	@exec $(VENV) -m tests.fuzz --matches $(N)

soak: setup-dev ## run the whole stack under load and faults for a while
	@exec $(VENV) -m tests.soak

bench: setup-dev ## measure engine and service beside their yardsticks
	@$(SETUP) dev bench
	@exec $(VENV) -m tests.bench

golden: setup-dev ## write the golden playthroughs anew (read the difference before committing it)
	@exec $(VENV) -m tests.golden --update

picture: setup ## draw the README's picture of a match in the terminal
	@exec $(VENV) -m bots.console.picture

datapack: setup ## write a game's data as an editable data pack; GAME=
	@exec $(VENV) -m services.cli datapack --game $(GAME)

protos: ## generate the stubs anew
	@$(SETUP) run --force-protos

lock: ## renew the lock files from requirements*.in (needs uv on PATH)
	@for part in "" -dev -ci -bench; do \
		uv pip compile --quiet --universal --generate-hashes --no-header --python-version 3.11 $(LOCK_ARGS) \
			requirements$$part.in -o requirements$$part.lock || exit 1; done

deploy-check: ## render the Kubernetes manifests and check every object; check the protos
	@$(SETUP) dev ci
	@.venv/bin/buf lint protos && .venv/bin/buf breaking protos --against protos/released.binpb
	@exec $(VENV) -m pytest -q -p no:cacheprovider tests/deploy/check_manifests.py

rehearse: setup ## go through the Containerfile's steps in a clean folder, without Docker
	@exec $(VENV) deploy/rehearse.py

clean: ## remove what make made: .venv, gen, caches
	@rm -rf .venv gen gen.new gen.old .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
