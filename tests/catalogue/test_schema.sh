# SPDX-License-Identifier: Apache-2.0
# The schema of study files says of every option and parameter what the catalogue says: kind, bounds, choices, default.
set -uo pipefail
: "${BRISTLE:?set BRISTLE to the program}"
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
"$BRISTLE" schema >schema.json || exit 1
"$BRISTLE" analyses --json >catalogue.json || exit 1
python3 - <<'P'
import json
schema, catalogue = json.load(open("schema.json")), json.load(open("catalogue.json"))
compared = 0


def same(where, found, **wanted):
    global compared
    compared += 1
    for key, value in wanted.items():
        assert found.get(key) == value, f"{where}: {key} is {found.get(key)}, not {value}"


def bounds(row, number=True):
    """Keys of the schema for the ends of a range that the catalogue has."""
    want = dict.fromkeys(("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"))
    for end, long in (("min", "Minimum"), ("max", "Maximum")):
        open_end = row.get(end + "_exclusive")
        if number:
            want["exclusive" + long if open_end else long.lower()] = row[end]
    return want


KINDS = {"number": ["number", "string"], "count": ["number", "string"], "list": ["array", "number", "string"]}
for part in (schema["properties"], schema["$defs"]["run"]["properties"]):
    for analysis in catalogue["analyses"]:
        told = part[analysis["name"]]
        assert told["additionalProperties"] is False and told["type"] == ["object", "null"], analysis["name"]
        names = set()
        for row in analysis["options"]:
            for name in filter(None, (row["name"], row["alias"])):
                names.add(name)
                enum = row["choices"] or (["no", "yes"] if row["kind"] == "flag" else None)
                kind = None if enum else KINDS.get(row["kind"], "string")
                same(f"{analysis['name']} {name}", told["properties"][name], enum=enum, type=kind, default=row["default"],
                     description=row["doc"], **bounds(row, row["kind"] in ("number", "count")))
        assert set(told["properties"]) == names, (analysis["name"], set(told["properties"]) ^ names)
for rules in (schema["allOf"], schema["$defs"]["run"]["allOf"]):
    found = {rule["if"]["properties"]["model"]["const"]: rule["then"]["properties"]["set"]["properties"] for rule in rules}
    for model in catalogue["models"]:
        parameters = found[model["name"]]
        assert list(parameters) == [p["name"] for p in model["parameters"]], model["name"]
        for p in model["parameters"]:
            told = parameters[p["name"]]
            plain = "choices" not in p and "formula_of" not in p
            same(f"{model['name']} {p['name']}", told, enum=p.get("choices"), maxItems=p.get("max_length") if plain else None,
                 **bounds(p, plain))
# what may stand under a key of the format: texts, numbers, lists, maps, or either
TYPES = {"text": ["string", "number"], "number": ["number", "string"], "map": ["object", "null"],
         "list": ["array"], "either": ["string", "object"]}
KEYS = {"text": "title about extends system", "map": "set source runs plots mechanism summary output",
        "list": "check", "either": "input init"}
RUN = {"text": "label system", "map": "set mechanism", "either": "input init"}
PLOT = {"text": "title run table file x y value fit xlabel ylabel xunit yunit xrange yrange",
        "list": "lines also panels"}
LINE = {"text": "run table file x y minus label", "number": "colour most xfactor yfactor xoffset"}
CHECK = {"text": "run quantity from value unit figure source", "number": "tolerance relative"}
parts = schema["$defs"]
for where, keys in ((schema, KEYS), (parts["run"], RUN), (parts["plot"], PLOT), (parts["line"], LINE),
                    (parts["check"], CHECK)):
    assert where["additionalProperties"] is False and where["type"] == "object"
    for kind, names in keys.items():
        for name in names.split(): same(f"key {name}", where["properties"][name], type=TYPES[kind])
for name in ("scale", "under", "kind"): same(f"key {name}", parts["plot"]["properties"][name], type=None)
assert parts["plot"]["properties"]["under"]["enum"] == ["no", "yes"]
assert compared > 650, compared
print(f"{compared} options and parameters: the schema says what the catalogue says")
P
