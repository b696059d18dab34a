#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What people type wrong: exit code, text and untouched files, row by row of mistakes.md.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
for part in gnuplot yaml hdf5; do
  "$BRISTLE" --version | grep -qE "^ *$part +yes" || { echo "skip: the table uses $part, which this build lacks"; exit 77; }
done
exec python3 "$BR_SOURCE_DIR/tests/cli/mistakes.py" "$BRISTLE" "$BR_SOURCE_DIR/tests/cli/mistakes.md" "$@"
