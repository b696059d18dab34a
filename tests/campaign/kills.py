# SPDX-License-Identifier: Apache-2.0
"""kills N: runs are ended at random moments; nothing is half written, and the next run is as if nothing had been."""
import os
import random
import signal
import subprocess
import time

from cases import all_cases
from world import Findings, PROGRAM, files, fresh, reference, run, stray

SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]


def interrupted(case, folder, wait, sig):
    """Start a case, send a signal after `wait` s; its exit code and whether the signal came in time."""
    with open(os.devnull, "r+b") as null:
        p = subprocess.Popen([PROGRAM, *case.words], cwd=folder, stdin=null, stdout=null, stderr=null)
        time.sleep(wait)
        in_time = p.poll() is None
        if in_time:
            p.send_signal(sig)
        return p.wait(), in_time


def check_killed(case, found, old, new, told, findings):
    """Every name that is no temporary one holds the old or the new file, whole."""
    for name in sorted(set(found) - set(stray(found))):
        if not new.may_hold(name, found[name], old):
            findings.add(f"{told}: {name} is neither the old nor the new file ({len(found[name])} bytes)")
    for name in set(old) - set(found):
        findings.add(f"{told}: the old {name} is gone")


def one(case, folder, draw, known, findings):
    """One kill; 1 where the signal came in time."""
    new, before, seconds = known
    old = before.files if draw.random() < 0.5 else {}
    fresh(folder, case, old)
    wait, sig = draw.uniform(0, 1.05 * seconds), draw.choice(SIGNALS)
    code, in_time = interrupted(case, folder, wait, sig)
    told = f"{case.name}, {sig.name} after {wait:.4f} s"
    found = files(folder)
    check_killed(case, found, old, new, told, findings)
    if sig != signal.SIGKILL:
        if stray(found) and code != -sig:
            findings.add(f"{told}: leaves {stray(found)}")
        if code not in (0, 130, -sig):  # -sig: before the program had begun
            findings.add(f"{told}: exit {code}")
    resume = ["--resume"] if case.words[0] == "run" and draw.random() < 0.7 else []
    done = run([*case.words, *resume], folder)
    if done.code != 0:
        findings.add(f"{told}: the next run ends with {done.code}: {done.told()}")
    found = files(folder)
    if found != new.files:
        names = sorted(n for n in set(found) | set(new.files) if found.get(n) != new.files.get(n))
        findings.add(f"{told}: behind the next run {names[:5]} differ")
    return in_time


def main(n, seed, work):
    """N kills over the cases that write files."""
    findings, draw, known = Findings("kills"), random.Random(seed), {}
    folder = os.path.join(work, "kills")
    cases = [c for c in all_cases() if c.other]
    for c in cases:
        was = reference(folder, c, findings, c.other)
        start = time.monotonic()
        now = reference(folder, c, findings)
        if was and now:
            known[c.name] = now, was, time.monotonic() - start
    cases = [c for c in cases if c.name in known]
    weights = [4 if c.words[0] == "run" else 1 for c in cases]
    in_time = tries = 0
    while cases and in_time < n and tries < 4 * n:
        case = draw.choices(cases, weights)[0]
        in_time += one(case, folder, draw, known[case.name], findings)
        tries += 1
    findings.tries = tries
    return findings.close(f"{in_time} ended in mid-run, over {len(cases)} commands, seed {seed}")
