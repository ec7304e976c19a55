# Needs Python 3.11 or newer, git and make; everything else goes into .venv by pip.
# Choose another interpreter with: make test PYTHON=/path/to/python3.13
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# The package alone, which is all that the examples need.
PACKAGE := $(VENV)/.package
PYTHON ?= $(shell for name in python3.11 python3 python3.12 python3.13 python3.14 python3.15; do \
	$$name -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$name && break; done)

# Warnings about pip's own version are of no use in a log.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start hundreds of processes: without kept byte code each would compile the package anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-rules test-wheel release-check fuzz recordings test-interop test-detectors test-service service lint format bench bench-accuracy bench-verdicts bench-hostile rows house bench-faster bench-same bench-loaders docs docs-site clean

help: ## show this list
	@echo "make targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-18s %s\n", $$1, $$2}'

# A stamp is newer than pyproject.toml exactly when the environment holds what that file asks for.
$(PACKAGE): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; name it: make PYTHON=/path/to/python"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing the package into $(VENV) (first time, or pyproject.toml changed)"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; name it: make PYTHON=/path/to/python"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing the package and the tools of the tests into $(VENV) (first time, or pyproject.toml changed)"
	@# pip reads dependency groups from 25.1 on; the one that Python brings may be older.
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@# pip compiles file by file; here every processor does. A file that is a template need not compile.
	@$(BIN)/python -m pip install --quiet --no-compile --editable . --group dev
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
	@touch $(PACKAGE) $@

# The example service needs a web framework, so it lives in an environment of its own.
SERVICE       := .venv-service
SERVICE_STAMP := $(SERVICE)/.installed
SERVICE_NEEDS := examples/chat_service/requirements.txt
# With this in the environment, tests/service runs; without it, it skips.
SERVICE_PYTHON := GROUNDING_SERVICE_PYTHON=$(CURDIR)/$(SERVICE)/bin/python

$(SERVICE_STAMP): $(STAMP) $(SERVICE_NEEDS)
	@test -x $(SERVICE)/bin/python || $(BIN)/python -m venv --without-pip $(SERVICE)
	@echo "installing into $(SERVICE) (first time, or $(SERVICE_NEEDS) changed)"
	@$(BIN)/python -m pip --python $(SERVICE)/bin/python install --quiet --editable '.[metrics]' --requirement $(SERVICE_NEEDS)
	@touch $@

# None waits for another: mypy alone takes longer than all others together.
LINTERS := lint-types lint-rules lint-format lint-imports
.PHONY: $(LINTERS)

demo: $(PACKAGE) ## run the examples and explain what is seen: passing and failing transcripts
	@$(BIN)/python examples/demo.py

test: $(STAMP) ## all checks: lint, types, architecture, then the tests
	@$(MAKE) --no-print-directory --jobs=4 $(LINTERS) $(SERVICE_STAMP)
	$(SERVICE_PYTHON) $(BIN)/python -m pytest -m "not slow" -n auto --dist worksteal

test-rules: $(STAMP) ## each check, rule and number of a model off, one at a time: something must turn red
	$(BIN)/python -m pytest -m slow tests/rules/test_each_part_decides.py

test-slow: $(STAMP) ## the tests that take longer, such as the largest inputs
	$(BIN)/python -m pytest -m slow -n auto

test-wheel: $(PACKAGE) ## the wheel on every Python at hand, and with the lowest versions that it declares
	$(BIN)/python .ci/wheel.py

# The tools of a release ask for versions of their own.
RELEASE := .venv-release
LOADERS := .venv-loaders
release-check: ## build the release and check it: twine, check-wheel-contents, pyroma, then the wheel from outside
	@test -x $(RELEASE)/bin/python || $(PYTHON) -m venv $(RELEASE)
	@$(RELEASE)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(RELEASE)/bin/python -m pip install --quiet --group release
	rm -rf dist
	$(RELEASE)/bin/python .ci/release.py sbom --check
	$(RELEASE)/bin/python -m build --outdir dist
	$(RELEASE)/bin/python -m twine check --strict dist/*
	$(RELEASE)/bin/check-wheel-contents dist/*.whl
	$(RELEASE)/bin/pyroma --min=10 .
	$(RELEASE)/bin/python .ci/wheel.py --wheel dist/*.whl
	$(RELEASE)/bin/python .ci/release.py home

SECONDS ?= 60
fuzz: $(STAMP) ## strange transcripts, values and files with random seeds: make fuzz SECONDS=600
	$(BIN)/python tests/fuzz/run.py --seconds $(SECONDS)
	$(BIN)/python tests/fuzz/run.py --plain --seconds $(SECONDS)
	$(BIN)/python tests/fuzz/run.py --target values --seconds $(SECONDS)
	$(BIN)/python tests/fuzz/run.py --target files --seconds $(SECONDS)

# The frameworks bring many packages, so they live in an environment of their own, always the newest.
INTEROP := .venv-interop
test-interop: $(STAMP) ## objects of the current LangChain, LlamaIndex and Haystack in assertions (own environment)
	@test -x $(INTEROP)/bin/python || $(BIN)/python -m venv $(INTEROP)
	@$(INTEROP)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(INTEROP)/bin/python -m pip install --quiet --editable . --group test
	@$(INTEROP)/bin/python -m pip install --quiet --upgrade langchain-core llama-index-core haystack-ai
	GROUNDING_INTEROP=1 $(INTEROP)/bin/python -m pytest tests/interop -p no:cacheprovider

# The libraries whose recordings the tests read; where one cannot be installed, its file stays as it is.
RECORDED := langchain-core langgraph haystack-ai pydantic-ai-slim llama-index-core autogen-core \
	autogen-agentchat autogen-ext
RECORDINGS := .venv-recordings
recordings: ## write the recordings of real libraries in tests/importers anew (own environment, not in CI)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; name it: make PYTHON=/path/to/python"; exit 1; }
	@test -x $(RECORDINGS)/bin/python || $(PYTHON) -m venv $(RECORDINGS)
	@for name in $(RECORDED); do \
		$(RECORDINGS)/bin/python -m pip install --quiet --upgrade $$name || echo "$$name cannot be installed here"; done
	$(RECORDINGS)/bin/python tests/importers/make_recordings.py

# Torch and transformers are large, and only the comparison with the authors' own code needs them.
DETECTORS := .venv-detectors
test-detectors: $(STAMP) ## local detectors against the code of their authors, on tiny models (own environment)
	@test -x $(DETECTORS)/bin/python || $(BIN)/python -m venv $(DETECTORS)
	@$(DETECTORS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(DETECTORS)/bin/python -m pip install --quiet --editable . --editable './extras[local]' --group test --group detectors
	GROUNDING_DETECTORS=1 $(DETECTORS)/bin/python -m pytest tests/extras -p no:cacheprovider -W default

service: $(SERVICE_STAMP) ## start the example service on http://127.0.0.1:8000 (own environment)
	cd examples/chat_service && $(CURDIR)/$(SERVICE)/bin/python -m helpdesk

test-service: $(SERVICE_STAMP) ## the example service: its tests, then the same with broken parts, which must fail
	$(SERVICE_PYTHON) $(BIN)/python -m pytest tests/service -n 3 -p no:cacheprovider

lint: $(STAMP) ## ruff, mypy and the import contracts
	@$(MAKE) --no-print-directory --jobs=4 $(LINTERS)

lint-types: $(STAMP)
	$(BIN)/mypy

lint-rules: $(STAMP)
	$(BIN)/ruff check .

lint-format: $(STAMP)
	$(BIN)/ruff format --check .

lint-imports: $(STAMP)
	$(BIN)/lint-imports

format: $(STAMP) ## format the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP) ## speed and statistics, each with its ratios and what is good (make bench PARTS="startup judges")
	$(BIN)/python -m benchmarks $(PARTS)

DATA ?= ../shared/data
bench-accuracy: $(STAMP) ## accuracy on labelled answers: make bench-accuracy DATA=folder
	@test -d "$(DATA)" || { echo "no labelled answers in $(DATA); name their folder: make bench-accuracy DATA=folder"; exit 1; }
	$(BIN)/python -m benchmarks.real_answers --data "$(DATA)"
	$(BIN)/python -m benchmarks.guarantees --data "$(DATA)"
	$(BIN)/python -m benchmarks.mutants --data "$(DATA)"
	$(BIN)/python -m benchmarks.conflicts --data "$(DATA)"
	$(BIN)/python -m benchmarks.people --data "$(DATA)"

bench-verdicts: $(STAMP) ## verdicts on labelled answers, the worth of each finder, advice: make bench-verdicts DATA=folder
	@test -d "$(DATA)" || { echo "no labelled answers in $(DATA); name their folder: make bench-verdicts DATA=folder"; exit 1; }
	$(BIN)/python -m benchmarks.verdicts --data "$(DATA)"
	$(BIN)/python -m benchmarks.advice --data "$(DATA)"
	$(BIN)/python -m benchmarks.off_topic "$(DATA)"
	$(BIN)/python -m benchmarks.own
	$(BIN)/python -m benchmarks.root_causes

bench-faster: $(STAMP) ## processor time of verdicts against another copy of the project: make bench-faster OLD=folder
	@test -d "$(OLD)" || { echo "name the other copy of the project: make bench-faster OLD=folder"; exit 1; }
	$(BIN)/python -m benchmarks.faster "$(OLD)" --data "$(DATA)"

# The file is written before the change: .venv/bin/python -m benchmarks.same_verdicts --write FILE
bench-same: $(STAMP) ## a change that is to change no verdict changes none: make bench-same KEPT=file of hashes
	@test -f "$(KEPT)" || { echo "name the hashes of before: make bench-same KEPT=file"; exit 1; }
	$(BIN)/python -m benchmarks.same_verdicts --data "$(DATA)" --against "$(KEPT)"

bench-loaders: ## one document through loaders and chunkers, in an environment of its own
	@test -x $(LOADERS)/bin/python || $(PYTHON) -m venv $(LOADERS)
	@$(LOADERS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(LOADERS)/bin/python -m pip install --quiet --group loaders -e .
	$(LOADERS)/bin/python -m benchmarks.layouts

rows: $(STAMP) ## the rows of the specification, each with ✔ or what it lacks, from the tests that show them
	$(BIN)/python docs/rows.py

house: $(STAMP) ## how much a reader of the package has to keep in mind, and where it is worst
	$(BIN)/python -m benchmarks.house --worst 5

bench-hostile: $(STAMP) ## hostile transcripts: what is caught, what is falsely flagged
	$(BIN)/python -m benchmarks.hostile
	$(BIN)/python -m benchmarks.injection

SITE       := .venv-docs
SITE_STAMP := $(SITE)/.installed

$(SITE_STAMP): $(STAMP) pyproject.toml
	@test -x $(SITE)/bin/python || $(BIN)/python -m venv --without-pip $(SITE)
	@echo "installing into $(SITE) (first time, or pyproject.toml changed)"
	@$(BIN)/python -m pip --python $(SITE)/bin/python install --quiet --editable . --group docs
	@touch $@

docs-site: $(SITE_STAMP) ## the pages as a site in site/; a broken link or a page without a place fails
	NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict --quiet

docs: $(STAMP) ## write the generated pages and the pictures of a terminal, then run every block of README and docs
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/pictures.py terminal
	$(BIN)/python -m pytest tests/docs -n auto

clean: ## remove the environment and all caches
	rm -rf $(VENV) $(INTEROP) $(RECORDINGS) $(SERVICE) $(RELEASE) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
