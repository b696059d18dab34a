# SPDX-License-Identifier: Apache-2.0
# Studies: 'output: units', tables and pictures in other units while numbers stay SI; kinds 'bode' and 'responses', and
# tables that only a picture needs by their name.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
"$BRISTLE" --version | grep -qE '^ *yaml +yes' || { echo "skip: this build has no libyaml"; exit 77; }
rm -rf units && mkdir units && cd units || exit 1
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
study() { # units
  cat <<Y
title: a servo
system: mass_spring
model: lugre
set: {m: 1, ks: 0}
runs:
  servo: {control: {track: x, controller: pid, gains: 'kp=3,ki=4,kd=6,tf=1e-3', reference: 'step:1', t-end: 0.1 s, bode: yes}}
  all: {control: {compare: yes, samples: 0, uncertain: Fc, reference: 'step:1', t-end: 20 ms, sample: 1 ms, responses: yes}}
plots:
  loop: {kind: bode, run: servo}
  answers: {kind: responses, run: all}
  gain: {run: servo, table: bode-sliding, x: frequency, y: gain}
check:
  - {run: servo, quantity: control.e.max, value: 1 m, tolerance: 1e-12, source: the step}
$1
Y
}
study "" >si.yaml
study "output: {units: 'mm,ms,kN'}" >mm.yaml
for s in si mm; do "$BRISTLE" run $s.yaml --out $s --quiet >$s.out 2>&1 || fail "$s: $(cat $s.out)"; done
[ "$(head -1 mm/servo.csv)" = "t [ms],r [mm],y [mm],e [mm],u [kN],F [kN],v [m/s],z [mm]" ] || fail "head: $(head -1 mm/servo.csv)"
[ "$(head -1 si/servo.csv)" = "t [s],r [m],y [m],e [m],u [N],F [N],v [m/s],z [m]" ] || fail "head: $(head -1 si/servo.csv)"
[ "$(sed -n 2p mm/servo.csv | cut -d, -f2)" = 1000 ] || fail "first row: $(sed -n 2p mm/servo.csv)"
for f in loop answers gain; do
  if "$BRISTLE" --version | grep -qE '^ *gnuplot +yes'; then [ -s mm/$f.svg ] || fail "no picture $f"; fi
done
[ -s si/servo-bode-sliding.csv ] && [ -s si/servo-bode-stick.csv ] || fail "no tables of kind bode"
ls si | grep -q '^all-errors' || fail "no tables of kind responses"
ls si | grep -q '^servo-response-' && fail "tables that nobody draws"
# numbers of the record are SI in both
sed '/"file"\|"key"/d' si/servo.json >a && sed '/"file"\|"key"/d' mm/servo.json >b && cmp -s a b || fail "records differ: $(diff a b | head -3)"
# other units are another question
study "output: {units: 'um,ms,kN'}" >mm.yaml
"$BRISTLE" run mm.yaml --out mm --resume --quiet >out 2>&1 || fail "resume: $(cat out)"
[ "$(head -1 mm/servo.csv | cut -d, -f2)" = "r [um]" ] || fail "resumed in old units: $(head -1 mm/servo.csv)"
study "output: {units: 'mm,um'}" >bad.yaml
"$BRISTLE" run bad.yaml --out bad >out 2>&1
[ $? = 2 ] && grep -q "two units of the same dimension" out || fail "two lengths: $(cat out)"
[ -e bad ] && fail "something was written"
[ $failures = 0 ] && echo "units of studies: ok"
exit $((failures > 0))
