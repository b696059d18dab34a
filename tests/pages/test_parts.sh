# SPDX-License-Identifier: Apache-2.0
# What a page says of each study, document and check, in HTML and Markdown: every number at its place, verdicts by their words, what is
# folded and what is open, files, parameters and runs.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf parts && mkdir parts && cd parts || exit 1
exec python3 - "$BRISTLE" <<'PY'
import html, json, os, re, subprocess, sys
bristle = sys.argv[1]
bad = []
def want(what, got, expected=True):
    if got != expected: bad.append(f"{what}: {got!r}, not {expected!r}")
def run(out, *names, code=0, more=()):
    r = subprocess.run([bristle, "run", *names, "--out", out, "--quiet", "--no-plots", *more], capture_output=True, text=True)
    if r.returncode != code: bad.append(f"{out}: exit {r.returncode}: {r.stderr}")
def page(out, end="html"): return open(f"{out}/report.{end}").read()
def rows(text): # cells of every table row, without tags
    cell = lambda c: html.unescape(re.sub(r"<[^>]*>", "", c))
    return [[cell(c) for c in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", r)]
            for r in re.findall(r"<tr[^>]*>(.*?)</tr>", text, re.S)]
def sizes(path, last): # of the numbers of a JSON object whose names end so
    of = [q for q in json.load(open(path))["quantities"] if q["name"].split(".")[-1] == last]
    return [abs(q["value"]) for q in of if q["value"] is not None]
def lines(text): return [[c.strip() for c in l.strip("|").split("|")] for l in text.splitlines() if l.startswith("|")]
LOOP = 'model: dahl\nset: {Fc: 2 N, sigma0: 1e6 N/m}\ninput: "turning:-1,1"\nloop: {}\n' # work 4 Fc = 8 J, nearly
CHECKS = ("check:\n  - {quantity: work, value: 8, tolerance: 0.01, source: closed form}\n  - {quantity: work, value: 9, tolerance: 0.5, source: wrong}\n"
          "  - {quantity: method, value: closed-form, source: words}\n")

# ---- one study: checks with reference, result, difference and verdict; numbers; files ----
open("one.yaml", "w").write("title: One study\nabout: A text. Another.\nsource: {document: D, figure: 3, note: Not as printed.}\n" + LOOP + CHECKS)
run("one", "one.yaml", code=1)
h, m = page("one"), page("one", "md")
work = next(q["value"] for q in json.load(open("one/loop.json"))["quantities"] if q["name"] == "work")
checks = [r for r in rows(h) if r and r[0] in ("work", "method")]
want("checks", checks[:2], [["work", "8", "8", "J", "below 1e-02", "ok", "closed form"], ["work", "9", "8", "J", "%.1e" % (work - 9), "differs", "wrong"]])
want("a check of a text", checks[2][:3] + checks[2][5:6], ["method", "closed-form", "closed-form", "ok"])
want("words of verdicts", re.findall(r'<td class="(ok|bad|soft)">(\w+)</td>', h), [("ok", "ok"), ("bad", "differs"), ("ok", "ok")])
want("checks that differ are open", "<details open><summary><span class=\"bad\">2 of 3 checks agree" in h)
table = [l for l in lines(m) if l[0] in ("work", "method")]
want("checks in Markdown", [l[2:6] for l in table[:2]], [["8", "8", "below 1e-02", "ok"], ["9", "8", "%.1e" % (work - 9), "**differs**"]])
want("numbers in Markdown", ["work", "J", "%.7g" % work] in lines(m))
for what, text in (("HTML", h), ("Markdown", m)):
    for part in ("One study", "A text. Another.", "Not as printed.", "document D, figure 3"): want(f"'{part}' in {what}", part in text)
want("links", [f for f in ("study.yaml", "manifest.json", "loop.csv", "loop-turning.csv") if f'<a href="{f}">{f}</a>' not in h], [])
want("numbers are folded beside checks", "<details><summary>all numbers" in h)
run("index", "one.yaml", code=1, more=("--index", "index.md"))
found = [l for l in lines(open("index.md").read()) if len(l) == 8 and l[3].startswith("work")]
want("the index", [l[4:] for l in found], [["8", "8", "below 1e-02", "ok"], ["9", "8", "%.1e" % (work - 9), "**differs**"]])

# ---- overridden: neither good nor bad, and below no tolerance ----
run("aside", "one.yaml", more=("--set", "Fc=3"))
h, m = page("aside"), page("aside", "md")
want("overridden checks", re.findall(r'<td class="(\w+)">(ok|differs|not applicable: overridden)</td>', h), [("soft", "not applicable: overridden")] * 3)
work = next(q["value"] for q in json.load(open("aside/loop.json"))["quantities"] if q["name"] == "work")
differences = [r[4] for r in rows(h) if r and r[0] == "work"]
want("their differences", differences, ["%.1e" % (work - x) for x in (8, 9)])
want("how many", ("0 of 0 checks agree, 3 not applicable: overridden" in h, "0 of 0 checks agree, 3 not applicable: overridden" in m), (True, True))

# ---- without checks: numbers are open; what is no number is a dash; yes and no; choices and formulas by name ----
open("bare.yaml", "w").write("title: Bare\nmodel: semilinear_duhem\ninput: 'turning:-1,1'\nloop: {}\n")
run("bare", "bare.yaml")
h, m = page("bare"), page("bare", "md")
want("numbers are open without checks", "<details open><summary>all numbers" in h)
none = [q["name"] for q in json.load(open("bare/loop.json"))["quantities"] if q["value"] is None and q["kind"] == "number"]
for name in none: want(f"no number in {name}", [r[2] for r in rows(h) if len(r) == 4 and r[1] == name], ["-"])
want("numbers that are none", (len(none) > 0, "| nan |" in m, ">nan<" in h), (True, False, False))
runs = [r for r in rows(h) if r and r[0] == "loop" and len(r) == 6]
want("options that nobody gave", (len(runs), runs[0][3]), (1, ""))
open("given.yaml", "w").write("title: Given\nmodel: bouc_wen_biaxial\nset: {form: printed}\ninput: {x: 'sine:1,1', y: 'ramp:0'}\ntrace: {t-end: 1 s, dt: 0.1 s}\n")
run("given", "given.yaml")
h = page("given")
want("a choice by its name", [r[1] for r in rows(h) if r and r[0] == "form"], ["printed"])
runs = [r for r in rows(h) if r and r[0] == "trace" and len(r) == 6]
want("options that were given", (runs[0][2], sorted(runs[0][3].split(", "))), ("x sine:1,1, y ramp:0", ["dt 0.1 s", "t-end 1 s"]))
open("flags.yaml", "w").write("title: F\nmodel: dahl\ninput: 'sine:1,1'\nruns: {a: {loop: {waveform: no}}, b: {loop: {waveform: yes}}}\n")
run("flags", "flags.yaml")
want("a flag that is given and one that is denied", [r[3] for r in rows(page("flags")) if len(r) == 6 and r[1] == "loop"], ["", "waveform"])

# ---- several runs: a table of their numbers with their labels, also by older names; parameters of one name and two meanings ----
open("runs.yaml", "w").write("title: Runs\nruns:\n  a: {label: soft, model: lugre, system: pulled_block, set: {vp: 0.1}, simulate: {t-end: 1 s}}\n"
                             "  b: {label: hard, model: lugre, system: mass_spring, set: {m: 3}, simulate: {t-end: 1 s}}\n"
                             "summary: {steps: stats.steps, turns: events.reversal, nothing: no.such.thing}\n")
run("runs", "runs.yaml")
for what, cells in (("HTML", rows(page("runs"))), ("Markdown", lines(page("runs", "md")))):
    want(f"summary in {what}", [c[0] for c in cells if len(c) == 4 and c[0] in ("soft", "hard")][:2], ["soft", "hard"])
    for c in cells:
        if len(c) == 4 and c[0] in ("soft", "hard"):
            q = {x["name"]: x["value"] for x in json.load(open(f"runs/{'a' if c[0] == 'soft' else 'b'}.json"))["quantities"]}
            if c[3] == "-": want(f"{c[0]} in {what}", c[1:], ["%.7g" % q["stats.steps"], "%.7g" % q["event_types.reversal"], "-"])
docs = [(r[0], r[3]) for r in rows(page("runs")) if len(r) == 4 and r[2] in ("N/m", "kg")]
want("parameters of two mechanisms", len({d for n, d in docs if n in ("m", "k", "ks")}) >= 3)
errors = sizes("runs/a.json", "residual")
told = [r[5] for r in rows(page("runs")) if len(r) == 6 and r[0] == "a"]
if errors: want("the largest error of a run", ["energy not explained %.1e" % max(errors) in t for t in told], [True])
servo = ("{model: lugre, system: mass_spring, set: {m: 1, ks: 0}, control: {controller: pid, "
         "gains: 'kp=%s,ki=0,kd=6,tf=1e-3', reference: 'step:1', track: x, t-end: 0.1 s}}")
open("loops.yaml", "w").write("title: Loops\nruns:\n" + "".join(f"  r{k}: {servo % k}\n" for k in (10, 20, 30)))
run("loops", "loops.yaml")
drawn = re.findall(r"<svg [^>]*>.*?</svg>", page("loops"), re.S)
headings = page("loops").count("<h3>Closed loop</h3>")
want("a closed loop is drawn once", (headings, len(set(drawn)) == len(drawn)), (1, True))
open("errors.yaml", "w").write("title: Errors\nmodel: bouc_wen\ninput: 'bimodal:0,1,0.5,1.5'\nloop: {scales: '1,4'}\n")
run("errors", "errors.yaml")
errors = sizes("errors/loop.json", "error")
told = [r[5] for r in rows(page("errors")) if len(r) == 6 and r[0] == "loop"]
if errors: want("the largest of errors", ["estimate %.1e" % max(errors) in t for t in told], [True])

# ---- many studies: each under its document, with its checks and no others; cards without pictures ----
for name, document in (("p", "P"), ("q", "Q"), ("r", None)):
    head = f"source: {{document: {document}}}\n" if document else ""
    check = f"check:\n  - {{quantity: work, value: 8, tolerance: 0.01, source: of {name}}}\n"
    open(f"{name}.yaml", "w").write(f"title: Study {name}\n{head}" + LOOP + ("" if document is None else check))
run("many", "p.yaml", "q.yaml", "r.yaml")
h, m = page("many"), page("many", "md")
parts = re.split(r'<section id="d\d+">', h)[1:]
want("documents", [re.search(r"<h2>(.*?)</h2>", p).group(1) for p in parts], ["Document P", "Document Q", "Further studies"])
want("studies of documents", [re.findall(r">(Study \w)</a></h3>", p) for p in parts], [["Study p"], ["Study q"], ["Study r"]])
want("checks of documents", [re.findall(r"of [pqr](?=</td>)", p) for p in parts], [["of p"], ["of q"], []])
want("cards", [(p.count("numbers only"), "1 of 1</span>" in p, "shown, not checked" in p) for p in parts], [(1, True, False), (1, True, False), (1, False, True)])
want("checks of documents in Markdown", [re.findall(r"of ([pqr]) \|", s) for s in m.split("\n## ")[1:]], [["p"], ["q"], []])
print(*bad, sep="\n")
print(f"{len(bad)} wrong")
sys.exit(bool(bad))
PY
