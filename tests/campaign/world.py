# SPDX-License-Identifier: Apache-2.0
"""Folders, runs of the program in them, and what may be found there afterwards."""
import os
import re
import shutil
import subprocess

PROGRAM = os.path.abspath(os.environ.get("BRISTLE", "bristle"))
LIMIT = 300  # s; a run that takes longer hangs
TEMPORARY = re.compile(r"\.bristle-[0-9a-f]{16}\.part$")
LOCK = re.compile(r"lock$")
# The only results that differ from run to run: how long it took.
TIMES = [re.compile(rb'"(?:seconds|rate)": *[-+.e0-9]+'), re.compile(rb"(?<= )[-+.e0-9]+ (?:m?s|members/s)(?=$|,)", re.M)]

_version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout


def has(part):
    """Is an optional part in this build (or, gnuplot, on this machine)?"""
    if part == "gnuplot":
        return shutil.which("gnuplot") is not None
    row = re.search(rf"^ *{part} +(\w+)", _version, re.M)
    return row is not None and row.group(1) == "yes"


def sanitized():
    """A sanitizer wants to be first in the process: no library can be put in front of it."""
    with open(PROGRAM, "rb") as f:
        return b"__asan_init" in f.read()


def timeless(text):
    """What is printed, without the times."""
    for pattern in TIMES:
        text = pattern.sub(b"TIME", text)
    return text


def files(folder):
    """{name: bytes} of all files below a folder; a journal, which a broken run leaves on purpose, does not count."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            if (at.endswith(".journal") or name.endswith(".journal")) and not TEMPORARY.search(name) and not LOCK.search(name):
                continue
            path = os.path.join(at, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


def stray(found):
    """Names that no finished or failed run may leave."""
    return sorted(n for n in found if TEMPORARY.search(n) or LOCK.search(n))


def fresh(folder, case, old=None):
    """The folder with the inputs of a case and, with `old` ({name: bytes}), files of an earlier run."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    put(folder, {n: text.encode() for n, text in case.inputs.items()})
    put(folder, old or {})


def put(folder, content):
    """Write {name: bytes} below a folder."""
    for name, data in content.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)


class Done:
    """Exit code (negative: signal; None: it hung), what was printed."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def told(self):
        """The message as one line, for a finding."""
        return self.err.decode(errors="replace").strip().replace("\n", " | ")[:200]


def run(words, folder, env=None, stdout=subprocess.PIPE):
    """One run of the program in a folder."""
    try:
        done = subprocess.run([PROGRAM, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, env={**os.environ, **(env or {})}, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return Done(None, b"", b"")
    return Done(done.returncode, done.stdout or b"", done.stderr)


class Findings:
    """What went wrong, with the line that shows it."""

    def __init__(self, name):
        self.name, self.count, self.tries, self.shown = name, 0, 0, {}

    def add(self, what):
        """Count a finding; the first ones of each command are printed."""
        case = what.split(",")[0]
        self.count += 1
        self.shown[case] = self.shown.get(case, 0) + 1
        if self.shown[case] <= 6:
            print(f"FAILED: {self.name}: {what}", flush=True)

    def close(self, rest):
        """The summary; returns the exit code."""
        print(f"{self.name}: {self.tries} tries, {self.count} failures; {rest}", flush=True)
        return 1 if self.count else 0


class Whole:
    """The undisturbed run: printed text, files, and files that may be there half way."""

    def __init__(self, out, found, stage):
        self.out, self.files, self.stage = timeless(out), found, stage

    def may_hold(self, name, data, old):
        """Is this the old or the new content of a file, as a whole?"""
        return data in (old.get(name), self.files.get(name), self.stage.get(name))


def reference(folder, case, findings, extra=()):
    """The undisturbed run of a case; None where it fails."""
    stage = {}
    if case.stage:
        fresh(folder, case)
        run(case.stage, folder)
        stage = files(folder)
    fresh(folder, case)
    done = run([*case.words, *extra], folder)
    if done.code != 0:
        findings.add(f"{case.name}: the undisturbed run ends with {done.code}: {done.told()}")
        return None
    found = files(folder)
    if stray(found):
        findings.add(f"{case.name}: the undisturbed run leaves {stray(found)}")
    return Whole(done.out, found, stage)
