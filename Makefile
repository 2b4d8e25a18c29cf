# One vocabulary for people and for CI. Everything is installed into .venv/; nothing else is touched.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
TOOLS := .venv/.tools

PINNING := --universal --no-emit-index-url --no-header --upgrade --quiet

.DEFAULT_GOAL := help
.PHONY: help play test check bench goldens types lock clean

help: ## what there is to make
	@grep -hE '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

play: $(READY) ## open the table: a server on this machine, and its page in the browser
	@$(BIN)/zashiki serve

test: $(TOOLS) ## the whole suite, in both gears, with coverage
	$(BIN)/python -m pytest -n 2
	$(BIN)/python -m tests.run_python_gear

check: $(TOOLS) ## style and types
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy tests

bench: $(READY) ## measure the engine and the server on this machine
	$(BIN)/zashiki bench engine
	$(BIN)/zashiki bench server

goldens: $(TOOLS) ## write the goldens anew after a change of rules
	$(BIN)/python -m tests.goldens.make

types: $(TOOLS) ## write the TypeScript types anew after a change of layouts or actions
	$(BIN)/python -m zashiki.typescript

lock: $(TOOLS) ## pin the newest versions of all dependencies
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra server $(PINNING) -o requirements.txt
	$(BIN)/uv pip compile pyproject.toml --extra server --extra dev -c requirements.txt $(PINNING) -o requirements-dev.txt

clean: ## remove everything that was installed or built
	rm -rf .venv .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $(READY)

$(TOOLS): $(READY) requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $(TOOLS)
