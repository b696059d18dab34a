# SPDX-License-Identifier: Apache-2.0
"""same.py BRISTLE SOURCE: the examples of the catalogue as commands and as functions."""
import csv
import json
import os
import re
import resource
import shlex
import subprocess
import sys

import bristle
from bristle._functions import python_name

program, source = sys.argv[1:3]
# What a computation costs; the clock and the number of cores are no part of an answer.
COST = re.compile(r"(^|\.)(seconds|rate|threads|stats\.rhs|stats\.jacobians)$")


def call_of(a, words):
    """Keywords of a command line: options by name, --set as one text."""
    flags = {o["name"] for o in a["options"] if o["kind"] == "flag"}
    drawn = {p["option"] for p in a["pictures"]}
    keywords, inputs, left, i = {}, [], [], 2
    while i < len(words):
        if not words[i].startswith("--"):
            left.append(words[i])
            i += 1
            continue
        name, eq, value = words[i][2:].partition("=")
        if name in ("json", "quiet"):
            i += 1
            continue
        if name in flags and name not in drawn:
            keywords[python_name(name)] = True
            i += 1
            continue
        if not eq:
            i += 1
            value = words[i]
        i += 1
        if name in ("csv", "hdf5", "plot"):
            continue
        if name in flags:
            keywords[python_name(name)] = True
        elif name == "input":
            inputs.append(value)
        else:
            keywords[python_name(name)] = value
    if inputs:
        keywords["input"] = inputs if len(inputs) > 1 else inputs[0]
    return keywords, left


def flat(x, path=""):
    if isinstance(x, dict):
        for k, v in x.items():
            yield from flat(v, f"{path}.{k}" if path else k)
    elif isinstance(x, list):
        for k, v in enumerate(x):
            yield from flat(v, f"{path}.{k}")
    else:
        yield path, x


def command(words, *more):
    r = subprocess.run([program, *words[1:], *more], capture_output=True, text=True)
    assert r.returncode == 0, (words, r.stderr)
    return r.stdout


def asked(a, words):
    """Numbers and table of the command, in one run."""
    if os.path.exists("table.csv"):
        os.remove("table.csv")
    both = subprocess.run([program, *bare(words)[1:], "--json", *(["--csv", "table.csv"] if a["tables"] else [])],
                          capture_output=True, text=True)
    said = both.stdout if both.returncode == 0 else command(bare(words), "--json")  # no table there
    if not os.path.exists("table.csv"):
        return dict(flat(json.loads(said))), None
    with open("table.csv", newline="", encoding="utf-8") as file:
        return dict(flat(json.loads(said))), list(csv.reader(line for line in file if not line.startswith("#")))


def bare(words):
    """Without what only says where the answer goes."""
    out, i = [], 0
    while i < len(words):
        name = words[i].partition("=")[0]
        if name in ("--csv", "--hdf5", "--plot"):
            i += 1 if "=" in words[i] else 2
            continue
        if name not in ("--json", "--quiet"):
            out.append(words[i])
        i += 1
    return out


numbers = failures = examples = 0
os.makedirs("same", exist_ok=True)
os.chdir("same")
for folder in ("studies", "examples"):
    if not os.path.exists(folder):
        os.symlink(os.path.join(source, folder), folder)
for name, a in bristle.analyses().items():
    for line in a["examples"]:
        words = shlex.split(line)
        if words[0] != "bristle" or "|" in words:
            continue
        keywords, left = call_of(a, words)
        if left:  # files as words without a name
            keywords["files"] = left
        examples += 1
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        theirs, rows = asked(a, words)
        cost = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
        if cost > 4 and not os.environ.get("CI"):
            print(f"left out (CI=1 runs it): {line}")
            continue
        mine = getattr(bristle, python_name(name))(**keywords, tables=bool(rows))
        have = dict(flat(mine.to_dict()))
        if list(theirs) != list(have):
            failures += 1
            print(f"{line}\n  keys differ: {sorted(set(theirs) ^ set(have))[:5]}")
        for path, value in theirs.items():
            if COST.search(path):
                continue
            numbers += 1
            if have.get(path, "missing") != value:
                failures += 1
                print(f"{line}\n  {path}: command {value!r}, function {have.get(path, 'missing')!r}")
        if not rows or not any(t in mine.tables for t in a["tables"]):
            continue
        cells = [[float(c) for c in row] for row in rows[1:]]
        found = [t for t in mine.tables.values() if len(t) == len(cells) and len(t.dtype.names) == len(rows[0])
                 and [list(r) for r in t.tolist()] == cells] if not any(c != c for r in cells for c in r) else [
                     t for t in mine.tables.values() if repr([list(r) for r in t.tolist()]) == repr(cells)]
        numbers += sum(map(len, cells))
        if not found:
            failures += 1
            print(f"{line}\n  table differs: {rows[0]}, {len(cells)} rows; here {[(n, len(t)) for n, t in mine.tables.items()]}")
print(f"{examples} examples, {numbers} numbers, {failures} differ")
sys.exit(failures > 0 or examples < 20 or numbers < 1000)
