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
expect 2 'one contact, two or three smooth states' --system mass_spring --model bouc_wen --vary ks=1:2
expect 2 'is not covered (' --system two_axis --model bouc_wen_biaxial --vary Fx=0.1:1
expect 0 '' --system driven_block --model dahl --set F=2,Fc=1 --vary sigma0=1:2
grep -q 'no sliding equilibrium' out || fail 'dahl under more than its level: it runs away'
expect 2 "neither pulled_block nor lugre has a 'qqqqqqqq'" --system pulled_block --model lugre --vary qqqqqqqq=1:2
expect 2 "did you mean 'sigma0'" --system pulled_block --model lugre --vary sigma9=1:2
expect 2 'out of range' --system pulled_block --model lugre --vary k=-1:2
expect 2 'there is --diagram' --system pulled_block --model lugre --set k=2 --vary system.k=19.9:20 --portrait x.png
expect 2 'must name the varied parameter' "${base[@]}" --vary sigma1=1:2 --at F=3
expect 2 'is not a number' "${base[@]}" --vary sigma1=1:x
expect 2 'needs --vary2' "${base[@]}" --set "$set5" --vary F=1:2 --map x.png
expect 2 'needs --vary F' "${base[@]}" --set "$set5" --vary sigma1=1:2 --hopf x.png
expect 2 'expected V0,A,F' "${base[@]}" --set "$set5" --vary sigma1=1:2 --lag 1,0.5
expect 2 'must not reverse' "${base[@]}" --set "$set5" --vary sigma1=1:2 --lag 1,2,0.1
expect 0 '' "${base[@]}" --set "$set5,sigma1=8.25" --vary sigma1=1:2 --lag 1,0.5,0.1
expect 0 '' "${base[@]}" --set "$set5,vd=5" --vary sigma1=8:9.5
grep -q 'hopf .* = 9.1069700501' out || fail 'a velocity-dependent sigma1 goes the general way'

if command -v python3 >/dev/null; then
  checks=$((checks + 1))
  "$BRISTLE" phase "${base[@]}" --set "$set5" --vary sigma1=0.1:12 --at sigma1=8.25,8.45 --json >out 2>err ||
    fail "figure-5 job: $(cat err)"
  python3 - <<'PY' || fail 'figure-5 job: wrong numbers'
import json, sys
r = json.load(open("out"), parse_constant=lambda c: sys.exit("constant " + c))
assert r["case"] == "Sub_HC_HC"
assert r["searched"]["complete"] and [c["at"] for c in r["searched"]["cycles"]] == [8.25, 8.45]
assert all(c["v_max"] > 5.3 for c in r["searched"]["cycles"]) and r["searched"]["notes"] == []
assert all(0 < e["error"] < 1e-9 for e in r["events"]), r["events"]
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
    m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1 --vary vp=4:10 --json >out 2>err ||
    fail "pulled block without sigma2: $(cat err)"
  python3 -c 'import json; r = json.load(open("out")); assert not r["events"] and not r["searched"]["complete"]; assert "rounding decides" in r["searched"]["notes"][0]' ||
    fail 'pulled block without sigma2: rounding makes Hopf points'
  checks=$((checks + 1))
  "$BRISTLE" phase --system pulled_block --model lugre --set \
    m=1,k=2,sigma0=2900,sigma1=107,sigma2=0.4,Fc=2.94,Fs=5.88,vs=0.1,delta=1 --vary vp=0.05:3 --at vp=0.6 --json >out 2>err ||
    fail "pulled block: $(cat err)"
  python3 - <<'PY' || fail 'pulled block: wrong numbers'
import json
r = json.load(open("out"))
value = lambda t: [e["value"] for e in r["events"] if e["type"] == t]
near = lambda a, b, tol: min(abs(x - b) for x in a) < tol
(h,) = [e for e in r["events"] if e["type"] == "hopf"]
assert abs(h["value"] - 0.429745271) < 1e-9 and h["lyapunov"] > 0
assert near(value("period_doubling"), 1.31691497, 1e-7), value("period_doubling")
assert near(value("fold_of_cycles"), 1.31798964, 1e-7) and near(value("fold_of_cycles"), 1.36141430, 1e-7)
assert len(r["cycle_from_rest_ends"]) == 1 and abs(r["cycle_from_rest_ends"][0] - 1.317148) < 1e-5
assert abs(r["bistable"][0][0] - 0.429745271) < 1e-8 and abs(r["bistable"][0][1] - 1.31691497) < 1e-7
(e,) = r["equilibria"]
assert e["type"] == "stable focus" and len(e["eigenvalues"]) == 3
slow, slip = sorted(r["cycles"], key=lambda c: c["v_max"]) # sliding and stick-slip are both stable, a cycle between
assert not slow["stable"] and slow["v_min"] > 0.1 and slow["multiplier"] > 1
assert slip["stable"] and slip["v_min"] < 0.01 and slip["v_max"] > 2
for c in (slow, slip): assert c["at"] == 0.6 and c["loop"] == ("sliding" if c["v_min"] > 0 else "with reversals"), c
(b,) = r["branches"]
assert b["ends"] == ["hopf", "range"] and len({len(b[k]) for k in b if k != "ends"}) == 1 and len(b["value"]) > 100
PY
fi

# without events no branch is followed, whatever the mechanism
expect 0 '' --system pulled_block --model lugre --set m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1 --vary vp=0.5:3 --events no
grep -q 'unstable focus' out || fail 'no equilibrium without events'
grep -q 'branch of cycles' out && fail '--events no follows branches'
expect 0 '' "${base[@]}" --set "$set5" --vary sigma1=8:9 --csv d.csv --quiet # the diagram as a table
head -1 d.csv | grep -q '^sigma1 \[.*\],cycle,branch,stable,v_min' || fail "diagram table: $(head -1 d.csv)"
[ "$(wc -l <d.csv)" -gt 600 ] || fail "diagram table: $(wc -l <d.csv) lines"
if command -v gnuplot >/dev/null; then
  expect 0 '' "${base[@]}" --set "$set5,f_exp=1.001" --vary sigma1=8.7:8.9 --at sigma1=8.75 --diagram g.svg --quiet
  grep -q 'stable sliding' g.dat g.gp g.svg || fail 'diagram of a law that is not plain LuGre'
  at=$(seq -s, 5.601 0.005 5.7) # 20 values
  expect 0 '' "${base[@]}" --set "$set5,sigma1=8" --vary F=5.6:5.8 --at "F=$at" --stribeck s.svg --events no --json
  python3 -c 'import json; print(len({e["at"] for e in json.load(open("out"))["equilibria"]}))' | grep -qx 20 || fail 'all values of --at'
  expect 0 '' "${base[@]}" --set "$set5" --vary sigma1=0.1:12 --at sigma1=8.45 --portrait a.png --diagram b.svg --quiet
  expect 0 '' "${base[@]}" --set "$set5,sigma1=8" --vary F=4:6 --hopf c.svg --stribeck d.svg --grid 40 --quiet
  expect 0 '' "${base[@]}" --set "$set5" --vary F=4.5:6 --vary2 sigma2=1:2 --map e.svg --grid 6 --quiet
  expect 0 '' "${base[@]}" --set "$set5" --vary sigma1=4:14 --vary2 F=5.6:5.8 --diagram f.svg --grid 8 --quiet
  for f in a.png b.svg c.svg d.svg e.svg f.svg; do
    checks=$((checks + 1))
    [ -s "$f" ] && [ -s "${f%.*}.gp" ] && [ -s "${f%.*}.dat" ] || fail "$f, its script or data are missing"
  done
else
  echo 'skip: pictures, gnuplot is not there'
fi
cd .. && rm -rf "$dir"
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
