#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A mechanism of the user's own, as text, is fitted like a built-in one: the same record, the same parameters; its study runs.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
cat >axis.yaml <<'Y'
mechanism:
  name: own_axis
  title: Slide on a spring
  parameters: {mass: 3 kg, k: 2e3 N/m}
  inputs: {push: 0 N}
  bodies:
    bed: fixed
    slide: {mass: mass, x: x, v: v}
  connections:
    - spring: {between: [slide, bed], stiffness: k}
    - force: {on: slide, value: push}
  contacts:
    - {between: [slide, bed], model: dahl, set: {sigma0: 1e5 N/m, Fc: 5 N}}
Y
exec python3 - "$BRISTLE" <<'PY'
import json, math, random, subprocess, sys
bristle, bad = sys.argv[1], 0
def ask(*line, code=0):
    r = subprocess.run([bristle, *line], capture_output=True, text=True)
    assert r.returncode == code, (line, r.returncode, r.stderr)
    return r.stdout if code == 0 else r.stderr
for line in (("fit", "nofile.csv"), ("fit", "nofile.csv", "--system", "mass_spring", "--model", "dahl"),
             ("export", "fmu", "--system", "nofile.yaml", "--model", "dahl", "--output", "x.fmu")):
    if "nofile" not in ask(*line, code=2): bad += 1; print(line)
truth = {"m": 5, "ks": 3000, "sigma0": 4e5, "Fc": 12}
push = lambda t: 60 * (0.6 * math.sin(4.4 * t) + 0.5 * math.sin(11.9 * t + 1) + 0.3 * math.sin(29 * t + 2))
ask("simulate", "--system", "mass_spring", "--model", "dahl", "--set", ",".join(f"{k}={v}" for k, v in truth.items()),
    "--input", "expr:60*(0.6*sin(4.4*t)+0.5*sin(11.9*t+1)+0.3*sin(29*t+2))", "--t-end", "1.2", "--output-dt", "3ms", "--csv", "run.csv")
rows, rng = open("run.csv").read().split("\n"), random.Random(3)
at = [c.split(" ")[0] for c in rows[0].split(",")].index("x")
with open("record.csv", "w") as f:
    f.write("t_s,P_N,x_m\n")
    for row in rows[1:]:
        if row:
            c = row.split(",")
            f.write(f"{c[0]},{push(float(c[0])):.9g},{float(c[at]) + 3e-5 * rng.gauss(0, 1):.9g}\n")
def fit(system, *more):
    return json.loads(ask("fit", "record.csv", "--system", system, "--model", "dahl", "--drive", "P_N", "--position", "x_m", "--json", *more))
own, built_in = fit("axis.yaml", "--study", "own.study.yaml"), fit("mass_spring")
for theirs, mine in (("m", "mass"), ("ks", "k"), ("sigma0", "sigma0"), ("Fc", "Fc")):
    a, b = built_in["parameters"][theirs], own["parameters"][mine]
    half = 0.5 * (b["high"] - b["low"])
    if not abs(a["value"] - b["value"]) <= 0.05 * half: bad += 1; print(f"{mine}: {b}, built in {a}")
    if not abs(truth[theirs] - b["value"]) <= 2 * half or not half < 0.1 * b["value"]: bad += 1; print(f"{mine}: {b}, truth {truth[theirs]}")
if own["system"] != "own_axis": bad += 1; print(own["system"])
if "axis.yaml" not in open("own.study.yaml").read(): bad += 1; print(open("own.study.yaml").read())
ran = json.loads(ask("run", "own.study.yaml", "--json"))
with open(ran["folder"] + "/simulate-measured_state.csv") as f:
    rows = [row.split(",") for row in f.read().split("\n") if row]
at = [c.split(" ")[0] for c in rows[0]].index("residual")
rms = math.sqrt(sum(float(r[at]) ** 2 for r in rows[1:]) / (len(rows) - 1))
if not abs(rms / own["rmse_train"] - 1) < 0.2: bad += 1; print(f"the study leaves {rms}, the fit {own['rmse_train']}")
says = ask("fit", "record.csv", "--system", "axis.yaml", "--model", "dahl", "--drive", "pull=P_N", "--position", "x_m", code=2)
if "push" not in says: bad += 1; print(says)
says = ask("fit", "record.csv", "--system", "axis.yaml", "--model", "dahl", "--fix", "ks=3000", code=2)
if "own_axis" not in says and "did you mean" not in says: bad += 1; print(says)
print(f"{bad} differ")
sys.exit(bad > 0)
PY
