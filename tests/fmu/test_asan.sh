#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A stranger's walk through some FMUs whose binaries are under the sanitizers (preset asan): no finding, whatever is asked.
set -eu
runtime=$(ldd "$BRISTLE" | awk '$1 ~ /^lib(a|ub)san/ { print $3 }' | paste -sd ' ')
case $runtime in
  *asan*) ;;
  *) echo 'skip: this compiler has no libasan to be loaded first'; exit 77 ;;
esac
export PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
WALK_WITH=$runtime WALK_ONLY="semilinear_duhem gms maxwell_slip duhem_lugre bouc_wen_biaxial chain drive_line hard_stop" \
  exec bash "$BR_SOURCE_DIR/tests/fmu/test_walk.sh"
