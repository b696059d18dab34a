#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A preset gives the bits of the same values written out, as a command and in a study; completion, schema and catalogue know it.
set -u
fail=0
same() { [ "$1" = "$2" ] || { echo "differ: $3"; fail=1; }; }
D1="sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
same "$("$BRISTLE" trace --preset doc1 --input sine:1mm,1Hz --csv - --dt 0.01 --periods 1 2>&1)" \
     "$("$BRISTLE" trace --model lugre --set $D1 --input sine:1mm,1Hz --csv - --dt 0.01 --periods 1 2>&1)" trace
L="--controller feedback_linearization --poles=-35,-30 --reference step:1 --t-end 0.3 --mismatch Fc=1.1 --json"
same "$("$BRISTLE" control --preset doc1 --set Fs=6 $L)" \
     "$("$BRISTLE" control --system pulled_block --model lugre --set "m=1,k=2,${D1/Fs=5.88/Fs=6}" $L)" "control, overridden"
same "$("$BRISTLE" export c --preset doc1 --name x | grep -v 'bristle export c')" \
     "$("$BRISTLE" export c --model lugre --set $D1 --name x | grep -v 'bristle export c' | grep -v '^ \*   --set')" export
cat > a.yaml <<Y
preset: doc1
trace: {dt: 0.01 s}
input: "sine:1mm,1Hz"
runs: {one: {}, two: {preset: doc0}, three: {set: {Fs: 6}}, four: {model: dahl, set: {Fc: 2}}}
Y
cat > b.yaml <<Y
trace: {dt: 0.01 s}
input: "sine:1mm,1Hz"
runs:
  one: {model: lugre, set: {sigma0: 2900, sigma1: 107, sigma2: 0, Fc: 2.94, Fs: 5.88, vs: 0.1, delta: 1}}
  two: {model: lugre, set: {sigma0: 1, sigma1: 1, sigma2: 0, Fc: 1, Fs: 2, vs: 1, delta: 1}}
  three: {model: lugre, set: {sigma0: 2900, sigma1: 107, sigma2: 0, Fc: 2.94, Fs: 6, vs: 0.1, delta: 1}}
  four: {model: dahl, set: {Fc: 2}}
Y
for s in a b; do "$BRISTLE" run $s.yaml --out out-$s --quiet || fail=1; done
n=0
for f in out-a/*.csv; do n=$((n + 1)); cmp "$f" "out-b/${f#out-a/}" || fail=1; done
[ $n -eq 4 ] || { echo "$n tables, not 4"; fail=1; }
printf 'preset: dok1\ntrace: {dt: 0.01 s}\ninput: "sine:1mm,1Hz"\n' > c.yaml
"$BRISTLE" run --check c.yaml 2> err && { echo "a wrong name passes"; fail=1; }
grep -q "c.yaml:1:9.*unknown preset 'dok1'; did you mean 'doc1'?" err || { cat err; fail=1; }
for s in bash zsh fish; do "$BRISTLE" completion $s | grep -q canudas1995_stickslip || { echo "completion $s"; fail=1; }; done
"$BRISTLE" schema | grep -q '"canudas1995"' || { echo schema; fail=1; }
"$BRISTLE" analyses --json > all.json && "$BRISTLE" presets --json > own.json || fail=1
python3 - <<'P' || fail=1
import json
own, all_ = (json.load(open(f))["presets"] for f in ("own.json", "all.json"))
assert own == all_ and {"doc0", "doc1", "doc2", "doc3", "doc4_fig03", "canudas1995"} <= {p["name"] for p in own}
assert all(p["source"] and p["model_set"] for p in own)
P
[ "$("$BRISTLE" presets doc2 --json | grep -c '"name"')" -eq 1 ] || { echo 'one preset alone'; fail=1; }
"$BRISTLE" presets doc1 | grep -q 'pulled_block: m=1,k=2$' || { echo 'its mechanism is not told'; fail=1; }
"$BRISTLE" presets Puma joint > out && [ "$(grep -c ^puma560_joint out)" -eq 6 ] || { echo "presets puma joint"; cat out; fail=1; }
"$BRISTLE" presets seismic isolator | grep -q "^schellenberg_lrb: " || { echo "presets seismic isolator"; fail=1; }
"$BRISTLE" presets canudas > out && grep -q "^canudas1995 " out || { echo "presets canudas"; cat out; fail=1; }
exit $fail
