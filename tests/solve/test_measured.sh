# SPDX-License-Identifier: Apache-2.0
# simulate --measured: a record of a mechanism beside the computed motion: force, position, velocity.
set -uo pipefail
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf measured && mkdir measured && cd measured || exit 1
python3 - <<'PY'
import csv, json, os, subprocess, sys
B, bad = os.environ["BRISTLE"], 0

def run(*args):
    return subprocess.run([B, "simulate", "--system", "mass_spring", "--model", "lugre", "--set",
                           "m=1,ks=100,sigma0=1e3,sigma1=1,sigma2=0.5,Fc=1,Fs=1.2,vs=0.01", *args],
                          capture_output=True, text=True)

def fail(text):
    global bad
    bad += 1
    print("FAIL:", text)

def answer(*args):
    got = run(*args, "--json")
    if got.returncode: fail(f"{args}: {got.stderr}")
    return json.loads(got.stdout)["measured"] if not got.returncode else None

def near(a, b, what, tol=1e-9):
    if a is None or not abs(a - b) <= tol * (abs(b) + 1): fail(f"{what}: {a} instead of {b}")

# what the program says, read back as if it had been measured: in mm and in N, shifted where said
table = run("--input", "sine:5N,1Hz", "--t-end", "4", "--output-dt", "2ms", "--csv", "-").stdout.splitlines()
rows = [[float(x) for x in line.split(",")] for line in table[1:]]
names = [n.split(" ")[0] for n in table[0].split(",")]
t, x, v, F, Fe = (names.index(n) for n in ("t", "x", "v", "F", "Fe"))
with open("run.csv", "w") as f:
    f.write("t_s,force_N,x_mm,v_m/s,friction_N\n")
    for r in rows: f.write(f"{r[t]!r},{r[Fe]!r},{1e3 * (r[x] + 1e-3)!r},{r[v]!r},{r[F] - 0.25!r}\n")
DRIVE = ("--input", "csv:run.csv:t_s,force_N", "--output-dt", "2ms")
m = answer(*DRIVE, "--measured", "friction_N")     # between its samples the drive is a straight line: 1e-4
near(m["bias"], 0.25, "bias of a shifted friction force", 1e-3)
near(m["rms"], 0.25, "rms of a shifted friction force", 1e-3)
near(m["samples"], len(rows), "rows")
near(m["cycle"]["count"], 2, "cycles of the motion")
u = [r[x] for r in rows]
area = lambda f, a, b: sum(0.5 * (f(i) + f(i - 1)) * (u[i] - u[i - 1]) for i in range(a, b))
near(m["work"]["model"], area(lambda i: rows[i][F], 1, len(rows)), "work of the model", 1e-3)
near(m["work"]["measured"], area(lambda i: rows[i][F] - 0.25, 1, len(rows)), "work of the measured force", 1e-3)
# the work of a constant error is lost over a whole cycle: both dissipate the same
near(m["cycle"]["model"], m["cycle"]["measured"], "energies of a cycle", 2e-3)
if not m["cycle"]["model"] > 0.01: fail(f"energy of a cycle: {m['cycle']}")
m = answer(*DRIVE, "--measured", "x:x_mm")
near(m["bias"], -1e-3, "bias of a shifted position", 1e-5)
near(m["cycle"]["model"], m["cycle"]["measured"], "work of the drive over a cycle", 1e-3)
work = sum(0.5 * (rows[i][Fe] + rows[i - 1][Fe]) * (u[i] - u[i - 1]) for i in range(1, len(rows)))
near(m["work"]["model"], work, "work of the drive", 1e-3)
m = answer(*DRIVE, "--measured", "v:auto")
near(m["rms"], 0, "rms of the velocity", 1e-3)
if m["work"] != {"model": None, "measured": None}: fail(f"a velocity has no work of its own: {m['work']}")
# without --output-dt the rows are those of the record
m = answer("--input", "csv:run.csv:t_s,force_N", "--measured", "v:v_m/s")
near(m["samples"], len(rows), "rows of the record")
# nothing is compared behind the record's end
m = answer("--input", "sine:5N,1Hz", "--t-end", "6", "--output-dt", "2ms", "--measured", "x:csv:run.csv:t_s,x_mm")
near(m["samples"], len(rows), "rows that have a measured value")
near(m["max"], 1e-3, "largest error of a shifted position", 1e-6)
for args, words in ((("--measured", "x_mm"), ("is in mm", "measured NAME:x_mm", "x, v, z, F, Fe")),
                    (("--measured", "y:x_mm"), ("no quantity 'y' of mass_spring", "x, v, z, F, Fe")),
                    (("--measured", "x:nowhere"), ("no column 'nowhere'",)),
                    (("--measured", "x:force_N"), ("is in N",))):
    got = run(*DRIVE, *args)
    if got.returncode != 2 or any(w not in got.stderr for w in words): fail(f"{args}: {got.returncode} {got.stderr}")
got = run(*DRIVE, "--measured", "friction_N", "--csv", "out.csv", "--units", "mm,N")
if "against what was measured: rms 0.25 N" not in got.stdout or "of a cycle (mean of 2)" not in got.stdout: fail(got.stdout + got.stderr)
print("simulate against measured:", "ok" if not bad else f"{bad} failed")
sys.exit(bool(bad))
PY
