# SPDX-License-Identifier: Apache-2.0
"""Soak: random questions asked along independent routes, until one disagrees.  Each case has a seed of its
own; 'tools/soak --seed N --cases 1' asks it again.  Exit 1 when something disagreed."""
import argparse
import random
import sys
import time
import traceback

import fronts
import loops
import machines
import plane
import program

RELATIONS = loops.RELATIONS + machines.RELATIONS + fronts.RELATIONS + plane.RELATIONS


def one(seed, only, verbose):
    """Ask case `seed`; returns the relation's name and what disagrees."""
    r = random.Random(seed)
    relation = r.choice([f for f in RELATIONS if not only or f.__name__ == only])
    if verbose:
        print(f"seed {seed} {relation.__name__}", flush=True)
    found = program.Findings()
    try:
        relation(r, found)
    except program.Refused as problem:
        found.rows.append(str(problem))
    except Exception:  # a case that the soak itself cannot judge is a finding, too
        found.rows.append(traceback.format_exc(limit=-3))
    return relation.__name__, found.rows


def main():
    names = sorted({f.__name__ for f in RELATIONS})
    arg = argparse.ArgumentParser(description=__doc__)
    arg.add_argument("--seconds", type=float, default=60, help="how long to go on (default 60)")
    arg.add_argument("--cases", type=int, default=0, help="how many cases at most; 0: no limit")
    arg.add_argument("--seed", type=int, default=None, help="seed of the first case; default from the clock")
    arg.add_argument("--only", choices=names, help="one relation")
    arg.add_argument("--verbose", action="store_true", help="name every case")
    given = arg.parse_args()
    seed = int(time.time()) % 1000000 * 1000 if given.seed is None else given.seed
    print(f"soak: first seed {seed}")
    start, cases, bad, count = time.monotonic(), 0, 0, dict.fromkeys(names, 0)
    while time.monotonic() - start < given.seconds and not 0 < given.cases <= cases:
        name, rows = one(seed + cases, given.only, given.verbose)
        count[name] += 1
        if rows:
            bad += 1
            print(f"seed {seed + cases} {name}: DISAGREES", *rows[:6], sep="\n    ", flush=True)
        cases += 1
    print(", ".join(f"{name} {n}" for name, n in count.items() if n))
    print(f"soak: {cases} cases in {time.monotonic() - start:.0f} s, {bad} disagree")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
