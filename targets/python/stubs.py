# SPDX-License-Identifier: Apache-2.0
"""stubs.py FOLDER: write FOLDER/bristle/__init__.pyi from the catalogue of the package there."""
import inspect
import os
import sys

KINDS = {"number": "_Number", "count": "int", "choice": "str | bool", "flag": "bool", "text": "_Text", "list": "_List",
         "pairs": "dict[str, _Number] | str", "signal": "_Signal", "range": "tuple[_Number, _Number] | str"}
OWN = {"model": "str", "preset": "str", "system": "str", "set": "dict[str, Any] | str", "input": "_Input", "init": "dict[str, _Number] | str"}


def kind(row):
    """The type of an option; a file to be read may be columns in memory: a mapping, a frame, a structured array."""
    return "_Text | Any" if row["arg"] == "FILE" else KINDS[row["kind"]]


def function(name, f, analysis, python_name):
    rows = {python_name(o["name"]): o for o in analysis["options"]}
    out = []
    for p in inspect.signature(f).parameters.values():
        if p.kind is p.VAR_KEYWORD:
            out.append("**parameters: Any")
        elif p.name == "tables":
            out.append("tables: bool = ...")
        else:
            out.append(f"{p.name}: {OWN[p.name] if p.name in OWN else kind(rows[p.name])} | None = ...")
    return f"def {name}(*, {', '.join(out)}) -> Result:\n    \"\"\"{analysis['summary']}\"\"\"\n"


def members(cls):
    out = [f"class {cls.__name__}({'Mapping[str, Any]' if cls.__name__ == 'Result' else 'object'}):"]
    for name, member in vars(cls).items():
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        if isinstance(member, property):
            out.append(f"    @property\n    def {name}(self) -> Any: ...")
            if member.fset:
                out.append(f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...")
        elif isinstance(member, classmethod) or callable(member):
            f = getattr(member, "__func__", member)
            words = []
            for p in inspect.signature(f).parameters.values():
                star = {p.VAR_KEYWORD: "**", p.VAR_POSITIONAL: "*"}.get(p.kind, "")
                bare = p.name in ("self", "cls")
                words.append(p.name if bare else f"{star}{p.name}: Any" + ("" if p.default is p.empty else " = ..."))
            mark = "    @classmethod\n" if isinstance(member, classmethod) else ""
            back = "None" if name == "__init__" else "Any"
            out.append(f"{mark}    def {name}({', '.join(words)}) -> {back}: ...")
    if cls.__name__ == "Result":
        out.append("    def __getattr__(self, name: str) -> Any: ...\n    def __getitem__(self, key: str) -> Any: ...\n"
                   "    def __iter__(self) -> Iterator[str]: ...\n    def __len__(self) -> int: ...")
    return "\n".join(out) + "\n"


def main(folder):
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    import bristle
    from bristle._catalogue import ANALYSES
    from bristle._functions import functions, python_name

    text = ["# Made from the catalogue by stubs.py.",
            "from typing import Any, Callable, Iterator, Mapping, Sequence\n",
            "_Number = float | int | str\n_List = Sequence[_Number] | _Number | str\n_Text = str | dict[str, Any] | Sequence[Any]",
            "_Samples = tuple[Any, Any] | Sequence[float] | Callable[[Any], Any]",
            "_Signal = str | _Samples\n_Input = str | _Samples | Sampled | Mapping[str, Any]\n",
            "__version__: str\n\nclass Error(Exception):\n    status: int\n\nclass InputError(Error, ValueError): ...\n"]
    text += [members(c) for c in (bristle.Sampled, bristle.Model, bristle.Result)]
    text += [f"def {f.__name__}() -> dict[str, Any]:\n    \"\"\"{f.__doc__}\"\"\"\n"
             for f in (bristle.analyses, bristle.models, bristle.systems, bristle.presets, bristle.signals)]
    text += [function(name, f, ANALYSES[a], python_name) for (name, f), a in zip(functions.items(), ANALYSES)]
    path = os.path.join(folder, "bristle", "__init__.pyi")
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    os.replace(path + ".tmp", path)


main(sys.argv[1])
