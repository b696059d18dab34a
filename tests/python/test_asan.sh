#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The extension under the address and undefined-behaviour sanitizers: the tests of the package, without a finding.
# It takes a build of its own, so it runs with CI=1 alone.
set -eu
[ -n "${CI:-}" ] || { echo 'skip: a build under the sanitizers, with CI=1 only'; exit 77; }
. "$BR_SOURCE_DIR/tests/python/have.sh"
runtime=$("$CC" -print-file-name=libasan.so)
[ -e "$runtime" ] || { echo 'skip: the compiler has no libasan'; exit 77; }
"$CMAKE" -S "$BR_SOURCE_DIR" -B asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g1' -DCMAKE_C_COMPILER="$CC" \
  -DBR_SANITIZE=address,undefined -DBR_VARIANTS=base -DBR_TESTS=OFF -DBR_BENCH=OFF >configure.log
"$CMAKE" --build asan --target bri_python --parallel "$(nproc)" >build.log 2>&1 || { tail -20 build.log; exit 1; }
mkdir -p package/bristle
cp "$BR_BUILD_DIR"/python/bristle/*.py* "$BR_BUILD_DIR/python/bristle/py.typed" package/bristle
cp asan/python/bristle/_core.abi3.so package/bristle
# The interpreter and NumPy keep what they allocate: leaks are looked for in the frames of the extension alone.
printf 'leak:libpython\nleak:_PyObject\nleak:PyObject\nleak:PyMem\nleak:python3\nleak:numpy\nleak:_multiarray\nleak:dlopen\nleak:_dl_\n' >leaks.txt
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$PWD/leaks.txt:print_suppressions=0 \
  UBSAN_OPTIONS=print_stacktrace=1 LD_PRELOAD="$runtime $("$CC" -print-file-name=libubsan.so)" PYTHONPATH=$PWD/package PYTHONMALLOC=malloc
"$BR_PYTHON" "$BR_SOURCE_DIR/tests/python/api.py" 2>report.txt || { tail -40 report.txt; exit 1; }
if grep -E 'ERROR: (Address|Leak)Sanitizer|runtime error' report.txt; then tail -60 report.txt; exit 1; fi
tail -3 report.txt
