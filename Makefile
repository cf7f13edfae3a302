# One word per job; `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build program package demo test lint format tidy asan tsan fuzz bench bare-check clean

export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
PYTHON ?= python3
export PYTHON

GATE = .venv/bin/python tools/gate.py

help: ## List these jobs
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

setup: ## Install everything that building and testing needs
	@tools/setup.sh test

program:
	@tools/setup.sh demo
	@test -f build/CMakeCache.txt || cmake --preset release -DDIFFRAM_TESTS=OFF > /dev/null
	@cmake --build --preset release --target diffram

package: ## Put the Python package into .venv
	@tools/setup.sh build
	@.venv/bin/pip install -q --no-build-isolation --no-deps -e .

build: program package ## Build the program (build/bin/diffram) and the Python package (.venv)

demo: program ## Simulate Stable Diffusion 1.4 sampling one image; write out/sd14-sample.html
	@mkdir -p out
	@build/bin/diffram run sd14-sample --memory ddr4-3200-8g-2ch --machine npu-edge -o out/sd14-sample.dfr
	@build/bin/diffram report out/sd14-sample.dfr -o out/sd14-sample.html
	@test -s out/sd14-sample.html && echo "The report: $(CURDIR)/out/sd14-sample.html"

test: setup ## Run every check that a change must pass
	@$(GATE)

lint: setup ## Formats, types, rooms, links, names
	@$(GATE) --group lint

format: setup ## Format the C++ and Python files
	@git ls-files -z -co --exclude-standard '*.cpp' '*.h' | xargs -0 clang-format-19 -i
	@.venv/bin/ruff format -q . && .venv/bin/ruff check -q --fix .

tidy: setup ## clang-tidy over all C++ files
	@$(GATE) --group tidy

asan: setup ## The C++ tests under the address and undefined-behaviour sanitizers
	@$(GATE) --group asan

tsan: setup ## The tests that use threads, under the thread sanitizer
	@$(GATE) --group tsan

fuzz: setup ## Five minutes of fuzzing for each reader of user files
	@$(GATE) --group fuzz --fuzz-seconds 300

bench: setup ## Simulation rates on this machine, and instruction counts
	@tools/bench.sh

bare-check: ## The README's commands in an empty Debian 12, as root and as a user (needs root)
	@tools/bare_check.sh

clean: ## Remove everything that was built or downloaded
	@rm -rf build build-python out .venv web/node_modules
