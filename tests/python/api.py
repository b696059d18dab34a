# SPDX-License-Identifier: Apache-2.0
"""The package as its users see it."""
import ast
import gc
import io
import glob
import inspect
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import bristle

# Under the sanitizers only Python is started in a special way, not the programs that it starts.
PRELOAD = {"LD_PRELOAD": os.environ.pop("LD_PRELOAD")} if "LD_PRELOAD" in os.environ else {}

try:
    import numpy as np
except ImportError:
    print("skip: python3-numpy is not installed")
    sys.exit(77)

LOOP = dict(model="lugre", sigma0=6, sigma1=1, sigma2=0, Fc=1, Fs=2, vs=1, delta=1, input="bimodal:0,1,0.5,1.5")
T = np.linspace(0, 1, 501)
U = 1e-3 * np.sin(2 * np.pi * T)


def command(*words):
    return subprocess.run([os.environ["BRISTLE"], *words], capture_output=True, text=True)


class Catalogue(unittest.TestCase):
    def test_is_that_of_the_program(self):
        whole = json.loads(command("analyses", "--json").stdout)
        self.assertEqual(list(bristle.analyses()), [a["name"] for a in whole["analyses"]])
        self.assertEqual(list(bristle.models().values()), whole["models"])
        self.assertEqual(list(bristle.systems().values()), whole["systems"])
        self.assertEqual(bristle.__version__, whole["version"])
        bristle.models()["lugre"]["name"] = "changed"
        self.assertEqual(bristle.models()["lugre"]["name"], "lugre")

    def test_functions_have_signature_and_help(self):
        for name, a in bristle.analyses().items():
            f = getattr(bristle, name)
            words = inspect.signature(f).parameters
            for o in a["options"]:
                key = o["name"].replace("-", "_")
                key += "_" if key == "from" else ""
                self.assertIn(key, words, name)
                self.assertIn(f"{key}:", f.__doc__)
                self.assertIn(o["doc"].split()[0], f.__doc__)
            self.assertIn(name, bristle.__all__)

    def test_stubs_name_everything(self):
        path = os.path.join(os.path.dirname(bristle.__file__), "__init__.pyi")
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        found = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        self.assertEqual(set(bristle.__all__) - set(found), set())

        def words(node):
            a = node.args
            last = [f"*{x.arg}" for x in (a.vararg,) if x] + [f"**{x.arg}" for x in (a.kwarg,) if x]
            return [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs] + last

        def asked(f):
            stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
            return [stars.get(p.kind, "") + p.name for p in inspect.signature(f).parameters.values()]
        for name, node in found.items():  # every function and method: the same words in the same order
            thing = getattr(bristle, name)
            if isinstance(node, ast.FunctionDef):
                self.assertEqual(words(node), asked(thing), name)
            for m in node.body if isinstance(node, ast.ClassDef) else []:
                member = inspect.getattr_static(thing, m.name, None) if isinstance(m, ast.FunctionDef) else None
                if member is not None and not isinstance(member, property) and m.name in vars(thing):
                    self.assertEqual(words(m), asked(getattr(member, "__func__", member)), f"{name}.{m.name}")

    def test_stubs_hold_for_mypy(self):
        import shutil
        if not os.environ.get("CI") or not shutil.which("mypy"):
            self.skipTest("mypy, with CI=1 only")
        code = """
import bristle
from bristle import Model, Result
r: Result = bristle.loop(model="lugre", sigma0=6, input="bimodal:0,1,0.5,1.5")
f: Result = bristle.fit(file={"t": [0.0], "x": [0.0], "F": [0.0]}, model="dahl")
m = Model("lugre", Fs=2)
m.load = 2
x: dict[str, object] = bristle.models()
for key in r:
    print(key, r[key], r.work)
"""
        wrong = "import bristle\nbristle.loop(tables=3)\nbristle.lop()\nbristle.loop('lugre')\n"
        folder = os.path.dirname(os.path.dirname(bristle.__file__))
        for name, text, errors in (("good.py", code, 0), ("bad.py", wrong, 3)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            r = subprocess.run(["mypy", "--strict", "--no-incremental", name], capture_output=True, text=True,
                               env={**os.environ, "MYPYPATH": folder})
            self.assertEqual(r.stdout.count(": error:"), errors, r.stdout + r.stderr)


class Results(unittest.TestCase):
    def test_attributes_items_paths_units(self):
        r = bristle.loop(**LOOP)
        self.assertEqual(r.work, r["work"])
        self.assertEqual(r.minor[0].gap, r["minor.0.gap"])
        self.assertEqual(r.minor.gap[0], r.minor[0]["gap"])
        self.assertEqual(r.unit("work"), "J")
        self.assertEqual(r.unit("minor.0.gap"), "N")
        self.assertEqual(r.to_dict(), json.loads(r.to_json()))
        self.assertIs(r.attracting, True)
        self.assertIn("work", dir(r))
        self.assertEqual(r.units("loop")["y"], "N")
        for key, x in r.items():  # every number has a unit, those without one the empty one
            if isinstance(x, float):
                self.assertIsInstance(r.unit(key), str)
        self.assertEqual(r.title(), f"{LOOP['model']} under {LOOP['input']}")
        moved = bristle.simulate(system="mass_spring", model="dahl", input="step:1", t_end=0.1)
        self.assertEqual(moved.title(), "mass_spring with dahl")
        for bad in ("works", "minor.9.gap", "minor.x", "_x"):
            with self.assertRaises(KeyError):
                r[bad]
        with self.assertRaises(AttributeError):
            r.works
        with self.assertRaisesRegex(KeyError, "did you mean 'loop'"):
            r.table("lop")
        self.assertIn("work=", repr(r))

    def test_null_is_none_and_nan_stays_in_arrays(self):
        r = bristle.loop(model="maxwell_slip", input="turning:0,5mm,2mm,6mm")
        text = r.to_json()
        self.assertEqual("null" in text, any(v is None for v in r.to_dict().values()) or "null" in json.dumps(r.to_dict()))
        r = bristle.signal(input="sine:1mm,1Hz")  # nothing lies behind its first turning points
        self.assertIn("null", r.to_json())
        self.assertIn(None, [row["back"] for row in r.to_dict()["turning"]])
        for r in (r, bristle.classify(model="lugre"), bristle.loop(model="semilinear_duhem", input="turning:-1,1")):
            self.assertIn("null", r.to_json())
            self.assertEqual(json.loads(json.dumps(r.to_dict(), allow_nan=False)), json.loads(r.to_json()))

    def test_tables_are_views_that_outlive_the_result(self):
        r = bristle.trace(model="lugre", input="sine:1mm,1Hz")
        F, table = r.F, r.table()
        self.assertFalse(F.flags.owndata or table.flags.owndata)
        self.assertFalse(F.flags.writeable)
        self.assertTrue(np.shares_memory(F, table["F"]))
        kept = F.copy()
        del r, table
        gc.collect()
        np.testing.assert_array_equal(F, kept)
        with self.assertRaises(ValueError):
            F[0] = 1

    def test_nobody_reads_a_file_into_an_answer(self):
        whole = bristle.trace(model="lugre", input="sine:1mm,1Hz").table()
        kept, owner = whole.tobytes(), whole
        while isinstance(owner, np.ndarray):
            owner = owner.base
        owner = getattr(owner, "obj", owner)
        with self.assertRaises((TypeError, BufferError)):
            io.BytesIO(b"x" * 64).readinto(owner)
        self.assertEqual(whole.tobytes(), kept)

    def test_notes_are_warnings(self):
        start = dict(model="lugre", init={"z": 1}, input="sine:1mm,1Hz")
        said = command("trace", "--model", "lugre", "--init", "z=1", "--input", "sine:1mm,1Hz", "--json").stderr
        want = [line.partition("bristle trace: ")[2] for line in said.splitlines() if "note: " in line]
        with warnings.catch_warnings(record=True) as got:
            warnings.simplefilter("always")
            bristle.trace(**start)
        self.assertGreater(len(want), 1)
        self.assertEqual([str(w.message) for w in got], want)

    @unittest.skipUnless(sys.getallocatedblocks(), "Python's own blocks are not counted here")
    def test_asked_again_and_again_keeps_nothing(self):
        def ask():
            r = bristle.loop(**LOOP)
            r.to_dict(), r.table()["y"], r.minor[0].gap, r.unit("work"), r.units("loop"), r.to_json()
            bristle.trace(model="lugre", input=(T, U), init={"z": 1}).F
            m = bristle.Model("lugre", Fs=2)
            m.force(U, 1e-3), m.step(0.1, 1e-3), m.batch(np.zeros((4, 3)), 1e-3, Fs=[1.5, 2, 3])
            for wrong in (lambda: bristle.loop(model="lugr"), lambda: bristle.Model("lugre", sigma0=-1),
                          lambda: bristle.trace(model="lugre", input=(T, U[1:])), lambda: m.force([np.nan], 1e-3)):
                with self.assertRaises(bristle.Error):
                    wrong()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(300):  # Python's lists of spare blocks fill
                ask()
            gc.collect()
            before = sys.getallocatedblocks()
            for _ in range(600):
                ask()
            gc.collect()
        self.assertLess(sys.getallocatedblocks() - before, 400)  # less than one block a round

    def test_html_has_numbers_and_picture(self):
        text = bristle.loop(**LOOP)._repr_html_()
        self.assertIn("<td>work</td>", text)
        if subprocess.run(["sh", "-c", "command -v gnuplot"], capture_output=True).returncode == 0:
            self.assertIn("<svg", text)
        text = bristle.trace(model="lugre", input="expr:1e-3*sin(t)*(1<2)+0*exp(-t)", t_end=1)._repr_html_()
        self.assertNotIn("(1<2)", re.sub(r"<svg.*</svg>", "", text, flags=re.S))

    def test_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        f = bristle.trace(model="lugre", input="sine:1mm,1Hz").frame()
        self.assertEqual(list(f.columns), ["t", "u", "v", "F", "z"])
        self.assertEqual(f.attrs["units"]["F"], "N")

    def test_plots(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not installed")
        import matplotlib.pyplot as pyplot
        figure = bristle.loop(**LOOP).plot()
        axes = figure.axes[0]
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("displacement u (m)", "friction force y (N)"))
        self.assertGreaterEqual(len(axes.lines), 3)
        with self.assertRaises(bristle.InputError):
            bristle.loop(**LOOP).plot("nothing")
        for f in (bristle.steady(model="lugre", points=5), bristle.field(model="bouc_wen"),
                  bristle.trace(model="bouc_wen_biaxial", input={"x": "sine:1,1", "y": "sine:1,2"})):
            self.assertTrue(all(a.get_xlabel() for a in f.plot().axes))
        pyplot.close("all")


class Inputs(unittest.TestCase):
    def test_arrays_callables_and_text_agree(self):
        pwl = "pwl:" + ",".join(f"{float(t)!r},{float(u)!r}" for t, u in zip(T, U))
        a = bristle.trace(model="lugre", input=(T, U))
        b = bristle.trace(model="lugre", input=pwl, dt=0.002)
        self.assertEqual(len(a.t), len(T))
        np.testing.assert_array_equal(a.t, T)
        np.testing.assert_allclose(a.F, b.F, rtol=0, atol=1e-9)
        c = bristle.trace(model="lugre", input=U, dt=0.002)
        d = bristle.trace(model="lugre", input=lambda t: 1e-3 * np.sin(2 * np.pi * t), t_end=1, dt=0.002)
        np.testing.assert_array_equal(c.F, d.F)
        np.testing.assert_allclose(a.F, c.F, rtol=0, atol=1e-9)
        import math
        e = bristle.trace(model="lugre", input=lambda t: 1e-3 * math.sin(2 * math.pi * t), t_end=1, dt=0.002)
        np.testing.assert_allclose(e.F, d.F, rtol=0, atol=1e-9)
        for kind in (np.float32(U), list(map(float, U)), U[::-1][::-1], np.asfortranarray(U)):
            self.assertEqual(len(bristle.trace(model="lugre", input=kind, dt=0.002).F), len(U))

    def test_equals_a_recorded_file(self):
        np.savetxt("record.csv", np.c_[T, U], delimiter=",", header="t,x", comments="", fmt="%.17g")
        a = bristle.trace(model="dahl", input="csv:record.csv:t,x")
        b = bristle.trace(model="dahl", input=(T, U))
        np.testing.assert_array_equal(a.F, b.F)

    def test_several_inputs_and_shapes(self):
        a = bristle.trace(model="bouc_wen_biaxial", input={"x": (T, U), "y": "sine:1mm,1Hz"}, dt=0.01)
        self.assertEqual(set(a.u), {"x", "y"})
        b = bristle.simulate(system="mass_spring", model="dahl", m=1, ks=1, input={"Fe": (T, np.sin(T))}, t_end=1)
        c = bristle.simulate(system="mass_spring", model="dahl", m=1, ks=1, input=(T, np.sin(T)), t_end=1)
        self.assertEqual(b.final.x, c.final.x)
        U2 = U.copy()
        U2[-1] = U2[0]
        r = bristle.loop(model="lugre", input=bristle.Sampled(T, U2, periodic=True))
        self.assertAlmostEqual(r.path_length, 4e-3, places=6)
        s = bristle.trace(model="lugre", input=bristle.Sampled(T, U, smooth=True))
        self.assertEqual(len(s.F), len(T))

    def test_smooth_samples(self):
        few = np.linspace(0, 1, 21)  # a monotone cubic passes a sine by far less than straight lines do
        off, file = {}, "few.csv"
        np.savetxt(file, np.column_stack([few, 1e-3 * np.sin(2 * np.pi * few)]), delimiter=",", header="t,u", comments="", fmt="%.17g")
        for smooth in (False, True):
            r = bristle.trace(model="lugre", input=bristle.Sampled(few, 1e-3 * np.sin(2 * np.pi * few), smooth=smooth), dt=0.005)
            off[smooth] = np.max(np.abs(r.u - 1e-3 * np.sin(2 * np.pi * r.t)))
            same = bristle.trace(model="lugre", input=("smooth:" if smooth else "csv:") + file, dt=0.005)
            np.testing.assert_array_equal(r.u, same.u)
            np.testing.assert_array_equal(r.F, same.F)
        self.assertGreater(off[False], 1e-5)
        self.assertLess(off[True], off[False])

    def test_mechanism_of_ones_own(self):
        with open("belt.yaml", "w", encoding="utf-8") as file:
            file.write("mechanism:\n  name: belt\n  parameters: {m: 1 kg, k: 100 N/m}\n  inputs: {vb: 0.1 m/s}\n"
                       "  bodies: {wall: fixed, belt: {velocity: vb}, block: {mass: m, x: x, v: v}}\n"
                       "  connections: [{spring: {between: [block, wall], stiffness: k, damping: 0.2 N s/m}}]\n"
                       "  contacts: [{between: [block, belt], model: coulomb, set: {Fc: 3 N, Fs: 5 N, vs: 0.2 m/s}}]\n")
        r = bristle.simulate(system="belt.yaml", k=120, t_end=3)
        said = json.loads(command("simulate", "--system", "belt.yaml", "--set", "k=120", "--t-end", "3", "--json").stdout)
        self.assertEqual(r.to_dict()["final"], said["final"])
        self.assertGreater(len(r.events), 3)
        s = bristle.sweep(system="belt.yaml", grid="vb=0.05:0.2:3", t_end=1, out="belt.csv")
        self.assertEqual(s.members, 3)
        p = bristle.response(system="belt.yaml", model="dahl", set="sigma0=1e4,Fc=1,vb=0", drive="vb", amplitude=0.01,
                             vary="frequency=1:1.5", points=4)
        self.assertGreaterEqual(len(p.points), 3)
        with open("empty.yaml", "w", encoding="utf-8") as file:
            file.write("a: 1\n")
        with self.assertRaisesRegex(bristle.InputError, "empty.yaml:1:1: no section 'mechanism:'"):
            bristle.simulate(system="empty.yaml", t_end=1)

    def test_option_that_is_a_signal(self):
        k = dict(system="mass_spring", model="lugre", m=1, ks=0, track="x", controller="pid", gains={"kp": 3, "ki": 4, "kd": 6},
                 t_end=1)
        a = bristle.control(reference="pwl:0,0,1,0.1", **k)
        b = bristle.control(reference=([0.0, 1.0], [0.0, 0.1]), **k)
        self.assertEqual(a.error_rms, b.error_rms)
        for kind in ({"smooth": True}, {"periodic": True}):
            with self.assertRaisesRegex(bristle.InputError, "neither smooth nor periodic"):
                bristle.control(reference=bristle.Sampled([0.0, 1.0, 2.0], [0.0, 0.1, 0.0], **kind), **k)

    def test_callables_need_times_that_go_on(self):
        nan, inf = float("nan"), float("inf")
        for t_end, dt in ((1, 0), (0, 0.1), (-1, 0.1), (-1, -0.1), (1, -0.1), (1, 5), (inf, 0.1), (nan, 0.1), (1, nan)):
            with self.assertRaisesRegex(bristle.InputError, "cannot sample"):
                bristle.Sampled.of(lambda t: t, t_end, dt)

    def test_values_of_every_kind(self):
        text = bristle.loop(model="maxwell_slip", set="k=1,1.8,2.6,Delta=1.5mm,2.4mm,3.3mm", input="turning:0,5mm,2mm,6mm")
        array = bristle.loop(model="maxwell_slip", k=np.array([1, 1.8, 2.6]), Delta=[1.5e-3, 2.4e-3, 3.3e-3],
                             input="turning:0,5mm,2mm,6mm")
        self.assertEqual(text.work, array.work)
        a = bristle.loop(waveform=True, samples=np.int64(50), scale=np.float32(2), **{**LOOP, "input": "sine:1,0.1Hz"})
        self.assertEqual(len(a.table("wave")) >= 50, True)
        b = bristle.loop(**{**LOOP, "set": {"model.sigma1": 2}, "sigma1": None, "frequency": 1})
        self.assertNotEqual(b.work, bristle.loop(**LOOP, frequency=1).work)
        self.assertEqual(bristle.classify(model="dahl", memory=False).to_dict().keys(),
                         bristle.classify(model="dahl", memory="no").to_dict().keys())


class Errors(unittest.TestCase):
    def same(self, keywords, *words):
        r = command(*words)
        self.assertEqual(r.returncode, 2, r.stderr)
        with self.assertRaises(bristle.Error) as caught:
            getattr(bristle, words[0])(**keywords)
        self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual(f"bristle {words[0]}: {caught.exception}\n", r.stderr)

    def test_messages_are_those_of_the_command(self):
        loop = ["loop", "--model", "lugre"]
        self.same(dict(model="lugree", input="sine:1,1"), "loop", "--model", "lugree", "--input", "sine:1,1")
        self.same(dict(model="lugre"), *loop)
        self.same(dict(model="lugre", input="sin:1,1"), *loop, "--input", "sin:1,1")
        self.same(dict(model="lugre", input="sine:1,1", frequency=-1), *loop, "--input", "sine:1,1", "--frequency", "-1")
        self.same(dict(model="lugre", input="sine:1,1", sigma0=-1), *loop, "--input", "sine:1,1", "--set", "sigma0=-1")
        self.same(dict(model="lugre", input="sine:1,1", sigma0="3 kg"), *loop, "--input", "sine:1,1", "--set", "sigma0=3 kg")
        self.same(dict(model="lugre", input="sine:1,1", filter=1), *loop, "--input", "sine:1,1", "--filter", "1")
        self.same(dict(input="sine:1,1"), "loop", "--input", "sine:1,1")
        self.same(dict(model="lugre", system="chian"), "simulate", "--model", "lugre", "--system", "chian")

    def test_unknown_keywords_have_the_nearest_name(self):
        for word, near in (("frequenzy", "frequency"), ("sigm0", "sigma0"), ("inputs", "input")):
            with self.assertRaisesRegex(bristle.InputError, f"'{word}'; did you mean '{near}'"):
                bristle.loop(model="lugre", input="sine:1,1", **{word: 1})

    def test_bad_arrays(self):
        bad = [((T, U[:-1]), "501 times, but 500 values"), ((T[::-1], U), "--input: "), ((T, U * np.nan), "--input: "),
               (U, "an array needs its times"), (lambda t: t, "needs t_end and dt"), ((T[:0], U[:0]), "--input: ")]
        for value, text in bad:
            with self.assertRaisesRegex(bristle.InputError, text):
                bristle.trace(model="lugre", input=value)
        with self.assertRaises(ZeroDivisionError):
            bristle.trace(model="lugre", input=lambda t: 1 / 0, t_end=1, dt=0.1)
        with self.assertRaises((TypeError, ValueError)):
            bristle.trace(model="lugre", input=(T, [object()] * len(T)))
        with self.assertRaises(ValueError):
            bristle.trace(model="lu\0gre", input="sine:1,1")
        with self.assertRaises(TypeError):
            bristle.trace(model="lugre", input="sine:1,1", dt=object())

    def test_failed_computation_is_no_input_error(self):
        r = command("simulate", "--system", "mass_spring", "--model", "dahl", "--cycle")
        if r.returncode != 1:
            self.skipTest("this mechanism has a cycle now")
        with self.assertRaises(bristle.Error) as caught:
            bristle.simulate(system="mass_spring", model="dahl", cycle=True)
        self.assertNotIsInstance(caught.exception, ValueError)


class Models(unittest.TestCase):
    def test_force_step_and_batch_have_the_same_bits(self):
        rng = np.random.default_rng(1)
        for name, row in bristle.models().items():
            if any("formula_of" in p and p["default"] is None for p in row["parameters"]):
                continue
            try:
                m = bristle.Model(name)
            except bristle.InputError:
                continue
            shape = (40,) if row["axes"] == 1 else (40, 2)
            v = rng.normal(0, 1e-2, shape)
            F = m.force(v, 1e-3)
            self.assertEqual(F.shape, shape)
            self.assertTrue((F == m(v, 1e-3)).all())
            stepped = m.step(v[:25], 1e-3), m.step(v[25:], 1e-3)
            np.testing.assert_array_equal(F, np.concatenate(stepped), name)
            try:
                B = m.batch(np.stack([v] * 70, axis=-1), 1e-3)
            except bristle.InputError:
                continue
            np.testing.assert_array_equal(B[..., 69], F, name)

    def test_state_load_energy(self):
        m = bristle.Model("lugre", sigma0="2900 N/m", Fc=2.94, Fs=5.88, vs=0.1)
        self.assertEqual(m.parameters["sigma0"], 2900)
        F = m.step(0.01, 1e-3)
        self.assertIsInstance(F, float)
        self.assertGreater(m.energy, 0)
        self.assertEqual(m.position, 0.01 * 1e-3)
        state = m.state
        m.reset()
        self.assertEqual((m.state, m.position, m.energy), ({"z": 0}, 0, 0))
        for name in ("lugre", "tomlinson", "bouc_wen_biaxial"):  # nothing of what was: the same motion, the same forces
            one = bristle.Model(name)
            V = np.random.default_rng(1).normal(scale=0.01, size=(20, 2) if name == "bouc_wen_biaxial" else 20).tolist()
            first = [one.step(v, 1e-3) for v in V]
            np.testing.assert_allclose(one.position, np.sum(V, axis=0) * 1e-3, rtol=1e-12)
            one.reset()
            self.assertFalse(np.any(one.position))
            np.testing.assert_array_equal([one.step(v, 1e-3) for v in V], first)
        m.state = state
        self.assertEqual(m.state, state)
        m.load = 2
        self.assertEqual(m.load, 2)
        with self.assertRaises(bristle.InputError):
            m.load = -1
        for bad in ({"y": 1}, {"z": float("nan")}, {"z": float("inf")}):
            with self.assertRaises(bristle.InputError):
                m.state = bad
        self.assertEqual(m.state, state)
        for bad in (float("nan"), float("inf"), -1e-300):
            with self.assertRaises(bristle.InputError):
                m.load = bad
        self.assertEqual(m.load, 2)
        for bad in (0, -1e-3, float("nan"), float("inf")):
            with self.assertRaises(bristle.InputError):
                m.step(0.01, bad)
        self.assertEqual(m.state, state)
        t = bristle.trace(model="lugre", input="v:ramp:0" if False else "ramp:0.01", t_end=0.02, dt=1e-3, **m.parameters)
        np.testing.assert_allclose(bristle.Model("lugre", **m.parameters).force(np.full(20, 0.01), 1e-3), t.F[1:], rtol=1e-12)

    def test_lanes_with_parameters_of_their_own(self):
        v = np.full((50, 3), 0.02)
        Fs = np.array([1.5, 2.0, 3.0])
        B = bristle.Model("lugre").batch(v, 1e-3, Fs=Fs)
        for lane, x in enumerate(Fs):
            np.testing.assert_array_equal(B[:, lane], bristle.Model("lugre", Fs=x).force(v[:, 0], 1e-3))
        with self.assertRaisesRegex(bristle.InputError, "Fs"):
            bristle.Model("lugre").batch(v, 1e-3, Fs=[-1, 2, 3])
        for bad in (v[:, 0], v[:0], np.zeros((2, 2, 2))):
            with self.assertRaises(bristle.InputError):
                bristle.Model("lugre").batch(bad, 1e-3)

    def test_errors(self):
        for f in (lambda: bristle.Model("lugr"), lambda: bristle.Model("lugre", sigma0=-1), lambda: bristle.Model("lugre", x=1),
                  lambda: bristle.Model("lugre").force([0.1, float("nan")], 1e-3), lambda: bristle.Model("lugre").force(0.1, 0),
                  lambda: bristle.Model("coulomb", sigma2=0).force([0.1, float("inf")], 1e-3),  # its force would be a number
                  lambda: bristle.Model("lugre").force(np.zeros((3, 2)), 1e-3)):
            with self.assertRaises(bristle.InputError):
                f()
        for name in ("maxwell_slip", "dahl", "gms"):  # whose forces stay within bounds, however fast it goes
            for bad in (float("inf"), -float("inf"), float("nan")):
                with self.assertRaises(bristle.InputError):
                    bristle.Model(name).force([0.1, bad, 0.1], 1e-3)
        for bad in (float("inf"), float("nan")):  # of either axis
            for v in ([[0.1, 0.1], [bad, 0.1]], [[0.1, 0.1], [0.1, bad]]):
                with self.assertRaises(bristle.InputError):
                    bristle.Model("bouc_wen_biaxial").force(np.array(v), 1e-3)


class Threads(unittest.TestCase):
    def test_eight_at_once(self):
        want = bristle.loop(**LOOP).to_json(), bristle.trace(model="lugre", input=(T, U)).F.tobytes()
        m, wrong = bristle.Model("lugre"), []
        force = m.force(U, 1e-3).tobytes()

        def work():
            for _ in range(12):
                r = bristle.loop(**LOOP).to_dict()
                r.pop("seconds", None)
                w = json.loads(want[0])
                w.pop("seconds", None)
                if r != w or bristle.trace(model="lugre", input=(T, U)).F.tobytes() != want[1]:
                    wrong.append("answer")
                if m.force(U, 1e-3).tobytes() != force:
                    wrong.append("force")
                m.step(U, 1e-3)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_the_lock_is_free_while_it_computes(self):
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.is_set():
                ticks.append(1)
                time.sleep(0.001)
        t = threading.Thread(target=tick)
        t.start()
        before = len(ticks)
        start = time.perf_counter()
        bristle.trace(model="lugre", input="sine:1mm,1Hz", t_end=200, dt=1e-3)
        took, ticked = time.perf_counter() - start, len(ticks) - before
        stop.set()
        t.join()
        if took > 0.05:
            self.assertGreater(ticked, 2)

    def test_records_in_memory(self):
        t = [1e-3 * k for k in range(400)]
        u = [1e-3 * math.sin(20 * x) for x in t]
        F = list(bristle.trace(model="dahl", sigma0=4e3, Fc=2, input=(t, u)).F)
        columns = {"time": t, "x [mm]": [1e3 * x for x in u], "F": F}
        before = set(glob.glob(os.path.join(tempfile.gettempdir(), "bristle_*.csv")))
        f = bristle.fit(file=columns, time="time", position="x", force="F", model="dahl")
        self.assertAlmostEqual(f.parameters.Fc.value, 2, places=5)
        self.assertGreater(len(f.tables), 0)
        with self.assertRaisesRegex(bristle.InputError, "equally long, not time 400, F 399"):
            bristle.fit(file={"time": t, "F": F[:-1]}, model="dahl")
        with self.assertRaises(bristle.InputError):
            bristle.fit(file={"time": t, "F": F}, position="x", model="dahl")
        self.assertEqual(set(glob.glob(os.path.join(tempfile.gettempdir(), "bristle_*.csv"))), before)

    def test_ctrl_c(self):
        code = ("import bristle, sys; print('go', flush=True)\n"
                "try: bristle.trace(model='lugre', input='sine:1mm,1Hz', t_end=1e7, dt=1e-3)\n"
                "except KeyboardInterrupt: print('interrupted', flush=True)\n")
        p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env={**os.environ, **PRELOAD})
        self.assertEqual(p.stdout.readline(), "go\n")
        time.sleep(0.4)
        start = time.time()
        p.send_signal(signal.SIGINT)
        out, _ = p.communicate(timeout=60)
        self.assertEqual(out, "interrupted\n")
        self.assertEqual(p.returncode, 0)
        self.assertLess(time.time() - start, 20)


if __name__ == "__main__":
    unittest.main()
