#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the options of a fit say: parts and times, columns, units of what turns, several files, designs; what is refused, and how.
set -eu
rm -rf options && mkdir options && cd options
fail() { echo "$*"; exit 1; }
"$BRISTLE" fit sample:dahl,1 --model dahl --csv run1.csv --quiet
"$BRISTLE" fit sample:dahl,2 --model dahl --csv run2.csv --quiet
fit() { "$BRISTLE" fit "$@" --model dahl; }
refuse() { # words-in-message arguments...
  local words=$1 code=0
  shift
  fit "$@" >out 2>&1 || code=$?
  [ "$code" = 2 ] && grep -q -- "$words" out || fail "$*: exit $code, $(cat out)"
}
number() { tr -d ' \n' <"$1" | grep -o "\"$2\":{\"value\":[^,]*,\"low\":[^,]*,\"high\":[^,]*" | sed 's/"[a-z]*"://g;s/.*{//;s/,/ /g'; }
# parts: the nearest sample, the last one not counted; times: from the first sample at or behind
fit run1.csv --train 0.25:0.75 --json >a.json
grep -q 'samples 500 to 1499, test: samples 1500 to 1999 of 2000' a.json || fail "parts: $(grep train: a.json)"
fit run1.csv --train 0.5s:2s --test 2s:3s --json >b.json
grep -q 'samples 250 to 999, test: samples 1000 to 1499 of 2000' b.json || fail "times: $(grep train: b.json)"
refuse 'is no time' run1.csv --train 1m:2m
refuse 'no samples between' run1.csv --train 0.5:0.5
refuse 'no samples between' run1.csv --test 0.7:0.6
refuse 'out of range' run1.csv --train 0:1.5
refuse 'must be A:B' run1.csv --train 0.5
refuse 'no number' run1.csv --train 0:x
# the interval holds the value
number a.json Fc | awk '{ exit !($2 < $1 && $1 < $3) }' || fail "interval: $(number a.json Fc)"
# a velocity alone: the position is its integral, and the same numbers come out
sed '1s/v \[m\/s\]/speed [m\/s]/' run1.csv | cut -d, -f1,3,4 >speed.csv
fit speed.csv --velocity speed --json >v.json
fit run1.csv --position u --force F --json >u.json
awk -v a="$(number v.json Fc | cut -d' ' -f1)" -v b="$(number u.json Fc | cut -d' ' -f1)" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }' ||
  fail "velocity alone: $(number v.json Fc), $(number u.json Fc)"
# what turns has angles and torques, in one file, in several, in one fit of several
for k in 1 2; do sed '1s/u \[m\]/u [rad]/;1s/v \[m/v [rad/;1s/F \[N\]/F [N m]/' run$k.csv >turn$k.csv; done
turn=(--position u --force F)
fit turn1.csv "${turn[@]}" --json >t.json
grep -q '"unit": "N m/rad"' t.json && grep -q '"unit": "N m"' t.json || fail "units: $(grep unit t.json)"
fit turn1.csv "${turn[@]}" | grep -q 'train part [0-9.e-]* N m, on the test part [0-9.e-]* N m' || fail "one file: units"
fit turn1.csv turn2.csv "${turn[@]}" --per-file Fc | grep -q 'train part [0-9.e-]* N m, on the test part [0-9.e-]* N m' || fail "one fit of two files: units"
# what each file has for itself, without what they share
fit run1.csv run2.csv --position u --force F --per-file Fc --json >own.json
grep '"own"' own.json | grep -q 'Fc=' || fail "own: $(grep '"own"' own.json)"
! grep '"own"' own.json | grep -q sigma0 || fail "own: $(grep '"own"' own.json)"
# mechanisms: inputs and states by name
moved=(run1.csv --system mass_spring --position u)
refuse "given twice" "${moved[@]}" --drive Fe=F,Fe=F
refuse "has no input 'Fx'" "${moved[@]}" --drive Fx=F
refuse 'expected STATE=COLUMN' "${moved[@]}" --drive Fe=F --measured F
refuse 'expected STATE=COLUMN' "${moved[@]}" --drive Fe=F --measured x=
# a bias of the input is found, unless nothing is to stand beside the model
for extras in '' '--extras offset' '--extras none'; do
  "$BRISTLE" fit sample:coulomb --system driven_block --model coulomb --fix vs=1e-3,Fs=18,sigma2=40,m=5 $extras --json >m.json
  if [ "$extras" = '--extras none' ]; then ! grep -q '"bias": {' m.json || fail "a bias beside $extras"
  else grep -q '"bias": {' m.json || fail "no bias ($extras)"; fi
done
# a design leaves alone what is known
design() { "$BRISTLE" fit --design --model lugre --start sigma0=4e5,sigma1=60,sigma2=40,Fc=12,Fs=18,vs=2e-3 --stroke 2mm --speed 20mm/s --t-end 1s --json "$@"; }
design --fix sigma1=60,vs=2e-3 >d.json
grep -q '"sigma2": {' d.json || fail "design: $(cat d.json)"
! grep -qE '"(sigma1|vs)": \{' d.json || fail "design: what is fixed is promised"
