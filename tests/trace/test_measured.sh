#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measured against model: numbers that are known, refusals, and the records of the shared folder in one command each.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf measured && mkdir measured && cd measured || exit 1
exec python3 - "$BRISTLE" "${BR_SHARED:-$BR_SOURCE_DIR/../shared}" <<'PY'
import json, math, os, subprocess, sys
bristle, shared = sys.argv[1], sys.argv[2] + "/data"
bad = 0

def fail(what):
    global bad
    bad += 1
    print("FAILED:", what)

def run(*args):
    return subprocess.run([bristle, "trace", *args], capture_output=True, text=True)

def answer(*args):
    got = run(*args, "--json")
    if got.returncode: fail(f"{args}: {got.stderr}")
    return json.loads(got.stdout) if got.returncode == 0 else None

def near(x, y, what, tol=1e-12):
    if x is None or not abs(x - y) <= tol * max(1, abs(y)): fail(f"{what} = {x}, expected {y}")

DAHL = ["--model", "dahl", "--set", "sigma0=1e4,Fc=2"]
run(*DAHL, "--input", "triangle:1mm,1Hz", "--t-end", "4", "--dt", "10ms", "--csv", "run.csv", "--quiet")
m = answer(*DAHL, "--input", "csv:run.csv", "--measured", "F")["measured"]
near(m["rms"], 0, "rms of the model against itself")
near(m["cycle"]["model"], m["cycle"]["measured"], "energies of a cycle")
if m["cycle"]["count"] != 2 or m["samples"] != 401: fail(f"cycles and samples: {m['cycle']}, {m['samples']}")
area = answer(*DAHL, "--input", "triangle:1mm,1Hz", "--t-end", "4", "--dt", "10ms")
work = sum(0.5 * (a + b) * (y - x) for a, b, x, y in zip(area["F"][125:], area["F"][126:226], area["u"][125:], area["u"][126:226]))
near(m["cycle"]["model"], work, "energy of a cycle", 2e-3)
# a force measured in a part of the time alone: its rows count, both ends, and no other
rows = open("run.csv").read().splitlines()
open("part.csv", "w").write("\n".join([rows[0]] + rows[101:302]) + "\n")
a = answer(*DAHL, "--input", "csv:run.csv:t,u", "--measured", "csv:part.csv:t,F")["measured"]
if a["samples"] != 201 or a["t"][0] != 1 or a["t"][-1] != 3: fail(f"a part: {a['samples']} samples, {a['t'][0]} to {a['t'][-1]} s")
near(a["max"], 0, "error within the part", 1e-12)
a = answer(*DAHL, "--input", "csv:run.csv:t,u|offset:F=0.1N", "--measured", "F")
near(a["measured"]["bias"], -0.1, "bias of a shifted force")
near(a["measured"]["rms"], 0.1, "rms of a shifted force")
near(a["measured"]["max"], 0.1, "largest error of a shifted force")
mean = sum(a["measured"]["F"]) / len(a["measured"]["F"])
about = math.sqrt(sum((f - mean) ** 2 for f in a["measured"]["F"]) / len(a["measured"]["F"]))
near(a["measured"]["relative"], 0.1 / about, "relative error")
if a["measured"]["data"][-1] != "offset:F=0.1N": fail(f"steps in data: {a['data']}")
near(answer(*DAHL, "--input", "triangle:1mm,1Hz", "--t-end", "4", "--dt", "10ms", "--measured", "csv:run.csv:t,F")["measured"]["rms"], 0,
     "a force from a file of its own")
for args, words in (((*DAHL, "--input", "csv:run.csv", "--measured", "u"), "column 'u' is in m"),
                    ((*DAHL, "--input", "csv:run.csv", "--measured", "G"), "no column 'G'"),
                    ((*DAHL, "--input", "sine:1mm,1Hz", "--measured", "F"), "is no record"),
                    ((*DAHL, "--input", "csv:run.csv", "--init", "settle"), "settle")):
    got = run(*args)
    if got.returncode != 2 or words not in got.stderr: fail(f"{args}: exit {got.returncode}, {got.stderr}")

# A settled start: no spike, and the first period is like the second.
s = answer("--model", "lugre", "--set", "sigma1=1e5", "--input", "sine:1mm,1Hz", "--init", "settled", "--dt", "10ms")
for i in range(100): near(s["F"][i + 100], s["F"][i], f"F one period behind row {i}", 1e-6)
if "settled" not in s["start"]: fail("the start is not told")
got = run("--model", "lugre", "--set", "sigma1=1e5", "--input", "sine:1mm,1Hz")
if "--init settled" not in got.stderr: fail(f"a spike is not told: {got.stderr}")

# The shared records, from file to picture.
D, plot = shared, subprocess.run("command -v gnuplot", shell=True, capture_output=True).returncode == 0
LINES = [("--model", "dahl", "--set", "sigma0=1.5e6,Fc=110", "--input", f"csv:{D}/mr_damper/0V_ensaio1_1.csv|window:1.5s:30s|centre"),
         ("--model", "dahl", "--set", "sigma0=3e4,Fc=7", "--input", f"csv:{D}/pneumatic_seal/O-ring257_1bar.csv|centre"),
         ("--model", "dahl", "--set", "sigma0=3e4,Fc=15", "--input", f"csv:{D}/pneumatic_seal/O-ring257_5bar.csv|centre"),
         ("--model", "dahl", "--set", "sigma0=2e5,Fc=2.2", "--input", f"csv:{D}/microslip/microslip_first60s.csv|window:13s:54s|centre"),
         ("--model", "dahl", "--set", "sigma0=8,Fc=5", "--input", f"csv:{D}/metal_damper/ufp_damper.csv")]
if not os.path.isdir(shared): print(f"skip of the measured records: no {shared}")
for i, line in enumerate(LINES if os.path.isdir(shared) else []):
    got = run(*line, "--measured", "auto", *(("--plot", f"{i}.svg") if plot else ()))
    if got.returncode or "against what was measured" not in got.stdout: fail(f"{line}: {got.stderr}")
    if plot and os.path.getsize(f"{i}.svg") > 2e6: fail(f"{line}: a picture of {os.path.getsize(f'{i}.svg')} bytes")
    if "metal" in line[-1] and " s\n" in got.stdout: fail(f"a path has a time: {got.stdout}")
print("measured against model:", "ok" if not bad else f"{bad} failed")
sys.exit(bad > 0)
PY
