#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The lab in a real browser: tests/lab/browser.mjs over web/dist, served by bristle lab.  Chromium, axe-core and the module
# are large, so with CI=1 only.  BR_LAB_SHOTS=FOLDER keeps screenshots there.
set -u
[ -n "${CI:-}" ] || { echo 'skip: Chromium and the WebAssembly module come with CI=1 only'; exit 77; }
[ -n "${BR_WASM_CC:-}" ] || { echo 'skip: no clang with wasi-libc'; exit 77; }
for tool in chromium npm node; do command -v $tool >/dev/null || { echo "skip: no $tool"; exit 77; }; done
cd "$BR_SOURCE_DIR" || exit 1
[ -e web/node_modules/playwright-core ] || npm --prefix web ci --no-audit --no-fund >/dev/null 2>&1 || { echo 'skip: npm cannot fetch playwright-core and axe-core'; exit 77; }
tools/lab || exit 1
cd - >/dev/null || exit 1
"$BRISTLE" lab --folder "$BR_SOURCE_DIR/web/dist" >address.txt 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null' EXIT
for _ in $(seq 100); do grep -q http address.txt && break; sleep 0.1; done
node "$BR_SOURCE_DIR/tests/lab/browser.mjs" "$(grep -o 'http://[0-9.:]*/' address.txt)" "$BRISTLE" "${BR_LAB_SHOTS:-}"
