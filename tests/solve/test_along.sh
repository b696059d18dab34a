# SPDX-License-Identifier: Apache-2.0
# Friction that depends on the position: the load as a formula or table of u, against closed forms; parameters that
# switch along a trace.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf along && mkdir along && cd along || exit 1
fail() { echo "FAILED: $*"; exit 1; }
printf 'x [mm],n\n-200,-1\n400,5\n' >line.csv
printf 'x [mm];n\n-200;-1\n50;1,5\n400;5\n' >comma.csv # the first row does not tell the mark
printf 'x [mm],n\n-200,1\n0,1\n100,3\n400,3\n' >bend.csv
printf 't [s],n\n0,1\n1,2\n' >time.csv
printf 'n\n1\n2\n' >one.csv
printf 'x [mm],n [kg]\n-200,1\n400,2\n' >kg.csv
BLOCK=(simulate --system mass_spring --model coulomb --set m=1,ks=0,Fc=1,Fs=1,sigma2=0 --init v=1 --t-end 2 --json)
k=0
for n in expr:1+u/0.1 u:expr:1+u/0.1 u:csv:line.csv u:smooth:line.csv:x,n u:pwl:-200mm,-1,0.4,5; do
  "$BRISTLE" "${BLOCK[@]}" --input "N:$n" >block$k.json || fail "$n"
  k=$((k + 1))
done
"$BRISTLE" "${BLOCK[@]}" --input N:u:csv:comma.csv --decimal , >block5.json || fail 'a decimal comma'
for s in csv smooth; do
  "$BRISTLE" "${BLOCK[@]/v=1/v=0.5}" --input N:u:$s:bend.csv >$s.json || fail "a bend by $s"
done
for s in native cvode; do
  "$BRISTLE" simulate --system pulled_block --model lugre --set m=1,k=200,vp=0.01 --input 'N:expr:1+0.5*sin(u/1e-3)' \
    --t-end 0.5 --solver $s --json >lugre-$s.json 2>err || { grep -q SUNDIALS err || fail "lugre $s: $(cat err)"; cp lugre-native.json lugre-$s.json; }
done
M=(--model maxwell_slip --set k=100,Delta=1mm)
"$BRISTLE" trace "${M[@]}" --input triangle:10mm,1Hz --input 'N:expr:2+u/5e-3' --t-end 1 --dt 1ms --json >slip.json || fail 'one element'
for m in lugre gms dahl; do
  "$BRISTLE" trace --model $m --input sine:1mm,1.3Hz --input 'N:expr:1+0.5*sin(u/3e-4)' --t-end 0.6 --dt 1ms --csv t-$m.csv --quiet || fail "trace $m"
  "$BRISTLE" simulate --system prescribed --model $m --input sine:1mm,1.3Hz --input 'N:expr:1+0.5*sin(u/3e-4)' --t-end 0.6 \
    --output-dt 1ms --csv s-$m.csv --quiet || fail "simulate $m"
  [ $m = dahl ] && sw=0.2s:Fc=2,0.4s:load=3 || sw=0.2s:Fc=2,Fs=3,0.4s:load=3
  "$BRISTLE" trace --model $m --input triangle:1mm,1.3Hz --switch $sw --t-end 0.6 --dt 1ms --csv u-$m.csv --quiet || fail "switch $m"
  "$BRISTLE" simulate --system prescribed --model $m --input triangle:1mm,1.3Hz --switch $sw --t-end 0.6 \
    --output-dt 1ms --csv r-$m.csv --quiet || fail "switch in simulate $m"
done
"$BRISTLE" trace --model coulomb --set Fc=1,Fs=1,sigma2=0 --input ramp:1 --switch 0.5s:Fc=2,Fs=2,0.75s:N=3 --t-end 1 --dt 0.125 --json >level.json || fail 'levels'
"$BRISTLE" loop --waveform --model coulomb --set Fc=1,Fs=1,sigma2=0 --input sine:1mm,1Hz --input 'N:expr:1+(u/1e-3)^2' --json >loop.json || fail 'a loop'
"$BRISTLE" control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid --gains kp=3,ki=4,kd=6,tf=1e-3 \
  --reference step:1 --t-end 3 --input 'N:expr:1+0.5*sin(u/0.1)' --json >c.json || fail 'a loop of control'
"$BRISTLE" control --system mass_spring --model lugre --set m=1,ks=0 --track x --controller pid --gains kp=3,ki=4,kd=6,tf=1e-3 \
  --reference step:1 --t-end 3 --input 'N:expr:1+0.5*sin(u/0.1)' --sample 50us --json >cs.json || fail 'a sampled one'
python3 - <<'P' || exit 1
import csv, json, math
w = math.sqrt(10)                                   # x'' = -(1 + 10 x)
x_end, t_end = (-1 + math.sqrt(11)) / 10, math.atan(10 / w) / w
for k in range(6):
    d = json.load(open('block%d.json' % k))
    assert abs(d['final']['x'] - x_end) < 1e-12, (k, d['final'])
    assert abs(d['events'][0]['t'] - t_end) < 1e-12 and d['events'][0]['type'] == 'stick', (k, d['events'])
    assert abs(d['energy']['friction_work'] - 0.5) < 1e-12
x = json.load(open('csv.json'))['final']['x']       # x + 10 x^2 = 1/8: a straight piece
assert abs(x + 10 * x * x - 0.125) < 1e-12, x
x = json.load(open('smooth.json'))['final']['x']    # from 1 to 3 without corners: 3 s^2 - 2 s^3
assert abs(x + 0.2 * ((x / 0.1) ** 3 - 0.5 * (x / 0.1) ** 4) - 0.125) < 1e-12, x
a, b = (json.load(open('lugre-%s.json' % s))['final'] for s in ('native', 'cvode'))
assert 'u' in a and all(abs(a[n] - b[n]) <= 1e-6 * abs(a[n]) for n in ('l', 'v', 'u')), (a, b)
d = json.load(open('slip.json'))
slides = [(u, F) for u, v, F, t in zip(d['u'], d['v'], d['F'], d['t']) if t < 0.74 and v < 0 and u < 3.33e-3]
assert len(slides) > 100
for u, F in slides:                                 # dragged back: at its lower limit, F = -k Delta n(u), or held at 0
    assert abs(F + 0.1 * max(0, 2 + u / 5e-3)) < 1e-12, (u, F)
def table(f):
    r = list(csv.reader(open(f)))
    names = [c.split(' ')[0].split('[')[0] for c in r[0]]
    i = names.index('F_contact') if 'F_contact' in names else names.index('F')
    return [float(x[i]) for x in r[1:]]
for m in ('lugre', 'gms', 'dahl'):
    for p, q in (('t', 's'), ('u', 'r')):
        for x, y in zip(table('%s-%s.csv' % (p, m)), table('%s-%s.csv' % (q, m))):
            assert abs(x - y) < 2e-9, (m, p, x, y)
d = json.load(open('level.json'))
assert d['F'][1:] == [1, 1, 1, 1, 2, 2, 6, 6], d['F']
assert abs(json.load(open('loop.json'))['work'] - 16e-3 / 3) < 1e-14
a, b = json.load(open('c.json')), json.load(open('cs.json'))
assert abs(a['error_rms'] - b['error_rms']) < 3e-3 * a['error_rms'], (a['error_rms'], b['error_rms'])
assert a['error_rms'] > 0.555                       # 0.546 under a load that stays
P
no() { local words=$1 rc=$2; shift 2; "$BRISTLE" "${BLOCK[@]}" "$@" >out 2>err; [ $? -eq "$rc" ] && grep -q -- "$words" err || fail "$*: $(cat err)"; }
no 'along a position a quantity is' 2 --input N:u:sine:1,1
no 'is not that of a position' 2 --input N:u:pwl:0,1,1s,2
no "no column 'q'" 2 --input N:u:csv:line.csv:x,q
no 'expected two columns' 2 --input N:u:csv:line.csv:x
no 'a position needs m or rad' 2 --input N:u:csv:time.csv
no 'has one column' 2 --input N:u:csv:one.csv
no 'steps of a record go along time' 2 --input 'N:u:csv:bend.csv|offset:1mm'
no 'second column has dimension kg' 2 --input N:u:csv:kg.csv
no 'it must not be negative' 2 --input 'N:expr:1-u/0.1'
no 'unknown name' 2 --input 'N:expr:1+u*t'
"$BRISTLE" trace --model reset_integrator --input sine:1mm,1 --input 'N:expr:1+u' >out 2>err
[ $? -eq 2 ] && grep -q 'do not say how they follow' err || fail "reset_integrator: $(cat err)"
"$BRISTLE" trace --model maxwell_slip --input sine:1mm,1 --switch 0.1s:k=1,Delta=1mm >out 2>err
[ $? -eq 2 ] && grep -q 'another number of states' err || fail "states: $(cat err)"
echo ok
