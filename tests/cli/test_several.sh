#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where there are several of a kind, each counts, not the first or its neighbour: records of a fit, columns of
# a comparison, ends of a range, loops within loops, elements of a vector in a file, signals that a caller
# ignores.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
dir=$PWD/several_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
python3 - "$BRISTLE" <<'PY' || exit 1
import glob, json, math, os, re, signal, struct, subprocess, sys, time
bristle = sys.argv[1]
bad = []

def call(*words):
    return subprocess.run([bristle, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)

def said(*words):
    r = call(*words)
    if r.returncode: bad.append(f"{' '.join(words)}: exit {r.returncode}: {r.stderr}")
    return r.stdout

def answer(*words): return json.loads(said(*words, "--json") or "{}")

def has(text, what, line):
    if line not in text: bad.append(f"{what}: '{line}' is not said in:\n{text}")

# ---- records of a fit: what each leaves, and none of them is overwritten ----
records = []
for k in (1, 2, 3):
    said("fit", f"sample:dahl,{k}", "--model", "dahl", "--csv", f"run{k}.csv", "--quiet")
    records.append(f"run{k}.csv")
lines = open("run3.csv").read().splitlines() # the third: twice as far from the model as the first
with open("run3.csv", "w") as f:
    f.write(lines[0] + "\n")
    for i, line in enumerate(lines[1:]):
        x = line.split(",")
        f.write(",".join([*x[:3], repr(float(x[3]) + 0.4 * (-1) ** i), *x[4:]]) + "\n")
run = ("fit", *records, "--model", "dahl")
r, text = answer(*run), said(*run)
if [x["file"] for x in r["files"]] != records: bad.append(f"files of a fit: {r['files']}")
if len({"%.3g" % x["rel_test"] for x in r["files"]}) != 3:
    bad.append(f"the records leave the same: {r['files']}")
for x in r["files"]:
    has(text, "what a record leaves", "  %-40s %-20s %10.4g N  %8.3g %%\n" %
        (x["file"], x["model"], x["rmse_test"], 100 * x["rel_test"]))
for name in records:
    before = open(name, "rb").read()
    for output in ("--csv", "--header"):
        refused = call(*run, output, "./" + name)
        told = refused.returncode == 2 and "would overwrite" in refused.stderr
        if not told or open(name, "rb").read() != before:
            bad.append(f"{output} {name}, which is read: exit {refused.returncode}: {refused.stderr}")

# ---- a comparison: the column of each number ----
run = ("control", "--compare", "--samples", "5", "--uncertain", "Fc", "--threads", "1", "--t-end", "0.2")
r, text = answer(*run), said(*run)
columns = ("nominal", "worst", "combined", "hardest", "median", "p95")
heads = next(line for line in text.splitlines() if "nominal" in line).split()
if heads != [*columns[:5], "95", "%", "lost"]: bad.append(f"heads of a comparison: {heads}")
def number(x): return "runs away" if x is None or math.isinf(x) else "%.3g" % x
for c in r["controllers"]:
    row = next((line for line in text.splitlines() if line.startswith("%-48.48s" % c["name"])), "")
    numbers = "".join(" %11s" % number(c[k]) for k in columns)
    want = "%-48.48s" % c["name"] + numbers + " %8s" % ("%d/%d" % (c["lost"], c["drawn"]))
    if row != want: bad.append(f"a row of a comparison: '{row}', not '{want}'")
if all(c["p95"] == c["median"] for c in r["controllers"]):
    bad.append("the columns of the comparison are equal")

# ---- ranges: both ends ----
run = ("phase", "--system", "pulled_block", "--model", "lugre", "--set",
       "m=1,k=2,sigma0=2900,sigma1=107,sigma2=0.4,Fc=2.94,Fs=5.88,vs=0.1,delta=1", "--vary", "vp=0.42:0.44")
r, text = answer(*run), said(*run)
if not r["bistable"] or not all(a < b for a, b in r["bistable"]): bad.append(f"ranges: {r['bistable']}")
has(text, "the whole range", "lugre along vp from 0.42 to 0.44")
for a, b in r["bistable"]: has(text, "a bistable range", "both stable for vp = %.9g to %.9g\n" % (a, b))
for b in r["branches"]:
    has(text, "a branch", "from %.9g (%s) to %.9g (%s)\n" %
        (b["value"][0], b["ends"][0], b["value"][-1], b["ends"][1]))

# ---- loops within loops: each inside the one whose start is told, not its place in the list ----
run = ("loop", "--model", "dahl", "--input", "turning:0,10,9,9.5,2,8,4,6,5,5.5")
r, text = answer(*run), said(*run)
minor = r["minor"]
rows = [line.split() for line in text.split("minor at", 1)[1].splitlines()[1:1 + len(minor)]]
def outer(m): return None if m["parent"] is None else minor[m["parent"]]["start_reversal"]
want = [[str(m["start_reversal"]), "-" if outer(m) is None else str(outer(m))] for m in minor]
if [row[:2] for row in rows] != want:
    bad.append(f"minor loops at, inside: {[row[:2] for row in rows]}, not {want}")
if sum(outer(m) not in (None, m["parent"]) for m in minor) < 2: bad.append("too few loops in loops")

# ---- elements of a vector in a file of numbers ----
if re.search(r"^  hdf5 +yes", said("--version"), re.M):
    vectors = {"k": (1001.5, 2002.25, 3003.125), "Delta": (0.001953125, 0.00390625, 0.0078125)}
    values = ",".join("%s=%s" % (n, ",".join(map(repr, x))) for n, x in vectors.items())
    said("trace", "--model", "maxwell_slip", "--set", values, "--input", "sine:1mm,1Hz", "--t-end", "0.1",
         "--dt", "0.05", "--hdf5", "v.h5", "--quiet")
    data = open("v.h5", "rb").read()
    for name, x in vectors.items():
        if struct.pack("<3d", *x) not in data: bad.append(f"v.h5 does not hold {name} = {x}")

# ---- what a caller ignores (nohup) does not end a call; what it does not still does ----
IGNORED = (signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGXCPU)
def ignore():
    for s in IGNORED: signal.signal(s, signal.SIG_IGN)
p = subprocess.Popen([bristle, "trace", "--model", "bouc_wen", "--input", "sine:1,1", "--t-end", "1e6",
                      "--dt", "0.001", "--csv", "long.csv"], preexec_fn=ignore, restore_signals=False,
                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
def wait(until, seconds=20):
    end = time.time() + seconds
    while not until() and time.time() < end: time.sleep(0.01)
def size(): return max(map(os.path.getsize, glob.glob("long.csv.*")), default=0)
wait(lambda: size() > 0 or p.poll() is not None)
for s in IGNORED:
    if p.poll() is not None: break
    before = size()
    p.send_signal(s)
    wait(lambda: size() > before or p.poll() is not None) # it goes on writing
    if p.poll() is not None: bad.append(f"{s.name}, which is ignored, ends the call with {p.returncode}")
if p.poll() is None: p.send_signal(signal.SIGTERM)
if p.wait(60) != 130: bad.append(f"SIGTERM behind them: exit {p.returncode}")
if glob.glob("long.csv*"): bad.append(f"left: {glob.glob('long.csv*')}")
print(*bad, sep="\n")
print(f"{len(bad)} wrong")
sys.exit(bool(bad))
PY
cd .. && rm -rf "$dir"
