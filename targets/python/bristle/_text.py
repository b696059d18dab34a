# SPDX-License-Identifier: Apache-2.0
"""Python values as the texts that every front end gives to a job."""
import numbers


def plain(value):
    """Arrays as lists, NumPy's numbers as Python's."""
    return value.tolist() if hasattr(value, "tolist") else value


def number(x):
    # The shortest text that reads back exactly; a bool is no number here.
    if isinstance(x, bool) or not isinstance(x, numbers.Real):
        raise TypeError(f"expected a number, not {x!r}")
    return repr(int(x)) if isinstance(x, numbers.Integral) else repr(float(x))


def text(value, separator=","):
    """A number, a text, a list of them, or a dictionary as NAME=VALUE,..."""
    value = plain(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ",".join(f"{k}={text(v, separator)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return separator.join(text(v) for v in value)
    return number(value)


def option(row, value):
    """The text of an option, by the kind that its row has."""
    # 'A:B' and 'NAME=A:B' take a pair.
    ranged = row["kind"] == "range" or ":" in (row.get("arg") or "")
    return text(value, ":" if ranged else ",")
