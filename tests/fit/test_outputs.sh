#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a fit leaves behind: the study runs and shows data against fit, the header compiles and keeps its promise; an output never
# takes the place of the record.
set -eu
"$BRISTLE" --version | grep -qE '^ *yaml +yes' || { echo "skip: this build has no libyaml"; exit 77; }
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf outputs && mkdir outputs && cd outputs
fail() { echo "$*"; exit 1; }
"$BRISTLE" fit sample:lugre --model lugre --csv run.csv --quiet
"$BRISTLE" fit 'run.csv|window:0s:3s' --model lugre --study force.yaml --header joint.h --quiet
printf '#include "joint.h"\nint main(void) { return joint_selftest(); }\n' >main.c
"$CC" -std=c99 -Wall -Wextra -Werror -O1 main.c -o main && ./main || fail "header: the self-test fails"
mkdir sub
(cd sub && "$BRISTLE" fit ../run.csv --model lugre --study ../sub/other.yaml --quiet)
"$BRISTLE" fit run.csv --model lugre --study sub/third.yaml --quiet # in another folder than the record
for study in force.yaml sub/other.yaml sub/third.yaml; do "$BRISTLE" run "$study" --out results --quiet; done
grep -q 'residual' results/report.md || fail "report: no residual"
! command -v gnuplot >/dev/null || { [ -s results/loop.svg ] && [ -s results/force.svg ]; } || fail "report: no pictures"
number() { # answer of a study, name of a number
  python3 - "$@" <<'PY'
import json, sys
print(next(q["value"] for q in json.load(open(sys.argv[1]))["quantities"] if q["name"] == sys.argv[2]))
PY
}
relative=$(number results/trace.json measured.relative)
awk -v r="$relative" 'BEGIN { exit !(0 < r && r < 0.05) }' || fail "the study shows $relative of the spread left; the fit has 0.02"
# an offset of the force, of either sign, is taken off by the study as the fit had it
for offset in 9 -20; do
  "$BRISTLE" fit "run.csv|offset:F=${offset}N" --model lugre --study "o$offset.yaml" --quiet
  "$BRISTLE" run "o$offset.yaml" --out "o$offset" --quiet
  bias=$(number "o$offset/trace.json" measured.bias)
  relative=$(number "o$offset/trace.json" measured.relative)
  awk -v r="$relative" -v b="$bias" 'BEGIN { exit !(0 < r && r < 0.05 && -0.1 < b && b < 0.1) }' ||
    fail "an offset of $offset N: the study shows a bias of $bias N, $relative of the spread left"
done
# a motion; the driven block is shown with its position
"$BRISTLE" fit sample:coulomb --system driven_block --model coulomb --fix vs=1e-3 --csv axis.csv --quiet
"$BRISTLE" fit axis.csv --system driven_block --model coulomb --drive w --position measured --fix vs=1e-3 --study axis.yaml --header axis.h --quiet
"$BRISTLE" run axis.yaml --out axis --quiet
relative=$(number axis/simulate.json measured.relative)
awk -v r="$relative" 'BEGIN { exit !(0 < r && r < 0.01) }' || fail "the study of the motion shows $relative of the spread left"
# names longer than a title: cut, and the others are counted
long=$(printf 'n%.0s' $(seq 150))
for f in "$long" "b$long"; do cp run.csv "$f.csv"; done
"$BRISTLE" fit "$long.csv" "b$long.csv" --model dahl --plot long.tex --quiet
grep -qE '(^|[^n])n{60,83} and others' long.tex || fail "title of long names: $(grep -o 'n\{9,\}.*' long.tex | head -1)"
# a record without time has rows, no seconds; the picture says so, and what was fitted to what
"$BRISTLE" fit run.csv --time - --position u --force F --model dahl --csv path.csv --plot path.tex --quiet
head -1 path.csv | grep -q '^row,u \[m\],v \[m\],F \[N\],fitted \[N\],residual \[N\]$' || fail "path: $(head -1 path.csv)"
grep -q 'row of the record' path.tex && ! grep -q 'time' path.tex || fail "path: another axis than rows"
grep -q 'Fit of a friction model: dahl, run.csv' path.tex || fail "path: the title does not say what it shows"
# refused, and nothing is written
refuse() { # words-in-message command...
  local words=$1 code=0
  shift
  "$BRISTLE" "$@" >out 2>&1 || code=$?
  [ "$code" = 2 ] && grep -q -- "$words" out || fail "$*: exit $code, $(cat out)"
}
sum=$(cksum <run.csv)
refuse 'run.csv' fit run.csv --model dahl --header run.csv
refuse 'sample' fit sample:dahl --model dahl --study s.yaml
refuse 'one file' fit run.csv run.csv --model dahl --header x.h
refuse 'study' fit run.csv --time - --position u --force F --model dahl --study x.yaml
printf 'fit: {file: run.csv, model: dahl, header: x.h}\n' >in.yaml
refuse 'header' run in.yaml --out no
[ "$sum" = "$(cksum <run.csv)" ] || fail "the record has changed"
[ ! -e s.yaml ] && [ ! -e x.h ] && [ ! -e x.yaml ] || fail "a refused call has written"
