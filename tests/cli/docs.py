# SPDX-License-Identifier: Apache-2.0
"""docs.py BRISTLE SOURCE [PART...]: run every command line of README.md, docs/**/*.md and of the examples of 'bristle help'.

What counts as a command line, and what is done with it:
- a block indented by four spaces, or fenced as console, sh or bash, that has a line starting with 'bristle' ('$ bristle'):
  its lines are run by bash, top to bottom, in one fresh folder and one shell a page (variables and files stay).  The folder
  has studies/, examples/ and mechanisms/ of the repository.  '\\' and quotes go on over lines, <<WORD too.
- behind a line that starts with '$ ' stands its output: compared line by line, numbers to the digits shown.  '...' alone on a
  line stands for any lines, inside a line for any text.  Without output shown the command has to end with 0; a command whose
  shown output is an error ('bristle trace: ...') has to fail.
- '# not run: REASON' at its end keeps a line from being run; REASON is required.
- a line with a placeholder (NAME, FILE, ..., or [--option]) is a pattern: command and options have to exist.
- 'make TARGET' and 'cmake --preset NAME' are not run either: target and preset have to exist.
- commands inside of a sentence, `bristle loop --model dahl`, are read as patterns.
PART: pages whose name contains it, or commands ('help:loop'); all without."""
import concurrent.futures, json, os, pathlib, re, shutil, signal, subprocess, sys, time

BRISTLE, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PARTS = sys.argv[3:]
HERE = pathlib.Path.cwd()
LIMIT = float(os.environ.get("BR_DOCS_LIMIT", "240"))  # seconds a page may take in all
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
PLACE = re.compile(r"\[--|\[[A-Z]+[\]:]|\[OPTIONS\]|(?<![\w./=:,-])[A-Z][A-Z0-9]{2,}(?:\.\w+)?(?![\w/(=])")
NOTRUN = re.compile(r"#\s*not run:?\s*(.*)$")


def catalogue():
    """Commands of the program with the options they take, from its own help."""
    top = subprocess.run([BRISTLE, "--help"], capture_output=True, text=True).stdout
    commands = {}
    for name in re.findall(r"^  ([a-z]\w*) ", top, re.M):
        text = subprocess.run([BRISTLE, name, "--help"], capture_output=True, text=True).stdout
        commands[name] = (set(re.findall(r"^  (--[\w-]+)", text, re.M)), text)
    rows = json.loads(subprocess.run([BRISTLE, "analyses", "--json"], capture_output=True, text=True).stdout)
    for a in rows["analyses"]:
        for o in a["options"]:
            if o.get("alias") and a["name"] in commands: commands[a["name"]][0].add("--" + o["alias"])
    return commands


COMMANDS = catalogue()
TARGETS = set(re.findall(r"^([a-z][\w-]*):", (SOURCE / "Makefile").read_text(), re.M))
PRESETS = {p["name"] for p in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}


class Line:
    def __init__(self, number, text):
        self.number, self.text, self.shown = number, text, None


def pattern_faults(text):
    """A usage line or a command in a sentence: are the names right?"""
    words = text.split()
    if len(words) < 2 or not re.fullmatch(r"[a-z]\w*", words[1]): return []
    if words[1] not in COMMANDS: return [f"there is no command '{words[1]}'"]
    options = COMMANDS[words[1]][0] | {"--help"}
    return [f"{words[1]} has no option {o}" for o in re.findall(r"(?<![\w-])--[a-z][\w-]*", text) if o not in options]


def build_faults(text):
    words = text.split("#")[0].split()
    if words[0] == "make": return [f"Makefile has no target '{w}'" for w in words[1:] if "=" not in w and w not in TARGETS]
    return [f"there is no preset '{n}'" for n in re.findall(r"--(?:build )?preset (\w+)", text) if n not in PRESETS]


def complete(text):
    here = re.search(r"<<-?\s*['\"]?(\w+)", text)
    if here: return re.search(rf"^{here[1]}$", text, re.M) is not None
    if text.endswith("\\"): return False
    quote = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    return "unexpected EOF" not in quote.stderr and "unexpected end of file" not in quote.stderr


def commands_of(block):
    """Lines (number, text) of a block to commands with the output shown behind them."""
    prompts = any(t.startswith("$ ") for _, t in block)
    found, current = [], None
    for number, text in block:
        if current is not None:
            current.text += "\n" + (text[2:] if prompts and text.startswith("> ") else text)
        elif prompts and not text.startswith("$ "):
            if found: found[-1].shown = (found[-1].shown or []) + [text]
            continue
        elif not text.strip() or text.lstrip().startswith("#"): continue
        elif re.match(r"\s+\[", text) and found: # a pattern goes on
            found[-1].text += " " + text.strip()
            continue
        else: current = Line(number, text[2:] if prompts else text)
        if complete(current.text):
            found.append(current)
            current = None
    if current is not None: found.append(current)
    return found


def blocks_of(path):
    """Blocks of commands of a page, and the commands inside of its sentences."""
    blocks, inline, block, fence = [], [], [], None
    for number, raw in enumerate(path.read_text().splitlines() + [""], 1):
        mark = re.match(r"```(\w*)", raw)
        if mark:
            if fence is None: fence = mark[1]
            else:
                if fence in ("console", "sh", "bash"): blocks.append(block)
                fence, block = None, []
            if block and fence is not None:
                blocks.append(block)
                block = []
        elif fence is not None: block.append((number, raw))
        elif raw.startswith("    "): block.append((number, raw[4:]))
        elif block and not raw.strip(): block.append((number, ""))
        else:
            if block: blocks.append(block)
            block = []
            inline += [(number, c) for c in re.findall(r"`(bristle [a-z][^`]*)`", raw)]
    if block: blocks.append(block)
    start = re.compile(r"(?:\$ )?(?:[\w]+=\S+ )*bristle(?: |$)")
    return [b for b in blocks if any(start.match(t) for _, t in b)], inline


def same_number(shown, got):
    if shown == got: return True
    digits = re.sub(r"[eE].*", "", shown)
    places = len(digits.split(".")[1]) if "." in digits else 0
    power = int(re.search(r"[eE](.*)", shown)[1]) if re.search(r"[eE]", shown) else 0
    return abs(float(shown) - float(got)) <= 0.5000001 * 10.0 ** (power - places)


def same_line(shown, got):
    shown, got = " ".join(shown.split()), " ".join(got.split())
    if shown == got: return True
    if "..." in shown:
        return re.fullmatch(".*".join(re.escape(p) for p in shown.split("...")), got) is not None
    if NUMBER.sub("#", shown) != NUMBER.sub("#", got): return False
    return all(same_number(a, b) for a, b in zip(NUMBER.findall(shown), NUMBER.findall(got)))


def difference(shown, got):
    """First place where the output differs from what is shown: (shown, got), or None."""
    shown, got = [s.rstrip() for s in shown], [g.rstrip() for g in got]
    while shown and not shown[-1]: shown.pop()
    while got and not got[-1]: got.pop()
    k = 0
    for i, s in enumerate(shown):
        if s.strip() == "...":
            if i + 1 == len(shown): return None
            while k < len(got) and not same_line(shown[i + 1], got[k]): k += 1
            continue
        if k >= len(got) or not same_line(s, got[k]): return s, got[k] if k < len(got) else "(nothing more)"
        k += 1
    return ("(nothing more)", got[k]) if k < len(got) else None


def run(name, lines):
    """Run lines in a fresh folder; [(line, exit code, output, seconds)]."""
    folder = HERE / ("page_" + re.sub(r"\W", "_", name))
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "log").mkdir(parents=True)
    (folder / "in").mkdir()
    (folder / "bin").mkdir()
    (folder / "bin" / "bristle").symlink_to(BRISTLE)
    for part in ("studies", "examples", "mechanisms"): (folder / "in" / part).symlink_to(SOURCE / part)
    script = []
    for i, line in enumerate(lines):
        script.append(f"t=$EPOCHREALTIME; {{ {line.text}\n}} >../log/{i}.out 2>&1 </dev/null; "
                      f"echo $? $t $EPOCHREALTIME >../log/{i}.rc")
    (folder / "script.sh").write_text("\n".join(script) + "\n")
    env = dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], LC_ALL="C.UTF-8", COLUMNS="80")
    for name in ("BRISTLE", "NO_COLOR"): env.pop(name, None)
    shell = subprocess.Popen(["bash", "../script.sh"], cwd=folder / "in", env=env, start_new_session=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try: shell.wait(LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()
    results = []
    for i, line in enumerate(lines):
        out, rc = folder / "log" / f"{i}.out", folder / "log" / f"{i}.rc"
        text = out.read_text(errors="replace") if out.exists() else ""
        words = rc.read_text().split() if rc.exists() else ["none", "0", "0"]
        results.append((line, words[0], text, float(words[2]) - float(words[1])))
    return results


def judge(where, line, code, text):
    first = line.text.splitlines()[0]
    head = f"{where}:{line.number}: {first}"
    if code == "none": return [f"{head}\n    did not end within {LIMIT:g} s (or bash stopped before it)"]
    error = bool(line.shown) and re.match(r"(?:bristle(?: \w+)?|\S+:\d+:\d+): (?!note|warning)", line.shown[0]) is not None
    if line.shown is not None and any(s.strip() for s in line.shown):
        d = difference(line.shown, text.splitlines())
        if d: return [f"{head}\n    expected: {d[0]}\n    got:      {d[1]}"]
    if error != (code != "0") and not (error and code == "0" and line.shown):
        return [f"{head}\n    exit code {code}: {text.strip()[-600:]}"]
    return []


def page(path):
    where = str(path.relative_to(SOURCE))
    faults, todo, counted = [], [], 0
    blocks, inline = blocks_of(path)
    for number, text in inline:
        faults += [f"{where}:{number}: `{text}`\n    {f}" for f in pattern_faults(text)]
    for block in blocks:
        for line in commands_of(block):
            counted += 1
            text, skip = line.text.strip(), NOTRUN.search(line.text)
            if skip:
                if len(skip[1]) < 4: faults.append(f"{where}:{line.number}: {text}\n    '# not run: REASON' without a reason")
            elif re.match(r"(make|cmake)\b", text): faults += [f"{where}:{line.number}: {text}\n    {f}" for f in build_faults(text)]
            elif text.startswith("bristle") and line.shown is None and PLACE.search(text.split(" #")[0]):
                faults += [f"{where}:{line.number}: {text}\n    {f}" for f in pattern_faults(text)]
            else: todo.append(line)
    times = []
    for line, code, text, took in run(where, todo) if todo else []:
        faults += judge(where, line, code, text)
        times.append((took, f"{where}:{line.number}", line.text.splitlines()[0][:80]))
    return where, counted, len(todo), len(inline), faults, times


def examples(name):
    text = COMMANDS[name][1]
    lines = [Line(i, l.strip()) for i, l in enumerate(text[text.find("\nexamples:"):].splitlines()) if l.startswith("  bristle ")]
    if name == "lab": return f"help {name}", len(lines), 0, 0, [], []  # serves until it is stopped: tests/lab
    faults, times = [], []
    if not lines and name != "merge": faults.append(f"bristle help {name}: no example")
    for line, code, out, took in run("help_" + name, lines):
        faults += judge(f"bristle help {name}, example", line, code, out)
        times.append((took, f"help {name}", line.text[:80]))
    return f"help:{name}", len(lines), len(lines), 0, faults, times


def self_test():
    """The comparison itself can fail."""
    same = [(["x 1.50 s"], ["x  1.502 s"]), (["a", "...", "c"], ["a", "b", "b", "c"]), (["in ... s"], ["in 3 s"]),
            (["1e-3"], ["0.0012"]), (["a", "..."], ["a"]), (["-2.5e-05 N"], ["-2.54e-05 N"])]
    other = [(["1.50"], ["1.506"]), (["a"], ["a", "b"]), (["a", "b"], ["a"]), (["a", "...", "c"], ["a", "b"]), (["1 N"], ["1 m"]),
             (["1"], ["-1"]), (["2e-3"], ["2e-4"])]
    assert all(difference(a, b) is None for a, b in same) and all(difference(a, b) for a, b in other)


def main():
    self_test()
    pages = [SOURCE / "README.md"] + sorted((SOURCE / "docs").rglob("*.md"))
    work = [(page, p, str(p.relative_to(SOURCE))) for p in pages] + [(examples, n, "help:" + n) for n in COMMANDS]
    work = [w for w in work if not PARTS or any(part in w[2] for part in PARTS)]
    began = time.time()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("BR_DOCS_JOBS", "2"))) as pool:
        results = list(pool.map(lambda w: w[0](w[1]), work))
    faults = [f for r in results for f in r[4]]
    slow = sorted((t for r in results for t in r[5]), reverse=True)[:5]
    for f in faults: print("FAILED: " + f)
    for took, where, text in slow: print(f"slowest: {took:5.1f} s  {where}  {text}")
    commands, ran, inline = (sum(r[i] for r in results) for i in (1, 2, 3))
    print(f"{len(results)} pages and helps: {commands} command lines, {ran} run, {inline} in sentences; "
          f"{len(faults)} faults, {time.time() - began:.1f} s")
    return 1 if faults or not commands else 0


sys.exit(main())
