#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The lab in a real browser: tests/lab/browser.mjs over web/dist, served by bristle lab.  Chromium, axe-core and the module
# are large, so with CI=1 only.  Screenshots of every view stay in build/release/lab-shots (the build that is tested).
#   BRISTLE=build/release/bristle bash tests/lab/test_browser.sh --update   the pictures of docs/lab.md are what this run draws
set -u
update=${1:-}
[ -n "${CI:-}$update" ] || { echo 'skip: Chromium and the WebAssembly module come with CI=1 only'; exit 77; }
: "${BR_SOURCE_DIR:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BR_BUILD_DIR:=$BR_SOURCE_DIR/build/release}"
[ -n "${BR_WASM_CC:-$update}" ] || { echo 'skip: no clang with wasi-libc'; exit 77; }
for tool in chromium npm node; do command -v $tool >/dev/null || { echo "skip: no $tool"; exit 77; }; done
BRISTLE=$(realpath "$BRISTLE") || exit 1
cd "$BR_SOURCE_DIR" || exit 1
[ -e web/node_modules/playwright-core ] || npm --prefix web ci --no-audit --no-fund >/dev/null 2>&1 || { echo 'skip: npm cannot fetch playwright-core and axe-core'; exit 77; }
tools/lab || exit 1
cd - >/dev/null || exit 1
address=$(mktemp)
"$BRISTLE" lab --folder "$BR_SOURCE_DIR/web/dist" >"$address" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null; rm -f "$address"' EXIT
for _ in $(seq 100); do grep -q http "$address" && break; sleep 0.1; done
node "$BR_SOURCE_DIR/tests/lab/browser.mjs" "$(grep -o 'http://[0-9.:]*/' "$address")" "$BRISTLE" "$BR_BUILD_DIR/lab-shots" $update
