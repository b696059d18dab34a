# SPDX-License-Identifier: Apache-2.0
"""One friction element, or many, as callables: velocity in, force out."""
import array

from . import _core
from ._input import doubles, numpy
from ._text import text


class Model:
    """A friction element: Model("lugre", sigma0=1e5, Fc=1).

    force(v, dt): forces under velocities held for dt each, from rest; the element itself stays as it is.
    step(v, dt): the same from where the element is; state, position and energy follow.
    batch(v, dt): many elements at once, one per column of a 2-D array.
    Force is positive against positive velocity.  Units: SI.
    """

    def __init__(self, name, set=None, load=1.0, **parameters):
        parts = ([text(set)] if set else []) + [f"{k}={text(v)}" for k, v in parameters.items() if v is not None]
        self.name, self._set = name, ",".join(parts)
        self._element = _core.Element(name, self._set)
        self._element.load = load

    parameters = property(lambda self: self._element.parameters, doc="parameters by name, in SI")
    position = property(lambda self: self._element.position, doc="position, m; of two axes both")
    energy = property(lambda self: self._element.energy, doc="energy stored, J; None where it is not defined")

    @property
    def state(self):
        """States by name; may be set."""
        return self._element.state

    @state.setter
    def state(self, value):
        self._element.state = dict(value)

    @property
    def load(self):
        """Normal-load factor, 1 = nominal; may be set."""
        return self._element.load

    @load.setter
    def load(self, value):
        self._element.load = value

    def reset(self):
        """Back to rest: position and states zero."""
        self._element.reset()
        return self

    def _run(self, v, dt, fresh):
        single = isinstance(v, (int, float)) or getattr(v, "shape", None) == ()
        data = doubles([v] if single else v)
        shape = getattr(data, "shape", (len(data),))
        if self._element.axes == 2 and (not shape or shape[-1] != 2):
            raise _core.InputError(f"{self.name} has two axes: v must end with two columns")
        if self._element.axes == 1 and len(shape) > 1:
            raise _core.InputError("v must be one row of velocities; batch() takes a 2-D array")
        F = numpy.empty(shape) if numpy is not None else array.array("d", bytes(8 * len(data)))
        self._element.run(data, float(dt), F, fresh)
        return float(F[0]) if single else F

    def force(self, v, dt):
        """Force (N) at the end of each step of dt seconds with velocity v (m/s) held, from rest."""
        return self._run(v, dt, True)

    def step(self, v, dt):
        """The same from where the element is, which moves on: one velocity gives one force, an array an array."""
        return self._run(v, dt, False)

    __call__ = force

    def batch(self, v, dt, fast=False, **parameters):
        """Forces of many elements from rest: v is [steps, lanes] (two axes: [steps, 2, lanes]).

        A parameter given as an array has one value per lane.  fast: fused multiplication and addition, whose last bits
        differ between processors.
        """
        if numpy is None:
            raise _core.InputError("batch needs NumPy")
        data = doubles(v)
        if data.ndim != self._element.axes + 1 or 0 in data.shape:
            raise _core.InputError(f"batch: v must be [steps, {'2, ' if self._element.axes == 2 else ''}lanes]")
        lanes = data.shape[-1]
        own = [(k, numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(x, dtype=float), (lanes,))))
               for k, x in parameters.items()]
        F = numpy.empty(data.shape)
        self._element.batch(data, float(dt), F, lanes, self._set, own, fast)
        return F

    def __repr__(self):
        return f"Model({self.name!r}{', ' + self._set if self._set else ''})"
