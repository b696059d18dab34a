#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every golden answer (tests/bits/answers.txt) computed by the WebAssembly module: the same bits.  The module takes minutes to build, so with CI=1 only.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ -n "${BR_WASM_CC:-}" ] || { echo 'skip: no clang with wasi-libc'; exit 77; }
[ -n "${BR_NODE:-}" ] || { echo 'skip: no node'; exit 77; }
[ -n "${CI:-}" ] || { echo 'skip: the WebAssembly module is built with CI=1 only'; exit 77; }
"$BR_SOURCE_DIR/tools/lab" wasm || exit 1
module=$BR_SOURCE_DIR/build/wasm/bristle.wasm
size=$(wc -c <"$module")
[ "$size" -lt 1300000 ] || { echo "bristle.wasm has $size bytes"; exit 1; }
exec "$BR_NODE" --no-warnings "$here/answers.mjs" "$module" "$here/../bits/answers.txt" "$BRISTLE"
