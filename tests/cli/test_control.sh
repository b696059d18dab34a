# SPDX-License-Identifier: Apache-2.0
# bristle control as a user meets it: the numbers it must show, its studies, messages and exit codes.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/control_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
. "$BR_SOURCE_DIR/tests/cli/expect.sh"
has() { grep -qE -- "$1" out || fail "output lacks '$1': $(cat out)"; }
# near KEY VALUE TOLERANCE: a number of the JSON object in out; KEY may be a.b
near() {
  command -v python3 >/dev/null || return 0
  python3 - "$@" <<'PY' || fail "$1 is not $2 to $3"
import json, sys
x = json.load(open("out"))
for k in sys.argv[1].split("."): x = x[k]
d = abs(x - float(sys.argv[2]))
if not d <= float(sys.argv[3]): sys.exit(f"{sys.argv[1]} = {x}, off by {d}")
PY
}
C=(control --system pulled_block --model lugre
  --set m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1)
L=("${C[@]}" --controller feedback_linearization)
servo=(control --system mass_spring --model lugre --set m=1,ks=0 --track x --reference step:1 --rtol 1e-9)
pid=("${servo[@]}" --controller pid --gains kp=3,ki=4,kd=6,tf=1e-3)

# --- the corrected law ---------------------------------------------------------------------------------------
expect 0 '' "${L[@]}" --poles=-35,-30 --reference step:1 --t-end 1 --json
near settling_time 0.18107816259611179 1e-9
near peak_control 645.6919206987955 1e-6
for slope in 0.1 0.5; do
  expect 0 '' "${L[@]}" --poles=-35,-30 --reference ramp:$slope --t-end 200 --json
  near error_end 0 1e-9
done
expect 0 '' "${L[@]}" --reference sine:1,0.1 --t-end 30 --json
near peak_control 86.47867 1e-5
expect 0 '' "${L[@]}" --reference sine:1,1 --t-end 10 --json
near peak_control 632.48734 1e-5
# e'' + 65 e' + 1050 e = 0 from e(0) = 1, e'(0) = 0, row by row
expect 0 '' "${L[@]}" --poles=-35,-30 --reference step:1 --t-end 1 --csv step.csv --quiet
if command -v python3 >/dev/null; then
  python3 - <<'PY' || fail 'the error does not follow its equation'
import csv, math
rows = list(csv.reader(open("step.csv")))[1:]
assert len(rows) == 1001
worst = max(abs(float(r[3]) - (-6 * math.exp(-35 * float(r[0])) + 7 * math.exp(-30 * float(r[0])))) for r in rows)
assert worst < 1e-9, worst
PY
fi

# --- the published law, and why it errs ----------------------------------------------------------------------
expect 0 '' "${L[@]}" --law published --reference ramp:0.1 --t-end 200 --json
near error_end 1.7048644087 1e-6
has 'last simplification of dA/dt is wrong'
has 'about 1070 \|v\|'
expect 0 '' "${L[@]}" --law published --reference ramp:0.1 --t-end 20
has 'about 1070 \|v\|'

# --- the bristle state: 0.3 % of scale runs away, a wrong copy of the model does not --------------------------
expect 1 'the loop runs away' "${L[@]}" --bristle true --mismatch z=1.003 --reference step:1 --t-end 20
expect 0 '' "${L[@]}" --bristle true --mismatch z=1.002 --reference step:1 --t-end 20 --json
for wrong in sigma0=1.2 sigma0=0.8 sigma1=1.2 sigma1=0.8 Fc=1.2 Fc=0.8 Fs=1.2 Fs=0.8 vs=1.2 vs=0.8 \
  sigma0=1.2,sigma1=1.2,Fc=1.2,Fs=1.2,vs=1.2 sigma0=0.8,sigma1=0.8,Fc=0.8,Fs=0.8,vs=0.8; do
  expect 0 '' "${L[@]}" --mismatch $wrong --reference step:1 --t-end 20 --json
  near error_end 0 0.25
done

# --- references with derivatives: the law follows them from their start without error ------------------------
for spec in trapezoid:1,2,5,0.1 scurve:1,2,5,100,0.1 filtered_step:1,0.05,0.1; do
  expect 0 '' "${L[@]}" --reference $spec --t-end 3 --json
  near error_end 0 1e-9
  expect 0 '' control --system driven_block --model lugre --controller feedback_linearization --reference $spec --t-end 3 --json
  near error_max 0 1e-8
done
printf 't,r\n0,0\n0.5,0.2\n1,1\n2,1\n' >record.csv
expect 0 '' "${L[@]}" --reference smooth:record.csv --t-end 3 --json
near error_end 0 1e-9
expect 0 '' "${L[@]}" --reference csv:record.csv --t-end 3 --json
expect 2 'vmax' "${L[@]}" --reference trapezoid:1,0,5 --t-end 3
expect 2 "did you mean 'scurve'" "${L[@]}" --reference scurv:1,1,1,1 --t-end 3

# --- hunting -------------------------------------------------------------------------------------------------
expect 0 '' "${pid[@]}" --t-end 100 --json
near hunting.amplitude 0.0638266 1e-6
near hunting.period 24.458618 1e-5
has '"verdict": "found"'
near hunting.residual 0 1e-6
near hunting.multiplier 0 0.5
expect 0 '' "${pid[@]}" --set Fs=1 --t-end 100
has 'no hunting: the largest error falls'
expect 0 '' "${servo[@]}" --controller observer --poles=-3,-3,-1 --integral --t-end 100
has 'no hunting: all motion ends'
expect 1 'the loop runs away' "${servo[@]}" --controller pid --gains kp=3,ki=60,kd=6,tf=1e-3 --t-end 100
grep -q 'at t = ' err || fail 'a loop that runs away does not say where'
expect 0 '' "${pid[@]}" --t-end 50 --threads 2 --map hunt.svg --vary ki=2:10 --vary2 Fs/Fc=1.2:2 --grid 2 --csv map.csv
has '^pid +hunts 4 settles 0 undecided 0 runs away 0 of 4 cells'
has '^observer +hunts 0 settles 4 undecided 0 runs away 0 of 4 cells'
[ -s hunt.svg ] && [ -s hunt.gp ] && [ "$(wc -l <map.csv)" -eq 9 ] || fail 'the map left no picture or table'
expect 2 '--map needs --vary2' "${pid[@]}" --t-end 50 --map x.svg --vary ki=1:2
expect 2 'expected NAME=A:B' "${pid[@]}" --t-end 50 --map x.svg --vary ki --vary2 Fs/Fc=1:2
expect 2 "did you mean 'Fc'" "${pid[@]}" --t-end 50 --map x.svg --vary ki=1:2 --vary2 Fx/Fc=1:2
expect 2 'must lie below' "${pid[@]}" --t-end 50 --map x.svg --vary ki=2:1 --vary2 Fs/Fc=1:2
expect 2 'Fs' "${pid[@]}" --t-end 50 --map x.svg --vary ki=1:2 --vary2 Fs/Fc=0.5:2 --grid 2
expect 2 'reference that rests' control --system mass_spring --model lugre --track x --controller pid --reference sine:1,1 \
  --t-end 5 --map x.svg --vary ki=1:2 --vary2 Fs/Fc=1:2 --grid 2
[ -e x.svg ] && fail 'a map that failed left a picture'

# --- all controllers -----------------------------------------------------------------------------------------
expect 0 '' control --compare --samples 3 --uncertain Fc --threads 1 --json
mv out one.json
expect 0 '' control --compare --samples 3 --uncertain Fc --threads 3 --json
cmp -s out one.json || fail 'the comparison depends on the number of threads'
if command -v python3 >/dev/null; then
  python3 - <<'PY' || fail 'numbers or keys of --compare'
import json
r = json.load(open("one.json"))
c = {x["name"]: x for x in r["controllers"]}
assert len(c) >= 9 and r["uncertain"] == ["Fc"] and r["samples"] == 3
for x in c.values():
    assert set(x) >= {"controller", "fits", "nominal", "worst", "combined", "hardest", "median", "p95", "lost", "drawn"}
    assert x["fits"] and x["drawn"] == 3
limits = {"feedback linearisation, published": 0.1825, "feedback linearisation, true z": 0.0001465,
          "feedback linearisation, estimated z": 0.0001475, "feedback linearisation, estimated z + integrator": 0.000118,
          "sliding mode (accelerometer)": 0.00084, "observer": 4.96e-5, "observer + PI": 4.03e-5, "cascade PI": 0.00989,
          "plain PI": 0.748}
for name, most in limits.items(): assert c[name]["nominal"] <= most, (name, c[name]["nominal"])
PY
fi
expect 0 '' control --compare --samples 0 --uncertain Fc --csv table.csv --plot all.svg
has '^plain PI '
[ -s all.svg ] && [ "$(wc -l <table.csv)" -ge 10 ] || fail '--compare left no picture or table'
expect 2 "did you mean 'sigma0'" control --compare --uncertain sigma
expect 2 '--part' control --compare --part 1
expect 2 '--samples' control --compare --samples 1.5
expect 2 '--threads' control --compare --threads 0
expect 2 '--samples belongs to a comparison: add --compare' "${L[@]}" --reference step:1 --t-end 1 --samples 3
expect 2 'give one of them' control --compare --tune all

# --- tuning --------------------------------------------------------------------------------------------------
tune=("${C[@]}" --controller pi --gains kp=1,ki=1 --reference step:1 --t-end 2 --sample 1ms --limit u=50 --part 0)
expect 0 '' "${tune[@]}" --tune all --validate sine:1,0.1 --threads 1 --json
mv out one.json
expect 0 '' "${tune[@]}" --tune all --validate sine:1,0.1 --threads 2 --json
cmp -s out one.json || fail 'tuning is not reproducible'
if command -v python3 >/dev/null; then
  python3 - <<'PY' || fail 'numbers or keys of --tune'
import json
r = json.load(open("one.json"))
assert r["cost_after"] < 0.9 * r["cost_before"] and r["evaluations"] > 10
assert set(r["gains"]) == {"kp", "ki"} and 0.0099 <= r["gains"]["kp"] <= 101
assert r["validation"]["error_rms_after"] < r["validation"]["error_rms_before"]
PY
fi
expect 2 "did you mean 'kp'" "${tune[@]}" --tune kpp
expect 2 '--cost' "${tune[@]}" --tune all --cost -1
expect 2 '--validate judges tuned gains: add --tune' "${L[@]}" --reference step:1 --t-end 1 --validate step:1

# --- wrong input ---------------------------------------------------------------------------------------------
expect 2 "did you mean 'observer'" "${C[@]}" --controller obsever --reference step:1 --t-end 1
expect 2 '--controller = xyzzy: must be one of feedback_linearization|' "${C[@]}" --controller xyzzy --reference step:1 --t-end 1
expect 2 '--controller NAME is missing' "${C[@]}" --reference step:1 --t-end 1
expect 2 '--poles -35: expected two or three numbers' "${L[@]}" --poles=-35 --reference step:1 --t-end 1
expect 2 '--poles' "${L[@]}" --poles=-35,x --reference step:1 --t-end 1
expect 2 'must be < 0' "${L[@]}" --poles=-35,30 --reference step:1 --t-end 1
expect 2 '--reference SPEC is missing' "${L[@]}" --t-end 1
expect 2 '--t-end T is missing' "${L[@]}" --reference step:1
expect 2 'did you mean' "${L[@]}" --reference stp:1 --t-end 1
expect 2 '--noise belongs to a sampled controller' "${L[@]}" --reference step:1 --t-end 1 --noise v=1e-3
expect 2 'noise' "${L[@]}" --reference step:1 --t-end 1 --sample 1ms --noise w=1e-3
expect 2 'only --bristle true' "${L[@]}" --reference step:1 --t-end 1 --mismatch z=1.1
expect 2 'Fd' "${L[@]}" --reference step:1 --t-end 1 --mismatch Fd=1.1
expect 2 'out of range' "${L[@]}" --reference step:1 --t-end 1 --limit u=0
expect 2 "has no state 'q'" "${L[@]}" --reference step:1 --t-end 1 --track q
expect 2 'cannot be held by --set' "${L[@]}" --set vp=1 --reference step:1 --t-end 1
expect 2 'is not NAME=NUMBER' "${L[@]}" --gains kp=1x --reference step:1 --t-end 1
expect 2 'did you mean' "${L[@]}" --gains kpp=1 --reference step:1 --t-end 1
expect 2 '--law = printed: must be one of corrected|published' "${L[@]}" --law printed --reference step:1 --t-end 1
expect 2 'window' "${L[@]}" --reference step:1 --t-end 1 --window 2:3

# --- the rows as HDF5: the columns of --csv, with the command and the parameters ---------------------------------
short=("${L[@]}" --reference step:1 --t-end 0.1)
"$BRISTLE" "${short[@]}" --csv rows.csv --hdf5 rows.h5 --quiet >out 2>err
case $? in
0)
  [ "$(head -c 4 rows.h5 | tail -c 3)" = HDF ] || fail 'rows.h5 is no HDF5 file'
  for text in 'bristle control --system pulled_block' model.sigma0 system.m; do
    grep -aqF -- "$text" rows.h5 || fail "rows.h5 lacks '$text'"
  done
  if command -v python3 >/dev/null; then
    python3 - <<'PY' || fail 'rows.h5 does not hold the columns of rows.csv'
import csv, struct
rows, data = list(csv.reader(open("rows.csv")))[1:], open("rows.h5", "rb").read()
assert len(rows) == 1001
for column in zip(*rows):  # the numbers lie plainly in the file, one column behind the other
    assert struct.pack("<1001d", *map(float, column)) in data
PY
  fi
  ;;
*)
  if grep -q 'HDF5' err; then echo 'SKIPPED: --hdf5 is not part of this build'
  else fail "--hdf5: $(cat err)"; fi
  ;;
esac
expect 2 'both want the file' "${short[@]}" --csv same --hdf5 same

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo 'bristle control: all as expected'
