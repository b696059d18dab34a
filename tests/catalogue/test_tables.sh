# SPDX-License-Identifier: Apache-2.0
# The catalogue as JSON says what its source has: bounds, needs, kinds, colours, names of signals; models and mechanisms of the tables;
# the schema points each key to what stands under it; searches by words of other tongues.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
python3 - "$BRISTLE" "$BR_SOURCE_DIR" <<'P'
import json, os, re, subprocess, sys
bristle, source = sys.argv[1:]
def said(*words): return subprocess.run([bristle, *words], capture_output=True, text=True).stdout
whole, schema = json.loads(said("analyses", "--json")), json.loads(said("schema"))
an = {a["name"]: a for a in whole["analyses"]}
models = {m["name"]: m for m in whole["models"]}
bad = []
def same(what, got, want):
    if got != want: bad.append(f"{what}: {got!r}, not {want!r}")

# ---- options: what a study is refused is what the bounds say ----
opts = {(a, o["name"]): o for a in an for o in an[a]["options"]}
same("points of steady", (opts["steady", "points"]["kind"], opts["steady", "points"]["min"]), ("count", 2))
for (a, name), o in opts.items():
    if o["kind"] in ("number", "count") and o["max"] is not None: same(f"{a} {name}", o["max"] > (o["min"] if o["min"] is not None else -1e300), True)
    if o["min_exclusive"]: same(f"{a} {name}", o["min"] is not None, True)
    for other in (o["excludes"] or "").split("|") + (o["needs"] or "").split("|"):
        if other: same(f"{a} {name} names {other}", (a, other) in opts, True)
same("an open bound", (opts["trace", "dt"]["min_exclusive"], opts["trace", "dt"]["min"]), (True, 0))
same("no upper bound", opts["trace", "t-end"]["max"], None)
texts = "".join(open(os.path.join(f, n)).read() for r in ("src",) for f, _, names in os.walk(os.path.join(source, r)) for n in names if n.startswith("analysis") and n.endswith(".c"))
names = re.compile(r'(?:\.name = |\bBRI_\w+\(\s*)"([^"]+)",') # of a row, however it is written
rows = [(names.findall(texts, 0, m.start())[-1], m[1]) for m in re.finditer(r'\.excludes = "([^"]+)"', texts)]
same("options that exclude others", len(rows) > 2, True)
for name, other in rows: same(f"{name} excludes", other in [o["excludes"] for (a, n), o in opts.items() if n == name], True)
same("needs of simulate", an["simulate"]["needs"], ["model", "system", "input", "init"])
same("needs of steady", an["steady"]["needs"], ["model"])
for a in an.values(): # who takes a start takes --init
    same(f"init of {a['name']}", "init" in a["needs"], re.search(r"^  --init ", said("help", a["name"]), re.M) is not None)
kinds = {r["kind"] for a in an.values() for r in a["results"]}
same("kinds of results", kinds, {"value", "table", "picture", "detail"})
detail = re.findall(r'\{"([^"]+)",[^{}]*BR_RESULT_DETAIL\}', texts)
for name in detail: same(f"kind of {name}", [r["kind"] for a in an.values() for r in a["results"] if r["name"] == name][0], "detail")
KIND_OF = {"VALUE": "value", "TABLE": "table", "PICTURE": "picture", "USUAL": "picture", "DETAIL": "detail"}
rows = re.findall(r'\{"([^"]+)",[^{}]*BR_RESULT_(\w+)\}', texts)
same("kinds of rows", {kind for _, kind in rows} >= {"USUAL", "PICTURE", "TABLE", "DETAIL"}, True)
for name, kind in rows: # as the source has it: the usual picture is a picture
    found = [r["kind"] for a in an.values() for r in a["results"] if r["name"] == name]
    same(f"kind of {name}", KIND_OF[kind] in found, True)
colours = {int(c) for c in re.findall(r"\.colour = (\d+)", texts)}
told = {l["colour"] for a in an.values() for p in a["picture"] + [q for x in a["pictures"] for q in x["panels"]] for l in p["lines"]}
same("colours", (told >= colours, told <= set(range(8)), 0 in told), (True, True, True))
for s in whole["signals"]: same("a signal", (s["spec"].startswith(s["name"]), re.fullmatch(r"[a-z_]+", s["name"]) is not None), (True, True))

# ---- models: facts that their own pages state ----
for name, exact, passive, continuity in (("lugre", True, False, "lipschitz"), ("dahl", True, True, "lipschitz"),
                                         ("bouc_wen", False, True, None), ("coulomb", True, True, "discontinuous"), ("maxwell_slip", True, True, None)):
    m = models[name]
    same(f"exact step of {name}", m["exact_step"], exact), same(f"{name} is passive", m["passive"], passive)
    if continuity: same(f"continuity of {name}", m["continuity"], continuity)
same("continuities", {m["continuity"] for m in models.values()}, {"lipschitz", "continuous", "discontinuous"})
flags = {}
for name in models:
    path = os.path.join(source, "models", name, name + ".h")
    if os.path.exists(path): flags[name] = "BR_MODEL_EXACT_STEP" in re.search(r"#define BR_FLAGS (.*(?:\\\n.*)*)", open(path).read()).group(1)
for name, exact in flags.items(): same(f"exact step of {name}", models[name]["exact_step"], exact)
gamma = {p["name"]: p for p in models["maxwell_slip"]["parameters"]}
same("a vector", gamma["k"]["max_length"] > 1, True)
share = {p["name"]: p for p in models["gms"]["parameters"]}["alpha"]
same("an upper bound", (share["min"], share["max"]), (0, 1))
form = [p for m in models.values() for p in m["parameters"] if "choices" in p]
same("choices", all(p["default"] in p["choices"] for p in form) and len(form) > 0, True)
for m in models.values(): # a default of a choice as its own table has it
    text = said("models", m["name"])
    for p in m["parameters"]:
        if "choices" in p: same(f"{m['name']} {p['name']}", re.search(rf"^  {p['name']} +\S+ +(\S+)", text, re.M).group(1), p["default"])
systems = {s["name"]: s for s in whole["systems"]}
# z1..zN: a state that stands for many, and no other
for kind, list_of in (("models", models), ("systems", systems)):
    many = 0
    for name, m in list_of.items():
        text = said(kind, name).split("\n  state ")[-1] if m["states"] else ""
        rows = re.findall(r"^  (\S+) +\S+ +\S", text, re.M)
        for s in m["states"]:
            shown = s["name"] + "1.." + s["name"] + "N" if s.get("max_length", 1) > 1 else s["name"]
            same(f"state {shown} of {name}", shown in rows, True)
            many += "max_length" in s
    same(f"states that stand for many in {kind}", many > 1, True)
most = {"maxwell_slip": 64, "gms": 64, "semilinear_duhem": 8, "lugre": None, "bouc_wen": None}
same("most states", {n: models[n]["states"][0].get("max_length") for n in most}, most)
same("a state for each element", models["maxwell_slip"]["states"][0]["max_length"], gamma["k"]["max_length"])
axes = {n: m["axes"] for n, m in {**models, **systems}.items()}
same("two axes", {n: k for n, k in axes.items() if k != 1}, {"bouc_wen_biaxial": 2, "two_axis": 2})
same("what prescribed motion shows", [x["name"] for x in systems["prescribed"]["states"]], ["u", "v"])
same("states of a block", [x["name"] for x in systems["pulled_block"]["states"]], ["l", "v"])

# ---- the schema ----
defs, top = schema["$defs"], schema["properties"]
same("plots", top["plots"]["additionalProperties"], {"$ref": "#/$defs/plot"})
same("runs", top["runs"]["additionalProperties"], {"$ref": "#/$defs/run"})
same("check", top["check"]["items"], {"$ref": "#/$defs/check"})
for key, to in (("lines", "line"), ("panels", "plot")): same(key, defs["plot"]["properties"][key]["items"], {"$ref": f"#/$defs/{to}"})
same("style", "style" in defs["line"]["properties"] and "style" not in defs["plot"]["properties"], True)
same("runs have analyses", all(a in defs["run"]["properties"] for a in an), True)

# ---- words ----
for words, one, other in ((("models", "micro-damping"), "lugre", "dahl"), (("models", "micro damping"), "lugre", "dahl"),
                          (("models", "microdamping"), "lugre", "dahl"), (("systems", "stiffness"), "pulled_block", "driven_block"),
                          (("models", "preisach"), "maxwell_slip", "viscous")):
    text = said(*words)
    if one and not re.search(rf"^{one} ", text, re.M): bad.append(f"{words} does not find {one}")
    if other and re.search(rf"^{other} ", text, re.M): bad.append(f"{words} finds {other}")
if re.search(r"^maxwell_slip ", said("models", "prei"), re.M): bad.append("the beginning of a word of another tongue is taken for it")
print(*bad, sep="\n")
sys.exit(bool(bad))
P
