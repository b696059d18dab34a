# SPDX-License-Identifier: Apache-2.0
# The figure-5 job of document 2 against AUTO-07p, which runs equations of its own (tools/auto_oracle).  Skipped where
# AUTO-07p is not installed.  BRISTLE is the program, BR_SOURCE_DIR the source tree.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}" "${BR_SOURCE_DIR:?set BR_SOURCE_DIR to the source tree}"
command -v python3 >/dev/null || { echo 'skip: python3 is not installed'; exit 77; }
"$BR_SOURCE_DIR/tools/auto_oracle" >auto.json
case $? in
  0) ;;
  77) cat auto.json; exit 77 ;;
  *) echo 'FAILED: auto_oracle'; exit 1 ;;
esac
"$BRISTLE" phase --system driven_block --model lugre --set m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6 \
  --vary sigma1=0.1:12 --at sigma1=8.25,8.45 --json >ours.json || exit 1
python3 - <<'PY'
import json, sys
auto, ours = json.load(open("auto.json")), json.load(open("ours.json"))
bad = 0
def near(what, a, b, tol):
    global bad
    good = a is not None and abs(a - b) <= tol
    bad += not good
    print(f"{'ok    ' if good else 'FAILED'} {what}: AUTO {a}, Bristle {b:.12g}" + ("" if good else f" (allowed {tol:g})"))
def value(kind, loop):
    return [e["value"] for e in ours["events"] if e["type"] == kind and (not loop or loop in e["loop"])]
for y in ("y1", "y3"):
    a = [h["value"] for h in auto["hopf"] if h["equilibrium"] == y]
    near(f"Hopf point of {y}", a[0] if a else None, value("hopf", y)[0], 1e-6)
# cycles of a long period stand for the homoclinic orbits
for y, tol in (("y1", 1e-6), ("y3", 1e-8), ("large", 1e-8)):
    a = [e["value"] for e in auto["long_period"] if e["loop"] == y]
    near(f"homoclinic orbit, {y}", a[0] if a else None, value("homoclinic", y)[0], tol)
for c in ours["cycles"]:
    y = "large" if c["loop"] == "large" else c["loop"][-2:]
    a = [k for k in auto["cycles"] if abs(k["at"] - c["at"]) < 1e-6 and k["loop"] == y]
    for key in ("period", "v_min", "v_max", "z_min", "z_max"):
        near(f"cycle {y} at {c['at']}: {key}", a[0][key] if a else None, c[key], 1e-6)
(fold,) = value("fold_of_cycles", "large")
seen = [f["value"] for f in auto["fold_of_cycles"] if f["loop"] == "large"]
print(f"fold of the large cycle at {fold:.12g}, {value('homoclinic', 'large')[0] - fold:.3g} below its homoclinic "
      f"orbit: AUTO {'places it at ' + str(seen) if seen else 'misses it'}")
print("large cycle: AUTO reaches it from an orbit handed to it, not from a Hopf point; no Lyapunov coefficients")
sys.exit(bad > 0)
PY
