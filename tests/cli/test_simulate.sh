# SPDX-License-Identifier: Apache-2.0
# bristle simulate and bristle systems as a user meets them: exit codes, messages, JSON keys, numbers.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/simulate_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
S=(simulate)
block=(--system pulled_block --model lugre
  --set m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1)

expect 2 '--system NAME is missing' "${S[@]}" --model lugre --t-end 1
expect 2 '--model NAME is missing' "${S[@]}" --system mass_spring --t-end 1
expect 2 "did you mean 'mass_spring'" "${S[@]}" --system mass_sprin --model lugre --t-end 1
expect 2 '--t-end T is missing' "${S[@]}" --system mass_spring --model lugre
expect 2 'm = -1 kg' "${S[@]}" --system mass_spring --model lugre --set m=-1 --t-end 1
expect 2 'both held by --set and driven' "${S[@]}" --system mass_spring --model lugre --set Fe=1 --input sine:1,1 --t-end 1
expect 2 'must be > 0' "${S[@]}" --system mass_spring --model lugre --t-end -1
expect 2 '--solver = rk45: must be one of native|cvode|fixed' "${S[@]}" --system mass_spring --model lugre --solver rk45 --t-end 1
expect 2 '--dt belongs to --solver fixed' "${S[@]}" --system mass_spring --model lugre --dt 1ms --t-end 1
expect 2 'axis' "${S[@]}" --system two_axis --model lugre --t-end 1
expect 2 'several inputs' "${S[@]}" --system chain --model lugre --input sine:1,1 --t-end 1
expect 2 'given twice' "${S[@]}" --system mass_spring --model lugre --input sine:1,1 --input ramp:1 --t-end 1
expect 2 'k' "${S[@]}" --system pulled_block --model maxwell_slip --set k=1 --t-end 1
expect 2 'it has x, v, z' "${S[@]}" --system mass_spring --model lugre --init q=1 --t-end 1
expect 1 'no cycle' "${S[@]}" "${block[@]}" --cycle --json
expect 0 '' systems pulled_block
grep -q 'elongation' out || fail 'systems pulled_block lacks its states'
expect 0 '' "${S[@]}" --system mass_spring --model dahl --input sine:1,0.1 --t-end 5 --output-dt 1 --csv run.csv --quiet
[ "$(wc -l <run.csv)" -eq 7 ] || fail "run.csv has $(wc -l <run.csv) lines, expected 7"
expect 0 '' "${S[@]}" --system mass_spring --model coulomb --input sine:4,0.1 --t-end 20 --solver fixed --dt 1ms --json
expect 0 '' "${S[@]}" --system prescribed --model lugre --input sine:1mm,1Hz --t-end 1 --json
expect 0 '' "${S[@]}" --system mass_spring --model lugre --init v=0.1,x=2mm --t-end 1 --json

motor=(--system dc_motor --model lugre --set sigma0=1e5,sigma1=316.22776601683796,sigma2=0.4,Fc=1,Fs=1.5,vs=0.001,delta=2)
expect 2 'must ascend and lie within 0 and 10 s' "${S[@]}" "${motor[@]}" --input sine:0.1,0.1 --t-end 10 --window 5:11
expect 2 'must ascend' "${S[@]}" "${motor[@]}" --input sine:0.1,0.1 --t-end 10 --window 5:5
expect 2 'expected A:B' "${S[@]}" "${motor[@]}" --input sine:0.1,0.1 --t-end 10 --window 5
expect 2 'expected A:B' "${S[@]}" "${motor[@]}" --input sine:0.1,0.1 --t-end 10 --window 1m:5m
expect 2 '--window needs --t-end' "${S[@]}" "${motor[@]}" --input sine:0.1,0.1 --cycle --window 1:2
expect 2 'stick fraction of --cycle or --window' "${S[@]}" "${motor[@]}" --input sine:0.1,0.1 --t-end 10 --threshold 0.1
expect 0 '' "${S[@]}" "${motor[@]}" --input sine:0.1,0.015915494309189534 --t-end 62.83185307179586 --threshold 0.1 \
  --window 0:62.83185307179586
grep -q 'warning: F2 falls to -6.186 N: spring 2 goes slack' out || fail 'a slack spring is not told'
expect 0 '' "${S[@]}" "${motor[@]}" --input sine:0.01,0.1 --t-end 10
grep -q warning out && fail 'a warning though both springs are taut'

# numbers and keys
if command -v python3 >/dev/null; then
  # a period of document 4's motor: the reference set has its work and reversals in quadruple precision
  expect 0 '' "${S[@]}" "${motor[@]}" --input sine:0.1,0.015915494309189534 --t-end 125.66370614359172 \
    --output-dt 0.2094395102393195 --window 62.83185307179586:125.66370614359172 --threshold 0.1 --json
  python3 - <<'PY' || fail 'window, what a motor shows'
import json
r = json.load(open("out"))
w, f = r["window"], r["final"]
assert abs(w["work_in"] - 115.02576707017799) < 1e-9 and w["reversals"] == 2, w
assert abs(w["theta_max"] - 18.17727922531031) < 1e-3 and 0.4 < w["stick_fraction"] < 0.5, w
assert f["F1"] == 0.01 + 10 * f["delta1"] and f["delta1"] == 0.0254 * f["theta"] == -f["delta2"], f
assert [x.split()[0] for x in r["warnings"]] == ["F1", "F2"], r["warnings"]
PY
  expect 0 '' "${S[@]}" "${block[@]}" --set vp=2 --t-end 20 --cycle --events --json
  python3 - <<'PY' || fail 'numbers or keys of simulate'
import json
r = json.load(open("out"))
c = r["cycle"]
for key, value in (("period", 4.721969928638976), ("v_max", 4.777941809946442), ("v_min", -0.01781594481947255),
                   ("l_max", 3.4343014915529735), ("l_min", -0.49430149154530323)):
    assert abs(c[key] / value - 1) < 1e-8, (key, c[key])
assert set(r["stats"]) >= {"steps", "rejected", "rhs", "jacobians", "seconds"}
assert set(r["energy"]) >= {"work_in", "stored", "dissipated", "residual"}
assert set(r["final"]) >= {"l", "v", "z"} and set(r["extremes"]["v"]) == {"min", "max"}
assert [e["type"] for e in r["events"]] == ["reversal"] * len(r["events"]) and len(r["events"]) > 5
assert abs(r["energy"]["residual"]) < 1e-8 * r["energy"]["work_in"]
PY
fi
# at rest nothing is computed, also with formulas, and the tolerances in force are told
if command -v python3 > /dev/null; then
  "$BRISTLE" simulate --system mass_spring --model lugre --set m=1,ks=0,Fc=1,Fs=1.5 --input pwl:0,0,1,0.9 \
    --t-end 1e6 --json > rest.json || fail 'rest of lugre'
  "$BRISTLE" simulate --system chain --model duhem --set m=1,2,k=100,50,system.c=1,1 --input Fe:pwl:0,0,1,0.9 \
    --t-end 1e6 --json > rest_duhem.json || fail 'rest of duhem'
  python3 - <<'PY' || fail 'steps at rest'
import json
for name, most in (("rest.json", 500), ("rest_duhem.json", 6000)):
    s = json.load(open(name))["stats"]
    assert s["steps"] < most and 0 < s["rounded"] <= s["steps"], s
    assert s["rtol"] == 1e-13 and s["atol"] == 1e-20, s
PY
fi
# ---- every state name that results print is taken by --init, with dots too ----
two=(--model lugre --system chain --set contact=1,2,against=0,1,load=1,1 --t-end 1ms)
names=$("$BRISTLE" simulate "${two[@]}" --json | sed -n '/"final"/,/}/s/^ *"\([^"]*\)": .*/\1/p' | grep -vE '^(F|final)')
grep -q '^contact1.z$' <<<"$names" || fail "no state contact1.z in: $names"
for name in $names; do expect 0 "" simulate "${two[@]}" --init "$name=1e-6"; done
expect 0 "" simulate "${two[@]}" --init contact1.z=1e-6,contact2.z=-2um --json
grep -q '"contact2.z": -1' out || fail "contact2.z does not start where --init says: $(grep contact2.z out)"
expect 2 "did you mean 'contact1.z'?" simulate "${two[@]}" --init contact1.y=1
expect 0 "" simulate --model semilinear_duhem --system chain --t-end 1ms --init model.x1=1e-6,x1=2e-6

# ---- with --cycle, final is the state at --t-end all the same ----
run=(simulate "${block[@]}" --set vp=2 --t-end 3)
"$BRISTLE" "${run[@]}" --json >plain.json && "$BRISTLE" "${run[@]}" --cycle --json >cycle.json || fail 'run with a cycle'
[ "$(sed -n '/"final"/,/}/p' plain.json)" = "$(sed -n '/"final"/,/}/p' cycle.json)" ] || fail '--cycle changes final'
grep -q '"cycle"' cycle.json || fail 'no cycle behind the run'
# --cycle alone: the rows, and the numbers, are those of one period; the first and last state agree
"$BRISTLE" simulate "${block[@]}" --set vp=2 --cycle --csv period.csv --output-dt 0.1 --quiet || fail 'a period'
awk -F, 'NR == 2 {l = $2} END {d = $2 - l; exit !(d * d < 1e-16 && NR > 40 && $1 - 4.721969928638976 < 1e-8)}' period.csv || fail 'rows of a period'
# ---- no two columns have one name; forces and inputs that share theirs are told apart ----
heads() { "$BRISTLE" simulate "$@" --t-end 1ms --csv - | head -1 | tr ',' '\n' | sed 's/ \[.*//'; }
for case in "driven_block lugre" "mass_spring dahl" "prescribed lugre" "chain dahl" "filtered dahl" "dc_motor lugre" "two_axis bouc_wen_biaxial"; do
  set -- $case
  twice=$(heads --system "$1" --model "$2" | sort | uniq -d)
  [ -z "$twice" ] || fail "$case: two columns '$twice'"
done
[ "$(heads --system driven_block --model lugre | tail -2 | tr '\n' ' ')" = "F F_in " ] || fail 'columns of driven_block'
[ "$(heads --system mass_spring --model dahl | tail -2 | tr '\n' ' ')" = "F_contact Fe " ] || fail 'columns of dahl'
# an input that is held stands in the table like one that is driven
"$BRISTLE" simulate "${block[@]}" --set vp=2 --t-end 1 --output-dt 1 --csv - | tail -1 | grep -q ',2$' || fail 'held input'
# ---- extremes are there with every solver ----
for solver in native fixed; do
  "$BRISTLE" simulate "${block[@]}" --set vp=2 --t-end 1 --solver $solver --json | grep -A 3 '"extremes"' | grep -q '"max": 1.9' || fail "$solver: the spring's greatest length"
done
expect 2 '--cycle needs --solver native' "${S[@]}" "${block[@]}" --cycle --solver fixed
expect 1 'jumps' "${S[@]}" --system prescribed --model coulomb --set sigma2=1 --input step:1mm,0.5 --t-end 1
# ---- units of what is printed ----
expect 0 '' phase --preset doc2 --vary sigma1=8.4:8.5 --at sigma1=8.45 --units mm,mm/s
grep -q 'v = 880.335979092 mm/s, z = 859.092486691 mm,' out || fail "phase --units: $(cat out)"
expect 0 '' fit sample:dahl --model dahl --units N/mm
grep -Eq 'sigma0 +400\.[0-9]+ +[34][09]+\.[0-9]+ +40[0-9.]+ +N/mm' out || fail "fit --units: $(cat out)"
# ---- steady, field, signal ----
expect 2 'from = 2 m/s must be below' steady --model lugre --from 2
expect 2 'whole number' steady --model lugre --points 2.5
expect 2 'coulomb has no state' field --model coulomb
expect 2 'the state is in N' field --model dahl --z-from 1m
expect 2 'at most 1e6' field --model dahl --nz 2000 --nu 2000
expect 2 '--input SPEC is missing' signal
[ "$("$BRISTLE" steady --model coulomb --set Fc=1,Fs=1.5 --from -1 --points 3 --csv - | sed -n '3,4p' | tr '\n' ' ')" = "0,-1.5 0,1.5 " ] ||
  fail 'both limits of slow sliding'
[ "$("$BRISTLE" signal --input pwl:0,0,1,2,3,1 --samples 2 --csv - | tail -n +2 | tr '\n' ' ')" = "0,0,2,0,0 1,2,-0.5,2,2 1.5,1.75,-0.5,2.25,1.75 3,1,0,3,1 " ] ||
  fail "a motion with its corner: $("$BRISTLE" signal --input pwl:0,0,1,2,3,1 --samples 2 --csv - | tr '\n' ' ')"
expect 0 '' signal --input chirp:1mm,1,3,2; grep -q 'path length 0.016 m to the end' out || fail "path of a chirp: $(cat out)"   # four whole turns
expect 0 '' signal --input sine:1mm,1; grep -q 'path length 0.004 m a period' out || fail "path of a sine: $(cat out)"

# ---- atoms over a millimetre: said after the first 500 jumps, not after hours ----
"$BRISTLE" simulate --system mass_spring --model tomlinson --set m=1e-3,ks=1 --input sine:1mN,1Hz --t-end 1 >/dev/null 2>many &
pid=$!
for _ in $(seq 300); do
  grep -q 'note: 500 events' many && break
  sleep 0.1
done
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail 'a run of many jumps did not end with 130'
grep -q 'about .*e+0[456] in all: .*sites further apart' many || fail "many jumps: $(cat many)"

[ $failures -eq 0 ] || { echo "$failures failure(s)"; exit 1; }
echo "simulate: all good"
