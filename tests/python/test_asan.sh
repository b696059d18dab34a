#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The extension under the address and undefined-behaviour sanitizers: the tests of the package, without a finding.
# Runs in the build under the sanitizers (preset asan), with CI=1.
set -eu
[ -n "${CI:-}" ] || { echo 'skip: under the sanitizers, with CI=1 only'; exit 77; }
[ -n "${BR_PYTHON:-}" ] || { echo 'skip: no python3 with Python.h (python3-dev)'; exit 77; }
grep -q '^BR_SANITIZE:[A-Z]*=.*address' "$BR_BUILD_DIR/CMakeCache.txt" || { echo 'skip: runs in the build under the sanitizers'; exit 77; }
runtime=$("$CC" -print-file-name=libasan.so)
[ -e "$runtime" ] || { echo 'skip: the compiler has no libasan'; exit 77; }
"$CMAKE" --build "$BR_BUILD_DIR" --target bri_python --parallel 2 >build.log 2>&1 || { tail -20 build.log; exit 1; }
mkdir -p package/bristle
cp "$BR_SOURCE_DIR"/targets/python/bristle/*.py "$BR_BUILD_DIR/python/bristle/_core.abi3.so" package/bristle
# The interpreter and NumPy keep what they allocate: leaks are looked for in the frames of the extension alone.
printf 'leak:libpython\nleak:_PyObject\nleak:PyObject\nleak:PyMem\nleak:python3\nleak:numpy\nleak:_multiarray\nleak:dlopen\nleak:_dl_\n' >leaks.txt
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$PWD/leaks.txt:print_suppressions=0 \
  UBSAN_OPTIONS=print_stacktrace=1 LD_PRELOAD="$runtime $("$CC" -print-file-name=libubsan.so)" PYTHONPATH=$PWD/package PYTHONMALLOC=malloc
"$BR_PYTHON" "$BR_SOURCE_DIR/tests/python/api.py" 2>report.txt || { tail -40 report.txt; exit 1; }
if grep -E 'ERROR: (Address|Leak)Sanitizer|runtime error' report.txt; then tail -60 report.txt; exit 1; fi
tail -3 report.txt
