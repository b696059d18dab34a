#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The real-time stepper compiled freestanding has no undefined symbol: no libc, no libm, no memcpy slipped in.
set -euo pipefail
cd "${BR_SOURCE_DIR:-$(dirname "$0")/../..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0
for cc in "${CC:-cc}" gcc clang; do
  command -v "$cc" >/dev/null || continue
  for opt in -O0 -O1 -O2 -O3 -Os; do
    "$cc" -std=c11 "$opt" -ffreestanding -ffp-contract=off -Iinclude -c core/rt.c -o "$work/rt.o"
    undefined=$(nm -u "$work/rt.o")
    if [ -n "$undefined" ]; then
      echo "$cc $opt: core/rt.c needs:" $undefined
      exit 1
    fi
    tried=$((tried + 1))
  done
done
echo "$tried freestanding builds of core/rt.c without an undefined symbol"
[ "$tried" -gt 0 ]
