#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [FOLDER]: on the machine with the GPU: run what build.sh made; final states go to FOLDER (build/cuda).
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-build/cuda}
for kind in fast same; do
  echo "== $kind"
  build/cuda/lanes_$kind build/cuda/base.bin "$out/$kind.bin" "${MEMBERS:-1048576}"
done
build/cuda/lorenz
