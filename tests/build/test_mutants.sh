#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every line of tests/mutants fits the tree (the text stands once in its file), and there are enough of them.
# Breaking the code and running the tests takes long: `make mutants`.
set -euo pipefail
command -v python3 >/dev/null || { echo "skip: no python3"; exit 77; }
out=$(python3 "$BR_SOURCE_DIR/tools/mutants" --check) || { echo "$out"; exit 1; }
echo "$out"
count=${out##*of }
[ "${count%% *}" -ge 150 ] || { echo "fewer than 150 mutants"; exit 1; }
for room in "$BR_SOURCE_DIR"/src/*/; do # no room is left out
  room=$(basename "$room")
  [ "$room" = version ] || [ -f "$BR_SOURCE_DIR/tests/mutants/$room.txt" ] || { echo "no mutants for room $room"; exit 1; }
done
