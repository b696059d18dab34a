# SPDX-License-Identifier: Apache-2.0
# What a card of the front page says of its study, which run a check belongs to, and what pages make of records that were read
# back: errors of either sign, runs that show no number.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
if ! "$BRISTLE" --version | grep -qE '^ *yaml +yes'; then
  echo "skip: this build has no libyaml"
  exit 77
fi
rm -rf cards && mkdir cards && cd cards || exit 1
exec python3 - "$BRISTLE" <<'PY'
import json, os, re, shutil, subprocess, sys
bristle = sys.argv[1]
bad = []
def want(what, got, expected=True):
    if got != expected: bad.append(f"{what}: {got!r}, not {expected!r}")
def run(out, *names, code=0, more=("--no-plots",)):
    r = subprocess.run([bristle, "run", *names, "--out", out, "--quiet", *more], capture_output=True, text=True)
    if r.returncode != code: bad.append(f"{out}: exit {r.returncode}: {r.stderr}")
def read(path): return open(path).read() if os.path.exists(path) else ""
def study(name, about, rest):
    open(name, "w").write(f"title: Study {name[0]}\nabout: {json.dumps(about)}\nmodel: dahl\nset: {{sigma0: 3, Fc: 1}}\n" + rest)
STEADY = "steady: {from: 0.1, to: 0.2, points: 3}\n"

# ---- the first sentence of a text; all of a short one, with a full stop; of a long one whole words and dots ----
words = " ".join(f"word{k}" for k in range(60))
ABOUTS = {"Short and sweet": "Short and sweet.", "One": "One.", "Ends. Here": "Ends.", "It is 0.5 m long. More": "It is 0.5 m long.",
          "Two lines.\nThe second": "Two lines.", "One sentence.": "One sentence.", "x" * 179: "x" * 179 + ".",
          words: words[:words.rindex(" ", 0, 181)]}
for k, about in enumerate(ABOUTS): study(f"{'abcdefgh'[k]}.yaml", about, STEADY)
run("texts", *(f"{c}.yaml" for c in "abcdefgh"))
cards = re.findall(r"<article.*?</article>", read("texts/report.html"), re.S)
texts = [re.findall(r"<p>(.*?)</p>", c, re.S)[0] for c in cards]
for about, text, (_, shown) in zip(ABOUTS, texts, ABOUTS.items()):
    want(f"a card of {about[:30]!r}", re.sub(r" ?…$", "", text), shown)
    want(f"dots behind {about[:30]!r}", text.endswith("…"), about is words)
want("cards", len(cards), len(ABOUTS))

# ---- a card has the first picture, the page of the study has all ----
study("p.yaml", "Several.", "runs:\n  a: {" + STEADY.strip() + "}\n  b: {input: 'turning:-1,1', loop: {}}\n  c: {input: 'sine:1,1', trace: {t-end: 1}}\n")
study("q.yaml", "One.", STEADY)
run("drawn", "p.yaml", "q.yaml", more=())
pictures = len([f for f in os.listdir("drawn/p") if f.endswith(".svg")])
if pictures:
    want("pictures of the study", (pictures, read("drawn/p/report.html").count('class="card figure"')), (3, 3))
    cards = re.findall(r"<article.*?</article>", read("drawn/report.html"), re.S)
    want("pictures of cards", [c.count("<svg") for c in cards], [1, 1])
    want("the first one", re.search(r"<svg.*?</svg>", cards[0], re.S).group() in read("drawn/p/report.html"))
    want("links of Markdown", sorted(re.findall(r"\]\((\S+)\)", read("drawn/p/report.md"))), ["loop.svg", "steady.svg", "trace.svg"])

# ---- of several runs a check names its own, in the index too; of one run it need not ----
study("r.yaml", "A text.", "input: 'turning:-1,1'\nruns:\n  soft: {loop: {}}\n  hard: {set: {sigma0: 30}, loop: {}}\ncheck:\n"
      "  - {run: soft, quantity: work, value: 1, tolerance: 9, source: s}\n  - {run: hard, quantity: work, value: 2, tolerance: 9, source: s}\n"
      "  - {run: hard, quantity: method, value: closed-form, source: s}\n")
study("s.yaml", "A text.", "input: 'turning:-1,1'\nloop: {}\ncheck:\n  - {quantity: work, value: 3, tolerance: 9, source: s}\n")
run("index", "r.yaml", "s.yaml", more=("--no-plots", "--index", "index.md"))
rows = [[c.strip() for c in l.strip("|").split("|")] for l in read("index.md").splitlines() if l.startswith("|")]
want("checks of the index", [r[3] for r in rows if len(r) == 8 and r[7] == "ok"], ["soft work, J", "hard work, J", "hard method", "work, J"])
cells = re.findall(r"<td>([a-z ]*(?:work|method))</td>", read("index/r/report.html"))
want("checks of the page", cells[:3], ["soft work", "hard work", "hard method"])

# ---- the largest error whatever its sign; a run that shows no number has no table, its neighbour has one ----
study("t.yaml", "A text.", "system: pulled_block\nruns:\n  one: {model: lugre, set: {vp: 0.1}, simulate: {t-end: 1 s, cycle: yes}}\n  two: {" + STEADY.strip() + "}\n")
for first, second, told in ((1e-3, -5e-3, "5.0e-03"), (-5e-3, 1e-3, "5.0e-03"), (-1e-3, 5e-3, "5.0e-03"), (-7e-3, -2e-3, "7.0e-03"), (2e-3, None, "2.0e-03"),
                            (None, -3e-3, "3.0e-03")):
    shutil.rmtree("back", ignore_errors=True)
    run("back", "t.yaml")
    record = json.load(open("back/one.json"))
    found = [q for q in record["quantities"] if q["name"].split(".")[-1] == "residual"]
    want("numbers called so", len(found), 2)
    for q, x in zip(found, (first, second)): q["value"] = x
    json.dump(record, open("back/one.json", "w"))
    run("back", "t.yaml", more=("--no-plots", "--resume"))
    want(f"of {first} and {second}", f"energy not explained {told}" in read("back/report.html"))
tables = lambda: re.findall(r"^\| (\w+): \w+ of \w+ \| unit \| value \|$", read("back/report.md"), re.M)
want("tables of numbers", tables(), ["one", "two"])
for name, left in (("one", ["two"]), ("two", [])):
    record = json.load(open(f"back/{name}.json"))
    for q in record["quantities"]: q["kind"] = "label" if isinstance(q["value"], str) else "extreme"
    json.dump(record, open(f"back/{name}.json", "w"))
    run("back", "t.yaml", more=("--no-plots", "--resume"))
    want(f"tables without those of {name}", tables(), left)
print(*bad, sep="\n")
print(f"{len(bad)} wrong")
sys.exit(bool(bad))
PY
