#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The usual pictures of studies that name none: a measured state draws its own panels; runs that do not fit on the same axes get
# a picture each, those that do share one.
set -uo pipefail
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
rm -rf work && mkdir work && cd work || exit 1
command -v gnuplot >/dev/null && pictures=1 || pictures=0
expect 0 '' simulate --system mass_spring --model dahl --set m=1,ks=10 --input sine:2N,1Hz --t-end 1 --output-dt 0.02 --csv rec.csv --quiet
cat >state.yaml <<'Y'
system: mass_spring
model: dahl
set: {m: 1, ks: 10}
input: sine:2N,1Hz
simulate: {t-end: 1 s, measured: "x:csv:rec.csv:t,x"}
Y
expect 0 '' run state.yaml --term --out out_state
grep -q 'x, m against time t, s' out || fail "no panel of the measured state: $(grep against out)"
grep -q 'model - measured, m against time t, s' out || fail 'no panel of its residual'
expect 0 '' run state.yaml --term --set simulate.measured='csv:rec.csv:t,F' --out out_force
grep -q 'model - measured, N against time t, s' out || fail 'no residual of a measured force'
cat >two.yaml <<'Y'
title: of both
system: pulled_block
model: lugre
set: {m: 1, vp: 1}
sweep: {t-end: 0.1 s, measure: v_max}
runs:
  line: {set: {k: 2}, sweep: {grid: "Fs=1.6:2:3"}}
  map: {sweep: {grid: "Fs=1.6:2:3,k=1:3:3"}, label: a map}
Y
expect 0 '' run two.yaml --term --out out_two
grep -q 'v_max, .*m/s against Fs, N' out || fail "no curve: $(cat out)"
grep -q 'k, N/m against Fs, N' out || fail 'no map'
grep -qx ' *of both: a map *' out || fail "the picture of a run has its label: $(cat out)"
if [ $pictures = 1 ]; then
  [ "$(cd out_two && echo sweep*.svg)" = 'sweep-line.svg sweep-map.svg' ] || fail "pictures: $(ls out_two)"
  grep -q sweep-map.svg out_two/manifest.json || fail 'the manifest lacks a picture'
  grep -q sweep-map.svg out_two/report.md || fail 'the report lacks a picture'
fi
sed -i 's/k=1:3:3"}, label: a map/k=1:3:3"}, set: {k: 2}/; s/,k=1:3:3/:log/' two.yaml
expect 0 '' run two.yaml --term --out out_one
[ "$(grep -c against out)" -eq 1 ] || fail "two curves on the same axes share a picture: $(cat out)"
[ "$failures" -eq 0 ]
