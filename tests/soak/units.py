# SPDX-License-Identifier: Apache-2.0
"""The same question in other units: every parameter times a power of two that follows from its unit in the
program's own tables, so that the answer must scale and nothing else."""
import functools

import program

# exponents of length, force, time; ampere and radian keep their size
BASE = {"m": (1, 0, 0), "N": (0, 1, 0), "s": (0, 0, 1), "kg": (-1, 1, 2), "Hz": (0, 0, -1), "J": (1, 1, 0), "1": (0, 0, 0),
        "rad": (0, 0, 0), "A": (0, 0, 0)}


def exponents(unit):
    out = [0, 0, 0]
    over, _, under = unit.partition("/")
    for text, sign in ((over, 1), (under, -1)):
        for word in text.split():
            name, _, power = word.partition("^")
            for i, e in enumerate(BASE[name]):
                out[i] += sign * e * int(power or 1)
    return out


@functools.cache
def tables(kind):
    """{model or system: {name: unit}} for parameters, inputs and states."""
    out = {}
    for row in program.ask(kind)[kind]:
        out[row["name"]] = {p["name"]: p["unit"]
                            for key in ("parameters", "inputs", "states") for p in row.get(key, ())}
    return out


def both(model, system):
    """Units of a model and a system by name, with and without the name of the table."""
    out = {}
    for prefix, rows in (("model.", tables("models")[model]), ("system.", tables("systems")[system])):
        out.update(rows)
        out.update({prefix + name: unit for name, unit in rows.items()})
    return out


class Scale:
    """Powers of two for length, force and time; few enough that the default absolute tolerance, 1e-20 in SI, stays
    far below every displacement."""

    def __init__(self, r, length=True):
        self.powers = (r.randint(-6, 20) if length else 0, r.randint(-20, 20), r.randint(-10, 10))

    def factor(self, unit):
        return 2.0 ** sum(e * p for e, p in zip(exponents(unit), self.powers))

    def values(self, units, values):
        """{name: number or list} in the new units."""
        def times(v, f):
            return [x * f for x in v] if isinstance(v, list) else v * f
        return {name: times(v, self.factor(units[name])) for name, v in values.items()}
