# SPDX-License-Identifier: Apache-2.0
"""Runs the program and compares numbers: what every relation of the soak needs."""
import json
import math
import os
import subprocess

PROGRAM = os.environ.get("BRISTLE", "bristle")
LIMIT = 30  # s; a single question of the soak is answered in well under a second


class Refused(Exception):
    """The program did not answer a valid question: exit code and message."""


def listed(values):
    """{name: number, text or list} as the --set list; repr() keeps every bit."""
    def text(v):
        if isinstance(v, (list, tuple)):
            return ",".join(text(x) for x in v)
        return v if isinstance(v, str) else repr(float(v))
    return ",".join(f"{name}={text(v)}" for name, v in values.items())


def ask(*words):
    """One command with --json; its answer, or Refused."""
    line = [PROGRAM, *words, "--json"]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Refused(f"no answer within {LIMIT} s: {shown(line)}") from None
    if done.returncode != 0:
        raise Refused(f"exit {done.returncode}: {shown(line)}: {done.stderr.strip()[:300]}")
    return json.loads(done.stdout)


def shown(words):
    """A command line that can be pasted."""
    def word(w):
        return w if w and all(c.isalnum() or c in "-_=:.,/+" for c in w) else "'" + w.replace("'", "'\\''") + "'"
    return " ".join(word(w) for w in words)


class Findings:
    """Collects what disagrees in one case."""

    def __init__(self):
        self.rows = []

    def near(self, what, a, b, allowed):
        """a and b must agree to `allowed`; None and NaN agree with nothing but themselves."""
        if a is None or b is None:
            if a is not b:
                self.rows.append(f"{what}: {a} against {b}")
            return
        if not abs(a - b) <= allowed and not (math.isnan(a) and math.isnan(b)):
            self.rows.append(f"{what}: {a!r} against {b!r}, apart {abs(a - b):.3g}, allowed {allowed:.3g}")

    def same(self, what, a, b):
        if a != b:
            self.rows.append(f"{what}: {a!r} against {b!r}")

    def true(self, what, holds):
        if not holds:
            self.rows.append(what)
