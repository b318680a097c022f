# The commands a person types. Each does what is missing first; nothing else has to be known.
# Memory rather than cores limits a parallel C++ build: one job per 2 GiB, no more than the cores.
SHELL := /bin/bash
JOBS ?= $(shell awk -v cores=$$(nproc) '/MemAvailable/ { n = int($$2 / 2097152); if (n > cores) n = cores; if (n < 1) n = 1; print n }' /proc/meminfo)
TYPE ?= release
BUILD := build/$(TYPE)
# One build of a folder at a time: two at once spoil each other's files.
NINJA = flock $(BUILD)/lock ninja -C $(BUILD) -j $(JOBS)
CMAKE_TYPE := $(if $(filter debug,$(TYPE)),Debug,Release)
TESTS ?= tests
PYTEST_FLAGS ?= -n 2 --dist worksteal

.PHONY: help build run test unit system check check-fast bench fresh clean

help:
	@echo 'make build   install what is missing, build build/release/stoker'
	@echo 'make run     build, then run a small real pipeline twice, as jobs and as a workflow (GPUS=4xA10G pretends GPUs)'
	@echo 'make test    build everything, unit tests, then tests through real clients (boto3, aws CLI, containers)'
	@echo 'make check   everything we run on ourselves: format, layers, sanitizers, seeds, crashes, fuzz, clang-tidy'
	@echo 'make bench   measure, beside peers; results as a table'
	@echo 'make fresh   prove make run and make test in a minimal Debian root made for it'
	@echo 'make clean   remove build/ and .venv/'
	@echo 'settings: JOBS=$(JOBS) TYPE=$(TYPE) (or debug), TESTS=tests/test_arrays.py, PYTEST_FLAGS=-x'

$(BUILD)/build.ninja:
	@tools/install-packages build
	@mkdir -p $(BUILD)
	@cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=$(CMAKE_TYPE) -Wno-dev >$(BUILD)/configure.log 2>&1 \
	  || { cat $(BUILD)/configure.log; exit 1; }

build: $(BUILD)/build.ninja
	@$(NINJA) stoker
	@echo 'built $(BUILD)/stoker'

run: build
	@tools/venv
	@.venv/bin/python examples/digits/run.py --stoker $(BUILD)/stoker $(if $(GPUS),--gpus $(GPUS))
	@.venv/bin/python examples/digits/workflow.py --stoker $(BUILD)/stoker $(if $(GPUS),--gpus $(GPUS))

unit: $(BUILD)/build.ninja
	@$(NINJA)
	@ctest --test-dir $(BUILD) --output-on-failure --timeout 300 -j $(JOBS)

# Containers are the one part that a machine may refuse; those tests then say skipped and why.
system: build
	@tools/install-packages test || echo 'going on without: tests that need them will say so'
	@tools/venv
	@STOKER=$(CURDIR)/$(BUILD)/stoker .venv/bin/python -m pytest $(TESTS) $(PYTEST_FLAGS)

test:
	@$(MAKE) --no-print-directory unit
	@$(MAKE) --no-print-directory system

check:
	@tools/check

check-fast:
	@tools/check --fast

bench: build
	@tools/install-packages build bench
	@tools/venv
	@bench/run

fresh:
	@tools/install-packages fresh
	@tools/fresh

clean:
	rm -rf build .venv .pytest_cache
