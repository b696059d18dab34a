#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A question is asked once: command and study of the same question give the same bits in every number and table.
# Loops over the examples of the catalogue, and over more of their options; without CI over one of each analysis and every fourth.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf same && mkdir same && cd same || exit 1
exec python3 - "$BRISTLE" <<'PY'
import csv, json, math, os, re, shlex, shutil, subprocess, sys
bristle = sys.argv[1]
catalogue = json.loads(subprocess.run([bristle, "analyses", "--json"], capture_output=True, text=True, check=True).stdout)
rows = {a["name"]: a for a in catalogue["analyses"]}
lines = [(a["name"], e) for a in catalogue["analyses"] for e in a["examples"]]
SERVO = "bristle control --system mass_spring --model lugre --set m=1,ks=0 --track x --reference step:0.1 --t-end 0.5"
LUGRE = "--model lugre --set sigma0=6,sigma1=1,sigma2=0.3,Fc=1,Fs=2,vs=1,delta=1"
BLOCK = "--system pulled_block --model lugre --set m=1,k=2,sigma0=2900,sigma1=107,sigma2=0,Fc=2.94,Fs=5.88,vs=0.1,delta=1"
PLANE = "--system driven_block --model lugre --set m=1,F=5.704,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6"
INPUTS = {"x", "y", "vp", "Fe", "base", "Fx", "Fy"}
COST = ("seconds", "rate", "threads", "stats.seconds", "stats.rhs", "stats.jacobians")   # depend on who asks
lines += [(l.split()[1], l) for l in (
    f"bristle loop {LUGRE} --input bimodal:0,1,0.5,1.5 --frequency 0.2 --periods 3 --init z=0.1 --samples 7",
    f"bristle loop {LUGRE} --input sine:1,0.1Hz --waveform --scale 3 --filter 0.2 --samples 50",
    f"bristle loop {LUGRE} --input sine:1,0.1Hz --waveform --scales 2,20 --load 1.5",
    "bristle loop --model maxwell_slip --input turning:0,5mm,2mm,6mm,1mm,4mm --transient 2",
    "bristle trace --model dahl --input sine:1mm,2Hz --t-end 300ms --dt 1ms --load 2 --init F=0.1N",
    "bristle trace --model bouc_wen_biaxial --input x:sine:1,0.1Hz --input y:sine:1,0.1Hz,90deg --dt 0.1",
    "bristle classify --model dahl --set gamma=0.5 --memory no",
    f"bristle simulate {BLOCK},vp=2 --t-end 7 --cycle --threshold 0.1 --output-dt 0.1",
    f"bristle simulate {BLOCK} --input vp:sine:0.1,0.5,0,0.5 --t-end 3 --init v=0.1,l=1mm --solver fixed --dt 1ms",
    "bristle simulate --system mass_spring --model dahl --set m=1,ks=1 --input sine:1N,0.2Hz --cycle",
    "bristle simulate --system prescribed --model maxwell_slip --input pwl:0,0,1,5mm,2,1mm --rtol 1e-8 --atol 1e-12",
    "bristle simulate --system two_axis --model bouc_wen_biaxial --set m=1,kx=1,ky=2 --input Fx:sine:1,1 --t-end 1",
    "bristle simulate --system driven_block --model coulomb --set F=2 --t-end 1 --events",
    "bristle steady --model dahl --set gamma=1.5 --from -1mm/s --to 0 --points 7 --load 2",
    "bristle field --model dahl --z-from -1N --z-to 1N --nz 4 --nu 3 --load 2",
    "bristle signal --input pwl:0,0,1,5mm,2,1mm --samples 7",
    "bristle signal --input chirp:1mm,1,3,2 --t-end 1.5",
    f"{SERVO} --controller observer --integral --poles=-30,-25,-20 --antiwindup conditional --limit u=4 --sample 1ms"
    " --delay 1ms --noise x=1e-5,a=0.1 --seed 3 --mismatch Fc=0.8,m=1.1 --window 0.1:0.4 --output-dt 10ms --init x=1e-3",
    f"{SERVO} --controller feedback_linearization --bristle true --mismatch z=1.001 --rtol 1e-8",
    f"{SERVO} --controller adaptive --gains adapt=3,span=1 --sample 2ms",
    f"{SERVO} --compare --uncertain Fc,m --part 0.1 --samples 2 --sample 5ms --threads 2",
    f"{SERVO} --controller pid --gains kp=30,ki=4,kd=6 --tune kp,ki --uncertain Fc --cost 1e-3 --sample 5ms --validate sine:0.1,1",
    f"{SERVO} --controller cascade_pi --rtol 1e-8 --map map.svg --vary ki=10:100 --vary2 Fs/Fc=1.2:2 --grid 2",
    f"bristle phase {PLANE} --vary sigma1=8:9 --at sigma1=8.25,8.45 --lag 1,0.5,0.1",
    f"bristle phase {PLANE},f_exp=1.001 --vary sigma1=8.7:8.9 --at sigma1=8.75",
    f"bristle phase {PLANE},sigma1=8 --vary F=5.6:5.8 --hopf x.svg --stribeck y.svg --grid 12 --events no",
    f"bristle phase {PLANE} --vary F=4.5:6 --vary2 sigma2=1:2 --map x.svg --grid 4 --events no",
    f"bristle phase {PLANE} --vary sigma1=4:14 --vary2 F=5.6:5.8 --grid 3")]

if not os.environ.get("CI"):
    firsts = {name: n for n, (name, _) in reversed(list(enumerate(lines)))}
    print(f"skip: three quarters of the {len(lines)} questions are asked with CI=1 only")
    lines = [l for n, l in enumerate(lines) if n % 4 == 0 or firsts[l[0]] == n]

PICTURES = {"control": ("map", "bode"), "phase": ("portrait", "diagram", "map", "hopf", "stribeck", "loops")}

def parts(text):                       # "a=1,2,b=max(1,2)" by the grammar of --set
    depth, items, item = 0, [], ""
    for c in text + ",":
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0: items.append(item); item = ""
        else: item += c
    out = []
    for i in items:
        name, eq, value = i.partition("=")
        if eq and "(" not in name: out.append((name, [value]))
        else: out[-1][1].append(i)
    return out

def study_of(name, words):
    head, options, inputs = {}, {}, {}
    flags = {o["name"] for o in rows[name]["options"] if o["kind"] == "flag"}
    drawn = PICTURES.get(name, ())     # flags that take the name of a picture as a command
    quoted = lambda v: json.dumps(v[0] if len(v) == 1 else v)
    i = 2
    while i < len(words):
        key = words[i][2:]
        if key in ("json", "quiet"): i += 1; continue
        if key in flags: options[key] = "yes"; i += 2 if key in drawn else 1; continue
        key, eq, value = key.partition("=")
        if eq: words.insert(i + 1, value)
        value = words[i + 1]; i += 2
        if key in ("csv", "hdf5", "plot"): continue
        if key in ("model", "system"): head[key] = value
        elif key in ("set", "init"): head[key] = {n: quoted(v) for n, v in parts(value)}
        elif key == "input":
            axis, _, rest = value.partition(":")
            if axis in INPUTS: inputs[axis] = rest
            else: head["input"] = value
        else: options[key] = value
    text = f"model: {head.get('model', 'dahl')}\n"   # a study has one, asked for or not
    if "system" in head: text += f"system: {head['system']}\n"
    if "input" in head: text += f"input: {json.dumps(head['input'])}\n"
    if inputs: text += "input:\n" + "".join(f"  {k}: {json.dumps(v)}\n" for k, v in inputs.items())
    for k in ("set", "init"):
        if k in head: text += f"{k}:\n" + "".join(f"  {n}: {v}\n" for n, v in head[k].items())
    return text + f"{name}:\n" + "".join(f"  {k}: {json.dumps(v)}\n" for k, v in options.items())

def flat(x, path=""):                  # numbers, texts and flags by path; arrays of numbers are tables
    if isinstance(x, dict):
        for k, v in x.items(): yield from flat(v, f"{path}.{k}" if path else k)
    elif isinstance(x, list):
        for k, v in enumerate(x): yield from flat(v, f"{path}.{k}")
    else: yield path, x

checks = failures = 0
for n, (name, line) in enumerate(lines):
    words = shlex.split(line)
    if name not in rows or not rows[name]["results"] or "--model" not in words and "model" in rows[name]["needs"]: continue
    if name == "classify" and "--model" not in words: continue
    if ".svg" in line and not shutil.which("gnuplot"): continue
    bare = [bristle] + [w for i, w in enumerate(words[1:], 1) if w not in ("--json", "--csv") and words[i - 1] != "--csv"]
    r = subprocess.run(bare + ["--json"], capture_output=True, text=True)
    assert r.returncode == 0, (line, r.stderr)
    answer = json.loads(r.stdout)
    open(f"s{n}.yaml", "w").write(study_of(name, words))
    r = subprocess.run([bristle, "run", f"s{n}.yaml", "--out", f"r{n}", "--quiet", "--no-plots"], capture_output=True, text=True)
    assert r.returncode == 0, (line, r.stderr, open(f"s{n}.yaml").read())
    folder = next((d for d, _, f in os.walk(f"r{n}") if f"{name}.json" in f), None)
    record = json.load(open(f"{folder}/{name}.json"))
    have = {q["name"]: q["value"] for q in record["quantities"]}
    columns = [(t["name"], c["name"]) for t in record["tables"] for c in t["columns"]]   # they stand in the tables
    arrays = {c for _, c in columns} | {f"{t}.{c}" for t, c in columns} | {f"{c[0]}.{c[1:]}" for _, c in columns}
    if name == "trace": arrays |= {f"states.{c.removesuffix('_state')}" for _, c in columns}
    for path, value in flat(answer):
        if name == "phase" and re.match(r"branches\.\d+\.(?!ends)", path): continue # arrays: rows of the main table
        if name == "response" and path.startswith("points."): continue # the same
        if path in COST or re.fullmatch(r"ranking\.\d+\.seconds", path) or path.rpartition(".")[0] in arrays: continue
        if value is None and path not in have: continue
        if isinstance(value, bool): value = "yes" if value else "no"
        checks += 1
        if have.get(path, "missing") != value:
            failures += 1; print(f"{line}\n  {path}: command {value}, study {have.get(path, 'missing')}")
    if name == "classify" or "--tune" in words: continue
    r = subprocess.run(bare + ["--csv", "table.csv", "--quiet"], capture_output=True, text=True)
    assert r.returncode == 0, (line, r.stderr)
    shown = {"--waveform": "wave", "--map": "map", "--hopf": "criticality", "--compare": "compare"}
    if name == "fit": shown.update({"--system": "motion", "--design": "design"})
    table = next((shown[w] for w in words if w in shown), name)
    checks += 1
    file = next(t["file"] for t in record["tables"] if t["name"] == table)
    if open("table.csv", "rb").read() != open(f"{folder}/{file}", "rb").read():
        failures += 1; print(f"{line}\n  table {table} differs")
print(f"{checks} numbers and tables, {failures} differ")
sys.exit(failures > 0 or checks < 100)
PY
