# SPDX-License-Identifier: Apache-2.0
"""The pages docs/documents/0.md .. 4.md: shape, links, coverage, quoted numbers; prints how many items are full.

documents.py SOURCE_DIR PROGRAM [PAGE...]: without PROGRAM ("-") no command is run. docs/documents/README.md says what
the pages look like.
"""
import json
import math
import os
import re
import shlex
import subprocess
import sys

source, program = sys.argv[1], sys.argv[2]
pages = sys.argv[3:] or ["0", "1", "2", "3", "4"]
verdicts = ("full", "partial", "not applicable")
errors = []
text = {}


def bad(page, message):
    errors.append(f"docs/documents/{page}.md: {message}")


def read(*path):
    name = os.path.join(source, *path)
    if not os.path.exists(name):
        return ""  # whoever links to it complains
    if name not in text:
        with open(name, encoding="utf-8") as f:
            text[name] = f.read()
    return text[name]


def section(page, title):
    """The lines between '## title' and the next '## '."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", read("docs", "documents", f"{page}.md"), re.M | re.S)
    if not found:
        bad(page, f"no section '## {title}'")
        return ""
    return found.group(1)


def rows(page, title, columns):
    """Cells of the first table of a section; \\| is a bar in a cell."""
    lines = [x for x in section(page, title).splitlines() if x.startswith("|")]
    table = [[c.strip().replace("\0", "|") for c in x.replace(r"\|", "\0").strip().strip("|").split("|")] for x in lines]
    if len(table) < 3 or table[0] != columns:
        bad(page, f"'## {title}' has no table | {' | '.join(columns)} |")
        return []
    for row in table[2:]:
        if len(row) != len(columns):
            bad(page, f"'## {title}': {len(row)} cells in | {' | '.join(row)[:70]}")
    return [r for r in table[2:] if len(r) == len(columns)]


def studies(cell):
    return re.findall(r"\]\(\.\./\.\./studies/([A-Za-z0-9_]+)\.yaml\)", cell)


def commands(cell):
    return [c for c in re.findall(r"`([^`]+)`", cell) if c.startswith("bristle ")]


def plots(study):
    """Names of a study's pictures: those under 'plots:', else its analysis."""
    found = re.search(r"^plots:\n((?:[ #].*\n|\n)+)", read("studies", f"{study}.yaml"), re.M)
    if found:
        return re.findall(r"^  ([A-Za-z0-9_.-]+):", found.group(1), re.M)
    return ["loop", "steady", "signal", "trace", "wave", "field", "rate"]


def checks(study):
    """(run or None, quantity) -> values of the checks of a study."""
    out = {}
    for entry in re.findall(r"^  - \{(.*?)\}$", read("studies", f"{study}.yaml"), re.M | re.S):
        key = dict(re.findall(r"(?:^|,)\s*(run|quantity|value): *([^,]+)", entry))
        if "quantity" in key and "value" in key:
            number = re.match(r"[-+0-9.eE]+", key["value"].strip("\"' "))
            if number:
                out.setdefault((key.get("run"), key["quantity"].strip()), []).append(float(number.group()))
    return out


def run(page, command, more=()):
    words = shlex.split(command)
    try:
        r = subprocess.run([program] + words[1:] + list(more), capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        bad(page, f"{command}: no answer in a minute")
        return None
    if r.returncode:
        bad(page, f"{command}: exit code {r.returncode}: {r.stderr.decode(errors='replace').strip()[:200]}")
        return None
    return r.stdout.decode()


def pick(value, path):
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return float(value)


def agrees(quoted, value):
    """Whether a quoted decimal is the value, rounded (or cut) to the digits that stand there."""
    mantissa, _, exponent = quoted.lower().partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(float(quoted) - value) <= 1.001 * unit


def expand(cells, word):
    """Numbers of the items 'word' names: 'Figures 2, 3', 'Figure 7', '(10)-(13)' for word = 'equation'."""
    out = set()
    for cell in cells:
        if word == "equation":
            parts = re.findall(r"\((\d+)\)(?:-\((\d+)\))?", cell)
        else:
            parts = []
            for found in re.findall(rf"\b{word}s? ((?:\d+(?:-\d+)?(?:, | and )?)+)", cell, re.I):
                parts += re.findall(r"(\d+)(?:-(\d+))?", found)
        for a, b in parts:
            out |= set(range(int(a), int(b or a) + 1))
    return out


def check_links(page):
    body = read("docs", "documents", f"{page}.md")
    targets = re.findall(r"\]\(([^)\s]+)\)", body)
    for target in set(targets):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join("docs", "documents", path or f"{page}.md"))
        if not os.path.exists(os.path.join(source, full)):
            bad(page, f"link to {target}: no such file")
        elif anchor and full.endswith(".md"):
            there = read(full)
            heads = {re.sub(r"[^a-z0-9 _-]", "", h.lower()).strip().replace(" ", "-")
                     for h in re.findall(r"^#+ (.*)$", there, re.M)}
            if f'<a id="{anchor}"></a>' not in there and anchor not in heads:
                bad(page, f"link to {target}: no such place")


def check_contents(page, items):
    """Every numbered thing the document has is an item: the line 'Contains: ...' says what it has."""
    found = re.search(r"^Contains: (.*)$", read("docs", "documents", f"{page}.md"), re.M)
    if not found:
        return bad(page, "no line 'Contains: ...'")
    cells = [r[0] for r in items]
    for word in ("equation", "figure", "table", "example", "extension"):
        want, have = expand([found.group(1)], word), expand(cells, word)
        if want - have:
            bad(page, f"{word}s {sorted(want - have)} are no items")
    refs = re.search(r"references (\d+)", found.group(1))
    n = len(re.findall(r"^(?:- |\d+\. )", section(page, "Bibliography"), re.M))
    if refs and n < int(refs.group(1)):
        bad(page, f"{n} of {refs.group(1)} references")


def check_corrections(page):
    """Every entry of docs/corrections.md has a heading with a derivation; group anchors are linked."""
    all_text = read("docs", "corrections.md")
    body = read("docs", "documents", f"{page}.md")
    part = section(page, "Corrections")
    entries = dict(re.findall(r"^### \[([0-9A-Za-z-]+)\]\(\.\./corrections\.md#\1\)[^\n]*\n(.*?)(?=^### |\Z)", part, re.M | re.S))
    draft = re.search(r"^Status: draft", body, re.M)
    groups = {"001-A", "001-B", "001-C", "002-statements"}  # headings over the entries
    derived = 0
    for anchor in re.findall(rf'<a id="(00{page}[0-9A-Za-z-]*)"></a>', all_text):
        if f"../corrections.md#{anchor})" not in body:
            bad(page, f"correction {anchor} is not reached")
        if anchor == f"00{page}" or anchor in groups:
            continue
        if anchor not in entries:
            bad(page, f"no heading '### [{anchor}](../corrections.md#{anchor}) ...' under '## Corrections'")
        elif re.search(r"^(Derivation|Reason)\. ", entries[anchor], re.M):
            derived += 1
        elif not draft:
            bad(page, f"correction {anchor} has no paragraph 'Derivation. ...' (or 'Reason. ...' where nothing follows from a formula)")
    return derived


def check_numbers(page):
    """Each row of '## Numbers' is printed by its command, is a check of its study, or is its formula's value."""
    values = []
    for what, value, quantity, where in rows(page, "Numbers", ["what", "value", "quantity", "command or study"]):
        values.append(value)
        quantity = quantity.strip("`")
        if quantity == "formula":
            got = eval(where.strip("`"), {"__builtins__": {}}, vars(math))  # our own page, arithmetic only
            if not agrees(value, got):
                bad(page, f"{what}: {where} is {got!r}, not {value}")
        elif studies(where):
            name, _, path = quantity.rpartition(":")
            have = checks(studies(where)[0]).get((name.strip() or None, path.strip()), [])
            if not any(agrees(value, v) for v in have):
                bad(page, f"{what}: {studies(where)[0]} has no check of {quantity} with the value {value}")
        elif commands(where):
            if program == "-":
                continue
            command = commands(where)[0]
            if command not in answers:
                out = run(page, command, ["--json"])
                answers[command] = json.loads(out) if out else None
            try:
                got = pick(answers[command], quantity)
                if not agrees(value, got):
                    bad(page, f"{what}: '{command}' prints {quantity} = {got!r}, not {value}")
            except (KeyError, IndexError, TypeError, ValueError):
                if answers[command] is not None:
                    bad(page, f"{what}: '{command}' prints no {quantity}")
        else:
            bad(page, f"{what}: neither a command, nor a study, nor a formula")
    # No number of four digits or more stands in the text that is not in the table.
    prose = ""
    for title in ("Items", "Corrections"):
        part = re.sub(r"^```.*?^```$", "", section(page, title), flags=re.M | re.S)
        part = re.sub(r"^    .*$", "", part, flags=re.M)
        prose += re.sub(r"`[^`]*`|\]\([^)]*\)|\bdoi:\S+", " ", part)
    for found in set(re.findall(r"(?<![\w.])[-+]?\d+\.\d+(?:e[-+]?\d+)?(?![\w.]*\d)", prose)):
        digits = re.sub(r"e.*|[-+.]", "", found).lstrip("0")
        if len(digits) >= 4 and not any(agrees(found, float(v)) or agrees(found.lstrip("-+"), abs(float(v))) for v in values):
            bad(page, f"{found} is quoted, but not in '## Numbers'")
    return len(values)


def check_page(page):
    rows(page, "Symbols", ["document", "Bristle", "what"])
    items = rows(page, "Items", ["item", "what it says", "verdict", "command or study", "picture"])
    count = dict.fromkeys(verdicts, 0)
    seen = set()
    for item, _, verdict, where, picture in items:
        if verdict not in verdicts:
            bad(page, f"{item}: verdict '{verdict}' is none of {', '.join(verdicts)}")
            continue
        count[verdict] += 1
        mine = studies(where)
        seen |= set(mine)
        if verdict == "full" and not mine and not commands(where) and "](" not in where:
            bad(page, f"{item}: full, but neither command nor study nor page shows it")
        names = [n for s in mine for n in plots(s)]
        for name in re.findall(r"`([^`]+)`", picture):
            if name not in names:
                bad(page, f"{item}: no picture '{name}' in {', '.join(mine) or 'no study'}")
        if program != "-":
            for command in commands(where):
                if command not in ran:
                    ran.add(command)
                    run(page, command)
    for name in sorted(os.listdir(os.path.join(source, "studies"))):
        if name.endswith(".yaml") and not name.startswith("_"):
            if re.search(rf"document: {page}\b", read("studies", name)) and name[:-5] not in seen:
                bad(page, f"study {name[:-5]} is no item's")
    check_links(page)
    check_contents(page, items)
    derived = check_corrections(page)
    numbers = check_numbers(page)
    print(f"document {page}: {len(items)} items: {count['full']} full, {count['partial']} partial, "
          f"{count['not applicable']} not applicable; {derived} corrections derived, {numbers} numbers")
    return count


answers, ran = {}, set()
total = dict.fromkeys(verdicts, 0)
for page in pages:
    for verdict, n in check_page(page).items():
        total[verdict] += n
print(f"all: {sum(total.values())} items: " + ", ".join(f"{n} {v}" for v, n in total.items()))
for error in errors:
    print("FAILED:", error)
sys.exit(1 if errors else 0)
