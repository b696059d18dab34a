# SPDX-License-Identifier: Apache-2.0
"""notebooks.py FILE...: run the code cells of notebooks, one after the other, and show what the last line of each gives as
a notebook would.  Needs no jupyter: a notebook is a JSON document (nbformat 4)."""
import ast
import json
import sys
import time


def run(path):
    with open(path, encoding="utf-8") as file:
        book = json.load(file)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5), path
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids), path
    space, cells, shown = {"__name__": "__main__"}, 0, 0
    for cell in book["cells"]:
        assert cell["cell_type"] in ("code", "markdown") and isinstance(cell["source"], list), (path, cell["id"])
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None, f"{path}: {cell['id']} was stored with its output"
        tree = ast.parse("".join(cell["source"]), f"{path}:{cell['id']}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path}:{cell['id']}", "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{path}:{cell['id']}", "eval"), space)
            text = value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)
            assert text
            shown += 1
        cells += 1
    assert cells >= 4 and shown >= 1, path
    return cells


for path in sys.argv[1:]:
    start = time.process_time()
    print(f"{path}: {run(path)} cells, {time.process_time() - start:.1f} s")
