# SPDX-License-Identifier: Apache-2.0
"""campaign kills N | twice N | disk | alloc [N]"""
import argparse
import os
import random
import re
import sys
import tempfile

import alloc
import disk
import kills
import twice


def arguments():
    """The command line."""
    p = argparse.ArgumentParser(prog="campaign", description="The program under hostile conditions. Prints every "
                                "failure and a summary of one line; exit 0 where there was none, 77 where the machine "
                                "does not let it run. BRISTLE names the program.")
    sub = p.add_subparsers(dest="what", required=True, metavar="kills | twice | disk | alloc")
    k = sub.add_parser("kills", help="runs ended by SIGKILL, SIGTERM, SIGINT at random moments: every file absent, old "
                       "or whole, and the next run as if nothing had been")
    k.add_argument("n", type=int, help="kills in mid-run, e.g. 200")
    t = sub.add_parser("twice", help="two runs at once into the same folder or files: whole results, or a refusal with "
                       "the process")
    t.add_argument("n", type=int, help="rounds, e.g. 50")
    d = sub.add_parser("disk", help="every command on full, nearly full and read-only disks and into /dev/full: exit 1 "
                       "and the reason, old files stay, nothing is left")
    a = sub.add_parser("alloc", help="every command with failing requests for memory: an error, or the same results")
    a.add_argument("n", type=int, nargs="?", default=200, help="requests per command that fail; default 200")
    for s in (k, t):
        s.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31), help="default: drawn")
    for s in (d, a):
        s.add_argument("--slice", action="store_true", help="only commands that take a moment, for make test")
        s.add_argument("--only", metavar="REGEX", default="", help="only cases with such a name (tests/campaign/cases.py)")
    return p.parse_args()


def chosen(a):
    """Which cases: by --slice and --only."""
    return lambda case: (not a.slice or case.weight < 0.5) and re.search(a.only, case.name)


def main():
    """Work in a folder that goes away."""
    a = arguments()
    if a.what == "disk":
        disk.enter()
    with tempfile.TemporaryDirectory(prefix="campaign-", dir=os.getcwd()) as work:
        if a.what == "kills":
            return kills.main(a.n, a.seed, work)
        if a.what == "twice":
            return twice.main(a.n, a.seed, work)
        if a.what == "disk":
            return disk.main(chosen(a), work)
        return alloc.main(a.n, chosen(a), work)


sys.exit(main())
