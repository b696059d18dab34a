# SPDX-License-Identifier: Apache-2.0
"""disk: every command on a full disk, on one with little room, on a read-only one, and with a full standard output.
Works on a file system of its own in a name space of its own: as root, or where users may make one."""
import os
import shutil
import subprocess
import sys

from cases import all_cases, not_tried
from world import Findings, files, fresh, reference, run, stray, timeless

SIZE = 8 << 20           # bytes of the file system
ROOM = [0, 4, 20, 100]   # kB left free in front of a run
REASONS = (b"No space left", b"Read-only", b"disk full", b"too large", b"cannot")


def enter():
    """Run this again where mounts are ours alone; returns where that is so, else exits."""
    if os.environ.get("BR_CAMPAIGN_INSIDE"):
        return
    unshare = shutil.which("unshare")
    for flags in (["-m"], ["-rm"]):
        if unshare and subprocess.run([unshare, *flags, "true"], capture_output=True, check=False).returncode == 0:
            os.environ["BR_CAMPAIGN_INSIDE"] = "1"
            os.execv(unshare, [unshare, *flags, sys.executable, *sys.argv])
    print("skip: no name space for mounts of our own here (unshare -m)")
    sys.exit(77)


def mount(*words):
    """A mount that must succeed."""
    if subprocess.run(["mount", *words], check=False).returncode != 0:
        print("skip: no file system can be mounted here")
        sys.exit(77)


class Disk:
    """A small file system; leave(kb) fills it up to so much room."""

    def __init__(self, at):
        self.at, self.filler = at, os.path.join(at, "filler")
        os.makedirs(at, exist_ok=True)
        mount("-t", "tmpfs", "-o", f"size={SIZE}", "none", at)

    def leave(self, kb):
        """Only so much room is free from here on."""
        with open(self.filler, "wb", buffering=0) as f:
            info = os.fstatvfs(f.fileno())
            for _ in range((info.f_bavail * info.f_frsize // 1024 - kb) // 4):
                f.write(b"\0" * 4096)

    def empty(self):
        """All room again."""
        if os.path.exists(self.filler):
            os.remove(self.filler)

    def read_only(self, yes):
        """Nothing may be written until this is taken back."""
        mount("-o", "remount,ro" if yes else "remount,rw", self.at)


def judge(told, done, found, old, want, findings):
    """Exit 0 with the whole result, or exit 1 with a reason, and every file old, new or absent.  1: it failed."""
    if done.code == 0:
        if timeless(done.out) != want.out or {**old, **want.files} != found:
            findings.add(f"{told}: exit 0, but the results are not those of the undisturbed run")
        return 0
    if done.code != 1 or not any(r in done.err for r in REASONS):
        findings.add(f"{told}: exit {done.code}: {done.told()}")
    if stray(found):
        findings.add(f"{told}: leaves {stray(found)}")
    for name, data in found.items():
        if not want.may_hold(name, data, old):
            findings.add(f"{told}: {name} is neither old nor whole ({len(data)} bytes)")
    for name in set(old) - set(found):
        findings.add(f"{told}: the old {name} is gone")
    return 1


def small(case, disk, want, findings):
    """A disk with little room, and a read-only one; with and without old files, temporary files elsewhere or there."""
    folder, failed = os.path.join(disk.at, "work"), 0
    tmp = os.path.join(disk.at, "tmp")
    old = {name: b"old\n" for name in want.files if name not in case.inputs and not case.new}
    for k, kb in enumerate([*ROOM, "read-only"]):
        os.makedirs(tmp, exist_ok=True)
        before = old if k % 2 == 0 else {}
        fresh(folder, case, before)
        before = files(folder)
        if kb == "read-only":
            disk.read_only(True)
        else:
            disk.leave(kb)
        done = run(case.words, folder, {"TMPDIR": tmp} if k < 2 else None)
        if kb == "read-only":
            disk.read_only(False)
        disk.empty()
        told = f"{case.name}, {kb if kb == 'read-only' else f'{kb} kB left'}"
        failed += judge(told, done, files(folder), before, want, findings)
        if os.listdir(tmp):
            findings.add(f"{told}: leaves {os.listdir(tmp)} in TMPDIR")
            shutil.rmtree(tmp)
        findings.tries += 1
    return failed


def full_stdout(case, folder, want, findings):
    """What is printed does not get out."""
    fresh(folder, case)
    before = files(folder)
    with open("/dev/full", "wb") as full:
        done = run(case.words, folder, stdout=full)
    findings.tries += 1
    judge(f"{case.name} > /dev/full", done, files(folder), before, want, findings)
    if done.code == 0 and want.out:
        findings.add(f"{case.name} > /dev/full: exit 0")


def main(chosen, work):
    """Every case that is chosen."""
    enter()
    findings, failed = Findings("disk"), 0
    disk = Disk(os.path.join(work, "disk"))
    cases = all_cases()
    for missing in not_tried(cases):
        findings.add(missing)
    cases = [c for c in cases if chosen(c)]
    for case in cases:
        want = reference(os.path.join(work, "whole"), case, findings)
        if not want:
            continue
        full_stdout(case, os.path.join(work, "stdout"), want, findings)
        if set(want.files) != set(case.inputs):
            if not small(case, disk, want, findings):
                findings.add(f"{case.name}: no disk was too small, the case is of no use")
            failed += 1
    subprocess.run(["umount", disk.at], check=False)
    return findings.close(f"{len(cases)} commands, {failed} of them write files")
