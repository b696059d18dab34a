#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What document 1 needs of 'control': relative degree and gamma, the error vector, a loop of fixed explicit step.
set -u
exec python3 - <<'P'
import csv, io, json, math, os, subprocess, sys
B, fail = os.environ["BRISTLE"], 0

def ask(line, good=True):
    p = subprocess.run([B, "control"] + line.split(), capture_output=True, text=True)
    if good and p.returncode:
        sys.exit(f"{line}: {p.stderr}")
    return json.loads(p.stdout) if good and "--json" in line else p

def want(what, x, value, tol):
    global fail
    if not abs(x - value) <= tol:
        print(f"{what}: {x!r}, expected {value!r}")
        fail = 1

DOC = "--preset doc1 --controller feedback_linearization --poles=-35,-30 --bristle true "
# the number of derivatives until u shows, and its factor in e: -k/m, -1/m, -km/I
for line, degree, gamma in ((DOC + "--set m=4 --reference step:1", 2, -2 / 4),
                            ("--preset canudas1995_presliding --controller pi --gains kp=1,ki=1 --reference step:1", 1, -1),
                            ("--preset doc4_fig04 --set m=5 --track x --controller pid --gains kp=1,ki=1,kd=1,tf=1e-3 --reference step:1", 2, -0.2),
                            ("--preset doc4_fig10 --track omega --controller pi --gains kp=1e-6,ki=1e-6 --reference step:1", 1, -20 / 6.4516e-4),
                            ("--preset doc4_fig10 --track theta --controller pid --gains kp=1e-6,ki=0,kd=1e-6,tf=1e-3 --reference step:1", 2, -20 / 6.4516e-4)):
    j = ask(line + " --t-end 0.01 --rtol 1e-6 --json")
    want(line + ": degree", j["relative_degree"], degree, 0)
    want(line + ": gamma", j["gamma"], gamma, 1e-9 * abs(gamma))

# the table: states, and e = (r1 - l, r2 - z, r3 - v); on a constant reference r2 relaxes to g/sigma0 at a known rate
p = ask(DOC + "--reference step:0.2 --t-end 0.5 --output-dt 0.01 --csv -")
rows = list(csv.reader(io.StringIO(p.stdout)))
names = [c.split(" [")[0] for c in rows[0]]
want("columns", names == "t,r,y,e,u,F,l,z,e1,e2,e3".split(","), True, 0)
s0, s1, k = 2900, 107, 2
g = 2.94 + 2.94 * math.exp(-0.2 / 0.1)
for row in rows[1:]:
    c = dict(zip(names, map(float, row)))
    r2 = g / s0 * -math.expm1(-s0 * 0.2 / g * c["t"])
    Fr = s0 * r2 + s1 * (0.2 - s0 * 0.2 / g * r2)
    want(f"e2 at {c['t']}", c["e2"], r2 - c["z"], 1e-13)
    want(f"e1 at {c['t']}", c["e1"], Fr / k - c["l"], 1e-9)
    want(f"e3 at {c['t']}", c["e3"], 0.2 - c["y"], 1e-15)
    a = (k * c["l"] - c["F"])          # m = 1
    want(f"force at {c['t']}", c["F"], s0 * c["z"] + s1 * (c["y"] - s0 * abs(c["y"]) / (2.94 + 2.94 * math.exp(-abs(c["y"]) / 0.1)) * c["z"]), 1e-9)

# rules of a fixed step: each converges to the solver's answer with its order
exact = ask(DOC + "--reference step:1 --t-end 0.05 --json")["error_end"]
for method, order in (("euler", 1), ("heun", 2), ("ode3", 3), ("ode4", 4)):
    e = [ask(DOC + f"--reference step:1 --t-end 0.05 --fixed {h} --method {method} --json")["error_end"] - exact for h in ("2e-4", "1e-4")]
    seen = math.log2(abs(e[0] / e[1]))
    want(f"{method}: order", seen, order, 0.35)
# Euler's limit: 986.39 v h = 2 at 20.276 m/s; a step four times as long meets it four times as early
for h, at in (("4e-4", 10.14), ("1e-3", 4.06)):
    want(f"runs away, h = {h}", ask(DOC + f"--reference ramp:0.5 --t-end 20 --fixed {h} --method euler --json")["lost"], at, 0.1 * at)
want("does not run away", ask(DOC + "--reference ramp:0.5 --t-end 2 --fixed 1e-4 --json")["lost"] is None, True, 0)
for line, says in (("--reference step:1 --t-end 1 --fixed 1e-4 --sample 1e-3", "fixed"),
                   ("--reference step:1 --t-end 1 --method heun", "fixed"),
                   ("--reference step:1 --t-end 1 --fixed 1e-4 --method huen", "heun"),
                   ("--reference step:1 --t-end 1e6 --fixed 1e-6", "1e9")):
    p = ask(DOC + line, good=False)
    if p.returncode != 2 or says not in p.stderr:
        print(f"{line}: exit {p.returncode}, {p.stderr}")
        fail = 1
# a record beside the run: output or control, a column of the reference's file or a file of its own
p = ask(DOC + "--reference ramp:0.2 --t-end 1 --output-dt 0.01 --csv -")
rows = [list(map(float, r)) for r in list(csv.reader(io.StringIO(p.stdout)))[1:]]
with open("axis.csv", "w") as f:
    f.write("t [s],r [m/s],v_meas [m/s],drive [m/s]\n")
    for r in rows:
        f.write(f"{r[0]!r},{r[1]!r},{r[2] + 0.01!r},{2 * r[4]!r}\n")
AXIS = DOC + "--reference csv:axis.csv:t,r --t-end 1 "
m = ask(AXIS + "--measured v_meas --json")["measured"]
want("samples", m["samples"], len(rows), 1)
want("rms of an output 0.01 off", m["rms"], 0.01, 1e-5)
want("bias", m["bias"], -0.01, 1e-5)
m = ask(AXIS + "--measured u:drive --json")["measured"]
half = math.sqrt(sum(r[4] ** 2 for r in rows) / len(rows))
want("rms of half the control", m["rms"], half, 0.02 * half)
m = ask(DOC + "--reference ramp:0.2 --t-end 1 --measured csv:axis.csv:t,v_meas --json")["measured"]
want("from a file of its own", m["bias"], -0.01, 1e-5)
p = ask(AXIS + "--measured nothing --json", False)
want("a column that is not there", p.returncode == 2 and "'nothing'" in p.stderr and not p.stdout, True, 0)
want("two questions", ask(AXIS + "--measured v_meas --tune all", False).returncode, 2, 0)
sys.exit(fail)
P
