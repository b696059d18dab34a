# SPDX-License-Identifier: Apache-2.0
"""twice N: two runs at once into one place; each succeeds or says who is there, and what is there is whole."""
import os
import random
import re
import subprocess
import time

from cases import all_cases
from world import Findings, LIMIT, PROGRAM, files, fresh, reference, stray


def start(words, folder):
    """A run that is not waited for."""
    return subprocess.Popen([PROGRAM, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)


def one(case, folder, draw, known, findings):
    """One pair; the number of them that was refused."""
    new, other = (whole.files for whole in known)
    fresh(folder, case)
    same = draw.random() < 0.6
    first = start(case.words, folder)
    time.sleep(draw.choice([0, draw.uniform(0, 0.05), draw.uniform(0, 0.3)]))
    second = start(case.words if same else [*case.words, *case.other], folder)
    refused, pids = 0, (first.pid, second.pid)
    for k, p in enumerate((first, second)):
        err = p.communicate(timeout=LIMIT)[1].decode(errors="replace")
        if p.returncode == 0:
            continue
        holder = re.search(r"in use by process (\d+):", err)
        if p.returncode == 1 and case.words[0] in ("run", "sweep") and holder and int(holder.group(1)) == pids[1 - k]:
            refused += 1
        else:
            findings.add(f"{case.name}: exit {p.returncode}: {err.strip()[:200]}")
    found = files(folder)
    if refused == 2:
        findings.add(f"{case.name}: both were refused")
    if stray(found):
        findings.add(f"{case.name}: leaves {stray(found)}")
    for name in sorted(set(found) | set(new)):
        allowed = [new.get(name)] + ([] if same else [other.get(name)])
        if found.get(name) not in allowed:
            findings.add(f"{case.name}, {'equal' if same else 'different'} calls: {name} is not whole")
    return refused


def main(n, seed, work):
    """N pairs over the cases that write files; every second one into a results folder."""
    findings, draw, known = Findings("twice"), random.Random(seed), {}
    folder = os.path.join(work, "twice")
    cases = [c for c in all_cases() if c.other]
    for c in cases:
        pair = reference(folder, c, findings), reference(folder, c, findings, c.other)
        if all(pair):
            known[c.name] = pair
    cases = [c for c in cases if c.name in known]
    runs = [c for c in cases if c.words[0] == "run"] or cases
    refused = 0
    for k in range(n if cases else 0):
        case = draw.choice(cases if k % 2 else runs)
        refused += one(case, folder, draw, known[case.name], findings)
        findings.tries += 1
    return findings.close(f"{refused} refused with the process that is there, over {len(cases)} commands, seed {seed}")
