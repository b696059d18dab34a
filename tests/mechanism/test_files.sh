# SPDX-License-Identifier: Apache-2.0
# Every file under mechanisms/ is read, drawn as its picture shows it, named in the README, and moves.
set -euo pipefail
[ -n "$(command -v python3)" ] || { echo 'skip: no python3'; exit 77; }
cd "$BR_SOURCE_DIR/mechanisms"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
count=0
for f in *.yaml; do
  "$BRISTLE" systems "$f" >"$out/table" || { [ $count -eq 0 ] && grep -q libyaml "$out/table" && { echo 'skip: no libyaml'; exit 77; }; exit 1; }
  "$BRISTLE" systems "$f" --output "$out/picture.svg"
  cmp "$out/picture.svg" "${f%.yaml}.svg" || { echo "$f: draw it anew: bristle systems mechanisms/$f --output mechanisms/${f%.yaml}.svg"; exit 1; }
  grep -qF "\`$f\`" README.md || { echo "README.md: nothing about $f"; exit 1; }
  count=$((count + 1))
done
[ $count -ge 9 ]
# errors: exit 2, place first
printf 'mechanism:\n  bodies: {a: {mass: 1}}\n  connections:\n    - sping: {}\n' >"$out/bad.yaml"
rc=0; "$BRISTLE" simulate --model lugre --system "$out/bad.yaml" --t-end 1 2>"$out/err" || rc=$?
[ $rc -eq 2 ] && grep -q "bad.yaml:4:7: 'sping' is no kind of connection; did you mean 'spring'" "$out/err" || { cat "$out/err"; exit 1; }
"$BRISTLE" export fmu --model lugre --system pulled_block.yaml --output "$out/x.fmu" --quiet && [ -s "$out/x.fmu" ]
# the control loop, a sweep and the phase plane take a text as they take the compiled mechanism
same() { # command line with @ for the system
  "$BRISTLE" ${1/@/pulled_block} --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["'"$2"'"])' >"$out/a"
  "$BRISTLE" ${1/@/pulled_block.yaml} --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["'"$2"'"])' >"$out/b"
  python3 - "$out/a" "$out/b" "$2" <<'PY'
import sys
a, b = (float(open(f).read()) for f in sys.argv[1:3])
assert abs(a - b) <= 1e-9 * max(1, abs(a)), (sys.argv[3], a, b)
PY
}
same 'control --system @ --model lugre --controller pid --reference step:0.1 --track v --t-end 2' error_rms
same 'control --system @ --model lugre --controller pid --reference step:0.1 --track v --t-end 2' peak_control
# contacts of a text have numbers of their own, and --set comes on top of them
"$BRISTLE" simulate --system frame.yaml --input ground:sine:5cm,2Hz --t-end 0.5 --json >"$out/a"
"$BRISTLE" simulate --system frame.yaml --input ground:sine:5cm,2Hz --t-end 0.5 --set contact1.Fc=5e4 --json >"$out/b"
python3 - "$out/a" "$out/b" <<'PY'
import json, sys
a, b = (json.load(open(f))["extremes"] for f in sys.argv[1:3])
assert abs(a["F1"]["max"] - 1e5) < 1 and abs(a["F2"]["max"] - 8e4) < 1, a
assert abs(b["F1"]["max"] - 5e4) < 1 and abs(b["F2"]["max"] - 8e4) < 1, b
PY
# 40 LuGre blocks have a Jacobian in a band; CVODE solves the same equations with a dense one
sed 's/repeat: 20/repeat: 40/; s/repeat: 19/repeat: 39/' burridge_knopoff.yaml >"$out/chain.yaml"
"$BRISTLE" simulate --system "$out/chain.yaml" --t-end 3.5 --json >"$out/a"
if "$BRISTLE" simulate --system "$out/chain.yaml" --t-end 3.5 --rtol 1e-9 --solver cvode --json >"$out/b" 2>/dev/null; then
  python3 - "$out/a" "$out/b" <<'PY'
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:3])
worst = max(abs(a["final"][k] - b["final"][k]) for k in a["final"] if k.startswith(("x_", "v_")))
assert worst < 1e-6 and a["event_types"] == b["event_types"] and len(a["final"]) > 100, worst
assert a["event_count"] == 80 and max(abs(x["t"] - y["t"]) for x, y in zip(a["events"], b["events"])) < 1e-5
PY
fi
# what turns is told in rad: a bit on a string that a table turns
cat >"$out/drill.yaml" <<'Y'
mechanism:
  inputs: {speed: 6 rad/s}
  bodies: {rock: fixed, table: {velocity: speed}, bit: {inertia: 374}}
  connections: [{spring: {between: [table, bit], stiffness: 473, damping: 23}}]
  contacts: [{between: [bit, rock], model: coulomb, set: {Fc: 2000 N m, Fs: 6000 N m, vs: 0.5 rad/s, delta: 1, sigma2: 30}}]
Y
"$BRISTLE" phase --system "$out/drill.yaml" --vary speed=1:20 >"$out/log"
grep -q 'hopf .* v = 2.508452.* rad/s' "$out/log" && grep -q 'grazing .* 12.69590' "$out/log" || { cat "$out/log"; exit 1; }
# a study may hold its mechanism itself
cat >"$out/own.yaml" <<'Y'
title: own
mechanism:
  bodies: {table: fixed, block: {mass: 2 kg, x: x, v: v}}
  connections: [{spring: {between: [block, table], stiffness: 50}}]
  contacts: [{between: [block, table], model: coulomb, set: {Fc: 1, Fs: 1, sigma2: 0}}]
init: {x: 1}
simulate: {t-end: 0.6283185307179586}
check: [{quantity: final.x, value: -0.96, tolerance: 1e-9}]
Y
"$BRISTLE" run "$out/own.yaml" --out "$out/result" >"$out/log" || { cat "$out/log"; exit 1; }
echo "$count mechanisms"
