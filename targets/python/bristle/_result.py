# SPDX-License-Identifier: Apache-2.0
"""Answers: the keys of the JSON object as attributes and items, tables as NumPy arrays."""
import html
import os
import tempfile
from collections.abc import Mapping

from . import _core

try:
    import numpy
except ImportError:
    numpy = None


def _rows(table):
    """A table as a record array over the library's own memory; without NumPy a list of objects."""
    names = [name for name, _ in table.columns]
    if numpy is None:
        return [Node(dict(zip(names, row))) for row in memoryview(table).tolist()] if table.rows else []
    kind = numpy.dtype([(name, numpy.float64) for name in names])
    flat = numpy.frombuffer(memoryview(table).cast("B"), dtype=kind) if table.rows else numpy.empty(0, kind)
    return flat.view(numpy.recarray)


def _column(slice_):
    return numpy.asarray(memoryview(slice_)) if numpy is not None else memoryview(slice_)


def _value(x):
    if isinstance(x, _core.Slice):
        return _rows(x) if x.is_table else _column(x)
    if isinstance(x, dict):
        return Node({k: _value(v) for k, v in x.items()})
    return [_value(v) for v in x] if isinstance(x, list) else x


def _number(x):
    return x if x - x == 0 else None  # NaN and infinities are null, as in JSON


def _plain(x):
    if isinstance(x, _core.Slice):
        data = memoryview(x).tolist()
        if not x.is_table:
            return [_number(v) for v in data]
        names = [name for name, _ in x.columns]
        return [dict(zip(names, map(_number, row))) for row in data]
    if isinstance(x, dict):
        return {k: _plain(v) for k, v in x.items()}
    return [_plain(v) for v in x] if isinstance(x, list) else x


class Node(Mapping):
    """An object of an answer: its keys are attributes and items; 'minor.0.gap' is a path."""

    def __init__(self, members):
        self._members = members

    def __getitem__(self, key):
        if key in self._members:
            return self._members[key]
        at = self
        for part in str(key).split("."):
            try:
                at = at._members[part] if isinstance(at, Node) else at[int(part)] if part.isdigit() else at[part]
            except (KeyError, IndexError, ValueError, TypeError):
                raise KeyError(key) from None
        return at

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._members:
            return self._members[name]
        raise AttributeError(f"there is no '{name}' here; there is {', '.join(self._members)}")

    def __iter__(self):
        return iter(self._members)

    def __len__(self):
        return len(self._members)

    def __dir__(self):
        return [*super().__dir__(), *self._members]

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={_short(v)}' for k, v in self._members.items())})"


def _short(x):
    if isinstance(x, (float, str, bool)) or x is None:
        return f"{x:.7g}" if isinstance(x, float) else repr(x)
    if isinstance(x, Node):
        return "{" + ", ".join(x) + "}"
    return f"[{len(x)}]"


class Result(Node):
    """The answer of an analysis.

    Keys of the JSON object are attributes and items (r.work, r["minor.0.gap"]); tables holds every table, frame() makes
    one a pandas frame, to_dict() and to_json() give what the command prints with --json, plot() draws with matplotlib
    and savefig() with gnuplot.
    """

    def __init__(self, answer, analysis, settings, full):
        self._answer, self._analysis, self._settings = answer, analysis, dict(settings)
        self._full = answer if full else None
        super().__init__({k: _value(v) for k, v in answer.tree().items()})

    @property
    def _whole(self):
        """The answer with all its tables: computed where they are asked for first, since they may cost much."""
        if self._full is None:
            self._full = self._answer.again()
        return self._full

    @property
    def _slices(self):
        return {t.name: t for t in self._whole.tables()}

    @property
    def tables(self):
        """All tables by name, as record arrays."""
        return {name: _rows(t) for name, t in self._slices.items()}

    def units(self, name):
        """Units of a table's columns, by name."""
        return dict(self._slice(name).columns)

    def unit(self, path):
        """The unit of a number, by its path; '' where it has none."""
        unit = self._answer.unit(path)
        if unit is None:
            raise KeyError(path)
        return unit

    def _slice(self, name=None):
        usual = self._analysis["tables"]
        slices = {t.name: t for t in self._answer.tables() if t.kept}  # what is there costs nothing
        if name not in slices and not (name is None and usual and usual[0] in slices):
            slices = self._slices
        if name is None:
            name = next((t for t in usual if t in slices), next(iter(slices), None))
        if name not in slices:
            near = _core.nearest(str(name), list(slices))
            raise KeyError(f"no table '{name}'" + (f"; did you mean '{near}'?" if near else ""))
        return slices[name]

    def table(self, name=None):
        """A table by name, the main one without: a record array."""
        return _rows(self._slice(name))

    def frame(self, name=None):
        """The same as a pandas frame; units under frame.attrs["units"]."""
        import pandas

        found = self._slice(name)
        frame = pandas.DataFrame(numpy.asarray(memoryview(found)), columns=[c for c, _ in found.columns])
        frame.attrs["units"] = dict(found.columns)
        return frame

    def to_dict(self):
        """Dictionaries, lists, numbers and texts: the JSON object of the command."""
        return {k: _plain(v) for k, v in self._answer.tree().items()}

    def to_json(self):
        """The text that the command prints with --json."""
        return self._answer.json()

    def title(self):
        s = self._settings
        if "system" in s:
            return f"{s['system']} with {s.get('model', '')}"
        under = f" under {s['input']}" if "input" in s else ""
        return f"{s.get('model', self._analysis['name'])}{under}"

    def _picture(self, name):
        """The picture that is meant where none is named: that of an option that was given, else the usual one."""
        asked = [p["option"] for p in self._analysis["pictures"] if self._settings.get(p["option"]) == "yes"]
        return asked[0] if name is None and asked else name

    def savefig(self, path, picture=None):
        """Draw the picture with gnuplot into a file .svg or .png; picture: another one by name."""
        self._whole.draw(os.fspath(path), self.title(), self._picture(picture))

    def plot(self, picture=None, figure=None):
        """Draw the picture with matplotlib and return the figure; picture: another one by name."""
        from ._draw import draw

        return draw(self, self._picture(picture), figure)

    def svg(self, picture=None):
        """The picture as SVG text (gnuplot)."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.svg")
            self.savefig(path, picture)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self):
        rows = []

        def walk(node, path):
            for key, value in node.items():
                at = f"{path}.{key}" if path else key
                if isinstance(value, Node):
                    walk(value, at)
                elif isinstance(value, (float, str, bool)) or value is None:
                    unit = self._answer.unit(at) if isinstance(value, float) else ""
                    shown = f"{value:.9g}" if isinstance(value, float) else "" if value is None else str(value)
                    rows.append(f"<tr><td>{html.escape(at)}</td><td style='text-align:right'>{html.escape(shown)}</td>"
                                f"<td>{html.escape(unit or '')}</td></tr>")
        walk(self, "")
        try:
            picture = self.svg()
            picture = picture[picture.index("<svg"):]
        except (_core.Error, ValueError, OSError):
            picture = ""
        return (f"<div><b>{html.escape(self._analysis['name'])}: {html.escape(self.title())}</b>{picture}"
                f"<table>{''.join(rows)}</table></div>")
