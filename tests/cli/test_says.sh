# SPDX-License-Identifier: Apache-2.0
# What is said on the screen is what the JSON object has: numbers, units and words of every summary, of the lists of models and
# mechanisms, of help on any screen.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
dir=$PWD/says_files
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
python3 - "$BRISTLE" <<'PY'
import json, math, os, pty, re, subprocess, sys, time
bristle = sys.argv[1]
failures = []
plain = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "TERM")}

def call(*words, env=None, **more):
    return subprocess.run([bristle, *words], capture_output=True, text=True, env=env or plain, stdin=subprocess.DEVNULL, **more)

def said(*words):
    r = call(*words)
    if r.returncode: failures.append(f"{' '.join(words)}: exit {r.returncode}: {r.stderr}")
    if "takes long" in r.stderr: failures.append(f"{' '.join(words)} took no time: {r.stderr}")
    return r.stdout

def answer(*words):
    return json.loads(said(*words, "--json") or "{}")

def has(text, what, line):
    if line not in text: failures.append(f"{what}: '{line}' is not said in:\n{text}")

def lacks(text, what, line):
    if line in text: failures.append(f"{what}: '{line}' is said in:\n{text}")

# ---- a mechanism in time: window, extremes, and all of it in other units ----
run = ("simulate", "--system", "mass_spring", "--model", "lugre", "--input", "sine:1,1Hz", "--t-end", "2", "--window", "0.5:1.5")
r, text = answer(*run), said(*run)
has(text, "window", "from 0.5 to 1.5 s: work in %.9g J, %.0f reversals, stick fraction %.6g" %
    (r["window"]["work_in"], r["window"]["reversals"], r["window"]["stick_fraction"]))
scaled = said(*run, "--units", "mm,kN,ms")
for name, unit, by in (("x", "mm", 1e-3), ("z", "mm", 1e-3), ("F", "kN", 1e3)):
    e = r["extremes"].get(name, {"min": None})
    for t, u, f in ((text, {"mm": "m", "kN": "N"}[unit], 1), (scaled, unit, by)):
        if e["min"] is not None:
            has(t, "extremes", "  %-12s %-6s %17.9g %17.9g %17.9g" % (name, u, e["min"] / f, e["max"] / f, r["final"][name] / f))
has(scaled, "window in other units", "from 500 to 1500 ms: ")

# ---- tables in other units: least, largest and last ----
run = ("steady", "--model", "lugre", "--from", "0.1", "--to", "2", "--points", "3")
has(said(*run), "steady sliding", "1.04 N at 0.1 m/s, 1.8 N at 2 m/s")  # Fc + sigma2 v: 1 + 0.4 v
has(said(*run), "steady sliding", "  %-8s  %-5s  %14.7g  %14.7g  %14.7g" % ("F", "N", 1.04, 1.8, 1.8))
has(said(*run, "--units", "kN"), "steady sliding in kN", "  %-8s  %-5s  %14.7g  %14.7g  %14.7g" % ("F", "kN", 1.04e-3, 1.8e-3, 1.8e-3))
has(said("trace", "--model", "dahl", "--input", "sine:1,1", "--t-end", "1", "--dt", "0.1"), "trace", "11 samples, dt = 0.1 s, ")
open("own.csv", "w").write("t [s],u [m]\n0,0\n1,1\n1.5,0\n")
lacks(said("trace", "--model", "dahl", "--input", "csv:own.csv"), "trace at the times of a record", "dt =")

# ---- what the library says of its own command: the name once ----
r = call("fit", "--file", "sample:lugre", "--model", "bouc_wen_biaxial")
if not r.stderr.startswith("bristle fit: bouc_wen_biaxial has two axes") or r.returncode == 0:
    failures.append(f"a fit that is refused, {r.returncode}: {r.stderr}")

# ---- loops ----
text = said("loop", "--model", "lugre", "--input", "sine:1mm,2Hz")
has(text, "a frequency not looked at", "the 2 Hz of the input are not used")
has(text, "a frequency not looked at", "--frequency 2 goes")
has(text, "a loop that attracts", "a deviation  shrinks to")
has(said("loop", "--model", "bouc_wen", "--set", "beta=-0.25,gamma=1.25,eta=1", "--input", "turning:-0.3,0.3"), "a loop that repels",
    "a deviation  grows to")
def zigzag(n): return "turning:" + ",".join("%g" % (0.01 * i if i % 2 else 1 + 0.01 * i) for i in range(n))
for n, more in ((20, None), (22, "... and 2 more turning points"), (24, "... and 4 more turning points")):
    r, text = answer("loop", "--model", "dahl", "--input", zigzag(n)), said("loop", "--model", "dahl", "--input", zigzag(n))
    extra = len(r["turning"]) - 20
    (has if extra > 0 else lacks)(text, f"{n} turning points", "... and %d more turning points" % extra if extra > 0 else "more turning points")
for n in (40, 42, 44, 46): # and so many minor loops
    r, text = answer("loop", "--model", "dahl", "--input", zigzag(n)), said("loop", "--model", "dahl", "--input", zigzag(n))
    extra = len(r["minor"]) - 20
    (has if extra > 0 else lacks)(text, f"{n} turning points", "... and %d more minor loops" % extra if extra > 0 else "more minor loops")
text = said("classify", "--model", "lugre")
r = answer("classify", "--model", "lugre")["models"][0]["evidence"]
has(text, "classify", "at the steepest place, state %d = %.4g" % (r["worst_state"] + 1, r["worst_x"]))

# ---- control: hunting, overshoot ----
servo = ("control", "--system", "mass_spring", "--model", "lugre", "--set", "m=1,ks=0", "--track", "x", "--reference", "step:1", "--rtol",
         "1e-9", "--controller", "pid", "--gains", "kp=3,ki=4,kd=6,tf=1e-3", "--t-end", "30")
r, text = answer(*servo), said(*servo)
has(text, "hunting", "largest multiplier %.3g: it %s" % (r["hunting"]["multiplier"], "attracts" if r["hunting"]["multiplier"] < 1 else "repels"))
has(text, "overshoot", "overshoot %.4g %%," % (100 * r["overshoot"]))

# ---- phase plane: kinds of births; a search that ended early is told, one that did not is not ----
run = ("phase", "--preset", "doc2", "--vary", "sigma1=0.1:12")
r, text = answer(*run), said(*run)
hopf = [e for e in r["events"] if e["type"] == "hopf"]
if {e["lyapunov"] > 0 for e in hopf} != {True, False}: failures.append("no Hopf points of both kinds")
for e in hopf:
    has(text, "births", "1/s  %s (%.6g)" % ("subcritical" if e["lyapunov"] > 0 else "supercritical", e["lyapunov"]))
early = sum(not c["complete"] for c in r.get("searched", {}).get("cycles", []))
if text.count("the search for cycles ended early") != early: failures.append(f"{early} searches ended early: {text}")

# ---- fits: elements from 1, parts in per cent ----
run = ("fit", "sample:maxwell_slip", "--model", "maxwell_slip")
r, text = answer(*run), said(*run)
for i, x in enumerate(r["parameters"]["k"]["value"], 1): has(text, "elements of a fit", "  %-12s %14.6g" % (f"k{i}", x))
has(text, "what a fit leaves", ": %.3g %% of its spread" % (100 * r["rel_test"]))
measured = ("trace", "--model", "dahl", "--input", "triangle:1mm,1Hz", "--t-end", "1", "--dt", "0.01")
said(*measured, "--csv", "run.csv", "--quiet")
lines = open("run.csv").read().splitlines()
at = [h.split(" ")[0] for h in lines[0].split(",")].index("F")
with open("off.csv", "w") as f:
    f.write("t [s],u [m],F [N]\n" + "".join("%s,%s,%r\n" % (*l.split(",")[:2], 1.25 * float(l.split(",")[at])) for l in lines[1:]))
against = ("trace", "--model", "dahl", "--input", "csv:off.csv:t,u", "--measured", "F")
has(said(*against), "against a measurement", "relative %.3g %%, " % (100 * answer(*against)["measured"]["relative"]))

# ---- a part of an ensemble, the whole of it; an answer without a summary of its own shows six entries of a list ----
sweep = ("sweep", "--preset", "doc1", "--grid", "vp=0.5:1:2", "--measure", "regime", "--t-end", "1", "--threads", "1")
if "--shard" in said("sweep", "--help"):
    has(said(*sweep, "--shard", "1/2", "--out", "part.csv"), "a part of an ensemble", "2 members, of them 1 here, ")
    lacks(said(*sweep, "--out", "all.csv"), "an ensemble", "of them")
run = ("response", "--system", "prescribed", "--model", "maxwell_slip", "--set", "k=1000,Delta=1mm", "--frequency", "1Hz", "--vary",
       "amplitude=0.5mm:5mm", "--points", "4")
r, text = answer(*run), said(*run)
for key, value in r.items():
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and key not in ("seconds",):
        if not re.search(r"^  %s +%s" % (re.escape(key), re.escape("%.9g" % value)), text, re.M):
            failures.append(f"response: {key} = {value} is not said:\n{text}")

# ---- lists of models ----
for m in json.loads(said("models", "--json"))["models"]:
    text = said("models", m["name"])
    has(text, m["name"], "step:            " + ("exact" if m["exact_step"] else "integrated"))
    has(text, m["name"], "rate dependent:  " + ("yes" if m["rate_dependent"] else "no"))
    if m["passive_condition"]: has(text, m["name"], "(met by the defaults)" if m["passive"] else "(not met by the defaults)")
    for p in m["parameters"]:
        vector = p.get("max_length", 1) > 1 and "formula_of" not in p
        row = re.search(r"^  %s +(\S+) +(\S+)" % re.escape(p["name"] + ("[]" if vector else "")), text, re.M)
        if not row: failures.append(f"models {m['name']} lacks {p['name']}{'[]' if vector else ''}")
        elif "formula_of" in p and row.group(2) != "-": failures.append(f"{m['name']}: default of {p['name']} is {row.group(2)}")
has(said("explain", "zx"), "explain a state", "zx of bouc_wen_biaxial, state")
text = said("analyses")
for s in json.loads(said("analyses", "--json"))["analyses"]: has(text, "analyses", s["name"] + " ")
if len(text.splitlines()) != len(json.loads(said("analyses", "--json"))["analyses"]): failures.append(f"analyses: {text}")
for p in re.findall(r"^  (\S+) +(yes|no) ", said("--version"), re.M):
    part = next(x for x in json.loads(said("--version", "--json"))["parts"] if x["name"] == p[0])
    if part["in"] != (p[1] == "yes"): failures.append(f"--version: {p}")
has(said("presets", "pulled", "stick"), "words of a search", "canudas1995_stickslip")

# ---- a study to start from holds what can be given, and never replaces one ----
said("new", "start.yaml")
before = open("start.yaml").read()
lacks(before, "a study to start from", ": []")
if re.search(r"(?m)^  \w+: +#", before): failures.append(f"a study to start from has empty values:\n{before}")
r = call("new", "start.yaml", "--model", "dahl")
if r.returncode != 2 or "it is there already" not in r.stderr or open("start.yaml").read() != before:
    failures.append(f"new over a study: exit {r.returncode}: {r.stderr}")

# ---- studies: pictures or none, as svg and png, a report for each of several; verdicts by their runs ----
if re.search(r"^  yaml +yes", said("--version"), re.M):
    for name in ("one", "two"):
        open(name + ".yaml", "w").write("title: t\nmodel: dahl\ninput: 'turning:-1,1'\nruns: {slow: {loop: {}}, fast: {loop: {frequency: 1}}}\n"
                                        "check:\n  - {run: slow, quantity: work, value: 0, tolerance: 9}\n  - {run: fast, quantity: work, value: 0, tolerance: 9}\n")
    text = said("run", "one.yaml", "--out", "bare", "--no-plots")
    for name in ("slow", "fast"): has(text, "verdicts of runs", name + ".work [J]")
    if any(f.endswith((".svg", ".gp")) for f in os.listdir("bare")): failures.append(f"--no-plots: {os.listdir('bare')}")
    said("run", "one.yaml", "two.yaml", "--out", "both", "--no-plots")
    for name in ("one", "two"):
        for end in ("html", "md"):
            if not os.path.exists(f"both/{name}/report.{end}"): failures.append(f"no report.{end} of study {name}")
    if re.search(r"^  gnuplot +yes", said("--version"), re.M):
        for more, png in (((), False), (("--png",), True)):
            said("run", "one.yaml", "--out", "drawn", *more)
            if [os.path.exists(f"drawn/loop.{e}") for e in ("svg", "png")] != [True, png]: failures.append(f"pictures of a study {more}: {os.listdir('drawn')}")
if re.search(r"^  hdf5 +yes", said("--version"), re.M): # a choice by its name
    said("trace", "--model", "bouc_wen_biaxial", "--set", "form=printed", "--input", "x:sine:1,1", "--input", "y:ramp:0", "--hdf5", "form.h5", "--quiet")
    if b"printed\0" not in open("form.h5", "rb").read().replace(b"form=printed", b""): failures.append("form.h5 does not name the form")

# ---- exports: -o, both kinds in either order, names ----
said("export", "c", "--model", "dahl", "-o", "short.h", "--quiet")
has(open("short.h").read(), "export -o", "short_step(")
said("export", "c", "--model", "dahl", "--name", "servo", "--output", "other.h", "--quiet")
has(open("other.h").read(), "export --name", "servo_step(")
if re.search(r"^  zip +yes", said("--version"), re.M | re.I):
    import zipfile
    for version in ("2", "3"):
        said("export", "fmu", "--model", "dahl", "--fmi", version, "--output", "one.fmu", "--quiet")
        has(zipfile.ZipFile("one.fmu").read("modelDescription.xml").decode(), f"--fmi {version}", f'fmiVersion="{version}.0"')
    for kinds in ("me,cs", "cs,me"):
        said("export", "fmu", "--model", "dahl", "--kind", kinds, "--output", "both.fmu", "--quiet")
        text = zipfile.ZipFile("both.fmu").read("modelDescription.xml").decode()
        has(text, f"--kind {kinds}", "<ModelExchange "), has(text, f"--kind {kinds}", "<CoSimulation ")

# ---- ports, short options, a record among the inputs of a fit ----
for port, code in (("65536", 2), ("-1", 2), ("1.5", 2), ("80x", 2)):
    r = call("lab", f"--port={port}")
    if r.returncode != code or "out of range" not in r.stderr: failures.append(f"lab --port {port}: {r.stderr}")
r = call("loop", "-m", "dahl")
if "write --model" not in r.stderr: failures.append(f"loop -m: {r.stderr}")
r = call("loop", "--model", "lugre", "--input", "step:1")  # the room's name is the command's, and stands once
if not re.match(r"bristle loop: [a-zA-Z]", r.stderr) or "loop: loop" in r.stderr or "bristle loop: :" in r.stderr: failures.append(r.stderr)

# ---- help: lines of at most 80 columns; pages that troff takes; a narrow screen; no screen for programs ----
for command in re.findall(r"^  ([a-z]+) ", said("--help"), re.M):
    text = said("help", command)
    prose = text.split("\noptions:")[0].split("\n\n", 2)[2] if "\noptions:" in text else text
    for line in prose.splitlines():
        if len(line) > 80: failures.append(f"help {command}: {len(line)} columns: {line}")
    page = said("help", command, "--man")
    if re.search(r"(?m)^\.(?!\\\"|TH|SH|TP|B|I|PP|nf|fi)", page): failures.append(f"man page of {command}: a line starts with a dot")
    if re.search(r"(?m)^'", page): failures.append(f"man page of {command}: a line starts with a quote") # a request, too
wide, narrow = said("help", "trace"), call("help", "trace", env=dict(plain, COLUMNS="60")).stdout
if max(map(len, wide.splitlines())) <= 60: failures.append("help trace is no wider than 60 columns by itself")
if max(len(l) for l in narrow.splitlines() if not l.startswith("  bristle")) > 60: failures.append(f"help trace on 60 columns:\n{narrow}")
for words in (("schema",), ("models", "--json"), ("completion", "bash"), ("help", "trace", "--man")):
    if said(*words) != call(*words, env=dict(plain, COLUMNS="40")).stdout: failures.append(f"{' '.join(words)} depends on the screen")
fish = said("completion", "fish")
has(fish, "completion fish", "-l model -r ")
if re.search(r"-l json -r", fish): failures.append("completion fish: --json takes an argument")

# ---- the bar: while less than a quarter is done, what is left takes three times as long as what has gone ----
def bar(*words, seconds=2.5):
    try: pid, fd = pty.fork()
    except OSError as why: # a folder as a machine (chroot) may have none
        print(f"skip: no terminal here ({why}): the bar is not seen")
        return []
    if pid == 0:
        os.execve(bristle, [bristle, *words], dict(plain, TERM="xterm"))
    begun, seen = time.time(), []
    os.set_blocking(fd, False)
    while time.time() < begun + seconds:
        try:
            piece = os.read(fd, 65536).decode(errors="replace")
            if not piece: break
            for part, left, unit in re.findall(r" (\d+) %, (\d+) (s|min) left", piece):
                seen.append((time.time() - begun, int(part), int(left) * (60 if unit == "min" else 1)))
        except BlockingIOError: time.sleep(0.05)
        except OSError: break
    os.kill(pid, 9), os.waitpid(pid, 0), os.close(fd)
    return seen
seen = bar("trace", "--model", "bouc_wen", "--input", "sine:1,1", "--t-end", "3e4", "--dt", "1e-3", "--csv", "long.csv")
for gone, part, left in seen:
    if part < 25 and left < 1.5 * gone - 1: failures.append(f"{part} % in {gone} s, {left} s left")
print(*failures, sep="\n")
print(f"{len(failures)} failures; the bar was seen {len(seen)} times")
sys.exit(len(failures) > 0)
PY
