# SPDX-License-Identifier: Apache-2.0
# The program as a user meets it: exit codes, messages, JSON, files.  BRISTLE is the program.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
dir=$PWD/cli_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
failures=0 checks=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# expect CODE STDERR_PART ARGS...: run, compare the exit code, look for the text on stderr.
expect() {
  local code=$1 part=$2 got
  shift 2
  checks=$((checks + 1))
  "$BRISTLE" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$code" ] || fail "bristle $*: exit $got, expected $code ($(head -1 err))"
  if [ -n "$part" ]; then
    grep -qF -- "$part" err || fail "bristle $*: stderr lacks '$part': $(cat err)"
  elif [ "$code" -eq 0 ] && [ -s err ]; then
    fail "bristle $*: unexpected stderr: $(cat err)"
  fi
  if [ "$code" -ne 0 ] && [ -s out ]; then fail "bristle $*: printed on stdout although it failed"; fi
  return 0
}
has() { checks=$((checks + 1)); grep -qE -- "$1" out || fail "output lacks '$1'"; }
valid_json() {
  checks=$((checks + 1))
  if command -v python3 >/dev/null; then
    # strict: NaN and Infinity are no JSON
    python3 -c 'import json,sys; json.load(sys.stdin, parse_constant=lambda c: sys.exit("constant " + c))' <out ||
      fail "not valid JSON: $*"
  fi
}
# No file but the listed ones may be in the folder (out and err aside).
only() {
  checks=$((checks + 1))
  local names
  names=$(ls -A | grep -vxE 'out|err|data.csv|short.csv|one.csv|back.csv|nan.csv' | sort | tr '\n' ' ')
  [ "$names" = "$*${*:+ }" ] || fail "files are '$names', expected '$*'"
  return 0
}

# --- what works ------------------------------------------------------------------------------------------------
expect 0 '' --help; has 'usage: bristle COMMAND'
expect 0 '' --version; has '^bristle [0-9]+\.[0-9]+\.[0-9]+$'; has '^compiler: '; has '^instruction set: '; has 'gnuplot'
expect 0 '' --version --json; valid_json version
expect 0 '' models; has '^lugre '
expect 0 '' models lugre; has 'sigma0 +N/m +.* > 0 '; has 'z +m '
expect 0 '' models --json; valid_json models
expect 0 '' models dahl --json; valid_json 'models dahl'
expect 0 '' systems; expect 0 '' systems --json; valid_json systems; has '"pulled_block"'
expect 0 '' help; expect 0 '' help trace; expect 0 '' help trace --man; has '^\.TH BRISTLE-TRACE 1'
expect 0 '' trace --model dahl --input sine:0.1,1 --json; valid_json trace
expect 0 '' trace --model maxwell_slip --set k=1,1.8,2.6,Delta=0.0015,0.0024,0.0033 --input triangle:5mm,1 --csv -
has '^t \[s\],u \[m\],v \[m/s\],F \[N\],z1 \[m\],z2 \[m\],z3 \[m\]$'
expect 0 '' trace --model=dahl --input=ramp:1 --quiet
[ -s out ] && fail '--quiet printed something'
expect 0 '' trace --model dahl --set sigma0=7.5 --set Fc=750mN --input u:ramp:1 --t-end 500ms --dt 1ms --load 2 --init F=0.1N
only

# --- the tables, by key -----------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
  checks=$((checks + 1))
  "$BRISTLE" models --json | python3 -c '
import json, sys
models = json.load(sys.stdin)["models"]
assert len(models) >= 4
for m in models:
    for k in ("name", "parameters", "states", "duhem_class", "rate_dependent", "continuity"): assert k in m, (m["name"], k)
    assert m["duhem_class"] in ("generalized", "semilinear", "none") and m["rate_dependent"] in (True, False)
    assert m["continuity"] in ("lipschitz", "continuous", "discontinuous")
    for p in m["parameters"]:
        for k in ("name", "unit", "default", "min", "max", "doc"): assert k in p, (m["name"], p["name"], k)
        d = p["default"]
        for x in d if isinstance(d, list) else [d] if not isinstance(d, str) else []:
            assert p["min"] is None or x > p["min"] or (x == p["min"] and not p["min_exclusive"]), (m["name"], p)
            assert p["max"] is None or x < p["max"] or (x == p["max"] and not p["max_exclusive"]), (m["name"], p)
        if "choices" in p: assert d in p["choices"]
    for s in m["states"]: assert "name" in s and "unit" in s
' || fail 'models --json: keys or defaults'
  checks=$((checks + 1))
  "$BRISTLE" trace --model dahl --set sigma0=7.5,Fc=0.75 --input triangle:0.4,0.25 --t-end 8 --dt 0.3 --json | python3 -c '
import json, sys, math
r = json.load(sys.stdin)
assert set(r) == {"t", "u", "v", "F", "states"} and set(r["states"]) == {"F"}
n = len(r["t"])
assert n == 27 and all(len(r[k]) == n for k in "uvF") and r["F"] == r["states"]["F"]
# the same path in small steps, by the closed form of each piece
def tri(t):
    q = t / 4 % 1
    return 0.4 * (4 * q if q < 0.25 else 2 - 4 * q if q < 0.75 else 4 * q - 4)
F, k = 0.0, 1
for i in range(1, 8001):
    du = tri(i / 1000) - tri((i - 1) / 1000)
    end = math.copysign(0.75, du)
    F = end + (F - end) * math.exp(-7.5 * abs(du) / 0.75)
    if i == 300 * k:
        assert abs(F - r["F"][k]) < 1e-12, (k, F, r["F"][k])
        k += 1
assert k == 27
' || fail 'trace --json: values'
fi

# --- two axes ----------------------------------------------------------------------------------------------------
if "$BRISTLE" models bouc_wen_biaxial >/dev/null 2>&1; then
  two=(trace --model bouc_wen_biaxial)
  expect 0 '' "${two[@]}" --set form=printed --input x:sine:2,1 --input y:ramp:0 --json
  valid_json biaxial
  if command -v python3 >/dev/null; then
    checks=$((checks + 1))
    python3 -c '
import json, sys
r = json.load(sys.stdin)
for k in "uvF": assert set(r[k]) == {"x", "y"} and len(r[k]["x"]) == len(r["t"])
assert set(r["states"]) == {"zx", "zy", "D"} and max(map(abs, r["F"]["y"])) == 0 and max(r["F"]["x"]) > 0.5
' <out || fail 'two axes: keys or values'
  fi
  expect 0 '' "${two[@]}" --input y:sine:2,1 --input x:ramp:0 --csv -
  has '^t \[s\],ux \[m\],uy \[m\],vx \[m/s\],vy \[m/s\],Fx \[N\],Fy \[N\],zx,zy,D$'
  expect 2 "--input y:SPEC is missing" "${two[@]}" --input x:sine:2,1
  expect 2 "several inputs" "${two[@]}" --input sine:2,1
  expect 2 "is given twice" "${two[@]}" --input x:sine:2,1 --input x:sine:1,1
  expect 2 "did you mean 'printed'" "${two[@]}" --set form=print --input x:sine:2,1 --input y:ramp:0
fi

# --- recorded input ---------------------------------------------------------------------------------------------
printf 't [s],x [mm]\n0,0\n0.5,1\n0.6,3\n2,-1\n' >data.csv
printf 't,x\n0,0\n' >short.csv
printf 'x\n0\n1\n0.5\n2\n' >one.csv
printf 't,x\n0,0\n1,1\n0.5,2\n' >back.csv
printf 't,x\n0,0\n1,inf\n2,2\n' >nan.csv
expect 0 '' trace --model dahl --input csv:data.csv --csv -
has '^0\.6,0\.003,'
[ "$(wc -l <out)" -eq 5 ] || fail 'a record is not stepped at its own samples'
expect 0 '' trace --model dahl --input csv:data.csv:t,x --dt 0.25 --csv -
[ "$(wc -l <out)" -eq 10 ] || fail 'a record is not resampled with --dt'
expect 0 '' trace --model dahl --input csv:one.csv --csv -

# --- wrong input: exit 2, the reason on stderr, nothing on stdout, no file ---------------------------------------
T=(trace --csv wrong.csv)
ok=(--model lugre --input sine:1mm,1)
expect 2 "no command given"
[ "$(grep -c '^  bristle .* # ' err)" -eq 5 ] || fail "an overview without five things to try: $(cat err)"
sed -n 's/^  \(bristle .*[^ ]\) *# .*/\1/p' err >try.txt
while read -r _ line; do # shellcheck disable=SC2086
  "$BRISTLE" $line >/dev/null 2>try.err || fail "what bare bristle says to try: $line: $(cat try.err)"
done <try.txt
rm -f try.txt try.err
for c in $("$BRISTLE" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do grep -qw -- "$c" err || fail "the overview lacks $c"; done
awk 'length > 120 { exit 1 }' err || fail 'long lines in the overview'
expect 2 "did you mean 'trace'" trac
expect 2 "unknown command 'xyzzy'" xyzzy
expect 2 "unknown option '--frobnicate'" --frobnicate
expect 2 "did you mean 'lugre'" models lugr
expect 2 "'bristle models' lists them" models qqqqqqqq
expect 2 "unexpected argument 'dahl'" models lugre dahl
expect 2 "did you mean '--json'" models --jsn
expect 2 "did you mean 'pulled_block'" systems puled_block
expect 2 "did you mean 'models'" help modells
expect 2 "--json may follow" --version now
expect 2 "--model NAME is missing" "${T[@]}" --input sine:1,1
expect 2 "--input SPEC is missing" "${T[@]}" --model lugre
expect 2 "did you mean 'maxwell_slip'" "${T[@]}" --model maxwell-slip --input sine:1,1
expect 2 "sigma0 = -1 N/m is out of range: must be > 0" "${T[@]}" "${ok[@]}" --set sigma0=-1
expect 2 "did you mean 'sigma0'" "${T[@]}" "${ok[@]}" --set sigma_0=1
expect 2 "dimension" "${T[@]}" "${ok[@]}" --set sigma0=3mm
expect 2 "not a number" "${T[@]}" "${ok[@]}" --set sigma0=big
expect 2 "not a finite number" "${T[@]}" "${ok[@]}" --set sigma0=nan
expect 2 "given twice" "${T[@]}" "${ok[@]}" --set Fc=1,Fc=2
expect 2 "given twice" "${T[@]}" "${ok[@]}" --set Fc=1 --set Fc=2
expect 2 "starts without NAME=" "${T[@]}" "${ok[@]}" --set Fc=1 --set 2
expect 2 "Fs" "${T[@]}" "${ok[@]}" --set Fc=2,Fs=1
expect 2 "vs" "${T[@]}" "${ok[@]}" --set vs=0
expect 2 "NAME=VALUE" "${T[@]}" "${ok[@]}" --set 5
expect 2 "Delta" "${T[@]}" --model maxwell_slip --input sine:1,1 --set k=1,2
expect 2 "sine" "${T[@]}" --model lugre --input sin:1,1
expect 2 "" "${T[@]}" --model lugre --input sine:1
expect 2 "" "${T[@]}" --model lugre --input sine:1,-1
expect 2 "" "${T[@]}" --model lugre --input sine:a,b
expect 2 "nowhere.csv" "${T[@]}" --model lugre --input csv:nowhere.csv
expect 2 "did you mean" "${T[@]}" --model lugre --input csv:data.csv:t,xx
expect 2 "sample" "${T[@]}" --model lugre --input csv:short.csv
expect 2 "back.csv" "${T[@]}" --model lugre --input csv:back.csv
expect 2 "nan.csv" "${T[@]}" --model lugre --input csv:nan.csv
expect 2 "given twice" "${T[@]}" "${ok[@]}" --input sine:2,2
expect 2 "--dt = 0 s is out of range" "${T[@]}" "${ok[@]}" --dt 0
expect 2 "--dt = -1 s is out of range" "${T[@]}" "${ok[@]}" --dt -1
expect 2 "--t-end = -1 s" "${T[@]}" "${ok[@]}" --t-end=-1
expect 2 "not a finite number" "${T[@]}" "${ok[@]}" --t-end inf
expect 2 "dimension" "${T[@]}" "${ok[@]}" --t-end 3mm
expect 2 "is not a number" "${T[@]}" "${ok[@]}" --t-end soon
expect 2 "longer than the motion" "${T[@]}" "${ok[@]}" --t-end 1 --dt 2
expect 2 "samples" "${T[@]}" "${ok[@]}" --dt 1e-300
expect 2 "--load" "${T[@]}" "${ok[@]}" --load -1
expect 2 "did you mean '--t-end'" "${T[@]}" "${ok[@]}" --tend 3
expect 2 "needs an argument" "${T[@]}" "${ok[@]}" --t-end
expect 2 "needs an argument" "${T[@]}" "${ok[@]}" --set --json
expect 2 "is given twice" "${T[@]}" "${ok[@]}" --model dahl
expect 2 "takes no argument" "${T[@]}" "${ok[@]}" --json=yes
expect 2 "both want standard output" trace "${ok[@]}" --csv - --json
expect 2 "no parameter 'q'" "${T[@]}" "${ok[@]}" --init q=1
expect 2 ".svg, .png, .pdf or .tex" "${T[@]}" "${ok[@]}" --plot picture.eps
expect 2 "unexpected argument" "${T[@]}" "${ok[@]}" extra
expect 2 "empty argument" "${T[@]}" "${ok[@]}" --set ''
only

# --- the output fails: exit 1, nothing left ----------------------------------------------------------------------
expect 1 "nofolder" trace "${ok[@]}" --csv nofolder/x.csv
mkdir folder && expect 1 "folder" trace "${ok[@]}" --csv folder && rmdir folder
if [ -w /dev/full ]; then
  expect 1 "No space left" trace "${ok[@]}" --csv /dev/full
  for args in 'trace --model dahl --input sine:1,1 --json' 'trace --model dahl --input sine:1,1 --csv -' 'models' 'models --json' '--version' 'trace --help'; do
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    "$BRISTLE" $args >/dev/full 2>err && fail "$args: a full disk went unnoticed"
    grep -qi 'no space' err || fail "$args: no reason given for a full disk"
  done
fi
only
# --- the computation fails: an overflow is seen, with its time ----------------------------------------------------
expect 1 "at t = " trace --model lugre --input sine:1e308,1 --csv bad.csv --json
only

# --- interrupted: 130, and no file ---------------------------------------------------------------------------------
checks=$((checks + 1))
"$BRISTLE" trace --model bouc_wen --input sine:1,1 --t-end 1e6 --csv long.csv >out 2>err &
pid=$!
for _ in $(seq 50); do [ -n "$(ls long.csv* 2>/dev/null)" ] && break; sleep 0.1; done
[ -n "$(ls long.csv.bristle-*.part 2>/dev/null)" ] || fail 'the long run did not start to write'
[ -e long.csv ] && fail 'a half-written file stands under its final name'
kill -INT "$pid"
wait "$pid"
code=$?
[ "$code" -eq 130 ] || fail "interrupted run: exit $code, expected 130 ($(cat err))"
only

# --- an existing file survives a failure ----------------------------------------------------------------------------
echo keep >old.csv
expect 2 "" trace "${ok[@]}" --csv old.csv --set sigma0=-1
expect 1 "" trace --model lugre --input sine:1e308,1 --csv old.csv
[ "$(cat old.csv)" = keep ] || fail 'a failed run destroyed an existing file'
rm old.csv

# --- pictures ---------------------------------------------------------------------------------------------------------
if command -v gnuplot >/dev/null; then
  expect 0 '' trace "${ok[@]}" --plot "a b's.svg" --quiet
  only "a b's.dat" "a b's.gp" "a b's.svg"
  checks=$((checks + 1))
  rm "a b's.svg" && gnuplot "a b's.gp" && grep -q '<svg' "a b's.svg" || fail 'the script does not redraw the picture'
  grep -q 'displacement u, ' "a b's.svg" || fail 'axis label missing'
  rm -f "a b's".*
  expect 0 '' trace "${ok[@]}" --plot p.png --quiet
  only p.dat p.gp p.png
  rm -f p.*
  expect 1 "" trace "${ok[@]}" --plot nofolder/p.svg
  expect 1 "at t = " trace --model lugre --input sine:1e308,1 --plot p.svg
fi
checks=$((checks + 1))
(PATH=/nowhere "$BRISTLE" trace "${ok[@]}" --plot p.svg --csv p.csv >out 2>err)
[ $? -eq 1 ] && grep -q 'gnuplot is not installed' err || fail "no gnuplot: $(cat err)"
only

# --- man pages ------------------------------------------------------------------------------------------------------
mkdir man
expect 0 '' help --man-dir man
[ "$(ls man | wc -l)" -ge 4 ] && grep -q '^\.SH EXAMPLES' man/bristle-trace.1 || fail 'man pages are missing'
if command -v man >/dev/null; then
  for page in man/*.1; do
    checks=$((checks + 1))
    warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "$page: $warnings"
  done
fi
rm -r man
expect 1 "cannot write" help --man-dir nofolder

# --- loop and classify ------------------------------------------------------------------------------------------
L=(loop --model lugre --set sigma0=6,sigma1=1,Fc=1,Fs=2,vs=1,delta=1 --input bimodal:0,1,0.5,1.5)
expect 0 '' "${L[@]}" --json; valid_json loop
has '"method": "closed-form"'; has '"gap": -0.50615883504004'; has '"work": 3.49678375423933'; has '"dissipation": 0.32985645882607'
expect 0 '' "${L[@]}"; has 'do not close'
expect 0 '' "${L[@]}" --quiet --csv loop.csv --samples 4
[ "$(wc -l <loop.csv)" -eq 18 ] || fail 'loop.csv has not 4 arcs of 4 samples, the first corner and a heading'
head -1 loop.csv | grep -qx 'rho \[m\],u \[m\],y \[N\],minor' || fail 'heading of loop.csv'
rm -f loop.csv
expect 0 '' "${L[@]}" --waveform --samples 8 --json; valid_json 'loop --waveform'; has '"wave": '
expect 0 '' "${L[@]}" --scales 1,10 --periods 2 --json; valid_json 'loop --scales'; has '"rate": '; has '"transient": \['
expect 0 '' loop --model semilinear_duhem --input turning:-1,1 --json; valid_json loop; has '"dissipation": null'
expect 0 'repels' loop --model bouc_wen --set beta=-0.25,gamma=1.25,eta=1 --input turning:-0.3,0.3 --json
valid_json 'repelling loop'; has '"attracting": false'
printf 't [s],u [m]\n0,0\n1,1\n2,0.5\n3,1.5\n' >short.csv
expect 0 '' loop --model dahl --input csv:short.csv; has '4 turning points, 1 minor loop'
expect 1 'degradation' loop --model bouc_wen --set inv_d0=0.1 --input turning:-1,1
expect 2 'two axes' loop --model bouc_wen_biaxial --input turning:-1,1
expect 0 '' loop --model karnopp --input turning:-1,1; has ' 4 J a period'
expect 2 'must be >= 0' "${L[@]}" --frequency -1
expect 2 'must be > 0' "${L[@]}" --load -1
expect 2 'whole number' "${L[@]}" --samples 0
expect 2 'whole number' "${L[@]}" --periods 1.5
expect 2 'exclude each other' "${L[@]}" --frequency 1 --waveform
expect 2 'add --waveform' "${L[@]}" --filter 1
expect 2 'add --periods' "${L[@]}" --init z=0
expect 2 'list of numbers' "${L[@]}" --scales 1,x
expect 2 'out of range' "${L[@]}" --scales 0
expect 2 'no period' loop --model dahl --input csv:short.csv --waveform
expect 2 "did you mean 'lugre'" loop --model lugree --input turning:0,1
expect 0 '' classify; has '^dahl gamma=0.5 +generalized +indep. continuous'; has '^maxwell_slip +none .*\*$'
expect 0 '' classify --json --energy no; valid_json classify
expect 0 '' classify --model bouc_wen --set beta=-0.25,gamma=1.25; has 'energy +active: work -'
expect 0 '' classify --model bouc_wen --set beta=0.25,gamma=0.75; has 'another stored energy: F v - dE/dt = -'
expect 0 '' classify --model bouc_wen --set beta=0.75,gamma=0.25; has 'energy +admissible'
expect 2 'needs --model' classify --set gamma=1
expect 0 '' classify --model bouc_wen_biaxial --energy no --memory no; has 'generali[sz]ed'

cd .. && rm -rf "$dir"
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
