#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# core/ and all kernels compile without a C library and ask the linker for nothing: no malloc, no libm, no memcpy.
# core/*.c and freestanding.c (every kernel, f64 and f32) are joined with ld -r; nm -u of the result must be empty.
# For Cortex-M4 the f32 kernels are checked (f64 there needs the compiler's own __aeabi_d* helpers).
set -u
root=${BR_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c11 -ffreestanding -fno-builtin -ffp-contract=off -fno-trapping-math -fno-math-errno -I$root -I$root/include
  -I${BR_BUILD_DIR:-$root}/generated/include"
runs=0 fails=0

check() { # label, prefix of ld and nm, only allowed undefined symbols (regex or ""), compiler and flags...
  local label=$1 tools=$2 allowed=$3 f undefined
  shift 3
  rm -f "$work"/*.o
  for f in "$root"/core/*.c "$root/tests/core/freestanding.c"; do
    # shellcheck disable=SC2086
    "$@" $flags -c "$f" -o "$work/$(basename "$f" .c).o" 2>"$work/log" ||
      { echo "FAIL $label: $f does not compile"; head -5 "$work/log"; fails=$((fails + 1)); return; }
  done
  "${tools}ld" -r "$work"/*.o -o "$work/all.o" || { echo "FAIL $label: ld -r"; fails=$((fails + 1)); return; }
  undefined=$("${tools}nm" -u "$work/all.o" | awk '{print $NF}' | { [ -n "$allowed" ] && grep -Ev "$allowed" || cat; })
  runs=$((runs + 1))
  if [ -n "$undefined" ]; then
    echo "FAIL $label: undefined symbols:" $undefined
    fails=$((fails + 1))
  else echo "ok   $label"; fi
}

for cc in gcc clang; do
  if command -v $cc >/dev/null; then for level in -O0 -O2 -O3 -Os; do check "$cc $level" "" "" $cc $level; done
  else echo "skip: $cc is not here"; fi
done
if command -v arm-none-eabi-gcc >/dev/null; then
  check "Cortex-M4 f32" arm-none-eabi- "" arm-none-eabi-gcc -O2 -mcpu=cortex-m4 -mthumb -mfloat-abi=hard \
    -mfpu=fpv4-sp-d16 -DFS_ONLY_F32 -Wdouble-promotion -Werror
else echo "skip: arm-none-eabi-gcc is not here"; fi
[ $runs -gt 0 ] || { echo "skip: no compiler found"; exit 77; }
[ $fails = 0 ]
