# SPDX-License-Identifier: Apache-2.0
"""What the standards FMI 2.0.4 and 3.0.1 demand of an FMU's files, checked without a line of Bristle:
the schemas (elements, their order, attributes, types), names and references, combinations of causality, variability and
initial, start values, units against their SI exponents, the model structure, folders, sources, and what the binary shows.

    python3 validate.py FILE.fmu...        prints what is wrong; exit code 1 if anything is
"""
import ctypes
import math
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile

BOOL, UINT, INT, REAL, TEXT, LIST = "true|false|0|1", r"\d+", r"-?\d+", None, ".*", r"\d+( \d+)*|"
CAUSALITY = "parameter|calculatedParameter|input|output|local|independent"
VARIABILITY = "constant|fixed|tunable|discrete|continuous"
INITIAL = "exact|approx|calculated"


def rows(text, kind):
    return {name: kind for name in text.split()}


ROOT = {"modelName!": TEXT, "generationTool": TEXT, "description": TEXT, "author": TEXT, "version": TEXT, "copyright": TEXT,
        "license": TEXT, "generationDateAndTime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
        "variableNamingConvention": "flat|structured"}
FLOAT = {**rows("min max nominal", REAL), "start": REAL, **rows("declaredType quantity unit displayUnit", TEXT),
         **rows("relativeQuantity unbounded reinit", BOOL), "derivative": UINT}
BASE = {**rows("kg m s A K mol cd rad", INT), **rows("factor offset", REAL)}
KIND2 = {"modelIdentifier!": r"[A-Za-z_]\w*", **rows(
    "needsExecutionTool canBeInstantiatedOnlyOncePerProcess canNotUseMemoryManagementFunctions canGetAndSetFMUstate "
    "canSerializeFMUstate providesDirectionalDerivative", BOOL)}
KIND3 = {"modelIdentifier!": r"[A-Za-z_]\w*", **rows(
    "needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState canSerializeFMUState "
    "providesDirectionalDerivatives providesAdjointDerivatives providesPerElementDependencies", BOOL)}
EXPERIMENT = rows("startTime stopTime tolerance stepSize", REAL)
UNKNOWN = {"dependencies": LIST, "dependenciesKind": TEXT}
COMMON = {  # element: attributes ("!" is required), children in their order ("*" any number, "?" none or one, "+" one or more)
    "UnitDefinitions": ({}, "Unit+"), "Unit": ({"name!": ".+"}, "BaseUnit? DisplayUnit*"), "BaseUnit": (BASE, ""),
    "LogCategories": ({}, "Category+"), "Category": ({"name!": ".+", "description": TEXT}, ""),
    "DefaultExperiment": (EXPERIMENT, ""),
}
SCHEMA = {
    2: {**COMMON,
        "fmiModelDescription": ({**ROOT, "fmiVersion!": r"2\.0", "guid!": ".+", "numberOfEventIndicators": UINT},
                                "ModelExchange? CoSimulation? UnitDefinitions? TypeDefinitions? LogCategories? "
                                "DefaultExperiment? VendorAnnotations? ModelVariables ModelStructure"),
        "ModelExchange": ({**KIND2, "completedIntegratorStepNotNeeded": BOOL}, "SourceFiles?"),
        "CoSimulation": ({**KIND2, "maxOutputDerivativeOrder": UINT, **rows(
            "canHandleVariableCommunicationStepSize canInterpolateInputs canRunAsynchronuously", BOOL)}, "SourceFiles?"),
        "SourceFiles": ({}, "File+"), "File": ({"name!": ".+"}, ""),
        "ModelVariables": ({}, "ScalarVariable+"),
        "ScalarVariable": ({"name!": ".+", "valueReference!": UINT, "description": TEXT, "causality": CAUSALITY,
                            "variability": VARIABILITY, "initial": INITIAL,
                            "canHandleMultipleSetPerTimeInstant": BOOL}, "Real"),
        "Real": (FLOAT, ""),
        "ModelStructure": ({}, "Outputs? Derivatives? InitialUnknowns?"), "Outputs": ({}, "Unknown+"),
        "Derivatives": ({}, "Unknown+"), "InitialUnknowns": ({}, "Unknown+"), "Unknown": ({"index!": UINT, **UNKNOWN}, "")},
    3: {**COMMON,
        "fmiModelDescription": ({**ROOT, "fmiVersion!": r"3\.\d+(\.\d+)?(-.+)?", "instantiationToken!": ".+"},
                                "ModelExchange? CoSimulation? ScheduledExecution? UnitDefinitions? TypeDefinitions? "
                                "LogCategories? DefaultExperiment? ModelVariables ModelStructure Annotations?"),
        "ModelExchange": ({**KIND3, **rows("needsCompletedIntegratorStep providesEvaluateDiscreteStates", BOOL)}, ""),
        "CoSimulation": ({**KIND3, "maxOutputDerivativeOrder": UINT, **rows("fixedInternalStepSize recommendedIntermediateInputSmoothness", REAL),
                          **rows("canHandleVariableCommunicationStepSize providesIntermediateUpdate hasEventMode "
                                 "mightReturnEarlyFromDoStep canReturnEarlyAfterIntermediateUpdate "
                                 "providesEvaluateDiscreteStates", BOOL)}, ""),
        "ModelVariables": ({}, "Float64+"),
        "Float64": ({**FLOAT, "name!": ".+", "valueReference!": UINT, "description": TEXT, "causality": CAUSALITY + "|structuralParameter",
                     "variability": VARIABILITY, "initial": INITIAL, "previous": UINT, "clocks": LIST,
                     **rows("canHandleMultipleSetPerTimeInstant intermediateUpdate", BOOL)}, "Dimension* Alias*"),
        "ModelStructure": ({}, "Output* ContinuousStateDerivative* ClockedState* InitialUnknown* EventIndicator*"),
        **{e: ({"valueReference!": UINT, **UNKNOWN}, "")
           for e in ("Output", "ContinuousStateDerivative", "InitialUnknown", "EventIndicator")}},
    "build": {"fmiBuildDescription": ({"fmiVersion!": r"3\.\d+(\.\d+)?(-.+)?"}, "BuildConfiguration+"),
              "BuildConfiguration": ({"modelIdentifier!": r"[A-Za-z_]\w*", **rows("platform description", TEXT)},
                                     "SourceFileSet* Library* Annotations?"),
              "SourceFileSet": (rows("name language compiler compilerOptions", TEXT),
                                "SourceFile+ PreprocessorDefinition* IncludeDirectory*"),
              "SourceFile": ({"name!": ".+"}, "")},
}


def is_number(text):
    try:
        return math.isfinite(float(text)) and re.fullmatch(r"[-+0-9.eE]+", text) is not None
    except ValueError:
        return False


def check_schema(element, table, wrong):
    if element.tag not in table:
        wrong(f"<{element.tag}> is unknown")
        return
    attributes, children = table[element.tag]
    kinds = {name.rstrip("!"): kind for name, kind in attributes.items()}
    for name in attributes:
        if name.endswith("!") and element.get(name[:-1]) is None:
            wrong(f"<{element.tag}> lacks {name[:-1]}")
    for name, value in element.attrib.items():
        if name not in kinds:
            wrong(f"<{element.tag}> has no attribute {name}")
        elif not (is_number(value) if kinds[name] is None else re.fullmatch(kinds[name], value)):
            wrong(f"<{element.tag} {name}=\"{value}\"> has no such value")
        if re.search(r"[\r\n\t]", value):
            wrong(f"<{element.tag} {name}> breaks a line")
    pattern = "".join(f"(?:{w.rstrip('*?+')} ){w[len(w.rstrip('*?+')):]}" for w in children.split())
    if not re.fullmatch(pattern, "".join(f"{c.tag} " for c in element)):
        wrong(f"<{element.tag}> holds {[c.tag for c in element][:9]}: {children or 'nothing'} is what may stand there")
    if (element.text or "").strip() or (element.tail or "").strip():
        wrong(f"<{element.tag}> has text")
    for child in element:
        check_schema(child, table, wrong)


# ---- units ----

SI = {"m": {"m": 1}, "kg": {"kg": 1}, "s": {"s": 1}, "A": {"A": 1}, "K": {"K": 1}, "rad": {"rad": 1}, "1": {},
      "N": {"kg": 1, "m": 1, "s": -2}, "J": {"kg": 1, "m": 2, "s": -2}, "W": {"kg": 1, "m": 2, "s": -3}, "Hz": {"s": -1},
      "V": {"kg": 1, "m": 2, "s": -3, "A": -1}, "Pa": {"kg": 1, "m": -1, "s": -2}}


def exponents(unit):
    """'N s/m' -> {kg: 1, s: -1}; one slash divides by everything behind it up to the next."""
    total, sign = {}, 1
    for part in re.findall(r"/|[A-Za-z1]+(?:\^?-?\d+)?", unit):
        if part == "/":
            sign = -1
            continue
        name, power = re.fullmatch(r"([A-Za-z]+|1)\^?(-?\d+)?", part).groups()
        for base, p in SI[name].items():
            total[base] = total.get(base, 0) + sign * p * int(power or 1)
    return {b: p for b, p in total.items() if p}


def check_units(top, used, wrong):
    defined = {}
    for unit in top.iter("Unit"):
        name, base = unit.get("name"), unit.find("BaseUnit")
        if name in defined:
            wrong(f"unit {name} is defined twice")
        defined[name] = unit
        if name not in used:
            wrong(f"unit {name} is defined and not used")
        if base is None:
            wrong(f"unit {name} has no SI exponents")
            continue
        try:
            want = exponents(name)
        except (KeyError, AttributeError):
            wrong(f"unit {name} is unknown here")
            continue
        got = {k: int(v) for k, v in base.attrib.items() if k not in ("factor", "offset") and int(v)}
        if got != want or float(base.get("factor", 1)) != 1 or float(base.get("offset", 0)) != 0:
            wrong(f"unit {name}: {base.attrib}, but it is {want}")
    for name in used - set(defined):
        wrong(f"unit {name} is used and not defined")


# ---- variables ----

LEGAL = {("parameter", "fixed"): "exact", ("parameter", "tunable"): "exact", ("input", "discrete"): "", ("input", "continuous"): "",
         ("output", "constant"): "exact", ("output", "discrete"): INITIAL, ("output", "continuous"): INITIAL,
         ("local", "constant"): "exact", ("local", "fixed"): "calculated|approx", ("local", "tunable"): "calculated|approx",
         ("local", "discrete"): INITIAL, ("local", "continuous"): INITIAL, ("independent", "continuous"): "",
         ("calculatedParameter", "fixed"): "calculated|approx", ("calculatedParameter", "tunable"): "calculated|approx"}


class Variable:
    def __init__(self, element, version, index):
        real = element.find("Real") if version == 2 else element
        self.name, self.reference, self.index = element.get("name"), int(element.get("valueReference")), index
        self.causality, self.variability = element.get("causality", "local"), element.get("variability", "continuous")
        self.initial, self.unit, self.derivative = element.get("initial"), real.get("unit"), real.get("derivative")
        self.start, self.reinit = real.get("start"), real.get("reinit")
        self.lo, self.hi, self.nominal = (float(real.get(k, d)) for k, d in (("min", "-inf"), ("max", "inf"), ("nominal", "1")))


def check_variables(listed, wrong):
    for what in ("name", "reference"):
        seen = {}
        for v in listed:
            if getattr(v, what) in seen:
                wrong(f"{v.name} has the {what} of {seen[getattr(v, what)]}")
            seen[getattr(v, what)] = v.name
    for v in listed:
        if (v.causality, v.variability) not in LEGAL:
            wrong(f"{v.name} cannot be {v.causality} and {v.variability}")
            continue
        allowed = LEGAL[v.causality, v.variability]
        if v.initial is not None and not (allowed and re.fullmatch(allowed, v.initial)):
            wrong(f"{v.name}: initial {v.initial} does not go with {v.causality}, {v.variability}")
        initial = v.initial or {"parameter": "exact", "input": "exact", "independent": ""}.get(v.causality, "calculated")
        if (v.start is not None) != (initial in ("exact", "approx")):
            wrong(f"{v.name} ({v.causality}, {initial}) {'has a' if v.start else 'needs a'} start value")
        if v.start is not None and not v.lo <= float(v.start) <= v.hi:
            wrong(f"{v.name} starts at {v.start}, outside {v.lo} .. {v.hi}")
        if not v.lo <= v.hi or not v.nominal > 0:
            wrong(f"{v.name}: min {v.lo}, max {v.hi}, nominal {v.nominal}")
        if v.derivative is not None and v.variability != "continuous":
            wrong(f"{v.name} is a derivative and not continuous")
    if [v.causality for v in listed].count("independent") != 1:
        wrong("there is not one independent variable")


def check_structure(top, version, listed, wrong):
    by_reference, structure = {v.reference: v for v in listed}, top.find("ModelStructure")

    def found(two, three):
        out = []
        for e in structure.findall(f"{two}/Unknown") if version == 2 else structure.findall(three):
            k = int(e.get("index" if version == 2 else "valueReference"))
            v = (listed[k - 1] if 1 <= k <= len(listed) else None) if version == 2 else by_reference.get(k)
            if v is None:
                wrong(f"{three} {k} is no variable")
                continue
            if v in out:
                wrong(f"{three} {v.name} stands twice")
            out.append(v)
        return out

    outputs, rates = found("Outputs", "Output"), found("Derivatives", "ContinuousStateDerivative")
    unknowns, events = found("InitialUnknowns", "InitialUnknown"), found("-", "EventIndicator")
    if outputs != [v for v in listed if v.causality == "output"]:
        wrong("the outputs of the structure are not those of the variables")
    if rates != [v for v in listed if v.derivative is not None]:
        wrong("the derivatives of the structure are not those of the variables")
    states = []
    for v in rates:
        k = int(v.derivative)
        state = (listed[k - 1] if 1 <= k <= len(listed) else None) if version == 2 else by_reference.get(k)
        if state is None or state.variability != "continuous" or state in states:
            wrong(f"{v.name} is the derivative of nothing")
            continue
        states.append(state)
        if exponents(v.unit or "1") != exponents((state.unit or "1") + "/s"):
            wrong(f"{v.name} in {v.unit} is not {state.name} in {state.unit} per second")
    for v in listed:
        if v.reinit == "true" and v not in states:
            wrong(f"{v.name} is reinitialized, but no state")
    calculated = [v for v in listed if (v.causality == "output" or v in states or v in rates)
                  and (v.initial or "calculated") != "exact"]
    if unknowns != calculated:
        wrong(f"initial unknowns are {[v.name for v in unknowns]}, not {[v.name for v in calculated]}")
    if any(v.causality != "local" or v.derivative is not None for v in events):
        wrong("an event indicator is something else, too")


# ---- files ----

COMMON_CALLS = "GetVersion SetDebugLogging FreeInstance EnterInitializationMode ExitInitializationMode Terminate Reset " \
    "GetDirectionalDerivative EnterEventMode EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates " \
    "GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates DoStep"
TYPES3 = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock"
CALLS = {
    2: COMMON_CALLS + " GetTypesPlatform Instantiate SetupExperiment GetReal GetInteger GetBoolean GetString SetReal SetInteger "
       "SetBoolean SetString GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate "
       "NewDiscreteStates GetDerivatives SetRealInputDerivatives GetRealOutputDerivatives CancelStep GetStatus GetRealStatus "
       "GetIntegerStatus GetBooleanStatus GetStringStatus",
    3: COMMON_CALLS + " InstantiateModelExchange InstantiateCoSimulation InstantiateScheduledExecution "
       + " ".join(f"Get{t} Set{t}" for t in TYPES3.split()) +
       " GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize "
       "SerializeFMUState DeserializeFMUState GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode "
       "GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction "
       "SetShiftDecimal SetShiftFraction EvaluateDiscreteStates UpdateDiscreteStates GetContinuousStateDerivatives "
       "GetNumberOfEventIndicators GetNumberOfContinuousStates EnterStepMode GetOutputDerivatives ActivateModelPartition",
}


def check_files(archive, top, version, binary, wrong):
    files = archive.namelist()
    if len(files) != len(set(files)) or archive.testzip():
        wrong("the archive holds a file twice or is damaged")
    for name in files:
        if "\\" in name or name.startswith("/") or ".." in name.split("/"):
            wrong(f"the path {name}")
    for name in ("documentation/index.html", "documentation/licenses/license.txt"):
        if name not in files:
            wrong(f"no {name}")
    kinds = [top.find(k) for k in ("ModelExchange", "CoSimulation") if top.find(k) is not None]
    if not kinds:
        wrong("neither model exchange nor co-simulation")
    names = {k.get("modelIdentifier") for k in kinds}
    platforms = {f.split("/")[1] for f in files if f.startswith("binaries/")}
    good = r"(linux|win|darwin)(32|64)" if version == 2 else r"(x86|x86_64|aarch64|riscv64)-(linux|windows|darwin)"
    if not platforms or any(not re.fullmatch(good, p) for p in platforms):
        wrong(f"platforms {platforms}")
    for name in names:
        found = [f for f in files if re.fullmatch(rf"binaries/[^/]+/{name}\.(so|dll|dylib)", f)]
        if len(found) != len(platforms):
            wrong(f"no binary {name}")
        elif binary:
            with tempfile.TemporaryDirectory() as folder:
                library = ctypes.CDLL(archive.extract(found[0], folder))
                for call in CALLS[version].split():
                    if not hasattr(library, f"fmi{version}{call}"):
                        wrong(f"the binary has no fmi{version}{call}")
    if version == 3:
        build = xml.fromstring(archive.read("sources/buildDescription.xml"))
        check_schema(build, SCHEMA["build"], wrong)
        if {c.get("modelIdentifier") for c in build.iter("BuildConfiguration")} != names:
            wrong("sources of another model")
        sources = [f.get("name") for f in build.iter("SourceFile")]
    else:
        sources = sorted({f.get("name") for f in top.iter("File")})
        if "sources/buildDescription.xml" in files:
            wrong("a buildDescription.xml in FMI 2")
    if not sources or any(f"sources/{s}" not in files for s in sources):
        wrong("sources are named that are not there")
    for kind in kinds:
        if kind.get("needsExecutionTool", "false") != "false":
            wrong("a tool is needed")


def validate(path, binary=False):
    """Everything that is wrong, as texts."""
    problems = []
    archive = zipfile.ZipFile(path)
    top = xml.fromstring(archive.read("modelDescription.xml"))
    version = 2 if top.get("fmiVersion", "").startswith("2") else 3
    check_schema(top, SCHEMA[version], problems.append)
    if problems:
        return problems
    listed = [Variable(e, version, i) for i, e in enumerate(top.find("ModelVariables"))]
    check_variables(listed, problems.append)
    check_units(top, {v.unit for v in listed if v.unit}, problems.append)
    check_structure(top, version, listed, problems.append)
    check_files(archive, top, version, binary, problems.append)
    return problems


if __name__ == "__main__":
    bad = 0
    for fmu in sys.argv[1:]:
        for problem in validate(fmu, binary=True):
            print(f"{os.path.basename(fmu)}: {problem}")
            bad = 1
    sys.exit(bad)
