# SPDX-License-Identifier: Apache-2.0
"""One short example of everything the program does that prints or writes; what is missing here is a finding."""
import re
import subprocess

from world import PROGRAM, has

STUDY = """title: two motions of one element
model: dahl
runs:
  slow: {input: 'sine:1,1Hz', trace: {t-end: 2 s, dt: 2 ms}}
  steady: {model: lugre, input: 'bimodal:0,1,0.5,1.5', loop: {}}
  pulled: {model: lugre, system: pulled_block, set: {m: 1, k: 2, vp: 2}, simulate: {t-end: 0.1 s}}
plots:
  motion: {run: slow, x: u, y: F}
check:
  - {run: slow, quantity: trace.u.max, value: 1 m, tolerance: 1e-3, source: amplitude}
"""
BLOCK = ["--system", "driven_block", "--model", "lugre",
         "--set", "m=1,Fc=1,Fs=5,vs=2,delta=2,sigma0=5,sigma2=1.6,F=5.704"]
SERVO = ["--system", "mass_spring", "--model", "lugre", "--set", "m=1,ks=0", "--track", "x", "--controller", "pid",
         "--gains", "kp=3,ki=4,kd=6,tf=1e-3", "--reference", "step:1"]
PART = "# part of a sweep: first %d, count %d, members 3, question 0123456789abcdef\nmember,vp [m/s],status\n"
PULLED = ["--system", "pulled_block", "--model", "lugre", "--set", "m=1,k=2"]
MECHANISM = """mechanism:
  name: block
  bodies:
    wall: fixed
    block: {mass: 1 kg}
  connections:
    - spring: {between: [block, wall], stiffness: 100 N/m}
  contacts:
    - {between: [block, wall], model: coulomb}
"""
TABLES = ["--csv", "t.csv", "--hdf5", "t.h5", "--plot", "t.svg"]


class Case:
    """A command line, run in an empty folder that holds `inputs`; `weight`: seconds it takes, roughly."""

    def __init__(self, name, words, inputs=None, weight=0.1, other=None, stage=None, new=False):
        self.name, self.words, self.inputs, self.weight = name, words, inputs or {}, weight
        self.other = other  # words that change the results, for old files under the same names
        self.stage = stage  # the command whose files are those of this one half way
        self.new = new      # refuses where there is a file


def record(rows):
    """A measurement: a triangle of position, a force by direction."""
    return {"r.csv": "t_s,x_mm,F_N\n" + "".join(
        f"{0.1 * k:.1f},{(k % 20) * 0.1 if k % 40 < 20 else 2 - (k % 20) * 0.1:.2f},{1 if k % 40 < 20 else -1}\n" for k in range(rows))}


def all_cases():
    """Cases that this build can run."""
    study = {"s.yaml": STUDY}
    cases = [
        Case("models", ["models"]),
        Case("models NAME", ["models", "lugre"]),
        Case("systems NAME", ["systems", "pulled_block"]),
        Case("models --json", ["models", "--json"]),
        Case("systems", ["systems"]),
        Case("systems --json", ["systems", "--json"]),
        Case("systems --output", ["systems", "m.yaml", "--output", "m.svg"], inputs={"m.yaml": MECHANISM}),
        Case("presets", ["presets"]),
        Case("presets --json", ["presets", "--json"]),
        Case("trace --preset", ["trace", "--preset", "doc1", "--input", "sine:1mm,1Hz"]),
        Case("trace", ["trace", "--model", "dahl", "--input", "sine:1,1", "--t-end", "2", "--dt", "0.001", *TABLES],
             other=["--set", "sigma0=2"]),
        Case("trace --json", ["trace", "--model", "lugre", "--set", "g=1+0.5*exp(-abs(v/1e-3))",
                              "--input", "csv:in.csv:t,u", "--json"],
             inputs={"in.csv": "t,u\n0,0\n1,1e-3\n2,0\n3,2e-3\n"}),
        Case("trace --switch", ["trace", "--model", "lugre", "--input", "sine:1mm,1Hz", "--input", "N:u:csv:n.csv", "--switch",
                                "0.2s:Fc=2,Fs=3", "--measures", "--csv", "t.csv"], inputs={"n.csv": "u,n\n-1,1\n1,2\n"}),
        Case("control --switch", ["control", *SERVO, "--t-end", "0.2", "--rtol", "1e-6", "--input", "N:expr:1+u", "--switch",
                                  "0.1s:m=2", "--csv", "t.csv"]),
        Case("trace --csv -", ["trace", "--model", "dahl", "--input", "expr:sin(t)", "--csv", "-"]),
        Case("loop", ["loop", "--model", "lugre", "--input", "bimodal:0,1,0.5,1.5", "--periods", "3", *TABLES],
             other=["--set", "sigma0=2"]),
        Case("response", ["response", "--system", "prescribed", "--model", "maxwell_slip", "--set", "k=1000,Delta=1mm",
                          "--frequency", "1Hz", "--vary", "amplitude=2mm:4mm", *TABLES],
             other=["--points", "5"]),
        Case("loop --sensitivity", ["loop", "--model", "dahl", "--input", "sine:1,1", "--sensitivity", "Fc", "--json"]),
        Case("loop --json", ["loop", "--model", "bouc_wen", "--input", "sine:1,1", "--scales", "1,2", "--json"]),
        Case("loop --waveform", ["loop", "--model", "dahl", "--input", "sine:1,1", "--waveform", "--samples", "50",
                                 "--json"]),
        Case("classify", ["classify", "--model", "coulomb"]),
        Case("classify --json", ["classify", "--model", "dahl", "--json"]),
        Case("simulate", ["simulate", "--system", "pulled_block", "--model", "lugre", "--set", "m=1,k=2,vp=2",
                          "--t-end", "0.2", *TABLES], other=["--init", "v=1"]),
        Case("simulate --window", ["simulate", "--system", "dc_motor", "--model", "lugre", "--input", "sine:0.1,1",
                                   "--t-end", "1", "--window", "0.5:1", "--plot", "m.svg"]),
        Case("simulate --measured", ["simulate", "--system", "mass_spring", "--model", "dahl", "--input", "csv:in.csv:t,F",
                                     "--measured", "x:x", "--units", "mm,ms", *TABLES],
             inputs={"in.csv": "t_s,F_N,x_mm\n0,0,0\n0.1,1,2\n0.2,0,1\n0.3,-1,-2\n0.4,1,0\n"}, other=["--set", "m=2"]),
        Case("trace --measured", ["trace", "--model", "dahl", "--input", "csv:in.csv", "--measured", "auto", "--units", "um,mN",
                                  *TABLES],
             inputs={"in.csv": "t_s,F_N,x_mm\n0,0,0\n0.1,1,2\n0.2,0,1\n0.3,-1,-2\n0.4,1,0\n"}, other=["--set", "sigma0=2"]),
        Case("simulate --json", ["simulate", "--system", "mass_spring", "--model", "coulomb", "--input", "sine:5,1",
                                 "--t-end", "1", "--json"]),
        Case("simulate --animate", ["simulate", "--system", "pulled_block", "--model", "lugre", "--set", "m=1,k=2,vp=1",
                                    "--t-end", "1", "--animate", "a.html", "--plot", "p.tex"]),
        Case("simulate cvode", ["simulate", "--system", "mass_spring", "--model", "lugre", "--input", "sine:5,1",
                                "--t-end", "0.1", "--solver", "cvode", "--json"]),
        Case("steady", ["steady", "--model", "lugre", "--points", "7", *TABLES], other=["--load", "2"]),
        Case("field", ["field", "--model", "dahl", "--nz", "4", "--nu", "3", *TABLES], other=["--load", "2"]),
        Case("signal", ["signal", "--input", "sine:1,1", "--samples", "7", *TABLES], other=["--t-end", "3"]),
        Case("phase", ["phase", *BLOCK, "--vary", "sigma1=8.25:8.3", "--loops", "l.svg", *TABLES], weight=2,
             other=["--at", "sigma1=8.26"]),
        Case("phase --diagram", ["phase", *BLOCK, "--vary", "sigma1=8.25:8.3", "--diagram", "d.svg"], weight=1),
        Case("phase --map", ["phase", *BLOCK, "--vary", "F=5.6:5.8", "--vary2", "sigma2=1:2", "--map", "m.svg",
                             "--hopf", "h.svg", "--stribeck", "st.svg", "--grid", "2"], weight=3),
        Case("phase --lag-force", ["phase", *BLOCK[:-1], BLOCK[-1] + ",sigma1=0.5", "--vary", "F=5:6", "--events", "no", "--scale", "--lag-force",
                                   "5.7,1,0.1", "--json"], weight=1),
        Case("phase --portrait", ["phase", *BLOCK, "--vary", "sigma1=8.25:8.3", "--portrait", "p.svg"], weight=3),
        Case("phase --json", ["phase", *BLOCK, "--vary", "sigma1=8.25:8.3", "--json"], weight=1),
        Case("control --bode", ["control", *SERVO, "--t-end", "0.1", "--bode", "b.svg", "--hdf5", "t.h5"],
             other=["--speed", "1mm/s"]),
        Case("control --responses", ["control", "--compare", "--samples", "0", "--uncertain", "Fc", "--system", "mass_spring",
                                     "--model", "lugre", "--reference", "step:1", "--t-end", "0.05", "--sample", "1ms",
                                     "--responses", "r.svg"], other=["--set", "m=2"]),
        Case("fit", ["fit", "sample:dahl", "--model", "dahl", *TABLES], weight=0.3, other=["--seed", "2", "--train", "0:0.5"]),
        Case("fit --file", ["fit", "--file", "sample:dahl", "--model", "dahl", "--json"], weight=0.3),
        Case("fit --system", ["fit", "sample:dahl", "--system", "mass_spring", "--model", "dahl", "--train", "0:0.2", "--test", "0.2:0.3", *TABLES],
             weight=0.5, other=["--window", "0.3"]),
        Case("fit --study", ["fit", "r.csv", "--model", "dahl", "--study", "s.yaml", "--header", "j.h", "--json"], weight=0.2,
             inputs=record(80), other=["--train", "0:0.5"]),
        Case("fit --loss", ["fit", "r.csv", "--model", "bouc_wen", "--loss", "huber", "--extras", "offset,backlash", "--json"],
             inputs=record(80)),
        Case("fit --per-file", ["fit", "sample:dahl", "sample:dahl,2", "--model", "dahl", "--per-file", "Fc", *TABLES], weight=0.3,
             other=["--train", "0:0.5"]),
        Case("fit --resume", ["fit", "sample:dahl", "--system", "mass_spring", "--model", "dahl", "--train", "0:0.2", "--test", "0.2:0.3",
                              "--resume", "r.journal", "--csv", "t.csv"], weight=0.5),
        Case("fit --design", ["fit", "--design", "--model", "dahl", "--start", "sigma0=4e5,Fc=12", "--stroke", "2mm", "--speed", "20mm/s",
                              "--t-end", "5", *TABLES], weight=0.3, other=["--seed", "2"]),
        Case("fit --json", ["fit", "r.csv|window:0:3", "--model", "maxwell_slip", "--elements", "1", "--train", "0:1", "--test", "0:1",
                            "--json"], inputs=record(60)),
        Case("control --fixed", ["control", "--preset", "doc1", "--controller", "feedback_linearization", "--bristle", "true",
                                 "--reference", "ramp:0.5", "--t-end", "0.2", "--fixed", "1e-3", *TABLES],
             other=["--method", "euler"]),
        Case("control", ["control", *SERVO, "--t-end", "1", *TABLES], other=["--mismatch", "Fc=0.5"]),
        Case("control --map", ["control", *SERVO, "--t-end", "1", "--map", "m.svg", "--vary", "ki=1:10",
                               "--vary2", "Fs/Fc=1.2:2", "--grid", "2", "--threads", "2"]),
        Case("control --tune", ["control", "--system", "pulled_block", "--model", "lugre", "--set", "m=1,k=2",
                                "--controller", "pi", "--gains", "kp=1,ki=1", "--tune", "all", "--reference", "step:1",
                                "--t-end", "0.1", "--sample", "1ms", "--limit", "u=50", "--part", "0", "--json"]),
        Case("control --compare", ["control", "--compare", "--samples", "1", "--uncertain", "Fc", "--csv", "c.csv",
                                   "--plot", "c.svg"], weight=5),
        Case("sweep", ["sweep", *PULLED, "--grid", "sigma1=50:150:3,vp=1:3:4", "--t-end", "2", "--out", "e.csv", *TABLES],
             weight=0.3, other=["--rtol", "1e-5"]),
        Case("sweep --out h5", ["sweep", *PULLED, "--random", "vp=uniform:1:3", "--members", "9", "--design", "latin", "--list",
                                "sigma1=107", "--t-end", "2", "--points", "2", "--out", "e.h5", "--hdf5", "t.h5"],
             other=["--seed", "2"]),
        Case("sweep --json", ["sweep", *PULLED, "--grid", "sigma1=-1:150:3,vp=1:3:2", "--t-end", "2", "--measure",
                              "v_max,a=v_max*2,final.v,regime", "--json"]),
        Case("merge", ["merge", "m.csv", "a.csv", "b.csv"],
             inputs={"a.csv": PART % (0, 2) + "0,1,0\n1,2,0\n", "b.csv": PART % (2, 1) + "2,3,0\n"}),
        Case("completion", ["completion", "bash"]),
        Case("export", ["export", "c", "--model", "lugre", "--output", "j.h"], other=["--precision", "f32"]),
        Case("export fmu", ["export", "fmu", "--preset", "doc1", "--output", "j.fmu"], other=["--fmi", "2"]),
        Case("export fmu --system", ["export", "fmu", "--system", "m.yaml", "-o", "j.fmu"], inputs={"m.yaml": MECHANISM}, other=["--fmi", "2"]),
        Case("export controller", ["export", "c", *SERVO[:-2]]),
        Case("run", ["run", "s.yaml", "--out", "r", "--hdf5", "--index", "list.md"], inputs=study, weight=0.5,
             other=["--set", "sigma0=2"]),
        Case("run --png", ["run", "s.yaml", "--out", "r", "--png"], inputs=study, weight=0.5,
             stage=["run", "s.yaml", "--out", "r"]),
        Case("run --json", ["run", "s.yaml", "--out", "r", "--no-plots", "--json"], inputs=study),
        Case("run --term", ["run", "s.yaml", "--out", "r", "--term"], inputs=study),
        Case("run --check", ["run", "s.yaml", "--check"], inputs=study),
        Case("new", ["new", "n.yaml"], new=True),
        Case("schema", ["schema"]),
        Case("explain", ["explain", "hunting"]),
        Case("help --completion", ["help", "--completion", "zsh"]),
        Case("help", ["help", "run"]),
        Case("help --man-dir", ["help", "--man-dir", "."]),
        Case("--help", ["--help"]),
        Case("--version", ["--version"]),
    ]
    cases += [Case(c, [c]) for c in commands() if c not in {case.words[0] for case in cases}]
    return [c for c in cases if possible(c.words)]


def possible(words):
    """Optional parts of the program that a case needs."""
    needs = {"run": "yaml", "--hdf5": "hdf5", "e.h5": "hdf5", "m.yaml": "yaml", "cvode": "sundials"}
    pictures = {"--plot", "--bode", "--responses", "--map", "--hopf", "--diagram", "--portrait", "--stribeck"}
    return all(has(part) for word, part in needs.items() if word in words) and (
        has("gnuplot") or not pictures & set(words) and "run" not in words)


def commands():
    """What the help lists; not the lab, which reads a folder and serves until it is stopped."""
    text = subprocess.run([PROGRAM, "help"], capture_output=True, text=True, check=True).stdout
    return [name for name in re.findall(r"^  ([a-z]+) ", text, re.M) if name != "lab"]


def not_tried(cases):
    """Options of commands that make a file and stand in no case."""
    for command in commands():
        text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=True).stdout
        used = {word for c in cases if c.words[0] == command for word in c.words}
        for option in re.findall(r"^  (--[a-z0-9-]+) (?:FILE|FOLDER|DIR)", text, re.M):
            if option not in used and possible([command, option]):
                yield f"{command} {option}: no case tries it"
