# SPDX-License-Identifier: Apache-2.0
# The usual picture of simulate: motion, velocity, force and loop of every contact, hysteresis map of a driven one; positions that no state holds.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v gnuplot >/dev/null || { echo 'skip: no gnuplot'; exit 77; }
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf contacts && mkdir contacts && cd contacts || exit 1
fail() { echo "FAILED: $*"; exit 1; }
"$BRISTLE" simulate --system chain --model lugre --set \
  m=1,2,k=100,50,system.c=1,1,contact=1,2,against=0,1,load=1,1,Fc=1,Fs=1.5 --input Fe:sine:3N,2Hz --t-end 1 \
  --csv c.csv --plot c.svg --quiet || fail 'a chain'
"$BRISTLE" simulate --system pulled_block --model lugre --set m=1,k=2,vp=0.1 --t-end 10 --csv p.csv --plot p.svg --quiet || fail 'a block'
[ "$(grep -c '^set xlabel' c.gp)" -eq 5 ] && grep -q '"contact 2"' c.gp || fail "panels of a chain: $(grep label c.gp)"
grep -q 'Motion, force and loop: Block pulled through a spring, LuGre' p.gp || fail "title: $(grep title p.gp)"
"$BRISTLE" simulate --system pulled_block --model lugre --set m=1,k=2,vp=0.1 --t-end 10 --animate p.html --quiet || fail 'a page that moves'
"$BRISTLE" simulate --system pulled_block --model lugre --set m=1,k=2,vp=0.1 --t-end 10 --animate p.svg --quiet 2>err
[ $? -eq 2 ] && grep -q 'must end in .html' err || fail "a page called p.svg: $(cat err)"
[ ! -e p2.html ] && [ -z "$(find . -name '*.part')" ] || fail 'files left behind'
python3 - <<'P' || exit 1
import csv, json, re
def table(f):
    rows = list(csv.reader(open(f)))
    names = [c.split(' ')[0].split('[')[0] for c in rows[0]]
    return {n: [float(r[i]) for r in rows[1:]] for i, n in enumerate(names)}
def blocks(f):
    return [[tuple(map(float, l.split())) for l in b.split('\n') if l and l[0] != '#'] for b in open(f).read().split('\n\n\n')]
t, b = table('c.csv'), blocks('c.dat')
assert len(b) == 9, len(b)                      # four panels, two contacts, and the hysteresis map
close_map = {f: x for f, x in zip(t['Fe'], t['x1'])}
assert all(close_map[f] == x for f, x in b[8] if t['Fe'].count(f) == 1)
def close(points, xs, ys, most):                # thinned points are points of the table
    at = {x: y for x, y in zip(xs, ys)}
    for x, y in points:
        assert abs(at[x] - y) <= most, (x, y, at[x])
close(b[0], t['t'], t['x1'], 0)
close(b[1], t['t'], [x2 - x1 for x1, x2 in zip(t['x1'], t['x2'])], 1e-15)
close(b[5], t['t'], t['F2'], 0)
t, b = table('p.csv'), blocks('p.dat')
close(b[0], t['t'], [0.1 * s - l for s, l in zip(t['t'], t['l'])], 2e-4)   # the velocity, summed
close(b[2], t['t'], t['F'], 0)
page = open('p.html', encoding='utf-8').read()
assert not re.search(r'(src|href)=|https?:|import |fetch', page), 'the page fetches something'
d = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))
assert len(d['t']) == len(d['contacts'][0]['u']) == len(d['contacts'][0]['z']) == len(d['spring']['l']) == len(t['t'])
for k in range(0, len(t['t']), 50):
    for name, got in (('l', d['spring']['l']), ('F', d['contacts'][0]['F']), ('z', d['contacts'][0]['z'])):
        assert abs(t[name][k] - got[k]) <= 1e-5 * max(map(abs, t[name])), (name, k)
P
