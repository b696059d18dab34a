#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# core/ and all kernels compile without a C library and ask the linker for nothing: no malloc, no libm, no memcpy.
# core/*.c, src/control/kernel.c, models/rt.c and freestanding.c (every kernel, f64 and f32) are joined with ld -r; nm -u of the result must be empty.
# On ARM the compiler's own arithmetic helpers (libgcc) are allowed: Cortex-M4 has no f64, Cortex-M0 no f32 either.
# There a whole firmware is linked, too, with nothing but libgcc; on the M4 its f32 code must call no helper at all.
set -u
root=${BR_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c11 -ffreestanding -fno-builtin -ffp-contract=off -fno-trapping-math -fno-math-errno -fno-stack-protector
  -ffunction-sections -fdata-sections -Wall -Wextra -Werror -I$root -I$root/include
  -I${BR_BUILD_DIR:-$root}/generated/include"
# Arithmetic of libgcc, none of the C library's (__aeabi_memcpy and the like).
helpers='^__aeabi_(d|f|i2|ui2|l2|ul2|l|ul|i|ui)(add|sub|rsub|mul|div|divmod|cmp[a-z]+|2[a-z]+|d|f|lsl|lsr|asr|neg|iz|uiz)$'
runs=0 fails=0

fail() { echo "FAIL $1" && fails=$((fails + 1)); }

check() { # label, prefix of ld and nm, only allowed undefined symbols (regex or ""), compiler and flags...
  local label=$1 tools=$2 allowed=$3 f undefined
  shift 3
  rm -f "$work"/*.o
  for f in "$root"/core/*.c "$root/src/control/kernel.c" "$root/models/rt.c" $kernels; do
    # shellcheck disable=SC2086
    "$@" $flags -c "$f" -o "$work/$(basename "$f" .c).o" 2>"$work/log" \
      || { fail "$label: $f does not compile"; head -5 "$work/log"; return 1; }
  done
  "${tools}ld" -r "$work"/*.o -o "$work/all.o" || { fail "$label: ld -r"; return 1; }
  undefined=$("${tools}nm" -u "$work/all.o" | awk '{print $NF}' | { [ -n "$allowed" ] && grep -Ev "$allowed" || cat; })
  runs=$((runs + 1))
  if [ -n "$undefined" ]; then fail "$label: undefined symbols: $(echo $undefined)"; else echo "ok   $label"; fi
}

firmware() { # label, helpers the image may hold (regex), compiler and flags...; uses the objects of the last check
  local label=$1 allowed=$2 found
  shift 2
  # shellcheck disable=SC2086
  "$@" $flags "$root/tests/core/firmware.c" "$work/rt.o" "$work/status.o" -nostdlib -Wl,--gc-sections,-e,start \
    -lgcc -o "$work/image" 2>"$work/log" || { fail "$label: does not link"; head -5 "$work/log"; return; }
  runs=$((runs + 1))
  found=$(arm-none-eabi-nm "$work/image" | awk '{print $NF}' | grep -E '^__aeabi_|_f64$' | grep -Ev "$allowed")
  if [ -n "$found" ]; then fail "$label: brings in $(echo $found)"; else
    echo "ok   $label: $(arm-none-eabi-size "$work/image" | awk 'NR==2{print $1 " bytes of code, " $3 " of memory"}')"
  fi
}

# rt.c has every kernel in both precisions; as plain functions they are compiled by one compiler at one level more
for cc in gcc clang; do
  levels='-O0 -O3' kernels=
  [ $cc = clang ] || levels+=' -Os' kernels=$root/tests/core/freestanding.c
  if command -v $cc >/dev/null; then for level in $levels; do check "$cc $level" "" "" $cc $level && kernels=; done
  else echo "skip: $cc is not here"; fi
done
if command -v arm-none-eabi-gcc >/dev/null; then
  arm="arm-none-eabi-gcc -Os -mthumb"
  m4="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16" m0="-mcpu=cortex-m0 -mfloat-abi=soft"
  kernels=
  # shellcheck disable=SC2086
  check "Cortex-M4" arm-none-eabi- "$helpers" $arm $m4 && firmware "Cortex-M4 firmware" '^$' $arm $m4
  # shellcheck disable=SC2086
  check "Cortex-M0" arm-none-eabi- "$helpers" $arm $m0 \
    && firmware "Cortex-M0 firmware" '^__aeabi_(f|cf|i2f|ui2f|idiv0|ldiv0)' $arm $m0
else echo "skip: Cortex-M: arm-none-eabi-gcc is not here (Debian: gcc-arm-none-eabi)"; fi
[ $runs -gt 0 ] || { echo "skip: no compiler found"; exit 77; }
[ $fails = 0 ]
