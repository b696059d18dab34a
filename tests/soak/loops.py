# SPDX-License-Identifier: Apache-2.0
"""Relations between answers about loops."""
import draw
import elements
import program
import units


def loop(name, values, points, *more):
    return program.ask("loop", "--model", name, "--set", program.listed(values), "--input", draw.spec(points), *more)


def spread(answer):
    return answer["y_max"] - answer["y_min"] or 1e-300


def against_elements(r, found):
    """Forces, work and minor loops against the elements' own closed forms and integration."""
    name, values, length, _ = draw.model(r, elements.KINDS)
    points = draw.turning(r, length)
    answer = loop(name, values, points)
    element = elements.KINDS[name](values)
    kept = answer["contraction"] >= 1  # elements that never slip
    z = elements.settled(element, points, 0.0, kept)
    cycle = points + [points[0]]
    end, works, forces = elements.travel(element, z, cycle)
    # creep at the edge of an elastic zone fades like 1/n: no period is the last, and the program gives the limit
    if kept and any(abs(a - b) > 1e-14 * abs(b) for a, b in zip(end, z)):
        return
    weak = max(1e-4, 1 - answer["contraction"])  # a loop that hardly contracts is known only to rounding / weak
    if not kept and 1 - answer["contraction"] < 1e-4:
        return
    size = spread(answer)
    allowed = 1e-11 * size / (1 if kept else weak)
    for i, row in enumerate(answer["turning"]):
        here = next(k for k, u in enumerate(points) if u == row["u"])
        force = forces[here - 1]
        found.near(f"y at turning {i}", row["y"], force, allowed)
        found.true(f"y at turning {i} off by {abs(row['y'] - force):.3g}, error {answer['error']:.3g} stated",
                   abs(row["y"] - force) <= 3 * answer["error"] + (3e-15 * size + 1e-15 * getattr(element, "level", 0)) / (1 if kept else weak)
                   + 1e-13 * size * isinstance(element, elements.Numeric) / (1 if kept else weak))
    scale = size * (max(points) - min(points))
    found.near("work", answer["work"], sum(works), 1e-10 * scale / (1 if kept else weak))
    for i, minor in enumerate(answer["minor"]):
        found.near(f"minor.{i}.gap", minor["gap"], minor["y_end"] - minor["y_start"], 1e-9 * size)
        first = next(k for k, u in enumerate(points) if u == minor["u_start"])
        path, left = [points[first]], minor["rho_end"] - minor["rho_start"]
        start = elements.travel(element, z, cycle[:first + 1])[0]
        k = first
        while left > 0:  # the minor loop's path, laid over the periodic motion
            k = (k + 1) % len(points)
            step = points[k] - path[-1]
            if abs(step) >= left * (1 - 1e-12):
                path.append(minor["u_start"])
                break
            path.append(points[k])
            left -= abs(step)
        _, works, forces = elements.travel(element, start, path)
        found.near(f"minor.{i}.work", minor["work"], sum(works), 1e-10 * scale / (1 if kept else weak))
        found.near(f"minor.{i}.y_end", minor["y_end"], forces[-1], allowed)


def invariances(r, found):
    """Mirrored, started elsewhere in the period, in other units."""
    name, values, length, _ = draw.model(r)
    points = draw.turning(r, length)
    more = [] if r.random() < 0.5 else ["--frequency", repr(draw.decades(r, 1e-3, 10))]
    answer = loop(name, values, points, *more)
    size, scale = spread(answer), spread(answer) * (max(points) - min(points))
    weak = max(1e-6, 1 - answer["contraction"]) if answer["contraction"] < 1 else 1
    allowed = 1e-11 / weak

    def near(what, a, b, other, unit=1):  # two answers agree to what both state of their errors
        found.near(what, a, b, allowed * size + 3 * (answer["error"] + other["error"] / unit))
    if name in draw.ODD:
        mirror = loop(name, values, [-u for u in points], *more)
        found.near("mirrored work", mirror["work"], answer["work"], allowed * scale)
        near("mirrored y_max", mirror["y_max"], -answer["y_min"], mirror)
        for a, b in zip(mirror["turning"], answer["turning"]):
            near("mirrored y", a["y"], -b["y"], mirror)
    k = 2 * r.randrange(len(points) // 2)
    turned = loop(name, values, points[k:] + points[:k], *more)
    found.near("work started elsewhere", turned["work"], answer["work"], allowed * scale)
    near("y_max started elsewhere", turned["y_max"], answer["y_max"], turned)
    other = units.Scale(r, length=name != "duhem_lugre")
    if more:
        more[1] = repr(float(more[1]) * other.factor("Hz"))
    m, n, j = other.factor("m"), other.factor("N"), other.factor("J")
    scaled = loop(name, other.values(units.tables("models")[name], values), [u * m for u in points], *more)
    if name == "duhem_lugre":
        j = n
    found.near("work in other units", scaled["work"] / j, answer["work"], allowed * scale)
    for a, b in zip(scaled["turning"], answer["turning"]):
        near("y in other units", a["y"] / n, b["y"], scaled, n)
    found.near("contraction in other units", scaled["contraction"], answer["contraction"],
               1e-6 * abs(answer["contraction"]) + 1e-12)


def pwl(points, periods, period):
    """The motion as straight lines in time, from 0 to the first point and then round."""
    total = sum(abs(b - a) for a, b in zip(points, points[1:] + points[:1]))
    t, out = 0.0, [(0.0, 0.0)]
    here = 0.0
    for p in points + [u for _ in range(periods) for u in points[1:] + points[:1]]:
        if p != here:
            t += period * abs(p - here) / total
            out.append((t, p))
            here = p
    return "pwl:" + ",".join(f"{a!r},{b!r}" for a, b in out), t


def marched(r, found):
    """The steady loop is what the motion itself settles on: trace and the prescribed mechanism."""
    name, values, length, _ = draw.model(r, draw.RATE_INDEPENDENT)
    points = draw.turning(r, length, 4)
    answer = loop(name, values, points)
    rho = answer["contraction"]
    if not rho < 0.1:
        return
    periods = 2 if rho < 1e-14 else 16
    size = spread(answer)
    given, end = pwl(points, periods, 1.0)
    words = ["--model", name, "--set", program.listed(values), "--input"]
    trace = program.ask("trace", *words, given, "--dt", repr(end / 7), "--t-end", repr(end))
    allowed = 1e-10 * size
    here = next(row["y"] for row in answer["turning"] if row["u"] == points[0])
    found.near("force at the end of the trace", trace["F"][-1], here, allowed)
    machine = program.ask("simulate", "--system", "prescribed", *words, "u:" + given, "--t-end", repr(end))
    found.near("force at the end of the prescribed motion", machine["final"]["F"], here, allowed)
    before = program.ask("simulate", "--system", "prescribed", *words, "u:" + pwl(points, periods - 1, 1.0)[0],
                         "--t-end", repr(pwl(points, periods - 1, 1.0)[1]))
    found.near("work of the last period", machine["energy"]["work_in"] - before["energy"]["work_in"], answer["work"],
               1e-9 * size * answer["path_length"])


RELATIONS = [against_elements, against_elements, invariances, marched]
