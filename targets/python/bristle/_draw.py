# SPDX-License-Identifier: Apache-2.0
"""The picture of an analysis by matplotlib: panels, lines and styles come from the catalogue."""
from itertools import count

import numpy

from . import _core

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
TINTS = ("#E9EEF2", "#BFDDF2", "#FAD3BC", "#BFE8D9", "#F0D5E4", "#FBE7B4", "#D9D2F0", "#DCE9B6", "#F6C9C9", "#CFE6E6")
STYLES = {
    "bold": {"lw": 2.2}, "muted": {"lw": 0.8, "color": "#8A8A8A", "zorder": 1}, "dotted": {"ls": ":"},
    "dashed": {"lw": 2, "ls": "--"}, "dashdot": {"lw": 0.9, "ls": "-."}, "fine": {"lw": 0.8}, "marked": {"marker": "o", "ms": 4},
    "points": {"ls": "", "marker": ".", "ms": 3}, "disc": {"ls": "", "marker": "o", "zorder": 5},
    "circle": {"ls": "", "marker": "o", "mfc": "none", "zorder": 5},
    "square": {"ls": "", "marker": "s", "mfc": "none", "zorder": 5}, "cross": {"ls": "", "marker": "x", "zorder": 5},
    "star": {"ls": "", "marker": "*", "zorder": 5}, "triangle": {"ls": "", "marker": "^", "zorder": 5},
    "ring": {"ls": "", "marker": "o", "ms": 3, "mfc": "none"}, "box": {"ls": "", "marker": "s", "ms": 3, "mfc": "none"},
}
MAIN, FILE = 1, 2


def _fits(name, pattern):
    pattern = pattern.split("|")[0]
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def _tables(slices, front, pattern):
    return [t for t in slices if t.rows and t.shape & FILE and t.name.startswith(front)
            and (_fits(t.name[len(front):], pattern) if pattern else t.shape & MAIN)]


def _column(table, name, axis, other):
    """Index of a column by name or '#2'; None: there is none."""
    names = [c for c, _ in table.columns]
    if name is None:
        return other if other < len(names) else None
    if name.startswith("#"):
        return None if axis or int(name[1:]) >= len(names) else int(name[1:])
    return names.index(name + axis) if name + axis in names else None


def _map(axes, table, data, x, y, value, heat):
    """Cells of a grid: regions by name, or a colour by value."""
    xs, ys = numpy.unique(data[:, x]), numpy.unique(data[:, y])
    grid = numpy.full((len(ys), len(xs)), numpy.nan)
    grid[numpy.searchsorted(ys, data[:, y]), numpy.searchsorted(xs, data[:, x])] = data[:, value]
    if heat:
        name, unit = table.columns[value]
        mesh = axes.pcolormesh(xs, ys, grid, cmap="cividis", shading="nearest")
        axes.figure.colorbar(mesh, ax=axes, label=f"{name} ({unit})" if unit else name)
        return
    import matplotlib.colors as colors

    kinds = sorted({int(v) for v in grid[numpy.isfinite(grid)]})
    tint = numpy.full(grid.shape, numpy.nan)
    for i, k in enumerate(kinds):
        tint[grid == k] = i % len(TINTS)
    axes.pcolormesh(xs, ys, tint, cmap=colors.ListedColormap(TINTS), vmin=-0.5, vmax=len(TINTS) - 0.5,
                    shading="nearest")
    for k in kinds:
        rows, columns = numpy.nonzero(grid == k)  # the name stands in the cell nearest to the middle
        middle = numpy.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2)
        name = table.names[k] if 0 <= k < len(table.names) and table.names[k] else str(k)
        axes.text(xs[columns[middle]], ys[rows[middle]], name, ha="center", va="center", fontsize="small")


def _label(table, column, words):
    name, unit = table.columns[column]
    return f"{words or name} ({unit})" if unit else words or name


def _line(axes, panel, line, table, axis, colours):
    nx, ny = line["x"] or panel["x"], line["y"] or panel["y"]
    x, y = _column(table, nx, "" if nx == "t" else axis, 0), _column(table, ny, axis, 1)
    style = line["style"] or table.style or "line"
    if x is None or y is None:
        return None
    data = numpy.asarray(memoryview(table))
    if not axes.get_xlabel():
        axes.set_xlabel(_label(table, x, panel["xlabel"]))
        axes.set_ylabel(_label(table, y, panel["ylabel"]))
    if style in ("regions", "areas", "heat"):
        value = _column(table, line["value"] or panel["value"], "", len(table.columns) - 1)
        if value is not None:
            _map(axes, table, data, x, y, value, style == "heat")
        return None
    px, py = data[:, x], data[:, y]
    minus = _column(table, line["minus"], "", 0) if line["minus"] else None
    if minus is not None:
        py = py - data[:, minus]
    if style == "frame":
        axes.set_xlim(numpy.nanmin(px), numpy.nanmax(px)), axes.set_ylim(numpy.nanmin(py), numpy.nanmax(py))
        return table.label
    label = axis or (line["label"] if line["label"] is not None else table.label)
    if style in ("vectors", "heads"):  # points in pairs: tail and head
        axes.quiver(px[0::2], py[0::2], px[1::2] - px[0::2], py[1::2] - py[0::2], angles="xy", scale_units="xy", scale=1,
                    width=0.003, color="#8A8A8A")
        return None
    look = dict(STYLES.get(style, {}))
    if "color" not in look:
        look["color"] = COLOURS[int(line["colour"]) - 1] if line["colour"] else COLOURS[next(colours) % len(COLOURS)]
    axes.plot(px, py, label=label or None, **look)
    return None


def _panel(axes, slices, panel, front):
    colours, title = count(), None
    for line in panel["lines"]:
        for k, table in enumerate(_tables(slices, front, line["table"])):
            if line["most"] and k >= line["most"]:
                break
            two = _column(table, line["y"] or panel["y"], "", 1) is None
            for axis in ("x", "y") if two else ("",):
                title = _line(axes, panel, line, table, axis, colours) or title
    scale = panel["scale"] or ""
    if scale in ("logx", "loglog"):
        axes.set_xscale("log")
    if scale in ("logy", "loglog"):
        axes.set_yscale("log")
    once = dict(zip(*reversed(axes.get_legend_handles_labels())))  # one entry a name
    if once:
        axes.legend(once.values(), once.keys(), fontsize="small", frameon=False)
    axes.grid(color="#E4E4E4", lw=0.5)
    axes.set_axisbelow(True)
    return title


def _chosen(slices, panels):
    """(panel, front of its tables' names) of all that have something to draw."""
    for panel in panels:
        for number in count() if panel["series"] else (0,):
            front = f"at{number}_" if number else ""
            if not any(_tables(slices, front, line["table"]) for line in panel["lines"]):
                break
            if panel["when"] and not _tables(slices, front, panel["when"]):
                break
            yield panel, front


def draw(result, picture, figure):
    import matplotlib.pyplot as pyplot

    analysis = result._analysis
    named = {p[k]: p["panels"] for p in analysis["pictures"] for k in ("name", "option") if p[k]}
    if picture is not None and picture not in named:
        near = _core.nearest(str(picture), list(named))
        raise _core.InputError(f"{analysis['name']} has no picture '{picture}'" + (f"; did you mean '{near}'?" if near else ""))
    slices = list(result._slices.values())
    chosen = list(_chosen(slices, analysis["picture"] if picture is None else named[picture]))
    if not chosen:
        raise _core.InputError(f"{analysis['name']}: there is nothing to draw")
    columns = 1 if any(p["under"] for p, _ in chosen) else min(3, len(chosen))
    rows = -(-len(chosen) // columns)
    figure = figure or pyplot.figure(figsize=(max(6, 4.5 * columns), max(3 * rows, 4)), layout="constrained")
    for k, (panel, front) in enumerate(chosen):
        axes = figure.add_subplot(rows, columns, k + 1)
        title = _panel(axes, slices, panel, front)
        if title and len(chosen) > 1:
            axes.set_title(title, fontsize="small")
    figure.suptitle(result.title())
    return figure
