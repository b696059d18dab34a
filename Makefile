# SPDX-License-Identifier: Apache-2.0
# Short names for what the CMake presets do.  `make demo` and `make test` set up a bare Debian machine first.
PREFIX ?= /usr/local
BUILD = cmake --preset $(1) && cmake --build --preset $(1) --parallel

.DEFAULT_GOAL := help
.PHONY: help demo test release dev asan tsan minimal bench mutants lint format coverage install clean python octave lab cuda

help: ## this list
	@echo "Bristle: friction with memory. Targets:"
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

demo: ## install what is missing, build, run all studies; verdicts, report in results/demo
	@tools/begin native build
	@$(call BUILD,native)
	@tools/demo

test: ## install what is missing, build, run the tests (CI=1: the long ones as well)
	@tools/begin $(if $(CI),release,native) build test $(if $(CI),large)
	@tools/test

release: ## build/release/bristle
	@$(call BUILD,release)

dev: ## debug build, warnings are errors
	@$(call BUILD,dev)

asan: ## build with address and undefined-behaviour sanitizers
	@$(call BUILD,asan)

tsan: ## build with the thread sanitizer and run what uses threads
	@$(call BUILD,tsan)
	@ctest --preset tsan

minimal: ## build with compiler and libm only
	@$(call BUILD,minimal)

bench: ## time the models; table on the screen, JSON in results/bench
	@tools/setup build
	@$(call BUILD,release)
	@tools/bench

mutants: ## break the code in nearly three thousand places and see which tests notice (hours on two idle cores; can be taken up again)
	@tools/setup build test
	@tools/mutants --jobs 2

lint: ## clang-format, clang-tidy, cppcheck: no finding allowed
	@tools/setup build test lint
	@tools/lint

format: ## rewrite the layout of all C files
	@tools/setup lint
	@tools/lint --format

coverage: ## line coverage of core/ and models/, at least 95 %
	@tools/setup build test coverage
	@tools/coverage

cuda: ## build/release/libbristle_cuda.so: ensembles on a GPU (needs nvcc)
	@cmake --preset release && cmake --build --preset release --target cuda

python: ## wheel and sdist of the Python package in build/release/dist, offline
	@tools/setup build python
	@cmake --preset release -DBR_PYTHON=ON && cmake --build --preset release --parallel --target python

octave: ## MEX function build/release/octave/bristle.mex
	@tools/setup build octave
	@cmake --preset release -DBR_OCTAVE=ON && cmake --build --preset release --parallel --target octave
	@echo "build/release/octave/bristle.mex: addpath that folder"

lab: ## the browser lab in web/dist: open index.html there, or bristle lab
	@tools/setup build lab
	@tools/lab

install: ## install under PREFIX (default /usr/local)
	@$(call BUILD,release)
	@cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove build/
	@cmake -E rm -rf build
