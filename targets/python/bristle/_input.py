# SPDX-License-Identifier: Apache-2.0
"""Inputs: texts, arrays, callables."""
import array
import csv
import tempfile

from . import _core
from ._text import text

try:
    import numpy
except ImportError:
    numpy = None


def doubles(x):
    """Numbers in a row as something that has a buffer; arrays of doubles as they are."""
    if numpy is not None:
        return numpy.ascontiguousarray(x, dtype=numpy.float64)
    view = memoryview(x) if isinstance(x, (array.array, memoryview)) else None
    return view if view is not None and view.format == "d" and view.c_contiguous else array.array("d", x)


class Sampled:
    """A motion in samples: times (s) and values (SI).

    smooth: a monotone cubic through the samples instead of straight lines; periodic: repeats, where the last value
    equals the first.
    """

    def __init__(self, t, u, smooth=False, periodic=False):
        self.t, self.u, self.smooth, self.periodic = doubles(t), doubles(u), bool(smooth), bool(periodic)

    @classmethod
    def of(cls, function, t_end, dt, **kind):
        """A callable u(t), sampled every dt from 0 to t_end; called once with an array, or time by time."""
        n = int(round(t_end / dt)) if t_end > 0 and dt > 0 and t_end / dt < 1e9 else 0
        if n < 1:
            raise _core.InputError(f"input: cannot sample a callable every {dt} s up to {t_end} s")
        times = numpy.arange(n + 1) * dt if numpy is not None else array.array("d", (k * dt for k in range(n + 1)))
        values = None
        if numpy is not None:
            try:
                values = numpy.asarray(function(times), dtype=numpy.float64)
            except (TypeError, ValueError):
                values = None
            if values is not None and values.shape != times.shape:
                values = None
        if values is None:
            values = [float(function(float(t))) for t in times]
        return cls(times, values, **kind)


def _is_array(x):
    return hasattr(x, "__array__") or isinstance(x, (array.array, memoryview))


def _pair(x):
    return isinstance(x, tuple) and len(x) == 2 and not any(isinstance(i, (str, int, float)) for i in x)


def sampled(value, options):
    """A Sampled from what was given, None where it is a text.  A bare array takes its step from 'dt'."""
    if isinstance(value, Sampled):
        return value
    if _pair(value):
        return Sampled(*value)
    if callable(value):
        if options.get("t_end") is None or options.get("dt") is None:
            raise _core.InputError("input: a callable needs t_end and dt, or use bristle.Sampled.of(f, t_end, dt)")
        return Sampled.of(value, options["t_end"], options["dt"])
    if _is_array(value) or (isinstance(value, list) and value and not isinstance(value[0], str)):
        if options.get("dt") is None:
            raise _core.InputError("input: an array needs its times: input=(t, u), or dt= for equal steps")
        u, dt = doubles(value), float(options["dt"])
        t = numpy.arange(len(u)) * dt if numpy is not None else array.array("d", (k * dt for k in range(len(u))))
        return Sampled(t, u)
    return None


def inputs(value, options):
    """(settings, arrays) of the keyword 'input': one, or several by name."""
    settings, arrays = [], []
    parts = value.items() if isinstance(value, dict) else [(None, value)]
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        parts = [(None, v) for v in value]
    for name, spec in parts:
        key = "input" if name is None else f"input.{name}"
        record = sampled(spec, options)
        if record is not None:
            arrays.append((key, record.t, record.u, record.smooth, record.periodic))
        else:
            settings.append(("input", text(spec) if name is None else f"{name}:{text(spec)}"))
    return settings, arrays


def signal(value, options):
    """The text of an option that is a signal: arrays become their corners."""
    record = sampled(value, options)
    if record is None:
        return text(value)
    if record.smooth or record.periodic:
        raise _core.InputError("a signal of this option may be neither smooth nor periodic: give a text")
    return "pwl:" + ",".join(f"{float(t)!r},{float(u)!r}" for t, u in zip(record.t, record.u))


def is_record(value):
    """Columns by name: a dictionary, a pandas frame, a structured array."""
    return hasattr(value, "keys") or bool(getattr(getattr(value, "dtype", None), "names", None))


def record(value):
    """A record in memory as a table on disk, which goes when the returned file is closed; numbers keep their bits."""
    names = [str(n) for n in (value.keys() if hasattr(value, "keys") else value.dtype.names)]
    columns = [doubles(value[n]) for n in (value.keys() if hasattr(value, "keys") else names)]
    if len({len(c) for c in columns}) != 1:
        raise _core.InputError("file: columns of a record must be equally long, not "
                               + ", ".join(f"{n} {len(c)}" for n, c in zip(names, columns)))
    file = tempfile.NamedTemporaryFile("w", prefix="bristle_", suffix=".csv", newline="", encoding="utf-8")
    writer = csv.writer(file)
    writer.writerow(names)
    writer.writerows([repr(float(x)) for x in row] for row in zip(*columns))
    file.flush()
    return file
