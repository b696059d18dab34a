# SPDX-License-Identifier: Apache-2.0
"""The catalogue: what can be asked of what.  Everything comes from the library's tables."""
import copy
import json

from . import _core

WHOLE = json.loads(_core.catalogue(0))
ANALYSES = {a["name"]: a for a in WHOLE["analyses"]}
MODELS = {m["name"]: m for m in WHOLE["models"]}
SYSTEMS = {s["name"]: s for s in WHOLE["systems"]}


def analyses():
    """All analyses by name: summary, options, results, pictures, examples."""
    return copy.deepcopy(ANALYSES)


def models():
    """All friction models by name: parameters with unit, default and range, states, class."""
    return copy.deepcopy(MODELS)


def systems():
    """All mechanisms by name: parameters, inputs, states."""
    return copy.deepcopy(SYSTEMS)


def presets():
    """Published sets of parameters by name: model, mechanism, values, source."""
    return {p["name"]: copy.deepcopy(p) for p in WHOLE["presets"]}


def signals():
    """Kinds of input by name: grammar and meaning."""
    return {s["name"]: dict(s) for s in WHOLE["signals"]}


def parameter_names(model, system):
    """Names that 'set' takes for this model and mechanism."""
    names = [p["name"] for p in MODELS.get(model, {}).get("parameters", ())]
    if system in SYSTEMS:
        names += [p["name"] for k in ("parameters", "inputs") for p in SYSTEMS[system][k]]
    return names
