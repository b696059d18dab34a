#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Derivatives of answers: against closed forms, against differences of whole runs, and what is refused.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
exec python3 - "$BRISTLE" <<'PY'
import json, math, subprocess, sys
bristle, bad = sys.argv[1], 0
def ask(line, code=0):
    r = subprocess.run([bristle, *line.split()], capture_output=True, text=True)
    assert r.returncode == code, (line, r.returncode, r.stderr)
    return json.loads(r.stdout) if code == 0 else r.stderr
def near(what, x, y, rel):
    global bad
    if not abs(x - y) <= rel * abs(y): bad += 1; print(f"{what}: {x}, not {y}")
# Dahl under a triangle of amplitude a: y = Fc tanh(sigma0 a / Fc) at the turning points
s0, Fc, a = 7.5, 0.75, 0.05
r = ask(f"loop --model dahl --set sigma0={s0},Fc={Fc} --input triangle:{a},1 --sensitivity sigma0,Fc --json")
q = s0 * a / Fc
near("dy/dsigma0", r["sensitivity"]["sigma0"]["turning.0.y"], a / math.cosh(q) ** 2, 1e-13)
near("dy/dFc", r["sensitivity"]["Fc"]["turning.0.y"], math.tanh(q) - q / math.cosh(q) ** 2, 1e-13)
if not r["sensitivity_method"].startswith("exact") or r["sensitivity_error"]["Fc"] > 1e-12 or not r["sensitivity_condition"] >= 1: bad += 1; print("error or condition", r)
if r["sensitivity_differences"] != ["contraction"]: bad += 1; print(r["sensitivity_differences"])
# a trace is linear in stiffness: F = sum k z
r = ask("trace --model maxwell_slip --set k=1,1.8,Delta=1.5mm,2.4mm --input turning:0,5mm,2mm,6mm --dt 1ms --sensitivity k --json")
for e in (0, 1):
    z = r["states"][f"z{e + 1}"]
    for k, x in enumerate(r["sensitivity"][f"k{e + 1}"]["F"]):
        if abs(x - z[k]) > 1e-15: bad += 1; print("trace", e, k, x, z[k]); break
if not r["sensitivity_method"].startswith("exact"): bad += 1; print(r["sensitivity_method"])
# exact along a sine, too (variational equations): against differences of the sixth order, for every parameter
for model, init, values in (("lugre", "z=2e-6", dict(sigma0=1e5, sigma1=300., sigma2=0.4, Fc=1., Fs=1.5, vs=1e-3)), ("bliman_sorine", "x1=1", dict(f1=2.5, f2=1.5, eps=1e-4, eta=0.4)),
                            ("bouc_wen", "z=0.1", dict(A=1.1, beta=0.6, gamma=0.4, fp=2., uy=1e-4)), ("coulomb", "", dict(Fc=1., Fs=1.5, vs=1e-3, sigma2=0.3))):
    line = f"trace --model {model} --input sine:0.2mm,1 {'--init ' + init if init else ''} --dt 20ms --t-end 0.9 --json --set "
    spell = lambda d: ",".join(f"{k}={v!r}" for k, v in d.items())
    r = ask(line + spell(values) + " --sensitivity " + ",".join(values))
    if not r["sensitivity_method"].startswith("exact: "): bad += 1; print(model, r["sensitivity_method"])
    for name in values:
        D = []
        for h in (4e-3, 2e-3, 1e-3):
            side = [ask(line + spell({**values, name: values[name] * (1 + s * h)}))["F"] for s in (1, -1)]
            D.append([(a - b) / (2 * h * values[name]) for a, b in zip(*side)])
        best = [(64 * c - 20 * b + a) / 45 for a, b, c in zip(*D)]
        top = max(map(abs, best))
        worst = max(abs(a - b) for a, b in zip(best, r["sensitivity"][name]["F"]))
        if not worst <= 3e-7 * top: bad += 1; print(f"{model} {name}: {worst / top:.1e} of the largest")
# an exponent where the kernel has a closed form of its own
r = ask("trace --model dahl --set sigma0=1e5,Fc=2,gamma=1 --input ramp:1e-5 --t-end 1 --dt 0.5 --sensitivity gamma --json")
up, down = (ask(f"trace --model dahl --set sigma0=1e5,Fc=2,gamma={1 + s * 1e-4} --input ramp:1e-5 --t-end 1 --dt 0.5 --json")["F"][2] for s in (1, -1))
near("dF/dgamma", r["sensitivity"]["gamma"]["F"][2], (up - down) / 2e-4, 1e-6)
if not 0 < r["sensitivity_error"]["gamma"] < 1e-9: bad += 1; print("dF/dgamma: error", r["sensitivity_error"])
# what has states that jump takes differences, and says so
r = ask("trace --model gms --input sine:1mm,1 --dt 50ms --sensitivity Fc --json")
if "differences" not in r["sensitivity_method"]: bad += 1; print("gms", r["sensitivity_method"])
# loops, motions and cycles: every exact number against differences of whole runs, extrapolated (the second way)
def numbers(o, path=""):
    if isinstance(o, (dict, list)):
        for k, v in o.items() if isinstance(o, dict) else enumerate(o): yield from numbers(v, f"{path}.{k}" if path else str(k))
    elif isinstance(o, (int, float)) and not isinstance(o, bool): yield path, o
def second_way(line, values, by, rel=1e-6, differences=()):
    global bad
    spell = lambda d: ",".join(f"{k}={v!r}" for k, v in d.items())
    r = ask(f"{line} --json --set {spell(values)} --sensitivity {','.join(by)}")
    if not r["sensitivity_method"].startswith("exact: "): bad += 1; print(line, r["sensitivity_method"])
    other = set(r.get("sensitivity_differences", []))
    if not all(any(x.startswith(d) for d in differences) for x in other): bad += 1; print(line, "by differences:", other)
    for name in by:
        D, shown = [], name if name in r["sensitivity"] else name + "1"
        if not 0 <= r["sensitivity_error"][shown] < 1e-6: bad += 1; print(line, name, "error", r["sensitivity_error"][shown])
        for h in (2e-3, 1e-3, 5e-4):
            side = [dict(numbers(ask(f"{line} --json --set {spell({**values, name: values[name] * (1 + s * h)})}"))) for s in (1, -1)]
            D.append({k: (side[0][k] - side[1][k]) / (2 * h * values[name]) for k in side[0] if k in side[1]})
        got = dict(numbers(r["sensitivity"][shown]))
        top, count = max(map(abs, got.values())), 0
        for k, x in got.items():
            if k in other or k not in D[2]: continue
            best, count = (64 * D[2][k] - 20 * D[1][k] + D[0][k]) / 45, count + 1
            if not abs(x - best) <= rel * max(abs(best), 1e-3 * top): bad += 1; print(f"{line} {name} {k}: {x}, not {best}")
        if count < 10: bad += 1; print(line, name, "compares only", count)
multipliers = ("cycle.multipliers",)
for case in (
    ("loop --model lugre --input bimodal:0,1,0.5,1.5 --frequency 0.5", dict(sigma0=6., sigma1=1., sigma2=0.1, Fc=1., Fs=2., vs=1.), ("sigma0", "sigma1", "Fs", "vs"), 1e-7, ("contraction",)),
    ("loop --model maxwell_slip --input turning:0,5mm,2.2mm,6mm", dict(k=1., Delta=1.7e-3), ("k", "Delta"), 1e-7, ("contraction",)),
    ("loop --model bouc_wen --input turning:-2,2,0.5,1", dict(beta=.25, gamma=.7, fp=2., uy=.9), ("gamma", "uy"), 1e-7, ("contraction",)),
    ("loop --model bliman_sorine --input turning:-2,2,0.5,1", dict(f1=2.5, f2=1.5, eps=.3, eta=.4), ("f2", "eta"), 1e-6, ("contraction",)),
    ("loop --model dahl --input sine:1,1 --waveform --filter 0.1 --samples 8", dict(sigma0=7.5, Fc=.75), ("Fc",), 1e-6, ("contraction", "y_")),
    ("simulate --system mass_spring --model dahl --input sine:1N,0.0159155Hz --t-end 60", dict(m=1., ks=1., sigma0=1.5, Fc=.75), ("m", "Fc")),
    ("simulate --system mass_spring --model coulomb --input sine:4N,0.1Hz --t-end 20 --event x=0.5", dict(m=1., ks=1., Fc=1., Fs=1.5, vs=.1, sigma2=.2), ("ks", "Fs")),
    ("simulate --system mass_spring --model karnopp --input sine:4N,0.1Hz --t-end 20", dict(m=1., ks=1., Fc=1., Fs=1.5, sigma2=.2), ("m", "Fs")),
    ("simulate --system mass_spring --model maxwell_slip --input sine:4N,0.1Hz --t-end 20", dict(m=1., ks=1., k=1.3, Delta=.4), ("ks", "Delta")),
    ("simulate --system mass_spring --model bouc_wen --input sine:4N,0.1Hz --t-end 20", dict(m=1., ks=1., beta=.6, gamma=.4, fp=2., uy=.3), ("beta",)),
    ("simulate --system mass_spring --model gms --input sine:4N,0.1Hz --t-end 20", dict(m=1., ks=1., Fc=1., Fs=1.5, vs=.1, sigma2=.2, C=5.), ("m", "C")),
    ("simulate --system prescribed --model lugre --input sine:1mm,1Hz --t-end 1.7", dict(sigma0=1500., Fc=.75, Fs=1.), ("Fc",)),
    ("simulate --system two_axis --model bouc_wen_biaxial --input Fx:sine:3N,2Hz --input Fy:sine:2N,1Hz --t-end 0.4", dict(m=1., kx=3., fp=1., uy=1e-3, beta=.6, gamma=.4), ("kx",)),
    ("simulate --system mass_spring --model maxwell_slip --input sine:4N,0.3Hz --cycle", dict(m=1., ks=1., k=1.3, Delta=.4), ("Delta",), 1e-6, multipliers),
    ("simulate --system pulled_block --model coulomb --cycle --threshold 0.01", dict(m=1., k=2., vp=.5, Fc=1., Fs=1.5, vs=.1, sigma2=.2), ("vp", "Fs"), 1e-6, multipliers),
    ("simulate --system pulled_block --model lugre --cycle --threshold 0.02", dict(m=1., k=2., vp=2., sigma0=2900., sigma1=107., sigma2=.1, Fc=2.94, Fs=5.88, vs=.1), ("k", "vs"), 3e-6, multipliers),
): second_way(*case)
# differences keep everything else of the question: start, elements of a vector, values from a preset
r = ask("trace --model gms --set k=2e5,1e5,alpha=0.5,0.5 --init z1=1e-6,z2=-2e-6 --input ramp:1e-7 --t-end 1 --dt 0.25 --sensitivity k --json")
for e in ("1", "2"): # nothing slips: F = sum k z, and more of one spring is more of its stretch
    for k, x in enumerate(r["sensitivity"]["k" + e]["F"]): near(f"gms k{e} {k}", x, r["states"]["z" + e][k], 1e-9)
    if not 0 < r["sensitivity_error"]["k" + e] < 1e-6: bad += 1; print("gms error", r["sensitivity_error"])
near("a start", r["states"]["z1"][0], 1e-6, 1e-12)
r, plain = (ask(f"loop --preset doc1 --input turning:-1mm,1mm --json {more}") for more in ("--sensitivity Fc", ""))
if [t["y"] for t in r["turning"]] != [t["y"] for t in plain["turning"]]: bad += 1; print("a preset", r["turning"])
if any(x in r["sensitivity"]["Fc"] for x in ("error", "iterations")): bad += 1; print("error estimates have derivatives", list(r["sensitivity"]["Fc"]))
# by what is zero: of the size of its default, or a thousandth
line = "loop --model bouc_wen --set beta=0.5,gamma={:.17g} --input turning:-1,1 --frequency 1 --json"
r, up, down = ask(line.format(0) + " --sensitivity gamma"), ask(line.format(1e-4)), ask(line.format(-1e-4))
for i in (0, 1): near("by zero", r["sensitivity"]["gamma"][f"turning.{i}.y"], (up["turning"][i]["y"] - down["turning"][i]["y"]) / 2e-4, 1e-6)
near("contraction by zero", r["sensitivity"]["gamma"]["contraction"], (up["contraction"] - down["contraction"]) / 2e-4, 1e-4)
# the condition: of derivatives by relative changes, relative to each number; units do not matter
def condition(r, values):
    d, base = ({k: v for k, v in numbers(x)} for x in (r["sensitivity"], r))
    A = [[sum(d[f"{p}.{k}"] * values[p] * d[f"{q}.{k}"] * values[q] / base[k] ** 2 for k in base if base[k] and d.get(f"{p}.{k}") is not None and d.get(f"{q}.{k}") is not None)
          for q in values] for p in values]
    half, det = (A[0][0] + A[1][1]) / 2, A[0][0] * A[1][1] - A[0][1] ** 2
    root = math.sqrt(half * half - det)
    return math.sqrt((half + root) / (half - root))
for a, values in ((0.05, dict(sigma0=7.5, Fc=0.75)), (0.005, dict(sigma0=75., Fc=0.75))):
    r = ask(f"loop --model dahl --set sigma0={values['sigma0']},Fc={values['Fc']} --input triangle:{a},1 --sensitivity sigma0,Fc --json")
    near("condition", r["sensitivity_condition"], condition(r, values), 1e-6)
# what saturates at a finite distance, and what switches inside the run, takes differences
for line in ("simulate --system mass_spring --model dahl --set gamma=0.5,sigma0=3,Fc=0.3 --input sine:1N,0.3Hz --t-end 3 --sensitivity Fc --json",
             "simulate --system mass_spring --model dahl --set sigma0=3,Fc=0.3 --input sine:1N,0.3Hz --t-end 3 --switch 1:m=2 --sensitivity Fc --json"):
    if ask(line)["sensitivity_method"] != "central differences, extrapolated twice": bad += 1; print(line)
# a cycle, against the difference of two runs
line = "simulate --system pulled_block --model lugre --set m=1,k={},vp=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1 --cycle --json"
r = ask(line.format(2) + " --sensitivity k")
h = 1e-4
up, down = ask(line.format(2 + h)), ask(line.format(2 - h))
for key in ("period", "v_max", "friction_work"):
    near(key, r["sensitivity"]["k"][f"cycle.{key}"], (up["cycle"][key] - down["cycle"][key]) / (2 * h), 1e-6)
for line, says in (("loop --model lugre --input sine:1,1 --sensitivity sigma", "did you mean"),
                   ("loop --model lugre --set sigma1=0 --input sine:1,1 --sensitivity sigma1", "end of its range"),
                   ("loop --model maxwell_slip --set k=1,1,1,1,1,1,1,Delta=1,1,1,1,1,1,1 --input sine:1,1 --sensitivity k,Delta", "more than 12"),
                   ("trace --model lugre --set g=1+0.5*exp(-abs(v/1e-3)) --input sine:1mm,1 --sensitivity sigma0", "as a formula"),
                   ("loop --model lugre --set Fs=1 --input sine:1,1 --sensitivity Fc", "sensitivity by Fc"),
                   ("trace --model bouc_wen_biaxial --input x:sine:1,1 --input y:sine:1,1 --sensitivity form", "no number")):
    text = ask(line, 2)
    if says not in text: bad += 1; print(f"{line}: {text}")
print(f"{bad} differ")
sys.exit(bad > 0)
PY
