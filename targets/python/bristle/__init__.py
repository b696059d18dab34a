# SPDX-License-Identifier: Apache-2.0
"""Bristle: friction with memory.

Every analysis of the catalogue is a function: bristle.loop(model="lugre", sigma0=6, input="bimodal:0,1,0.5,1.5").
bristle.models(), bristle.systems() and bristle.analyses() say what there is; bristle.Model is one friction element.
"""
from . import _core
from ._catalogue import analyses, models, presets, signals, systems
from ._functions import functions as _functions
from ._input import Sampled
from ._model import Model
from ._result import Result

Error, InputError = _core.Error, _core.InputError
__version__ = _core.version
globals().update(_functions)
__all__ = ["Error", "InputError", "Model", "Result", "Sampled", "analyses", "models", "presets", "signals", "systems", *_functions]
