# SPDX-License-Identifier: Apache-2.0
"""Relations between answers about the phase plane of a block under constant force."""
import draw
import program
import units


def block(r):
    """Parameters with one sliding equilibrium or three; the force lies about the static level."""
    Fs = r.uniform(1.5, 6)
    values = {"m": 1.0, "Fc": 1.0, "Fs": Fs, "vs": draw.decades(r, 0.1, 2), "delta": draw.edge(r, [1.0, 2.0], lambda: r.uniform(0.8, 4)),
              "sigma0": draw.decades(r, 0.3, 20), "sigma2": draw.decades(r, 0.5, 10)}
    values["F"] = Fs * r.uniform(1.005, 1.6)
    return values, draw.decades(r, 1, 300)


def phase(values, vary, *more):
    return program.ask("phase", "--system", "driven_block", "--model", "lugre", "--set", program.listed(values), "--vary",
                       vary, *more)


def labels(r, found):
    """Case and events do not depend on the units."""
    values, top = block(r)
    answer = phase(values, f"sigma1={top / 1000!r}:{top!r}")
    other = units.Scale(r)
    table = units.both("lugre", "driven_block")
    damp = other.factor("N s/m")
    scaled = phase(other.values(table, values), f"sigma1={top / 1000 * damp!r}:{top * damp!r}")
    found.same("case in other units", scaled["case"], answer["case"])
    found.same("events in other units", [e["type"] for e in scaled["events"]], [e["type"] for e in answer["events"]])
    for a, b in zip(scaled["events"], answer["events"]):
        found.near(f"{b['type']} in other units", a["value"] / damp, b["value"], 1e-7 * b["value"])


def cycles(r, found):
    """Motion from rest and from far above ends on an attractor that phase lists."""
    values, top = block(r)
    sigma1 = top * r.uniform(0.05, 1)
    answer = phase(values, f"sigma1={top / 1000!r}:{top!r}", "--at", f"sigma1={sigma1!r}")
    stable = [c for c in answer["cycles"] if c["stable"]]
    rest = any("stable" in e["type"] and "unstable" not in e["type"] for e in answer["equilibria"])
    values["sigma1"] = sigma1
    for start in (0.0, 3 * values["F"] / values["sigma2"]):
        try:
            motion = program.ask("simulate", "--system", "driven_block", "--model", "lugre", "--set", program.listed(values),
                                 "--init", f"v={start!r}", "--cycle", "--rtol", "1e-10")
        except program.Refused as reason:
            if "no cycle" not in str(reason) and "rest" not in str(reason) and "equilibrium" not in str(reason):
                raise
            continue
        cycle = motion.get("cycle")
        if not cycle or not cycle.get("period"):
            continue
        near = [c for c in stable if abs(c["period"] - cycle["period"]) <= 1e-5 * cycle["period"]]
        found.true(f"the motion from v = {start:.6g} settles on a cycle of period {cycle['period']!r}, v {cycle['v_min']:.6g}"
                   f"..{cycle['v_max']:.6g}, that phase does not list: {program.listed(values)}", near)
    found.true(f"phase lists no attractor: {program.listed(values)}", stable or rest)


RELATIONS = [labels, cycles]
