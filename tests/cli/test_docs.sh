#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command line of README.md, docs/ and the help texts runs, and prints what the page shows: see docs.py.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
for part in gnuplot yaml hdf5; do
  "$BRISTLE" --version | grep -qE "^ *$part +yes" || { echo "skip: the pages use $part, which this build lacks"; exit 77; }
done
rm -rf docs_files && mkdir docs_files && cd docs_files || exit 1
exec python3 "$BR_SOURCE_DIR/tests/cli/docs.py" "$BRISTLE" "$BR_SOURCE_DIR" "$@"
