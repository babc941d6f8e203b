# make demo   sets up a virtual environment, builds banditplan, solves a bundled task, and shows what a bandit is good for
# make test   sets up, builds, runs all tests
# make quick   the tests that a developer needs again and again, in a minute
# make lint   ruff, mypy --strict, clang-format
# make docs   builds the documentation site in build/site
# make wheel   builds the wheel and tries it in a clean environment
# make sanitize   runs the tests of the core under AddressSanitizer and UndefinedBehaviourSanitizer, and those of
#                 searches in several threads under ThreadSanitizer

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CXX_FILES = $(shell git ls-files '*.cpp' '*.hpp')
SOURCES := $(shell find src cpp bindings -type f -not -name '*.pyc') pyproject.toml CMakeLists.txt

.PHONY: demo test quick lint format docs wheel sanitize clean
.DEFAULT_GOAL := demo

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# What it takes to build and run; and everything else that developers use. The group "build" is read from pyproject.toml,
# as the pip of a new environment may know no groups yet, and a newer one takes seconds.
BUILD_GROUP = $(shell sed -n '/^build = \[$$/,/^\]$$/s/^  \(".*"\),$$/\1/p' pyproject.toml)

$(BIN)/.build: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) $(BUILD_GROUP)
	@touch $@

$(BIN)/.tools: $(BIN)/.build
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) --group dev
	@touch $@

$(BIN)/.installed: $(BIN)/.build $(SOURCES)
	$(PIP) --no-build-isolation --no-deps --force-reinstall .
	@touch $@

demo: $(BIN)/.installed
	@$(BIN)/banditplan solve --example warehouse --plan-file build/warehouse.plan
	@echo "\nA porter and 24 suitcases: greedy search, a tree with UCB1, and a tree with UCB1-Normal2; see the evaluations:"
	@for search in gbfs guct guct-normal2; do \
	  $(BIN)/banditplan solve --example porter --search $$search --plan-file build/porter.plan >/dev/null; \
	done

test: $(BIN)/.installed $(BIN)/.tools
	$(BIN)/python -m pytest --numprocesses auto

quick: $(BIN)/.installed $(BIN)/.tools
	$(BIN)/python -m pytest --numprocesses auto -m 'not (browser or cluster or load or benchmark or peers or slow)'

lint: $(BIN)/.installed $(BIN)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)

format: $(BIN)/.tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

docs: $(BIN)/.installed $(BIN)/.tools
	$(BIN)/mkdocs build --strict --quiet --site-dir build/site

wheel:
	packaging/check-wheel $(PYTHON)

sanitize: $(BIN)/.tools
	$(call sanitized,sanitize,address$(comma)undefined)
	$(call sanitized,threads,thread,race)

comma := ,
# The tests of the core, built in a folder with sanitizers; those alone whose names begin with the third word.
define sanitized
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B build/$(1) -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 \
	  -DBANDITPLAN_BUILD_PYTHON=OFF -DBANDITPLAN_BUILD_TESTS=ON -DBANDITPLAN_SANITIZE=$(2) -DBANDITPLAN_WERROR=ON
	PATH="$(abspath $(BIN)):$$PATH" cmake --build build/$(1)
	build/$(1)/core_tests $(3)
endef

clean:
	rm -rf $(VENV) build
