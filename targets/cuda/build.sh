#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh: the GPU's measuring programs (bench/lorenz.cu too), fast and with the CPU's bits, and the base lane it starts from, into build/cuda.
# Needs nvcc and libbristle.a of BUILD (build/release).  Then run.sh on the machine with the GPU, and 'build/cuda/base compare FILE' here.
set -euo pipefail
cd "$(dirname "$0")/../.."
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
build=${BUILD:-build/release}
mkdir -p build/cuda
flags=(-std=c++17 -w -I. -O3 -arch="${ARCH:-sm_90}" -Xptxas -v)
program() { # NAME FLAGS...
  "$nvcc" "${flags[@]}" "${@:2}" targets/cuda/lanes.cu -o "build/cuda/$1" 2>&1 | grep -E 'error|registers|spill' || true
}
program lanes_fast -DLANES_FAST -use_fast_math
program lanes_same -fmad=false
program lanes_f32 -DBR_LANE_F32 -use_fast_math
"$nvcc" "${flags[@]}" bench/lorenz.cu -o build/cuda/lorenz 2>&1 | grep -E 'error|registers' || true
libs=$(sed -n "s/^ *LINK_LIBRARIES = *//p" "$build/build.ninja" 2>/dev/null | grep -m1 sundials || true)
# shellcheck disable=SC2046,SC2086
(cd "$build" && "${CC:-cc}" -std=c11 -O2 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I../.. -I../../include -Igenerated/include ../../targets/cuda/base.c -o ../cuda/base \
  libbristle.a $(tr ' ' '\n' <<<"$libs" | grep -v bristle | tr '\n' ' ') -lm)
build/cuda/base write build/cuda/base.bin "${RTOL:-1e-6}"
build/cuda/base write32 build/cuda/base32.bin 1e-5
