#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The extension under the address and undefined-behaviour sanitizers: the tests of the package, without a finding.
# A test of the build under the sanitizers alone (preset asan): there Python is started with their libraries in front.
set -eu
[ -n "${BR_PYTHON:-}" ] || { echo 'skip: no python3 with Python.h (python3-dev)'; exit 77; }
extension=$BR_BUILD_DIR/python/bristle/_core.abi3.so
runtime=$(ldd "$extension" | awk '$1 ~ /^lib(a|ub)san/ { print $3 }' | paste -sd ' ')
case $runtime in
  *asan*) ;;
  *) echo 'skip: this compiler has no libasan to be loaded first'; exit 77 ;;
esac
rm -rf package
mkdir -p package/bristle
cp "$BR_SOURCE_DIR"/targets/python/bristle/*.py "$extension" package/bristle
export PYTHONPATH=$PWD/package PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc MPLBACKEND=Agg
# Leaks are read from the report, where a frame says its module; a finding of another kind ends the run at once.
export ASAN_OPTIONS='detect_leaks=1:allocator_may_return_null=1:stack_trace_format="    #%n %f %S %m"' LSAN_OPTIONS=exitcode=0 UBSAN_OPTIONS=print_stacktrace=1
checked() { LD_PRELOAD=$runtime "$BR_PYTHON" "$@" 2>>report.txt || { rc=$?; [ $rc -eq 77 ] || tail -60 report.txt; exit $rc; }; }
: >report.txt
checked "$BR_SOURCE_DIR/targets/python/stubs.py" package
checked "$BR_SOURCE_DIR/tests/python/api.py"
if grep -E 'ERROR: AddressSanitizer|runtime error' report.txt; then tail -60 report.txt; exit 1; fi
"$BR_PYTHON" "$BR_SOURCE_DIR/tests/python/leaks.py" report.txt
grep -E '^(Ran|OK)' report.txt
