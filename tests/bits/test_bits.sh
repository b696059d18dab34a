#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same bits everywhere: build hash.c with every compiler, level and instruction set at hand, as C++ and as
# WebAssembly and, where there is one, on a GPU, and compare each run with golden.txt.  What cannot be built or run
# here is named in a "skip:" line.  -O1 is covered by the C++ builds, -O0 of WebAssembly by clang's own.
#   test_bits.sh            compare
#   test_bits.sh --update   write golden.txt anew (needs a line under Numerics in CHANGELOG.md)
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel="-ffp-contract=off -fno-trapping-math -fno-math-errno -w"
golden="$here/golden.txt"
fails=0 runs=0

has_cpu() { # all named features are in this processor
  local f
  for f in "$@"; do grep -qw "$f" /proc/cpuinfo 2>/dev/null || return 1; done
}

find_tool() { # first of the candidates that exists
  local t
  for t in "$@"; do [ -n "$t" ] && command -v "$t" >/dev/null 2>&1 && { echo "$t"; return 0; }; done
  return 1
}

job() { # label, runner ("" = directly), compiler and flags: build and run in a folder of its own
  local label=$1 runner=$2 dir
  shift 2
  dir="$work/$(echo "$label" | tr -c 'a-zA-Z0-9\n' _)"
  mkdir -p "$dir"
  echo "$label" >"$dir/label"
  # shellcheck disable=SC2086
  if ! "$@" $kernel "$here/hash.c" -o "$dir/hash" >"$dir/log" 2>&1; then echo "does not build" >"$dir/result"
  elif ! $runner "$dir/hash" >"$dir/out" 2>>"$dir/log"; then echo "does not run" >"$dir/result"
  elif [ "${update:-0}" = 1 ] || cmp -s "$golden" "$dir/out"; then echo ok >"$dir/result"
  else echo "differs" >"$dir/result"
  fi
}

if [ "${1:-}" = --update ]; then
  update=1
  job first "" "${CC:-cc}" -std=c11 -O2
  cat "$work/first/result" "$work/first/log"
  [ -s "$work/first/out" ] && cp "$work/first/out" "$golden" && echo "wrote $golden"
  exit $?
fi

gcc=$(find_tool gcc) || echo "skip: gcc is not here"
clang=$(find_tool "${BR_CLANG:-}" clang clang-14) || echo "skip: clang is not here"
# In front the slowest builds, two at a time.
queue() { job "$@" & [ $((++started % 2)) = 0 ] && wait; }
started=0
all=${CI:+1}
[ -n "$all" ] || echo "skip: AVX2, plain -O3, C++ and the undefined-behaviour sanitizer with CI=1 only"
for cc in ${gcc:-} ${clang:-}; do
  name=$(basename "$cc")
  if has_cpu avx512f avx512dq avx512vl avx512bw; then
    queue "$name -O3 AVX-512" "" "$cc" -std=c11 -O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw
  else echo "skip: $name -O3 AVX-512: this processor lacks it"; fi
  if [ -z "$all" ]; then queue "$name -O0" "" "$cc" -std=c11 -O0; continue; fi
  if has_cpu avx2 fma; then queue "$name -O3 AVX2+FMA" "" "$cc" -std=c11 -O3 -mavx2 -mfma
  else echo "skip: $name -O3 AVX2: this processor lacks it"; fi
  for level in -O3 -O0; do queue "$name $level" "" "$cc" -std=c11 $level; done
done
for cxx in ${all:+g++ clang++}; do
  if command -v $cxx >/dev/null; then queue "$cxx -O1 C++17" "" $cxx -std=c++17 -O1 -x c++
  else echo "skip: $cxx is not here"; fi
done
if [ -n "$all" ] && [ -n "${gcc:-}" ] && [ "$(uname -m)" = x86_64 ]; then queue "gcc -O1 UBSan" "" "$gcc" -std=c11 -O1 \
  -fsanitize=undefined -fno-sanitize-recover=all; fi

node=$(find_tool "${BR_NODE:-}" node nodejs)
wasm_clang=$(find_tool ${BR_WASM_CC:-} "${clang:-}")
if [ -z "${node:-}" ]; then echo "skip: WebAssembly: node is not here"
elif [ -z "${wasm_clang:-}" ]; then echo "skip: WebAssembly: clang is not here"
elif ! echo 'int main(void){return 0;}' |
  "$wasm_clang" --target=wasm32-wasi --sysroot=/usr -x c - -o "$work/probe" >/dev/null 2>&1; then
  echo "skip: WebAssembly: no wasi-libc, libclang-rt-dev-wasm32 or lld for $wasm_clang"
else
  queue "WebAssembly -O3" "$node --no-warnings $here/wasi.mjs" "$wasm_clang" --target=wasm32-wasi --sysroot=/usr \
    -std=c11 -O3
  queue "WebAssembly -O3 SIMD" "$node --no-warnings $here/wasi.mjs" "$wasm_clang" --target=wasm32-wasi --sysroot=/usr \
    -std=c11 -O3 -msimd128
fi
if ! command -v nvcc >/dev/null || ! nvidia-smi -L >/dev/null 2>&1; then echo "skip: GPU: no nvcc, or no device"
else
  kernel="-Xcompiler -ffp-contract=off" job "GPU, fmad off" "" nvcc -x cu -std=c++17 -arch=native -O3 -fmad=false -w
fi
wait

for dir in "$work"/*/; do
  label=$(cat "$dir/label") result=$(cat "$dir/result")
  runs=$((runs + 1))
  printf '%-28s %s\n' "$label" "$result"
  [ "$result" = ok ] && continue
  fails=$((fails + 1))
  head -5 "$dir/log"
  [ -f "$dir/out" ] && diff "$golden" "$dir/out" | head -20
done
[ $runs -gt 0 ] || { echo "skip: no compiler found"; exit 77; }
echo "$runs builds, $fails with other bits than golden.txt"
[ $fails = 0 ]
