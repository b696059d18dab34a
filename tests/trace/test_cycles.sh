# SPDX-License-Identifier: Apache-2.0
# trace --measures: work, stiffness and damping of every cycle, columns of work and energy; against closed forms.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf cycles && mkdir cycles && cd cycles || exit 1
fail() { echo "FAILED: $*"; exit 1; }
ask() { "$BRISTLE" trace --measures --json "${@:2}" >"$1.json" || fail "$*"; }
# corners where it goes on are no turns
printf 't,u\n0,0\n0.3,8e-4\n1,1e-3\n1.7,5e-4\n2,-1e-3\n2.5,-1e-3\n3,1e-3\n4,-1e-3\n5,0\n' >rec.csv
for dt in 1ms 31.7ms; do # rows do not matter
  ask coulomb-$dt --model coulomb --set Fc=2,Fs=2,sigma2=0 --input sine:1mm,1Hz --t-end 3 --dt $dt
  ask jenkins-$dt --model maxwell_slip --set k=100,Delta=2mm --input sine:5mm,1Hz --t-end 3 --dt $dt
  ask viscous-$dt --model viscous --set sigma2=3 --input sine:5mm,2Hz --t-end 3 --dt $dt
  ask lugre-$dt --model lugre --input sine:1mm,1Hz --t-end 3 --dt $dt
done
ask repels --model semilinear_duhem --set D=-5 --input sine:1,0.1Hz --t-end 30 --dt 0.5
ask record --model coulomb --set Fc=2,Fs=2,sigma2=0 --input csv:rec.csv
ask loaded --model coulomb --set Fc=2,Fs=2,sigma2=0 --input triangle:1mm,1Hz --input 'N:expr:1+(u/1e-3)^2' --t-end 2.5
"$BRISTLE" loop --waveform --model lugre --input sine:1mm,1Hz --json >loop.json || fail 'a loop'
"$BRISTLE" trace --measures --model dahl --input triangle:1,1Hz --t-end 2 --csv t.csv --hdf5 t.h5 --quiet 2>err || grep -q -i hdf5 err || fail "tables: $(cat err)"
head -1 t.csv | grep -q 'work \[J\],stored \[J\],dissipated \[J\]' || fail "columns: $(head -1 t.csv)"
python3 - <<'P' || exit 1
import json, math
def of(n):
    return json.load(open(n + '.json'))
def near(x, y, most=1e-9):
    assert abs(x - y) <= most * abs(y), (x, y)
for dt in ('1ms', '31.7ms'):
    c = of('coulomb-' + dt)['cycles']
    assert len(c) == 2, c
    for x in c:
        near(x['work'], 4 * 2 * 1e-3), near(x['stiffness'], 2 / 1e-3), near(x['damping_ratio'], 2 / math.pi)
        near(x['damping'], 4 * 2 / (math.pi * 2 * math.pi * 1e-3)), near(x['to'] - x['from'], 1), near(x['u_min'], -1e-3)
    for x in of('jenkins-' + dt)['cycles']:
        near(x['work'], 4 * 100 * 2e-3 * 3e-3), near(x['stiffness'], 100 * 2 / 5)
        near(x['loss_factor'], 4 * 0.2 * 3e-3 / (math.pi * 40 * 25e-6)), near(x['F_at_u_max'], 0.2), near(x['F_at_u_min'], -0.2)
    for x in of('viscous-' + dt)['cycles']:
        near(x['work'], math.pi * 3 * 4 * math.pi * 25e-6), near(x['damping'], 3)
        assert x['damping_ratio'] is None or abs(x['stiffness']) < 1e-9, x
    d = of('lugre-' + dt)
    near(d['cycles'][1]['work'], json.load(open('loop.json'))['work'], 1e-8)
    assert abs(d['dissipated'][-1] - (d['work'][-1] - d['stored'][-1] + d['stored'][0])) < 1e-15
    assert all(b - a > -1e-12 for a, b in zip(d['dissipated'], d['dissipated'][1:])) or dt != '1ms'
for x in of('repels')['cycles']: # a force that falls with the travel has no damping ratio
    assert x['stiffness'] < -4 and x['work'] > 2 and x['damping_ratio'] is None and x['loss_factor'] is None, x
c = of('record')['cycles']
assert len(c) == 1 and c[0]['from'] == 1 and c[0]['to'] == 3, c       # it turns at 1, rests from 2 to 2.5, turns, turns at 3
near(c[0]['work'], 8e-3), near(of('record')['work'][-1], 2 * 8e-3)
near(of('loaded')['cycles'][0]['work'], 2 * 2 * (2 + 2 / 3) * 1e-3)
P
"$BRISTLE" trace --model lugre --input sine:1mm,1Hz --json | grep -q '"cycles"' && fail 'cycles that nobody asked for'
"$BRISTLE" trace --model viscous --input step:1mm,0.5 --t-end 1 >out 2>err
[ $? -eq 2 ] && grep -q 'would take infinite work' err || fail "a jump under a viscous force: $(cat err)"
ask jump --model coulomb --set Fc=2,Fs=2,sigma2=0 --input step:1mm,0.5 --t-end 1
python3 -c 'import json; w = json.load(open("jump.json"))["work"][-1]; assert abs(w - 2e-3) < 1e-15, w' || exit 1
echo ok
