# SPDX-License-Identifier: Apache-2.0
"""alloc [N]: requests for memory fail, one or all from it on, in every command: never a crash, never exit 0 with other
results.  All of them where there are at most N, else N spread over the run."""
import os
import subprocess
import sys

from cases import all_cases
from world import Findings, PROGRAM, files, fresh, reference, run, sanitized, stray, timeless

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = 1 << 40  # every request from the failing one on


def shim(work):
    """The library that refuses."""
    out = os.path.join(work, "fail_alloc.so")
    line = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", out, os.path.join(HERE, "fail_alloc.c")]
    if subprocess.run(line, check=False).returncode != 0:
        print("skip: no library for LD_PRELOAD can be made here")
        sys.exit(77)
    return out


def judge(told, done, found, before, want, findings):
    """A failed request is answered, or it did no harm."""
    if done.code is None or done.code < 0 or done.code > 2 and done.code != 130:
        findings.add(f"{told}: {'hangs' if done.code is None else f'exit {done.code}'}: {done.told()}")
    elif done.code == 0:
        if timeless(done.out) != want.out:
            findings.add(f"{told}: exit 0, but prints something else: {done.told()}")
        if found != want.files:
            new = want.files
            names = sorted(n for n in set(found) | set(new) if found.get(n) != new.get(n))
            findings.add(f"{told}: exit 0, but {names[:4]} differ: {done.told()}")
    elif not done.err:
        findings.add(f"{told}: exit {done.code} without a word")
    elif done.code == 2 and b"memory" not in done.err:
        findings.add(f"{told}: blames the user: {done.told()}")
    if stray(found):
        findings.add(f"{told}: leaves {stray(found)}")
    for name, data in found.items():
        if name not in stray(found) and not want.may_hold(name, data, before):
            findings.add(f"{told}: {name} is half written ({len(data)} bytes)")


def numbers(total, most):
    """Which requests fail: all, or `most` of them spread."""
    if total <= most:
        return range(1, total + 1)
    return sorted({1 + k * (total - 1) // (most - 1) for k in range(most)})


def main(most, chosen, work):
    """Every case that is chosen."""
    if sanitized():
        print("skip: a sanitizer keeps the heap to itself")
        return 77
    findings, failed, total = Findings("alloc"), 0, 0
    library, folder, count = shim(work), os.path.join(work, "alloc"), os.path.join(work, "count")
    cases = [c for c in all_cases() if chosen(c)]
    for case in cases:
        want = reference(folder, case, findings)
        if not want:
            continue
        env = {"LD_PRELOAD": library, "BR_FAIL_COUNT": count, "MALLOC_PERTURB_": "165"}
        fresh(folder, case)
        before = files(folder)
        done = run(case.words, folder, env)
        judge(f"{case.name}, none", done, files(folder), before, want, findings)
        with open(count, encoding="ascii") as f:
            requests = int(f.read())
        total += requests
        share = most if case.weight <= 0.5 else max(4, int(most * 0.3 / case.weight))
        for k in numbers(requests, share):
            for last in (k, ALL):
                fresh(folder, case)
                done = run(case.words, folder, {**env, "BR_FAIL_AT": str(k), "BR_FAIL_LAST": str(last)})
                told = f"{case.name}, request {k} of {requests}{'' if last == k else ' and all later ones'}"
                judge(told, done, files(folder), before, want, findings)
                failed += done.code != 0
                findings.tries += 1
    return findings.close(f"{len(cases)} commands with {total} requests, {failed} answered with an error")
