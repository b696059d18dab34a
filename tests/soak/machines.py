# SPDX-License-Identifier: Apache-2.0
"""Relations between answers about motions in time: given ones and those of mechanisms."""
import draw
import program
import units


def given(r, length):
    """An analytic motion of some lengths' amplitude: spec and end time."""
    a = length * draw.decades(r, 0.1, 100)
    f = draw.decades(r, 0.1, 10)
    kind = r.choice(["sine", "phase", "chirp", "expr", "cusp"])
    if kind == "sine":
        return f"sine:{a!r},{f!r}", 1.3 / f
    if kind == "phase":
        return f"sine:{a!r},{f!r},{r.uniform(0, 6)!r},{a * r.uniform(-1, 1)!r}", 1.3 / f
    if kind == "chirp":
        return f"chirp:{a!r},{f!r},{2 * f!r},{1 / f!r}", 1 / f
    if kind == "expr":
        return f"expr:{a!r}*sin({6 * f!r}*t)*exp(-{f!r}*t)", 2 / f
    return f"expr:{a!r}*(t-{r.uniform(0.2, 0.8) / f!r})^2*{f * f!r}", 1 / f


def spacing(r, found):
    """A trace of an analytic motion is the prescribed mechanism, whatever the distance of its rows."""
    name, values, length, _ = draw.model(r)
    motion, end = given(r, length)
    words = ["--model", name, "--set", program.listed(values), "--t-end", repr(end)]
    machine = program.ask("simulate", "--system", "prescribed", *words, "--input", "u:" + motion)
    size = machine["extremes"]["F"]["max"] - machine["extremes"]["F"]["min"]
    for rows in (r.randint(2, 5), r.randint(6, 300)):
        trace = program.ask("trace", *words, "--input", motion, "--dt", repr(end / rows))
        found.near(f"force behind {rows} rows", trace["F"][-1], machine["final"]["F"], 1e-9 * size)


def machine(r):
    """A mechanism with drive: system, model, values, drive, start, end time."""
    name, values, length, force = draw.model(r, [m for m in draw.MODELS if m != "duhem_lugre"])
    system = r.choice(["mass_spring", "pulled_block", "driven_block"])
    stiffness = force / length
    mass = draw.decades(r, 1e-2, 1e2)
    rate = (stiffness / mass) ** 0.5 / 6.3  # Hz of the block on its bristles
    f = rate * draw.decades(r, 1e-2, 0.3)
    own = {"m": mass}  # k is a parameter of blocks and of elements: the block's carries its table's name
    if system == "mass_spring":
        own["ks"] = draw.edge(r, [0.0], lambda: stiffness * draw.decades(r, 1e-4, 1e-1))
        drive = ("Fe", f"sine:{force * r.uniform(0.3, 3)!r},{f!r}")
    elif system == "driven_block":
        drive = ("F", f"sine:{force * r.uniform(0.3, 2)!r},{f!r}")
    else:
        own["system.k"] = stiffness * draw.decades(r, 1e-4, 1e-1)
        drive = ("vp", f"ramp:{length * f * f * r.uniform(0.1, 10)!r}")
    return system, name, {**own, **{f"model.{p}": v for p, v in values.items()}}, drive, 1.2 / f


def simulate(system, name, values, drive, end, *more):
    return program.ask("simulate", "--system", system, "--model", name, "--set", program.listed(values), "--input",
                       ":".join(drive), "--t-end", repr(end), *more)


def negated(drive):
    kind, _, rest = drive[1].partition(":")
    first, comma, more = rest.partition(",")
    return drive[0], f"{kind}:{-float(first)!r}{comma}{more}"


COUNTS = {"D"} | {f"mode{i}" for i in range(1, 17)}  # even in the motion, or no quantity


def compared(found, what, a, b, allowed, sign=1):
    """Final states of two runs, relative to the extremes of the first."""
    for state, value in a["final"].items():
        if state in COUNTS:
            continue
        span = a["extremes"][state]["max"] - a["extremes"][state]["min"] if state in a["extremes"] else abs(value)
        found.near(f"{what}: {state}", sign * b["final"][state], value, allowed * (span or abs(value)) + 1e-300)


def honest(found, answer, end):
    """Events in order and inside the run, a book that balances."""
    times = [e["t"] for e in answer["events"]]
    found.true(f"events out of order: {times[:12]}", times == sorted(times))
    found.true("event outside the run", not times or (times[0] >= 0 and times[-1] <= end))
    book = answer["energy"]
    if book["residual"] is not None:
        flow = abs(book["work_in"]) + abs(book["stored"] or 0) + abs(book["friction_work"])
        found.near("energy residual", book["residual"], 0.0, 1e-9 * flow + 1e-300)


def mirrored_scaled(r, found):
    """The mirrored drive mirrors the motion; other units change nothing but the numbers' size."""
    system, name, values, drive, end = machine(r)
    answer = simulate(system, name, values, drive, end)
    honest(found, answer, end)
    if name in draw.ODD:
        mirror = simulate(system, name, values, negated(drive), end)
        compared(found, "mirrored", answer, mirror, 1e-9, -1)
        found.same("number of events, mirrored", mirror["event_count"], answer["event_count"])
    other = units.Scale(r)
    table = units.both(name, system)
    kind, _, rest = drive[1].partition(":")
    numbers = [float(x) for x in rest.split(",")]
    unit = table[drive[0]]
    if kind == "sine":
        numbers = [numbers[0] * other.factor(unit), numbers[1] * other.factor("Hz")]
    else:
        numbers = [numbers[0] * other.factor(unit) * other.factor("Hz")]
    # the usual absolute tolerance, 1e-20 m or m/s, has units: beside 1e-12 m/s it is no small one, so both take another
    answer = simulate(system, name, values, drive, end, "--atol", "1e-30")
    scaled = simulate(system, name, other.values(table, values), (drive[0], kind + ":" + ",".join(map(repr, numbers))),
                      end * other.factor("s"), "--atol", "1e-30")
    back = {}
    for state, value in scaled["final"].items():
        if state in COUNTS:
            continue
        u = {"F": "N", "u": "m"}.get(state) or table.get(state) or table["model." + state.rstrip("0123456789")]
        back[state] = value / other.factor(u)
    compared(found, "in other units", answer, {"final": back}, 1e-8)


def cvode(r, found):
    """The same motion by SUNDIALS."""
    system, name, values, drive, end = machine(r)
    if name in ("gms", "maxwell_slip") or values.get("model.gamma", 1) < 1 and name == "dahl" or values.get("model.eta", 1) < 1:
        return
    answer = simulate(system, name, values, drive, end)
    try:
        other = simulate(system, name, values, drive, end, "--solver", "cvode", "--rtol", "1e-10")
        finer = simulate(system, name, values, drive, end, "--solver", "cvode", "--rtol", "1e-11")
    except program.Refused:
        return  # the oracle gives up on the hardest cases
    for state, value in answer["final"].items():
        span = answer["extremes"][state]["max"] - answer["extremes"][state]["min"] if state in answer["extremes"] else 0
        own = abs(other["final"][state] - finer["final"][state])
        if own < 1e-5 * span:
            found.near(f"cvode: {state}", finer["final"][state], value, 1e-6 * span + 10 * own)


def split(r, found):
    """A run to the middle and on from there is the whole run."""
    name, values, length, force = draw.model(r, [m for m in draw.MODELS if m not in ("gms", "duhem_lugre", "bouc_wen")])
    mass = draw.decades(r, 1e-2, 1e2)
    end = draw.decades(r, 1, 30) * (mass * length / force) ** 0.5
    push = force * r.uniform(0.2, 3)
    values = {"m": mass, "ks": force / length * draw.decades(r, 1e-4, 1e-1), **values}
    words = ("mass_spring", name, values)
    whole = simulate(*words, ("Fe", f"step:{push!r}"), end)
    half = simulate(*words, ("Fe", f"step:{push!r}"), end / 2)
    start = {k: v for k, v in half["final"].items() if k != "F" or name == "dahl"}
    rest = simulate(*words, ("Fe", f"step:{push!r}"), end / 2, "--init", program.listed(start))
    compared(found, "in two parts", whole, rest, 1e-8)


RELATIONS = [spacing, spacing, mirrored_scaled, cvode, split]
