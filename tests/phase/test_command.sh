# SPDX-License-Identifier: Apache-2.0
# bristle phase as a user meets it: exit codes, messages, JSON, pictures.  BRISTLE is the program.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/phase_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
failures=0 checks=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
expect() {
  local code=$1 part=$2 got
  shift 2
  checks=$((checks + 1))
  "$BRISTLE" phase "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$code" ] || fail "bristle phase $*: exit $got, expected $code ($(head -1 err))"
  [ -z "$part" ] || grep -qF -- "$part" err || fail "bristle phase $*: stderr lacks '$part': $(cat err)"
  if [ "$code" -ne 0 ] && [ -s out ]; then fail "bristle phase $*: printed on stdout although it failed"; fi
  return 0
}
base=(--system driven_block --model lugre)
set5=m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6

expect 2 '--system NAME is missing' --model lugre --vary sigma1=1:2
expect 2 '--model NAME is missing' --system driven_block --vary sigma1=1:2
expect 2 '--vary NAME=A:B is missing' "${base[@]}"
expect 2 "did you mean 'driven_block'" --system driven_blok --model lugre --vary sigma1=1:2
expect 2 'expected NAME=A:B' "${base[@]}" --vary sigma1
expect 2 'must ascend' "${base[@]}" --vary sigma1=2:1
expect 2 "did you mean 'sigma1'" "${base[@]}" --vary sigma11=1:2
expect 2 'not covered' --system driven_block --model dahl --vary sigma0=1:2
expect 2 'must name the varied parameter' "${base[@]}" --vary sigma1=1:2 --at F=3
expect 2 'is not a number' "${base[@]}" --vary sigma1=1:x
expect 2 'needs --vary2' "${base[@]}" --set "$set5" --vary F=1:2 --map x.png
expect 2 'needs --vary F' "${base[@]}" --set "$set5" --vary sigma1=1:2 --hopf x.png
expect 2 'expected V0,A,F' "${base[@]}" --set "$set5" --vary sigma1=1:2 --lag 1,0.5
expect 2 'must not reverse' "${base[@]}" --set "$set5" --vary sigma1=1:2 --lag 1,2,0.1
expect 0 '' "${base[@]}" --set "$set5,sigma1=8.25" --vary sigma1=1:2 --lag 1,0.5,0.1
expect 2 'vd = 0.1 is not covered' "${base[@]}" --set "$set5,vd=0.1" --vary sigma1=1:2

if command -v python3 >/dev/null; then
  checks=$((checks + 1))
  "$BRISTLE" phase "${base[@]}" --set "$set5" --vary sigma1=0.1:12 --at sigma1=8.25,8.45 --json >out 2>err ||
    fail "figure-5 job: $(cat err)"
  python3 - <<'PY' || fail 'figure-5 job: wrong numbers'
import json, sys
r = json.load(open("out"), parse_constant=lambda c: sys.exit("constant " + c))
assert r["case"] == "Sub_HC_HC"
value = lambda t: sorted(e["value"] for e in r["events"] if e["type"] == t)
near = lambda a, b, tol: len(a) == len(b) and all(abs(x - y) < tol for x, y in zip(a, b))
assert near(value("hopf"), [4.966180352630, 8.828988032771], 1e-9), value("hopf")
assert near(value("homoclinic"), [5.124489900221, 8.205328101595, 8.379683637410], 1e-9)
fold = value("fold_of_cycles")
assert len(fold) == 1 and 0 < value("homoclinic")[1] - fold[0] < 1e-8
assert len(r["equilibria"]) == 8 and {e["kind"] for e in r["equilibria"]} == {"stick", "slip"}
for c in r["cycles"]:
    for k in ("at", "period", "v_min", "v_max", "z_min", "z_max", "multiplier", "stable"): assert k in c
assert near(sorted(c["period"] for c in r["cycles"]), [15.42577680398676, 18.276009331306533, 26.893624754241813], 1e-7)
PY
  checks=$((checks + 1))
  "$BRISTLE" phase --system pulled_block --model lugre --set \
    m=1,k=2,sigma0=2900,sigma1=107,sigma2=0.4,Fc=2.94,Fs=5.88,vs=0.1,delta=1 --vary vp=0.05:3 --at vp=0.6 --json >out 2>err ||
    fail "pulled block: $(cat err)"
  python3 - <<'PY' || fail 'pulled block: wrong numbers'
import json
r = json.load(open("out"))
h, d = r["events"]
assert d["type"] == "period_doubling" and abs(d["value"] - 1.3169) < 1e-3
assert len(r["cycle_from_rest_ends"]) == 1 and abs(r["cycle_from_rest_ends"][0] - 1.317) < 1e-3
assert h["type"] == "hopf" and abs(h["value"] - 0.429745) < 1e-6 and h["lyapunov"] > 0
(e,) = r["equilibria"]
assert e["type"] == "stable focus" and len(e["eigenvalues"]) == 3
(c,) = r["cycles"] # sliding and stick-slip are both stable here
assert c["stable"] and c["v_min"] < 0.01 and c["v_max"] > 2
PY
fi

if command -v gnuplot >/dev/null && "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  expect 0 '' "${base[@]}" --set "$set5" --vary sigma1=0.1:12 --at sigma1=8.45 --portrait a.png --diagram b.svg --quiet
  expect 0 '' "${base[@]}" --set "$set5,sigma1=8" --vary F=4:6 --hopf c.svg --stribeck d.svg --grid 40 --quiet
  expect 0 '' "${base[@]}" --set "$set5" --vary F=4.5:6 --vary2 sigma2=1:2 --map e.svg --grid 6 --quiet
  expect 0 '' "${base[@]}" --set "$set5" --vary sigma1=4:14 --vary2 F=5.6:5.8 --diagram f.svg --grid 8 --quiet
  for f in a.png b.svg c.svg d.svg e.svg f.svg; do
    checks=$((checks + 1))
    [ -s "$f" ] && [ -s "${f%.*}.gp" ] && [ -s "${f%.*}.dat" ] || fail "$f, its script or data are missing"
  done
else
  echo 'skip: pictures, gnuplot or libyaml is not there'
fi
cd .. && rm -rf "$dir"
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
