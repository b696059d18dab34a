# SPDX-License-Identifier: Apache-2.0
"""same.py write|compare BRISTLE: the examples of the catalogue as lines of Octave; their answers against the commands'."""
import json
import re
import shlex
import struct
import subprocess
import sys

COST = re.compile(r"(^|\.)(seconds|rate|threads)$")


def run(*words):
    r = subprocess.run([sys.argv[2], *words], capture_output=True, text=True)
    assert r.returncode == 0, (words, r.stderr)
    return json.loads(r.stdout)


def calls():
    """(command without outputs, line of Octave) of every example that is not long."""
    for a in run("analyses", "--json")["analyses"]:
        flags = {o["name"] for o in a["options"] if o["kind"] == "flag"}
        drawn = {p["option"] for p in a["pictures"]}
        for line in a["examples"]:
            words, bare, given, inputs, i = shlex.split(line), [a["name"]], [], [], 2
            if words[0] != "bristle" or "|" in words or "--compare" in words:
                continue
            while i < len(words):
                name, eq, value = words[i].removeprefix("--").partition("=")
                if name in ("json", "quiet"):
                    i += 1
                    continue
                if not words[i].startswith("--"):
                    given = None
                    break
                if name in flags and name not in drawn:
                    bare.append(words[i])
                    given.append((name, None))
                    i += 1
                    continue
                if not eq:
                    i += 1
                    value = words[i]
                i += 1
                if name in ("csv", "hdf5", "plot"):
                    continue
                bare += [f"--{name}", value] if not eq else [f"--{name}={value}"]
                if name in drawn:
                    given.append((name, None))
                elif name == "input":
                    inputs.append(value)
                else:
                    given.append((name, value))
            if given is None:
                continue
            quoted = lambda s: "'" + s.replace("'", "''") + "'"
            parts = [f"{quoted(n.replace('-', '_'))}, {'true' if v is None else quoted(v)}" for n, v in given]
            if inputs:
                parts.append("'input', {" + ", ".join(map(quoted, inputs)) + "}")
            yield bare, f"bristle ({', '.join([quoted(a['name']), *parts])})"


def flat(x, path):
    if isinstance(x, dict):
        for k, v in x.items():
            yield from flat(v, f"{path}.{re.sub('[^A-Za-z0-9_]', '_', k)}")
    elif isinstance(x, list):
        # A list with one object, or one number, is the object or number itself in Octave.
        for k, v in enumerate(x):
            yield from flat(v, path if len(x) == 1 else f"{path}.{k}")
    else:
        yield path, x


def number(x):
    return struct.pack(">d", float("nan") if x is None else x).hex()


if sys.argv[1] == "write":
    for k, (_, line) in enumerate(calls()):
        print(f"flat ({line}, 'a{k}');")
    sys.exit()
have = {}
with open("answers.txt", encoding="utf-8") as file:
    for row in file:
        path, kind, value = row.rstrip("\n").split("\t", 2)
        have[path] = (kind, value)
examples = numbers = failures = 0
for k, (words, line) in enumerate(calls()):
    examples += 1
    for path, value in flat(run(*words, "--json"), f"a{k}"):
        if COST.search(path):
            continue
        numbers += 1
        want = (("flag", str(int(value))) if isinstance(value, bool) else ("text", value) if isinstance(value, str)
                else ("number", number(value)))
        got = have.get(path)
        if value is None and got and struct.unpack(">d", bytes.fromhex(got[1]))[0] != struct.unpack(">d", bytes.fromhex(got[1]))[0]:
            continue
        if got != want:
            failures += 1
            print(f"{line}\n  {path}: command {value!r}, here {got}")
            if failures > 20:
                sys.exit(1)
print(f"{examples} examples, {numbers} numbers, texts and flags, {failures} differ")
sys.exit(failures > 0 or examples < 15 or numbers < 500)
