# SPDX-License-Identifier: Apache-2.0
# simulate --measures: columns of work and energy, break-away and sticks of each contact, against closed forms; laws of karnopp
# and gms by formula, table and direction; cycles of given motions.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf measures && mkdir measures && cd measures || exit 1
fail() { echo "FAILED: $*"; exit 1; }
ask() { "$BRISTLE" simulate --json "${@:2}" >"$1.json" || fail "$*"; }
B=(--system pulled_block --set m=1,k=100,vp=0.01,Fc=1,Fs=1.5 --t-end 0.4 --measures)
ask coulomb "${B[@]}" --model coulomb --csv c.csv
ask dahl --system prescribed --model viscous --set sigma2=3 --input ramp:0.5 --t-end 2 --measures
ask lugre "${B[@]}" --model lugre
# no true stick: the first peak of the force and slow stretches, between rows that are far apart
ask swing --system mass_spring --model viscous --set m=1,ks=39.47841760435743,sigma2=1e-6 --init x=1 --t-end 2.2 --output-dt 30ms --window 0:2.2 --threshold 3 --rtol 1e-10 --measures
# a block that is pushed by a ramp of force breaks away at the level, whatever says it
D=(--system driven_block --input F:ramp:1 --t-end 3 --measures)
ask k0 "${D[@]}" --model karnopp --set m=1,Fc=1,Fs=1.5,sigma2=0
ask k1 "${D[@]}" --model karnopp --set m=1,Fc=1,Fs=1.5,sigma2=0,rise=1.2
ask k2 "${D[@]}" --model karnopp --set 'm=1,sigma2=0,g=2+0*v'
ask k3 "${D[@]}" --model karnopp --set m=1,sigma2=0,g_v=0,1,g_F=2,1
ask k4 --system driven_block --input F:ramp:-1 --t-end 3 --measures --model karnopp --set m=1,Fc=1,Fs=1.5,sigma2=0,back=0.5
ask k5 "${D[@]}" --model karnopp --set m=1,Fc=1,Fs=1.5,vs=0.1,sigma2=0
ask c5 "${D[@]}" --model coulomb --set m=1,Fc=1,Fs=1.5,vs=0.1,sigma2=0
ask c3 "${D[@]}" --model coulomb --set m=1,sigma2=0,g_v=0,1,g_F=2,1
# gms slides at its level
for n in g0 g1 g2 g3; do
  case $n in g0) s=Fc=2,Fs=3,vs=0.1 ;; g1) s='g=2+exp(-(v/0.1)^2)' ;; g2) s=g_v=0,0.05,0.5,g_F=3,2.5,2 ;; g3) s=Fc=2,Fs=3,vs=0.1,back=0.5 ;; esac
  "$BRISTLE" trace --model gms --set sigma2=0,"$s" --input triangle:0.5,0.1 --t-end 10 --dt 10ms --json >$n.json || fail "gms $s"
  "$BRISTLE" simulate --system mass_spring --model gms --set m=1,ks=10,sigma2=0,"$s" --input Fe:sine:5N,0.5Hz --t-end 2 --json >$n-m.json || fail "gms $s moves"
done
"$BRISTLE" simulate --system mass_spring --model gms --set m=1,ks=10,sigma2=0,g_v=0,0.05,0.5,g_F=3,2.5,2 --input Fe:sine:5N,0.5Hz --t-end 2 --solver cvode --json >g2-c.json 2>err || cp g2-m.json g2-c.json
ask cycle --system prescribed --model dahl --set sigma0=1000,Fc=1 --input sine:5mm,1Hz --cycle
ask filtered --system filtered --model dahl --set sigma0=1000,Fc=1,tau=0.01 --input sine:5mm,1Hz --cycle
ask slip --system prescribed --model maxwell_slip --set k=100,Delta=1mm --input sine:5mm,1Hz --cycle
"$BRISTLE" loop --model dahl --set sigma0=1000,Fc=1 --input sine:5mm,1Hz --json >loop.json || fail 'a loop'
python3 - <<'P' || exit 1
import csv, json, math
def of(n):
    return json.load(open(n + '.json'))
def near(x, y, most=1e-9):
    assert abs(x - y) <= most * abs(y), (x, y)
d = of('coulomb')
assert d['contacts'][0] == {'breakaway': None, 'breakaway_time': None, 'sticks': 1, 'stick_time': 0.4}, d['contacts']  # 0.4 N: it holds
r = list(csv.reader(open('c.csv')))
names = [c.split(' ')[0] for c in r[0]]
assert names[-4:] == ['work_in', 'stored', 'dissipated', 'friction_work'], names
last = dict(zip(names, map(float, r[-1])))
for k in ('work_in', 'stored', 'dissipated', 'friction_work'):
    near(last[k], d['energy'][k])
for row in r[1:]:
    x = dict(zip(names, map(float, row)))
    assert abs(x['work_in'] - x['stored'] - x['dissipated']) < 1e-13
d = of('dahl')
near(d['energy']['friction_work'], 3 * 0.25 * 2)
c = of('swing')['contacts'][0]                      # v = 2 pi sin(2 pi t): slow at the start and around four turning points
near(c['breakaway_time'], 0.25, 1e-3), near(c['breakaway'], 2e-6 * math.pi, 1e-3)
near(c['stick_time'], 9 * math.asin(1.5 / math.pi) / (2 * math.pi), 0.01)
assert c['sticks'] == 5, c
d = of('lugre')
assert d['contacts'][0]['stick_time'] is not None
for n, F in (('k0', 1.5), ('k1', 1.8), ('k2', 2), ('k3', 2), ('k4', 0.75), ('k5', 1.5), ('c3', 2)):
    c = of(n)['contacts'][0]
    near(c['breakaway'], F), near(c['breakaway_time'], F), near(c['stick_time'], F)
    assert c['sticks'] == 1, (n, c)
for k in ('v', 'F'):
    near(of('k5')['final'][k], of('c5')['final'][k], 1e-6), near(of('k3')['final'][k], of('c3')['final'][k], 1e-9)
t = of('k0')['final']['v']                          # m v' = t - Fc from t = 1.5 on
near(t, ((3 - 1) ** 2 - 0.5 ** 2) / 2)
def slide(d, side):                                 # v = 0.2 m/s both ways
    i = [k for k, v in enumerate(d['v']) if abs(v - side * 0.2) < 1e-9][-1]
    return d['F'][i]
near(slide(of('g0'), -1), -(2 + math.exp(-4)), 1e-6), near(slide(of('g1'), -1), -(2 + math.exp(-4)), 1e-6)
near(slide(of('g2'), -1), -(2.5 - 0.5 / 0.45 * 0.15), 1e-6), near(slide(of('g3'), -1), -0.5 * (2 + math.exp(-4)), 1e-6)
near(slide(of('g3'), 1), 2 + math.exp(-4), 1e-6)
for k in ('x', 'v'):
    near(of('g1-m')['final'][k], of('g0-m')['final'][k], 1e-7), near(of('g2-c')['final'][k], of('g2-m')['final'][k], 1e-5)
c = of('cycle')['cycle']
near(c['friction_work'], of('loop')['work'], 1e-8), near(c['period'], 1)
near(of('slip')['cycle']['friction_work'], 4 * 100 * 1e-3 * 4e-3), near(of('filtered')['cycle']['friction_work'], of('loop')['work'], 1e-8)
P
no() { local words=$1; shift; "$BRISTLE" simulate --system driven_block --input F:ramp:1 --t-end 1 "$@" >out 2>err; [ $? -eq 2 ] && grep -q -- "$words" err || fail "$*: $(cat err)"; }
no 'formulas compare with' --model viscous --event 'v!=0.5'
no 'not both' --model karnopp --set 'g=2,g_v=0,1,g_F=1,2'
no 'as many levels' --model karnopp --set g_v=0,1,g_F=1
no 'ascending' --model gms --set g_v=1,0,g_F=1,2
no 'must be > 0' --model gms --set g=0
no 'must be >= 0' --model karnopp --set g=-1
no 'add up to 1' --model gms --set alpha=0.5,0.1,0.1,0.1,back=2
echo ok
