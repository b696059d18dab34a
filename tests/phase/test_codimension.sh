# SPDX-License-Identifier: Apache-2.0
# Bogdanov-Takens points and the cusp against their closed equations in 50 digits.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf codimension && mkdir codimension && cd codimension || exit 1
block=(phase --system driven_block --model lugre --set m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma1=8.25,sigma2=1.6 --json --csv x.csv)
"$BRISTLE" "${block[@]}" --vary sigma1=4:14 --vary2 F=5.6:5.85 --grid 4 >a.json || exit 1
"$BRISTLE" "${block[@]}" --vary F=5.6:5.85 --vary2 sigma1=4:14 --grid 4 >b.json || exit 1
"$BRISTLE" "${block[@]}" --vary F=4:7 --vary2 sigma2=0.5:3 --grid 3 >c.json || exit 1
"$BRISTLE" "${block[@]}" --vary F=4:5 --vary2 sigma2=0.5:3 --grid 3 >d.json || exit 1 # outside of the ranges
python3 - <<'P'
import json
from decimal import Decimal as D, getcontext
getcontext().prec = 50
Fc, dF, vs, s0, s2, m = D(1), D(4), D(2), D(5), D('1.6'), D(1)
g = lambda v: Fc + dF * (-(v / vs) ** 2).exp()
g1 = lambda v: -2 * v / vs**2 * dF * (-(v / vs) ** 2).exp()
def root(f, a, b):
    for _ in range(170):
        c = (a + b) / 2
        if (f(a) > 0) == (f(c) > 0): a = c
        else: b = c
    return a
def near(x, y): assert abs(D(x) - y) < D('4e-14') * abs(y), (x, y)
turn = vs / D(2).sqrt()                      # where g'' = 0
folds = [root(lambda v: g1(v) + s2, D('0.01'), turn), root(lambda v: g1(v) + s2, turn, D(6))]
want = sorted((g(v) + s2 * v, (s2 * g(v) + m * s0 * v) / (v * s2), v) for v in folds)
for name, F, s1 in (('a', 'value2', 'value'), ('b', 'value', 'value2')):
    got = json.load(open(name + '.json'))['codimension_two']
    assert [p['type'] for p in got] == ['bogdanov_takens'] * 2, got
    for p, w in zip(sorted(got, key=lambda p: p[F]), want):
        near(p[F], w[0]), near(p[s1], w[1]), near(p['v'], w[2])
got = json.load(open('c.json'))['codimension_two']
assert len(got) == 1 and got[0]['type'] == 'cusp', got
near(got[0]['v'], turn), near(got[0]['value2'], -g1(turn)), near(got[0]['value'], g(turn) - g1(turn) * turn)
assert not json.load(open('d.json')).get('codimension_two'), 'a point outside of the ranges'
P
