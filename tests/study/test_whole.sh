# SPDX-License-Identifier: Apache-2.0
# Studies as files in and out: what a key asks for is in the tables, records, pictures and manifest, and nowhere else; what --resume
# keeps and what it computes anew; study.yaml of the results asks the same again.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf whole && mkdir whole && cd whole || exit 1
exec python3 - "$BRISTLE" <<'PY'
import csv, glob, json, os, re, subprocess, sys, time
bristle = sys.argv[1]
parts = subprocess.run([bristle, "--version"], capture_output=True, text=True).stdout
has = lambda part: re.search(rf"^ *{part} +yes", parts, re.M | re.I) is not None
bad = []
def want(what, got, expected=True):
    if got != expected: bad.append(f"{what}: {got!r}, not {expected!r}")
def near(what, got, expected, by=1e-12):
    if got is None or not abs(got - expected) <= by * max(1, abs(expected)): bad.append(f"{what}: {got!r}, not {expected!r}")
def run(text, out, *more, code=0, name="s.yaml"):
    if text is not None: open(name, "w").write(text)
    r = subprocess.run([bristle, "run", name, "--out", out, "--quiet", *more], capture_output=True, text=True)
    if r.returncode != code: bad.append(f"{out}: exit {r.returncode}, not {code}: {r.stderr} in\n{text}")
    return r.stderr
def record(out, name): return json.load(open(f"{out}/{name}.json"))
def number(out, run, name): return next((q["value"] for q in record(out, run)["quantities"] if q["name"] == name), None)
def table(out, file):
    rows = list(csv.reader(open(f"{out}/{file}")))
    return rows[0], [[float(x) for x in r] for r in rows[1:]]
def verdicts(out, name="s.yaml", *more):
    r = subprocess.run([bristle, "run", name, "--out", out, "--json", "--no-plots", *more], capture_output=True, text=True)
    return json.loads(r.stdout)["verdicts"] if r.stdout else []
def data(out, name): # blocks of numbers of a picture
    return [[[float(x) for x in l.split()] for l in b.split("\n") if l and l[0] != "#"] for b in open(f"{out}/{name}.dat").read().split("\n\n\n")]
def script(out, name): return open(f"{out}/{name}.gp").read()
LOOP = 'title: a loop\nmodel: dahl\nset: {Fc: 2 N, sigma0: 1e4 N/m}\ninput: "turning:-1,1,0,0.5"\n'
FREE = "--no-plots"

# ---- keys as texts and as maps ask the same ----
SIM = "model: lugre\nsystem: pulled_block\nset: {m: 1, k: 2, vp: 0.1}\n"
run(SIM + "simulate: {t-end: 1 s, event: 'l=0.05'}\n", "text", FREE), run(SIM + "simulate:\n  t-end: 1 s\n  event: {l: 0.05}\n", "map", FREE)
want("a map of values", record("map", "simulate"), record("text", "simulate"))

# ---- checks: older names, the figure and unit of a check, distances between runs ----
run(SIM + "source: {document: D, figure: 7}\nsimulate: {t-end: 1 s}\ncheck:\n"
    "  - {quantity: events.reversal, value: 0, tolerance: 100}\n"
    "  - {quantity: final.l, value: 0.05, tolerance: 1, unit: cm, figure: 9b}\n", "older", FREE)
v = verdicts("older")
want("older names", [x["state"] for x in v], ["ok", "ok"])
want("figures", [x["figure"] for x in v], ["7", "9b"]), want("the unit of a check", v[1]["unit"], "cm")
run("model: lugre\nclassify: {}\ncheck:\n  - {quantity: table1.duhem, value: generalized}\n", "starred", FREE)
run("title: t\ninput: 'sine:1mm,1Hz'\ntrace: {t-end: 1 s, dt: 0.01 s}\nruns:\n  one: {model: dahl, label: first}\n  two: {model: dahl, set: {Fc: 2 N}}\n"
    "  long: {model: dahl, trace: {t-end: 2 s, dt: 0.01 s}}\n"
    "check:\n  - {run: one, quantity: F, from: two, value: 0, tolerance: 10}\n", "apart", FREE)
a, b = ([r[3] for r in table("apart", f"{k}.csv")[1]] for k in ("one", "two"))
want("the column of forces", table("apart", "one.csv")[0][3], "F [N]")
rms = (sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)) ** 0.5 / (max(b) - min(b))
near("the distance of two runs", verdicts("apart")[0]["obtained"], rms, 1e-9)
want("unequal runs", "nothing to compare" in run(open("s.yaml").read().replace("from: two", "from: long"), "unequal", FREE, code=1))

# ---- what holds of runs: their own analysis, preset, label; overrides of options ----
want("two analyses", "2 analyses" in run(LOOP + "loop: {}\nclassify: {}\n", "both", FREE, code=2))
run("model: dahl\nsystem: pulled_block\nsimulate: {t-end: 1 s}\nruns:\n  a: {preset: canudas1995_stickslip}\n  b: {}\n", "preset", FREE)
want("the model of a preset", (record("preset", "a")["model"], record("preset", "b")["model"]), ("lugre", "dahl"))
run(LOOP + "loop: {}\n", "fast", FREE, "--set", "loop.samples=16,Fc=3")
want("an option by --set", "samples: 16" in open("fast/study.yaml").read()), near("a parameter by --set", number("fast", "loop", "y_max"), 3, 1e-3)
name = "n" * 64
want("a name too long", "at most 63" in run(f"model: dahl\ninput: 'turning:-1,1'\nloop: {{}}\nruns: {{{name}: {{}}}}\n", "longname", FREE, code=2))
want("the name of a folder", subprocess.run([bristle, "run", "s.yaml", "--check"], capture_output=True).returncode, 2)
says = lambda text, out: run(text, out, FREE, code=2)
want("an option without a value", "'samples' is empty" in says(LOOP + "loop: {samples: }\n", "empty"))
for given in ("[[1], 2]", "['1,2', 3]", "['a=1', 3]"):
    told = says(f"model: dahl\nset: {{Fc: {given}}}\ninput: 'turning:-1,1'\nloop: {{}}\n", "element")
    want(f"Fc of {given}", "an element of 'Fc' must be one number" in told)
want("a study that extends itself", "does one of them extend itself?" in says("extends: s.yaml\n", "itself"))
open("named.one.yaml", "w").write(LOOP + "loop: {}\n")
subprocess.run([bristle, "run", "named.one.yaml", "--quiet", FREE])
want("results by the name of the study", os.path.exists("results/named.one/loop.csv"))
want("the name of a study", json.load(open("results/named.one/manifest.json"))["study"], "named.one")

# ---- one of several studies that are being run: its folder is in use ----
open("endless.yaml", "w").write("model: bouc_wen\ninput: 'sine:1,1Hz'\ntrace: {t-end: 100000 s, dt: 1 ms}\n")
first = subprocess.Popen([bristle, "run", "endless.yaml", "named.one.yaml", "--out", "two", "--quiet", FREE],
                         stderr=subprocess.DEVNULL)
while first.poll() is None and not glob.glob("two/endless/*.part"): time.sleep(0.02)
told = run(None, "two/endless", FREE, code=1, name="named.one.yaml")
first.kill(), first.wait()
want("a folder in use", f"in use by process {first.pid}" in told)

# ---- files beside the study, through 'extends' and from the results ----
os.makedirs("deep/base", exist_ok=True)
open("deep/base/run.csv", "w").write("t [s],x [mm],F [N]\n" + "".join(f"{0.01 * i},{(i % 20) * 0.1},{i % 7}\n" for i in range(200)))
open("deep/base/part.yaml", "w").write("model: dahl\ninput: 'csv:run.csv:t,x'\n")
open("deep/top.yaml", "w").write("extends: base/part.yaml\ntitle: t\ntrace: {}\n")
run(None, "beside", FREE, name="deep/top.yaml")
again = "beside/study.yaml"
want("study.yaml stands alone", re.search(r"(?m)^extends:", open(again).read()) is None)
run(None, "again", FREE, name=again)
want("the same again from its results", open("again/trace.csv").read(), open("beside/trace.csv").read())
# records and tables that options name, with and without steps, of a study or of one of its runs
open("deep/base/steps.csv", "w").write("sigma0 [N/m],Fc [N]\n1e4,1\n2e4,2\n")
FITTED = [f"{0.01 * i},{0.1 * abs(i % 40 - 20)},{3 if i % 40 < 20 else -3}\n" for i in range(200)]
open("deep/base/fit.csv", "w").write("t [s],x [mm],F [N]\n" + "".join(FITTED))
asked = {"fit": "fit: {file: 'base/fit.csv|window:0:1.5s'}\n",
         "swept": "system: pulled_block\nset: {vp: 0.1}\nsweep: {file: base/steps.csv, t-end: 0.1 s, measure: v_max}\n",
         "runs": "runs: {a: {fit: {file: base/fit.csv}}, b: {fit: {file: 'sample:dahl,1'}}}\n"}
moved = {"fit": ["../deep/base/fit.csv|window:0:1.5s"], "swept": ["../deep/base/steps.csv"],
         "runs": ["../deep/base/fit.csv", "sample:dahl,1"]}
for what, text in asked.items():
    open(f"deep/{what}.yaml", "w").write("model: dahl\n" + text)
    run(None, f"{what}_out", FREE, name=f"deep/{what}.yaml")
    again = open(f"{what}_out/study.yaml").read()
    for path in moved[what]: want(f"{path} in study.yaml of the results", path in again)
    run(None, f"{what}_again", FREE, name=f"{what}_out/study.yaml")
    for file in glob.glob(f"{what}_out/*.csv"):
        want(f"{file} from its results", open(file.replace("_out/", "_again/")).read() == open(file).read())

# ---- units: of tables, not of numbers; --resume knows them ----
UNITS = LOOP + "loop: {}\noutput: {units: 'mm,kN'}\n"
run(LOOP + "loop: {}\n", "si", FREE), run(UNITS, "scaled", FREE)
(h1, r1), (h2, r2) = table("si", "loop.csv"), table("scaled", "loop.csv")
want("heads in other units", [h.split("[")[-1] for h in h2[:3]], ["mm]", "mm]", "kN]"])
near("a row in other units", r2[5][1], 1000 * r1[5][1]), near("a force in kN", r2[5][2], r1[5][2] / 1000)
for q in record("si", "loop")["quantities"]:
    o = next(x for x in record("scaled", "loop")["quantities"] if x["name"] == q["name"])
    if (o["value"], o["unit"]) != (q["value"], q["unit"]): bad.append(f"{q['name']} in other units: {o}")
run(UNITS, "si", FREE, "--resume")
want("resume with other units", open("si/loop.csv").read(), open("scaled/loop.csv").read())
flags = record("starred", "classify")["quantities"]
want("yes and no", {q["value"] for q in flags if q["name"].endswith("rate_dependent")}, {"yes"})

# ---- resume: keeps what belongs to it, computes what does not ----
run(LOOP + "loop: {}\n", "kept", FREE)
before = os.stat("kept/loop.csv").st_mtime_ns
run(None, "kept", FREE, "--resume"), want("kept by --resume", os.stat("kept/loop.csv").st_mtime_ns, before)
run(None, "kept", FREE), want("computed without --resume", os.stat("kept/loop.csv").st_mtime_ns == before, False)
text = open("kept/loop.json").read() # a record that names a table of another folder
os.makedirs("kept/sub", exist_ok=True), open("kept/sub/loop.csv", "w").write(open("kept/loop.csv").read())
open("kept/loop.json", "w").write(text.replace('"file": "loop.csv"', '"file": "sub/loop.csv"'))
run(None, "kept", FREE, "--resume"), want("a table outside", open("kept/loop.json").read(), text)
open("kept/loop-turning.csv", "a").write("9,9,9\n") # a table that was changed: all of the run comes anew, once
run(None, "kept", FREE, "--resume"), want("half a record", open("kept/loop.json").read(), text)

# ---- the manifest: in order, with what was overridden ----
files = [f["name"] for f in json.load(open("kept/manifest.json"))["files"]]
want("files of a manifest", (files, "loop.csv" in files, "sub/loop.csv" in files), (sorted(files), True, False))
run(LOOP + "loop: {}\ncheck:\n  - {quantity: work, value: 1, tolerance: 1e9}\n  - {quantity: work, value: 2, tolerance: 1e9}\n", "aside", FREE, "--set", "Fc=3")
m = json.load(open("aside/manifest.json"))
want("overridden checks", (m["checks"], m["checks_failed"], m["checks_overridden"]), (2, 0, 2))

# ---- which files are asked for: the command line prevails ----
if has("hdf5"):
    run(LOOP + "loop: {}\noutput: {hdf5: no}\n", "h5", FREE, "--hdf5"), want("--hdf5 over 'no'", os.path.exists("h5/results.h5"))
    run(LOOP + "loop: {}\noutput: {hdf5: yes}\n", "h5yes", FREE), want("hdf5: yes", os.path.exists("h5yes/results.h5"))
    raw = open("h5yes/results.h5", "rb").read()
    import struct
    for q in ("work", "dissipation", "y_max"): want(f"{q} in HDF5", struct.pack("<d", number("h5yes", "loop", q)) in raw and q.encode() in raw)

# ---- pictures ----
if has("gnuplot"):
    open("outside.csv", "w").write("x [mm],y [kN],name\n0,1,a\n500,2,b\n1000,4,c\n")
    PLOTS = LOOP + """loop: {samples: 8}
runs: {a: {label: soft}, b: {set: {Fc: 4 N}}}
output: {png: yes}
plots:
  own:
    x: u
    y: y
    xrange: -2:2
    scale: logy
    lines:
      - {run: b, table: loop, label: here, colour: 2}
      - {run: a, table: loop, label: "", yfactor: 2, xoffset: 10}
  minus:
    lines:
      - {run: a, table: loop, x: rho, y: u, minus: rho}
  measured:
    x: x
    y: y
    lines: [{file: outside.csv, label: seen}]
  most:
    x: u
    y: y
    lines: [{run: a, table: "*", most: 1}]
  joined:
    x: u
    y: y
    lines: [{run: a, table: "*", joined: yes}]
  labels:
    x: u
    y: y
    lines: [{table: turning}]
  panels:
    panels:
      - {x: u, y: y, lines: [{run: a, table: loop}]}
      - {x: u, y: y, lines: [{run: a, table: "none*"}]}
"""
    run(PLOTS, "drawn")
    rows = {k: table("drawn", f"{k}.csv")[1] for k in ("a", "b")}
    own, text = data("drawn", "own"), script("drawn", "own")
    want("lines of runs", own, [[[r[1], r[2]] for r in rows["b"]], [[r[1] + 10, 2 * r[2]] for r in rows["a"]]])
    want("scale", ("\nset logscale y" in text, "\nset logscale x" in text, "set xrange [-2:2]" in text), (True, False, True))
    want("labels", re.findall(r'set label "([^"]*)"', text), ["here"]), want("colour", "#009E73" in text.split("\nplot ")[1].split(",")[0])
    near("a difference", max(abs(p[1] - (r[1] - r[0])) for p, r in zip(data("drawn", "minus")[0], rows["a"])), 0)
    want("a file in SI", data("drawn", "measured"), [[[0, 1000], [0.5, 2000], [1, 4000]]])
    want("its axes", ("'x, m'" in script("drawn", "measured") or '"x, m"' in script("drawn", "measured")))
    want("most", len(data("drawn", "most")), 1)
    every = [(table("drawn", t["file"])[1], [c["name"] for c in t["columns"]]) for t in record("drawn", "a")["tables"]]
    every = [[r[h.index("u")], r[h.index("y")]] for t, h in every for r in t]
    got = data("drawn", "joined")[0] # without points that lie on a line anyway
    want("joined", ([p for p in got if p not in every], got[0], got[-1]), ([], every[0], every[-1]))
    want("one line", len(data("drawn", "joined")), 1)
    want("labels of runs", set(re.findall(r'set label "([^"]*)"', script("drawn", "labels"))), {"soft", "b"})
    want("empty panels", script("drawn", "panels").count("\nplot "), 1)
    want("png", os.path.exists("drawn/own.png"))
    svg = open("drawn/own.gp").read()
    run(None, "drawn", "--resume"), want("pictures of a resumed study", open("drawn/own.gp").read(), svg)
    run("model: dahl\nsystem: mass_spring\nset: {m: 1, ks: 0}\ncontrol: {controller: pid, gains: 'kp=30,ki=0,kd=6,tf=1e-3', reference: 'step:1', "
        "track: x, t-end: 1 s}\n", "usual")
    if os.path.exists("usual/control.gp"): # the first colour of the palette, and the seventh
        want("colours of a usual picture", re.findall(r"linecolor rgb '(#[0-9A-F]{6})'", script("usual", "control").split("\nplot ")[1])[:2], ["#0072B2", "#000000"])
    run(LOOP.replace(",0,0.5", "") + "loop: {}\nplots: {p: {kind: work-precision, table: loop, x: u, y: y, scale: linear}}\n", "kind")

print(*bad, sep="\n")
print(f"{len(bad)} wrong")
sys.exit(bool(bad))
PY
