# SPDX-License-Identifier: Apache-2.0
"""The same question through every front: command, study file, C library, one thread or two."""
import ctypes
import json
import os
import subprocess
import tempfile

import draw
import machines
import program


def flat(value, path=""):
    """{path: number} of a JSON answer, lists by index."""
    if isinstance(value, dict):
        rows = value.items()
    elif isinstance(value, list):
        rows = enumerate(value)
    else:
        return {path: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}
    out = {}
    for key, v in rows:
        out.update(flat(v, f"{path}.{key}" if path else str(key)))
    return out


def study(question):
    """The quantities of a study of one run, {path: value}; the question as YAML's subset JSON."""
    with tempfile.TemporaryDirectory(prefix="soak") as folder:
        name = os.path.join(folder, "question.yaml")
        with open(name, "w", encoding="ascii") as f:
            json.dump(question, f)
        line = [program.PROGRAM, "run", name, "--out", os.path.join(folder, "out"), "--no-plots", "--quiet"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=program.LIMIT)
        if done.returncode != 0:
            raise program.Refused(f"exit {done.returncode}: bristle run: {done.stderr.strip()[:300]}: {json.dumps(question)}")
        # a run without a name has the study's own: the one record that is not the manifest
        for entry in os.listdir(os.path.join(folder, "out")):
            if entry.endswith(".json") and entry != "manifest.json":
                with open(os.path.join(folder, "out", entry), encoding="utf-8") as f:
                    return {q["name"]: q["value"] for q in json.load(f)["quantities"]}
    return {}


def shared(found, command, answer):
    """Every number that both fronts print has the same bits."""
    numbers = flat(command)
    both = [k for k in numbers if k in answer]
    found.true("study and command have no number in common", len(both) > 2)
    for key in both:
        if not key.endswith("seconds"):
            found.same(f"study, {key}", answer[key], numbers[key])


def loop_in_study(r, found):
    name, values, length, _ = draw.model(r)
    points = draw.turning(r, length)
    command = program.ask("loop", "--model", name, "--set", program.listed(values), "--input", draw.spec(points))
    shared(found, command, study({"title": "soak", "model": name, "set": values, "input": draw.spec(points), "loop": {}}))


def machine_in_study(r, found):
    system, name, values, drive, end = machines.machine(r)
    command = machines.simulate(system, name, values, drive, end)
    shared(found, command, study({"title": "soak", "system": system, "model": name, "set": values,
                                  "input": dict([drive]), "simulate": {"t-end": end}}))


class Summary(ctypes.Structure):
    """The head of br_loop_summary."""
    _fields_ = [("method", ctypes.c_int), ("n_turning", ctypes.c_size_t), ("n_minor", ctypes.c_size_t),
                ("path_length", ctypes.c_double), ("work", ctypes.c_double), ("dissipation", ctypes.c_double)]


class Settings(ctypes.Structure):
    _fields_ = [("frequency", ctypes.c_double), ("load", ctypes.c_double), ("rtol", ctypes.c_double),
                ("stop_asked", ctypes.c_void_p), ("stop_context", ctypes.c_void_p)]


def library():
    """libbristle beside the program, or None where only the static one was built."""
    path = os.path.join(os.path.dirname(os.path.abspath(program.PROGRAM)), "libbristle.so")
    if not os.path.exists(path):
        return None
    lib = ctypes.CDLL(path)
    for name in ("br_model_find", "br_params_block", "br_loop_get", "br_loop_turnings"):
        getattr(lib, name).restype = ctypes.c_void_p
    lib.br_loop_settings_default.restype = Settings
    return lib


def loop_in_c(r, found):
    lib = library()
    if lib is None:
        return
    name, values, length, _ = draw.model(r)
    points = draw.turning(r, length)
    command = program.ask("loop", "--model", name, "--set", program.listed(values), "--input", draw.spec(points))
    model = ctypes.c_void_p(lib.br_model_find(name.encode()))
    params, signal, loop = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    settings = lib.br_loop_settings_default()
    good = (lib.br_params_create(model, ctypes.byref(params), None) == 0
            and lib.br_params_set_list(params, program.listed(values).encode(), None) == 0
            and lib.br_params_finish(params, None) == 0
            and lib.br_signal_parse(draw.spec(points).encode(), ctypes.byref(signal), None) == 0
            and lib.br_loop_of_signal(model, ctypes.c_void_p(lib.br_params_block(params, b"model")), signal,
                                      ctypes.byref(settings), ctypes.byref(loop), None) == 0)
    found.true("C refuses what the command answers", good)
    if good:
        summary = Summary.from_address(lib.br_loop_get(loop))
        rows = (ctypes.c_double * (3 * summary.n_turning)).from_address(lib.br_loop_turnings(loop))
        found.same("C: work", summary.work, command["work"])
        found.same("C: turning points", list(rows), [row[k] for row in command["turning"] for k in ("u", "y", "rho")])
    lib.br_loop_destroy(loop)
    lib.br_signal_destroy(signal)
    lib.br_params_destroy(params)


def threads(r, found):
    """A map has the same bits with one thread and with two."""
    Fs = r.uniform(2, 6)
    with tempfile.TemporaryDirectory(prefix="soak") as folder:
        tables = []
        for n in ("1", "2"):
            line = [program.PROGRAM, "phase", "--system", "driven_block", "--model", "lugre", "--set",
                    program.listed({"m": 1, "Fc": 1, "Fs": Fs, "vs": 2, "delta": 2, "sigma0": 5}), "--vary",
                    f"F={Fs * 1.05!r}:{Fs * 1.3!r}", "--vary2", "sigma2=1.2:1.8", "--grid", "2", "--threads", n, "--map",
                    os.path.join(folder, f"map{n}.svg"), "--quiet"]
            done = subprocess.run(line, capture_output=True, text=True, timeout=120)
            if done.returncode != 0:
                raise program.Refused(f"exit {done.returncode}: {program.shown(line)}: {done.stderr.strip()[:300]}")
            with open(os.path.join(folder, f"map{n}.dat"), encoding="utf-8") as f:
                tables.append(f.read())
        found.true("the map depends on the number of threads", tables[0] == tables[1])


RELATIONS = [loop_in_study, machine_in_study, loop_in_c, threads]
