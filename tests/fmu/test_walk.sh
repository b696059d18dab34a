#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A stranger's importer walks through an FMU of every model, every mechanism and every text: walk.py.  WALK_WITH: what Python is
# started with; WALK_ONLY: names of FMUs.
set -euo pipefail
"$BRISTLE" export fmu --model lugre --output probe.fmu >probe.txt 2>&1 || {
  grep -q 'no libzip' probe.txt || { cat probe.txt; exit 1; }
  echo "skip: this build has no libzip"
  exit 77
}
python=$(command -v /usr/bin/python3 || command -v python3) || { echo "skip: python3 is not installed"; exit 77; }
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skip: walk.py loads binaries for linux64 alone"; exit 77; }
names() { "$BRISTLE" "$1" --json | "$python" -c 'import json, sys; print(*[r["name"] for r in json.load(sys.stdin)[sys.argv[1]]])' "$1"; }
rm -rf fmus && mkdir fmus
wanted() { [[ -z "${WALK_ONLY:-}" || " $WALK_ONLY " == *" $1 "* ]]; }
export_as() { "$BRISTLE" export fmu --quiet --output "fmus/$1_2.fmu" --fmi 2 "${@:2}" && "$BRISTLE" export fmu --quiet --output "fmus/$1_3.fmu" "${@:2}"; }
for m in $(names models); do ! wanted "$m" || export_as "$m" --model "$m"; done
for s in $(names systems); do
  ! wanted "$s" || export_as "on_$s" --system "$s" --model "$([ "$s" = two_axis ] && echo bouc_wen_biaxial || echo coulomb)"
done
for f in "$BR_SOURCE_DIR"/mechanisms/*.yaml; do
  m=$(basename "$f" .yaml)
  ! wanted "$m" || export_as "text_$m" --system "$f" $([ "$m" != pulled_block ] || echo --model lugre)
done
env ${WALK_WITH:+LD_PRELOAD="$WALK_WITH"} "$python" "$BR_SOURCE_DIR/tests/fmu/walk.py" fmus/*.fmu
