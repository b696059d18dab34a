# SPDX-License-Identifier: Apache-2.0
"""One function per analysis, made from the catalogue: name, keywords, signature, help."""
import inspect
import keyword
import textwrap
import warnings

from . import _core
from ._catalogue import ANALYSES, parameter_names
from ._input import inputs, is_record, record, signal
from ._result import Result
from ._text import option, text

_OWN = ("model", "preset", "system", "set", "input", "init")
_DOC = {
    "model": "friction model, see bristle.models()",
    "preset": "a published set of parameters by its name",
    "system": "mechanism, see bristle.systems()",
    "set": "parameters as a dictionary or a text 'a=1,b=2'; also as keywords of their own",
    "input": "a text ('sine:1mm,2Hz'), arrays (t, u), an array with dt=, a callable with t_end= and dt=, "
             "bristle.Sampled; several as a dictionary by name",
    "init": "states at the start as a dictionary or a text",
    "tables": "True: tables and picture are computed at once, False: when they are asked for",
}


def python_name(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _signature(a):
    keywords = [n for n in _OWN if n != "input" or "input" in a["needs"]]
    keywords = [n for n in keywords if n not in ("system", "init") or n in a["needs"]]
    rows = keywords + [python_name(o["name"]) for o in a["options"]] + ["tables"]
    params = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=False if n == "tables" else None)
              for n in dict.fromkeys(rows)]
    params.append(inspect.Parameter("parameters", inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(params, return_annotation=Result)


def _row_doc(o):
    facts = [o["kind"]] + ([o["unit"]] if o["unit"] not in (None, "1") else [])
    facts += [" or ".join(o["choices"])] if o["choices"] else []
    return f"{python_name(o['name'])}: {o['doc']} ({', '.join(facts)})"


def _doc(a):
    wrap = lambda s, indent: textwrap.fill(s, 100, initial_indent=indent, subsequent_indent=indent + "    ")
    rows = [f"{n}: {_DOC[n]}" for n in _signature(a).parameters if n in _DOC and n != "tables"]
    rows += [_row_doc(o) for o in a["options"]] + [f"tables: {_DOC['tables']}"]
    results = [f"{r['name']}{' [' + r['unit'] + ']' if r['unit'] not in ('', '1') else ''}: {r['doc']}"
               for r in a["results"]]
    parts = [a["summary"][:1].upper() + a["summary"][1:] + ".",
             "\n\n".join(wrap(p, "").replace("\n    ", "\n") for p in (a["text"] or "").split("\n\n")),
             "Keywords (parameters of model and mechanism are keywords too):",
             "\n".join(wrap(r, "    ") for r in rows), "Results:", "\n".join(wrap(r, "    ") for r in results),
             "As commands:", "\n".join("    " + e for e in a["examples"])]
    return "\n\n".join(p for p in parts if p)


def _unknown(a, names, model, system):
    """An error for keywords that nobody knows, where there is one."""
    known = parameter_names(model, system)
    rows = [python_name(o["name"]) for o in a["options"]] + list(_OWN)
    for name in names:
        if name in known or "." in name:
            continue
        near = _core.nearest(name, rows + known)
        hint = f"; did you mean '{near}'?" if near else ""
        return _core.InputError(f"{a['name']} has no option or parameter '{name}'{hint}")
    return None


def _value(row, value, options, kept):
    """The text of an option; records in memory become files, which go into kept."""
    if row["kind"] == "signal":
        return signal(value, options)
    if row["arg"] == "FILE" and is_record(value):  # one to be read
        kept.append(record(value))
        return kept[-1].name
    return option(row, value)


def _settings(a, given, kept):
    """What a job is set to: (settings, arrays, names taken for parameters)."""
    rows = {python_name(o[k]): o for o in a["options"] for k in ("name", "alias") if o[k]}
    settings, arrays, parameters = [], [], []
    # Text first, then keywords, as one list: the grammar of --set.
    chosen = given.pop("set", None)
    whole = [text(chosen)] if chosen else []
    spec = given.pop("input", None)
    options = {k: given.get(k) for k in ("t_end", "dt")}
    for name, value in given.items():
        if value is None:
            continue
        if name in rows:
            row = rows[name]
            settings.append((row["name"], _value(row, value, options, kept)))
        elif name in ("model", "preset", "system", "init"):
            settings.append((name, text(value)))
        else:
            parameters.append(name)
            whole.append(f"{name}={text(value)}")
    if whole:
        settings.append(("set", ",".join(whole)))
    if spec is not None:
        more, arrays = inputs(spec, options)
        settings += more
        # The step of an array, and of a sampled callable, is that of its samples: no second one.
        if arrays and not isinstance(spec, (tuple, dict)) and not hasattr(spec, "t"):
            settings = [s for s in settings if s[0] != "dt"]
    return settings, arrays, parameters


def _function(a):
    def ask(**given):
        tables, kept = bool(given.pop("tables", False)), []
        try:
            settings, arrays, parameters = _settings(a, given, kept)
            tables = tables or bool(kept)  # a record's file is gone when somebody asks for them later
            try:
                answer = _core.run(a["name"], settings, arrays, tables)
            except _core.InputError as error:
                better = None if given.get("preset") else _unknown(a, parameters, given.get("model"), given.get("system"))
                if better is None:
                    raise
                raise better from error
        finally:
            for file in kept:
                file.close()
        for note in answer.notes:
            warnings.warn(note, stacklevel=2)
        return Result(answer, a, settings, tables)

    ask.__name__ = ask.__qualname__ = python_name(a["name"])
    ask.__module__ = "bristle"
    ask.__signature__ = _signature(a)
    ask.__doc__ = _doc(a)
    return ask


functions = {python_name(name): _function(a) for name, a in ANALYSES.items()}
