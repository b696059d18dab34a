# SPDX-License-Identifier: Apache-2.0
"""mistakes.py BRISTLE PAGE [--update]: every row of the tables in tests/cli/mistakes.md, typed.

A row is | `what is typed` | exit code | `what is read on stderr` |.  Checked: the exit code; the whole of stderr ('...' stands
for any text); nothing on stdout; every file as it was, and no other.  The first block of the page makes the files.
--update writes what is read now into the rows whose text is empty."""
import hashlib, os, pathlib, re, shutil, subprocess, sys

BRISTLE, PAGE = sys.argv[1], pathlib.Path(sys.argv[2])
UPDATE = "--update" in sys.argv
ROW = re.compile(r"^\| `(bristle.*?)` \| (\d*) \| (?:`(.*)`)? ?\|$")


def state():
    """Name to content of every file here."""
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() if p.is_file() else "folder"
            for p in sorted(pathlib.Path(".").rglob("*"))}


def typed(command):
    """Exit code, stdout and stderr of a line as a shell runs it."""
    r = subprocess.run(["bash", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    return r.returncode, r.stdout, r.stderr.strip()


def main():
    text = PAGE.read_text()
    folder = pathlib.Path("mistakes_files").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "bristle").symlink_to(BRISTLE)
    (folder / "in").mkdir()
    os.chdir(folder / "in")
    os.environ["PATH"] = f"{folder}/bin:" + os.environ["PATH"]
    os.environ["LC_ALL"] = "C.UTF-8"
    subprocess.run(["bash", "-c", re.search(r"```sh\n(.*?)```", text, re.S)[1]], check=True)
    before, faults, rows, lines = state(), [], 0, text.splitlines()
    for i, line in enumerate(lines):
        m = ROW.match(line)
        if not m:
            if line.startswith("| `bristle"): faults.append(f"{PAGE.name}:{i + 1}: not a row: {line}")
            continue
        command, code, wanted = m[1].replace("\\|", "|"), m[2], (m[3] or "").replace("\\|", "|")
        rows += 1
        got, out, err = typed(command)
        said = " ".join(err.split())
        if UPDATE and not wanted:
            lines[i] = f"| `{m[1]}` | {got} | `{said}` |".replace(said, said.replace("|", "\\|")) if said else line
            continue
        pattern = ".*".join(re.escape(" ".join(part.split())) for part in wanted.split("..."))
        head = f"{PAGE.name}:{i + 1}: {command}\n    "
        if str(got) != code: faults.append(head + f"exit code {got}, expected {code}: {said}")
        elif not wanted: faults.append(head + "the page says no text")
        elif not re.fullmatch(pattern, said, re.S): faults.append(head + f"expected: {wanted}\n    got:      {said}")
        if out: faults.append(head + f"printed on stdout although it failed: {out[:200]}")
        if "-0 " in said + " " and " -0 " in said + " " or ".part" in said: faults.append(head + f"-0 or .part in: {said}")
        if re.search(r"(\b\w+): \1: ", said): faults.append(head + f"a word twice: {said}")
        now = state()
        if now != before:
            changed = [n for n in set(now) | set(before) if now.get(n) != before.get(n)]
            faults.append(head + f"files changed: {' '.join(sorted(changed))}")
            before = now
    for f in faults: print("FAILED: " + f)
    print(f"{rows} mistakes, {len(faults)} faults")
    if UPDATE: PAGE.write_text("\n".join(lines) + "\n")
    return 1 if faults or rows < 25 else 0


sys.exit(main())
