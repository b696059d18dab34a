# SPDX-License-Identifier: Apache-2.0
# Machines as engineers write them: constant steps beside a stop that is not touched, units of contacts that turn, messages.
set -euo pipefail
cat > valve.yaml <<'Y'
mechanism:
  name: valve
  parameters: {m: 2 kg, k: 5e4 N/m, A: 0.05 m^2}
  inputs: {p: {value: 0 Pa, doc: air pressure}}
  bodies: {body: fixed, stem: {mass: m}}
  connections:
    - spring: {between: [stem, body], stiffness: k}
    - stop: {between: [stem, body], low: -1 mm, high: 35 mm, stiffness: 1e8 N/m}
    - force: {on: stem, value: 'A*p'}
  contacts:
    - {name: packing, between: [stem, body], model: gms, set: {Fc: 200 N, Fs: 300 N, vs: 1 mm/s}}
Y
cat > brake.yaml <<'Y'
mechanism:
  name: brake
  parameters: {J: 0.1 kg m^2, k: 50 N m/rad, c: 0.05 N m s/rad}
  inputs: {hand: 0.2 rad/s}
  bodies: {calliper: fixed, hand: {velocity: hand}, disc: {inertia: J}}
  connections:
    - spring: {name: shaft, between: [hand, disc], stiffness: k, damping: c}
  contacts:
    - {between: [disc, calliper], model: lugre, set: {sigma0: 100 N m/rad, Fc: 0.2 N m, Fs: 0.3 N m, vs: 0.1 rad/s}}
    - {between: [disc, calliper], model: lugre, set: {sigma0: 120 N m/rad, Fc: 0.25 N m, Fs: 0.4 N m, vs: 0.1 rad/s}}
Y
sed 's/- {between/- {name: pad, between/; s/model: lugre, set: {sigma0: 120 N m\/rad, /model: coulomb, set: {/' brake.yaml > mixed.yaml
"$BRISTLE" simulate --system valve.yaml --input p:step:20000 --t-end 0.2 --json > exact.json
for h in 1e-5 1e-6; do "$BRISTLE" simulate --system valve.yaml --input p:step:20000 --t-end 0.2 --solver fixed --dt $h --json > $h.json; done
for f in brake mixed; do "$BRISTLE" simulate --system $f.yaml --t-end 0.1 --csv - --quiet > $f.csv; done
python3 - <<'PY'
import json
exact, coarse, fine = (json.load(open(f + ".json"))["extremes"]["x_stem"]["max"] for f in ("exact", "1e-5", "1e-6"))
assert 0.03 < exact < 0.034, exact
assert abs(coarse - exact) < 1e-4 and abs(fine - exact) < 0.3 * abs(coarse - exact), (exact, coarse, fine)
assert "contact1.z [rad],contact2.z [rad]" in open("brake.csv").readline()
assert "contact1.z1 [rad]" in open("mixed.csv").readline()
PY
refuse() { # what the message must say, arguments
  want=$1; shift
  rc=0; "$BRISTLE" "$@" > out.txt 2> err.txt || rc=$?
  [ $rc = 2 ] && grep -qF -- "$want" err.txt || { echo "rc $rc for: $*"; cat err.txt; exit 1; }
}
refuse 'contact1.z is in rad' simulate --system brake.yaml --t-end 1 --init contact1.z=1mm
refuse '(2 contacts, 4 states)' phase --system brake.yaml --vary hand=0.01:1
sed 's/^  contacts:/  forces: []\n  contacts:/' valve.yaml > force.yaml
refuse "force.yaml:10:3: mechanism has no key 'forces': a force is one of the connections" simulate --system force.yaml --t-end 1
sed 's/inputs:/drives:/' valve.yaml > key.yaml
refuse "mechanism has no key 'drives'; it has name, title, parameters, inputs," simulate --system key.yaml --t-end 1
sed 's/{mass: m}/{mass: m, acceleration: 1}/' valve.yaml > body.yaml
refuse "a body has no key 'acceleration'; it has mass, inertia, fixed, position, velocity," simulate --system body.yaml --t-end 1
echo "constant steps beside a stop; units of turning contacts; five refusals"
