# SPDX-License-Identifier: Apache-2.0
# Bogdanov-Takens points, neutral saddles and the cusp against their closed equations in 50 digits; a Bautin point.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf codimension && mkdir codimension && cd codimension || exit 1
block=(phase --system driven_block --model lugre --set m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma1=8.25,sigma2=1.6 --json --csv x.csv)
"$BRISTLE" "${block[@]}" --vary sigma1=4:14 --vary2 F=5.6:5.85 --grid 4 >a.json || exit 1
"$BRISTLE" "${block[@]}" --vary F=5.6:5.85 --vary2 sigma1=4:14 --grid 4 >b.json || exit 1
"$BRISTLE" "${block[@]}" --vary F=4:7 --vary2 sigma2=0.5:3 --grid 3 >c.json || exit 1
"$BRISTLE" "${block[@]}" --vary F=4:5 --vary2 sigma2=0.5:3 --grid 3 >d.json || exit 1 # outside of the ranges
# a Bautin point on the curve of Hopf points: at forces 1e-7 of it beside it the Hopf points, found along sigma1 alone, have
# Lyapunov numbers of both signs, and a fold of cycles is gone beyond it
"$BRISTLE" "${block[@]}" --vary sigma1=10:16 --vary2 F=6.3:6.8 --grid 9 >e.json || exit 1
read -r below above < <(python3 -c "
import json
p = [p for p in json.load(open('e.json'))['codimension_two'] if p['type'] == 'generalized_hopf']
assert len(p) == 1, p
print(p[0]['value2'] * (1 - 1e-7), p[0]['value2'] * (1 + 1e-7))")
for F in "$below" "$above" 6.54 6.55; do
  "$BRISTLE" "${block[@]/F=5.704/F=$F}" --vary sigma1=10:16 >"at-$F.json" || exit 1
done
python3 - "$below" "$above" <<'P' || exit 1
import json, sys
p = json.load(open('e.json'))['codimension_two'][0]
events = lambda F, kind: [e for e in json.load(open(f'at-{F}.json'))['events'] if e['type'] == kind]
hopf = [events(F, 'hopf') for F in sys.argv[1:]]
assert len(hopf[0]) == len(hopf[1]) == 1 and hopf[0][0]['lyapunov'] < 0 < hopf[1][0]['lyapunov'], hopf
assert hopf[0][0]['value'] < p['value'] < hopf[1][0]['value'] and hopf[0][0]['v'] < p['v'] < hopf[1][0]['v'], (p, hopf)
assert len(events('6.54', 'fold_of_cycles')) == len(events('6.55', 'fold_of_cycles')) + 1
P
python3 - <<'P' || exit 1
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
    neutral = [p for p in got if p['type'] == 'neutral_saddle']
    got = [p for p in got if p['type'] != 'neutral_saddle']
    assert [p['type'] for p in got] == ['bogdanov_takens'] * 2, got
    assert len(neutral) == 1, neutral  # the large loop, just below the fold: its saddle slides and has no trace
    v = D(neutral[0]['v'])
    assert abs(g(v) + s2 * v - D(neutral[0][F])) < D('1e-9') and g1(v) + s2 < 0, neutral
    assert abs(D(neutral[0][s1]) * v * g1(v) + s2 * g(v) + m * s0 * v) < D('1e-8'), neutral
    assert D(neutral[0][F]) < want[1][0] and D('6.7') < D(neutral[0][s1]) < want[1][1], neutral
    for p, w in zip(sorted(got, key=lambda p: p[F]), want):
        near(p[F], w[0]), near(p[s1], w[1]), near(p['v'], w[2])
got = json.load(open('c.json'))['codimension_two']
assert len(got) == 1 and got[0]['type'] == 'cusp', got
near(got[0]['v'], turn), near(got[0]['value2'], -g1(turn)), near(got[0]['value'], g(turn) - g1(turn) * turn)
assert not json.load(open('d.json')).get('codimension_two'), 'a point outside of the ranges'
P
"$BRISTLE" --version | grep -qE '^ *yaml +yes' || exit 0
cat >c.yaml <<'Y'
model: lugre
system: driven_block
set: {m: 1, F: 5.704, Fc: 1, Fs: 5, vs: 2, delta: 2, sigma0: 5, sigma1: 8.25, sigma2: 1.6}
phase: {vary: 'sigma1=4:14', vary2: 'F=5.6:5.85', grid: 6}
Y
"$BRISTLE" run c.yaml --out r --no-plots --quiet || exit 1
python3 - <<'P'
import csv, glob, json
ends = [(5.65943025876137, 4.664432510307108), (5.71641587594781, 6.92414616599439)]
for kind in ("hopf", "homoclinic"):
    rows = [[[float(x) for x in r] for r in list(csv.reader(open(f)))[1:]] for f in glob.glob(f"r/phase-curve-{kind}[0-9]*.csv")]
    found = sum(any(abs(r[e][0] - F) < 1e-9 and abs(r[e][1] - s) < 1e-9 for r in rows for e in (0, -1)) for F, s in ends)
    assert found == 2, (kind, found, rows)   # both curves end in both points
P
