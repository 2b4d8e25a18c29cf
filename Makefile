# One vocabulary for people and for CI. Everything is installed into .venv/ and web/node_modules/; nothing else is touched.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
TOOLS := .venv/.tools
NODE := web/node_modules/.ready
PAGE := src/zashiki/web/index.html
SOURCES := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts

PINNING := --universal --no-emit-index-url --no-header --upgrade --quiet

.DEFAULT_GOAL := help
.PHONY: help play test check docs bench goldens types lock clean

help: ## what there is to make
	@grep -hE '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

play: $(READY) $(PAGE) ## open the table: a server on this machine, and its page in the browser
	@$(BIN)/zashiki serve

test: $(TOOLS) $(PAGE) ## the whole suite, in both gears, with coverage; then the page's parts, and the page in a real browser
	$(BIN)/python -m pytest -n 2
	$(BIN)/python -m tests.run_python_gear
	npm --prefix web run --silent test
	npm --prefix web run --silent browse

check: $(TOOLS) $(NODE) docs ## style and types, and the documentation
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/mypy tests
	$(BIN)/mypy -p docs._ext
	npm --prefix web run --silent check

docs: $(TOOLS) ## the documentation as a site, in build/docs; whatever is wrong with it is an error
	$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going docs build/docs

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
	rm -rf .venv build .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache web/node_modules src/zashiki/web

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $(READY)

$(TOOLS): $(READY) requirements-dev.txt requirements-torch.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -r requirements-torch.txt
	@touch $(TOOLS)

# Not `npm ci`: it refuses a lock that does not name the compiler's binaries for every platform, and not every registry has them all.
$(NODE): web/package.json web/package-lock.json
	npm --prefix web install --no-save --silent --no-audit --no-fund
	@touch $(NODE)

$(PAGE): $(NODE) $(SOURCES)
	npm --prefix web run --silent build
