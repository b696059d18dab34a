# SPDX-License-Identifier: Apache-2.0
# bristle response: JSON against the closed form of a spring-slider element, the table, and what is refused.
set -euo pipefail
"$BRISTLE" response --system prescribed --model maxwell_slip --set k=1000,Delta=1mm --frequency 1Hz \
  --vary amplitude=2mm:4mm --points 4 --json --csv t.csv > a.json
python3 - <<'PY'
import csv, json, math
a = json.load(open("a.json"))
assert a["watched"] == "u" and abs(a["searched"] - 4e-3) < 1e-15, a
first = a["points"][0]
assert abs(first["stiffness"] - 500) < 1e-3 and abs(first["loss_factor"] - 2 / math.pi) < 1e-6, first
assert abs(first["work"] - 4e-3) < 1e-12 and first["stable"] is True and a["events"] == [], first
rows = [r for r in csv.reader(open("t.csv")) if not r[0].startswith("#")]
assert len(rows) - 1 == len(a["points"]) and "loss_factor" in rows[0][-1], rows[0]
PY
"$BRISTLE" response --system mass_spring --model viscous --set m=1,ks=100,sigma2=0.8 --amplitude 1.2 --vary frequency=1:3 \
  --points 6 --json > b.json
# friction with a limit does not bound resonance: what there is, is told, with where it ends
"$BRISTLE" response --system mass_spring --model dahl --set m=1,ks=100,sigma0=200,Fc=1 --amplitude 1.5 --vary frequency=1.4:2 \
  --points 10 --json > c.json 2> note.txt
grep -q 'grows without end at 1.59' note.txt
python3 - <<'PY'
import json, math
b, c = (json.load(open(f + ".json")) for f in "bc")
assert abs(b["peak"]["amplitude"] / (1.2 / (0.8 * math.sqrt(100 - 0.16))) - 1) < 3e-9, b["peak"]
assert abs(b["peak"]["frequency"] / (math.sqrt(100 - 0.32) / (2 * math.pi)) - 1) < 1e-5, b["peak"]
assert len(c["points"]) > 3 and 1.59 < c["searched"] < 1.6 and c["peak"]["amplitude"] > 100, c["searched"]
PY
# folds do not depend on how many points are told; the loss factor is a smooth curve where the contact force turns in a thousandth of
# a period
for n in 5 40; do
  "$BRISTLE" response --system mass_spring --model lugre --set m=1,ks=100,sigma0=1000,sigma1=5,sigma2=0.5,Fc=0.5,Fs=1,vs=0.01 \
    --frequency 1Hz --vary amplitude=0.6:0.9 --points $n --rtol 1e-9 --json > folds$n.json
done
"$BRISTLE" response --system mass_spring --model lugre --set m=1,ks=100,sigma2=2,sigma1=0 --amplitude 5 --vary frequency=1.2:1.5 \
  --points 60 --rtol 1e-9 --json > smooth.json
python3 - <<'PY'
import json
few, many, smooth = (json.load(open(f + ".json")) for f in ("folds5", "folds40", "smooth"))
a, b = ([(e["type"], e["amplitude_in"]) for e in d["events"] if e["type"] != "peak"] for d in (few, many))
assert len(a) == len(b) == 6 and sum(t == "fold" for t, _ in a) == 4, (a, b)
assert [round(x, 4) for t, x in a if t == "neimark_sacker"] == [0.6452, 0.7501], a  # pairs on the unit circle, none at -1
assert all(p[0] == q[0] and abs(p[1] - q[1]) < 1e-6 for p, q in zip(a, b)), (a, b)
assert len(few["points"]) < 0.3 * len(many["points"]), (len(few["points"]), len(many["points"]))
y = [p["loss_factor"] for p in smooth["points"]]
bend = max(abs(y[i + 1] - 2 * y[i] + y[i - 1]) / abs(y[i]) for i in range(1, len(y) - 1))
assert len(y) > 40 and bend < 0.02, (len(y), bend)
PY
refuse() { # what the message must say, arguments
  want=$1; shift
  rc=0; "$BRISTLE" response "$@" > out.txt 2> err.txt || rc=$?
  [ $rc = 2 ] && grep -q -- "$want" err.txt || { echo "rc $rc for: $*"; cat err.txt; exit 1; }
}
M="--system mass_spring --model dahl"
refuse 'vary is missing' $M --amplitude 1
refuse 'amplitude is missing' $M --vary frequency=1:2
refuse 'frequency is missing' $M --vary amplitude=1:2
refuse 'varies already' $M --vary amplitude=1:2 --frequency 1 --amplitude 2
refuse 'first value must be the smaller' $M --amplitude 1 --vary frequency=2:1
refuse 'first value must be the smaller' $M --amplitude 1 --vary frequency=2:2
refuse 'not a number above 0' $M --amplitude 1 --vary frequency=0:2
refuse 'expected frequency=A:B' $M --amplitude 1 --vary speed=1:2
refuse 'not in N' $M --amplitude 1mm --vary frequency=1:2
refuse 'not a number above 0' $M --amplitude -1 --vary frequency=1:2
refuse 'no input' $M --drive vp --amplitude 1 --vary frequency=1:2
refuse 'no state' $M --watch q --amplitude 1 --vary frequency=1:2
echo "closed form in JSON and CSV; ten refusals"
