# SPDX-License-Identifier: Apache-2.0
"""A stranger's importer: reads the XML of an FMU, loads its binary and holds one against the other; then calls everything
in any order, with arguments that are right or wrong.  No line of Bristle.

    python3 walk.py FILE.fmu...        exit code 1 and what is wrong, if anything is; a crash is a crash
"""
import ctypes as c
import math
import os
import random
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile

P, D, Z, U, B2, B3 = c.c_void_p, c.c_double, c.c_size_t, c.c_uint, c.c_int, c.c_bool
OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3
H = 1e-5  # s: atoms of the Tomlinson model stand close


class EventInfo2(c.Structure):
    _fields_ = [(n, c.c_int) for n in ("again", "terminate", "nominals", "states", "timed")] + [("next", D)]


class Callbacks2(c.Structure):
    _fields_ = [(n, P) for n in ("log", "allocate", "free", "finished", "environment")]


class Fmu:
    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        top = xml.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.version = int(top.get("fmiVersion")[0])
        self.token = top.get("guid" if self.version == 2 else "instantiationToken").encode()
        self.kinds = [k for k in ("ModelExchange", "CoSimulation") if top.find(k) is not None]
        name = top.find(self.kinds[0]).get("modelIdentifier")
        system = "linux64" if self.version == 2 else "x86_64-linux"
        self.lib = c.CDLL(os.path.join(folder, "binaries", system, name + ".so"))
        self.resources = ("file://" + folder + "/resources" if self.version == 2 else folder + "/resources/").encode()
        self.bool, self.vars = (B2 if self.version == 2 else B3), []
        for e in top.find("ModelVariables"):
            real = e.find("Real") if self.version == 2 else e
            self.vars.append({**e.attrib, **real.attrib})
        self.by_reference = {int(v["valueReference"]): v for v in self.vars}
        structure = top.find("ModelStructure")
        if self.version == 2:
            rates = [self.vars[int(u.get("index")) - 1] for u in structure.findall("Derivatives/Unknown")]
            self.states = [self.vars[int(r["derivative"]) - 1] for r in rates]
            self.events, self.nevent = [], int(top.get("numberOfEventIndicators", 0))
        else:
            rates = [self.by_reference[int(u.get("valueReference"))] for u in structure.findall("ContinuousStateDerivative")]
            self.states = [self.by_reference[int(r["derivative"])] for r in rates]
            self.events = [self.by_reference[int(u.get("valueReference"))] for u in structure.findall("EventIndicator")]
            self.nevent = len(self.events)
        self.rates = rates

    def call(self, name, types, *values):
        f = getattr(self.lib, f"fmi{self.version}{name}")
        f.argtypes, f.restype = types, c.c_int
        return f(*values)

    def make(self, kind, token=None):
        token = self.token if token is None else token
        if self.version == 2:
            f = self.lib.fmi2Instantiate
            f.argtypes, f.restype = [c.c_char_p, c.c_int, c.c_char_p, c.c_char_p, P, c.c_int, c.c_int], P
            return f(b"a", int(kind == "CoSimulation"), token, self.resources, c.byref(Callbacks2()), 0, 0)
        f = getattr(self.lib, "fmi3Instantiate" + kind)
        f.restype = P
        f.argtypes = [c.c_char_p] * 3 + [B3, B3] + ([B3, B3, P, Z] if kind == "CoSimulation" else []) + [P] * (3 if kind == "CoSimulation" else 2)
        more = (False, False, None, 0, None, None, None) if kind == "CoSimulation" else (None, None)
        return f(b"a", token, self.resources, False, False, *more)

    def free(self, m):
        f = getattr(self.lib, f"fmi{self.version}FreeInstance")
        f.argtypes, f.restype = [P], None
        f(m)

    def get(self, m, references):
        n = len(references)
        out = (D * n)(*[math.nan] * n)
        vr = (U * n)(*references)
        more, types = ((), []) if self.version == 2 else ((n,), [Z])
        return self.call("GetReal" if self.version == 2 else "GetFloat64", [P, P, Z, P] + types, m, vr, n, out, *more), list(out)

    def set(self, m, references, values):
        n = len(references)
        more, types = ((), []) if self.version == 2 else ((n,), [Z])
        return self.call("SetReal" if self.version == 2 else "SetFloat64", [P, P, Z, P] + types,
                         m, (U * n)(*references), n, (D * n)(*values), *more)

    def begin(self, m, at=0.0):
        if self.version == 2:
            return self.call("SetupExperiment", [P, B2, D, D, B2, D], m, 1, 1e-6, at, 0, 0) or self.call("EnterInitializationMode", [P], m)
        return self.call("EnterInitializationMode", [P, B3, D, D, B3, D], m, True, 1e-6, at, False, 0)

    def event(self, m):
        """Flags of an event: (status, again, terminate, nominals, states, timed)."""
        if self.version == 2:
            info = EventInfo2(1, 1, 1, 1, 1, 1)
            st = self.call("NewDiscreteStates", [P, P], m, c.byref(info))
            return st, info.again, info.terminate, info.nominals, info.states, info.timed
        b, t = (B3 * 5)(*[True] * 5), D(1)
        at = c.addressof(b)
        st = self.call("UpdateDiscreteStates", [P] * 7, m, *[at + i for i in range(5)], c.byref(t))
        return (st, *b)

    def numbers(self, m, what, n):
        out = (D * max(n, 1))(*[math.nan] * max(n, 1))
        name = what if self.version == 2 or what != "Derivatives" else "ContinuousStateDerivatives"
        return self.call("Get" + name, [P, P, Z], m, out, n), list(out)[:n]

    def put_states(self, m, x):
        return self.call("SetContinuousStates", [P, P, Z], m, (D * max(len(x), 1))(*x), len(x))

    def step(self, m, t, h):
        """(status, time reached)"""
        if self.version == 2:
            return self.call("DoStep", [P, D, D, B2], m, t, h, 1), t + h
        b, last = (B3 * 3)(True, True, True), D(math.nan)
        at = c.addressof(b)
        st = self.call("DoStep", [P, D, D, B3, P, P, P, P], m, t, h, True, at, at + 1, at + 2, c.byref(last))
        assert st or not any(b), f"an event, an end or an early return: {list(b)}"
        return st, last.value


def reference(v):
    return int(v["valueReference"])


def check_exchange(f):
    """What the XML says, the binary does."""
    assert not f.make("ModelExchange", b"{other}"), "another token is taken"
    m = f.make("ModelExchange")
    assert m, "no instance"
    given = [v for v in f.vars if "start" in v]
    st, got = f.get(m, [reference(v) for v in given])
    assert st == OK and got == [float(v["start"]) for v in given], f"start values: {got}"
    if f.version == 3:
        for name, want in (("GetNumberOfContinuousStates", len(f.states)), ("GetNumberOfEventIndicators", f.nevent)):
            n = Z(99)
            assert f.call(name, [P, P], m, c.byref(n)) == OK and n.value == want, f"{name}: {n.value}, not {want}"
    assert f.begin(m, 0.25) == OK
    assert f.get(m, [reference(v) for v in f.vars])[0] == OK, "not all can be read during the initialization"
    assert f.call("ExitInitializationMode", [P], m) == OK
    st, again, terminate, nominals, states, timed = f.event(m)
    assert (st, again, terminate, timed) == (OK, 0, 0, 0), f"the first event: {st, again, terminate, timed}"
    assert f.call("EnterContinuousTimeMode", [P], m) == OK
    time = next(reference(v) for v in f.vars if v.get("causality") == "independent")
    assert f.get(m, [time]) == (OK, [0.25])
    n = len(f.states)
    assert f.numbers(m, "NominalsOfContinuousStates", n) == (OK, [float(v.get("nominal", 1)) for v in f.states]), "nominal values"
    st, x = f.numbers(m, "ContinuousStates", n)
    assert st == OK and all(map(math.isfinite, x))
    moved = [a + 1e-3 * (i + 1) * float(v.get("nominal", 1)) for i, (a, v) in enumerate(zip(x, f.states))]
    assert f.put_states(m, moved) == OK
    assert f.get(m, [reference(v) for v in f.states]) == (OK, moved), "states by number and by reference"
    st, dx = f.numbers(m, "Derivatives", n)
    assert st == OK and f.get(m, [reference(v) for v in f.rates]) == (OK, dx), "rates by number and by reference"
    st, g = f.numbers(m, "EventIndicators", f.nevent)
    assert st == OK and all(map(math.isfinite, g))
    if f.version == 3:
        assert f.get(m, [reference(v) for v in f.events]) == (OK, g), "event indicators by number and by reference"
    for what in ("ContinuousStates", "Derivatives", "EventIndicators", "NominalsOfContinuousStates"):
        size = f.nevent if what == "EventIndicators" else n
        assert f.numbers(m, what, size + 1)[0] == ERROR, f"{what}: one too many is taken"
    fixed = [v for v in f.vars if v.get("variability") == "fixed"]
    if fixed:
        assert f.set(m, [reference(fixed[0])], [float(fixed[0]["start"])]) == ERROR, f"{fixed[0]['name']} is fixed and was set"
    for v in f.vars:
        if v.get("causality") == "independent" or v in f.rates or v in f.events or (v.get("causality") == "output" and v not in f.states):
            assert f.set(m, [reference(v)], [0.5]) == ERROR, f"{v['name']} was set"
    assert f.call("Terminate", [P], m) == OK
    f.free(m)


def check_steps(f):
    """Steps that follow one another; a state kept, as bytes and back; the same again behind a reset."""
    m = f.make("CoSimulation")
    assert m, "no instance"
    drive = [reference(v) for v in f.vars if v.get("causality") == "input"][:1]
    shown = [reference(v) for v in f.vars if v.get("causality") == "output"]
    size, state = Z(), P()
    def run(t, steps):
        for k in range(steps):
            if drive:
                assert f.set(m, drive, [0.02 * math.sin(7e3 * (t + H * k)) + 0.01]) == OK
            st, last = f.step(m, t + H * k, H)
            assert st == OK and abs(last - (t + H * (k + 1))) < 1e-12, f"step {k}: {st}, time {last}"
        return f.get(m, shown)[1]
    def start():
        assert f.begin(m) == OK and f.call("ExitInitializationMode", [P], m) == OK
    start()
    run(0, 5)
    word = "FMUstate" if f.version == 2 else "FMUState"
    assert f.call("Get" + word, [P, P], m, c.byref(state)) == OK
    assert f.call(f"Serialized{word}Size", [P, P, P], m, state, c.byref(size)) == OK and 0 < size.value < 1 << 20
    data = (c.c_char * size.value)()
    assert f.call("Serialize" + word, [P, P, P, Z], m, state, data, size.value) == OK
    want = run(5 * H, 5)
    assert f.call("Free" + word, [P, P], m, c.byref(state)) == OK and not state.value
    assert f.call("DeSerialize" + word if f.version == 2 else "Deserialize" + word, [P, P, Z, P], m, data, size.value, c.byref(state)) == OK
    for _ in range(2):
        assert f.call("Set" + word, [P, P], m, state) == OK
        got = run(5 * H, 5)
        assert all(abs(a - b) <= 1e-9 * (1 + abs(b)) for a, b in zip(got, want)), f"from a kept state: {got}, not {want}"
    assert f.call("Free" + word, [P, P], m, c.byref(state)) == OK
    assert f.call("Reset", [P], m) == OK
    start()
    got = run(0, 10)
    assert all(abs(a - b) <= 1e-9 * (1 + abs(b)) for a, b in zip(got, want)), f"behind a reset: {got}, not {want}"
    assert f.call("Terminate", [P], m) == OK
    f.free(m)


def wander(f, seed, calls):
    """Any call in any order; every status is one of the standard's, and behind a reset the instance is as new."""
    rng = random.Random(seed)
    kind = rng.choice(f.kinds)
    m, word = f.make(kind), "FMUstate" if f.version == 2 else "FMUState"
    kept, n = [P() for _ in range(3)], len(f.states)
    odd = (0.0, -1.0, 1e-3, 0.5, 1.0, 2.0, 3.0, 1e9, -1e308, math.nan, math.inf)
    references = [*f.by_reference, 4096, 2**31, 2**32 - 1]
    def some(count):
        return [rng.choice(references) for _ in range(count)]
    def directional():
        u, k = some(rng.randrange(3)), some(rng.randrange(3))
        args = [m, (U * max(len(u), 1))(*u), len(u), (U * max(len(k), 1))(*k), len(k), (D * 3)(1, 2, 3)]
        if f.version == 2:
            return f.call("GetDirectionalDerivative", [P, P, Z, P, Z, P, P], *args, (D * 3)())
        return f.call("GetDirectionalDerivative", [P, P, Z, P, Z, P, Z, P, Z], *args, len(k), (D * 3)(), len(u))
    def done():
        a, b = (B2(), B2()) if f.version == 2 else (B3(), B3())
        return f.call("CompletedIntegratorStep", [P, f.bool, P, P], m, rng.choice((0, 1)), c.byref(a), c.byref(b))
    simple = ["ExitInitializationMode", "EnterEventMode", "EnterContinuousTimeMode", "Terminate"]
    simple += ["EnterStepMode", "EvaluateDiscreteStates", "EnterConfigurationMode", "ExitConfigurationMode"] if f.version == 3 else ["CancelStep"]
    acts = {
        "begin": lambda: f.begin(m, rng.choice(odd[:5])),
        "simple": lambda: f.call(rng.choice(simple), [P], m),
        "reset": lambda: f.call("Reset", [P], m) if rng.random() < 0.2 else 0,
        "get": lambda: f.get(m, some(rng.randrange(4)))[0],
        "set": lambda: f.set(m, (r := some(rng.randrange(4))), [rng.choice(odd) for _ in r]),
        "numbers": lambda: f.numbers(m, rng.choice(("ContinuousStates", "Derivatives", "EventIndicators", "NominalsOfContinuousStates")),
                                     rng.choice((n, f.nevent, 0)))[0],
        "states": lambda: f.put_states(m, [rng.choice(odd[:4]) for _ in range(rng.choice((n, n, n + 1)))]),
        "time": lambda: f.call("SetTime", [P, D], m, rng.choice(odd)),
        "event": lambda: f.event(m)[0],
        "done": done,
        "step": lambda: f.step(m, rng.choice(odd[:4]), rng.choice((0.0, 1e-3, 1e-2, -1.0, math.nan)))[0],
        "keep": lambda: f.call("Get" + word, [P, P], m, c.byref(rng.choice(kept))),
        "back": lambda: f.call("Set" + word, [P, P], m, rng.choice(kept)),
        "drop": lambda: f.call("Free" + word, [P, P], m, c.byref(rng.choice(kept))),
        "directional": directional,
    }
    names = list(acts)
    for k in range(calls):
        name = rng.choice(names)
        st = acts[name]()
        assert st in (OK, WARNING, DISCARD, ERROR), f"seed {seed}, call {k}, {name}: status {st}"
    assert f.call("Reset", [P], m) == OK
    given = [v for v in f.vars if "start" in v]
    assert f.get(m, [reference(v) for v in given]) == (OK, [float(v["start"]) for v in given]), f"seed {seed}: not as new"
    assert f.begin(m) == OK and f.call("ExitInitializationMode", [P], m) == OK
    for state in kept:
        f.call("Free" + word, [P, P], m, c.byref(state))
    f.free(m)


def walk(path, seeds, calls):
    with tempfile.TemporaryDirectory() as folder:
        f = Fmu(path, folder)
        if "ModelExchange" in f.kinds:
            check_exchange(f)
        if "CoSimulation" in f.kinds:
            check_steps(f)
        for seed in range(seeds):
            wander(f, seed, calls)


if __name__ == "__main__":
    for fmu in sys.argv[1:]:
        try:
            walk(fmu, 4, 400)
        except AssertionError as wrong:
            sys.exit(f"{os.path.basename(fmu)}: {wrong}")
    print(f"{len(sys.argv) - 1} FMUs do what their descriptions say")
