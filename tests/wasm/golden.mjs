// SPDX-License-Identifier: Apache-2.0
// golden.mjs - commands of tests/bits/answers.txt as jobs of the lab, and the hashes of their answers.  In node and in
// browsers: hash(bytes) comes from the caller.

// The words of a command line, as a shell would split it.
export function words(line) {
  const out = [];
  let word = null, quote = "";
  for (const c of line) {
    if (quote) {
      if (c === quote) quote = "";
      else word += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word ??= "";
    } else if (c === " ") {
      if (word !== null) out.push(word);
      word = null;
    } else {
      word = (word ?? "") + c;
    }
  }
  if (word !== null) out.push(word);
  return out;
}

// A command as a job; the catalogue says which options are flags.  Its files and --json go.
export function jobOf(line, catalogue) {
  const list = words(line).slice(1), job = { $analysis: list.shift() };
  const rows = catalogue.analyses.find((a) => a.name === job.$analysis).options;
  for (let i = 0; i < list.length; i++) {
    const [, name, joined] = /^--([^=]+)(?:=(.*))?$/s.exec(list[i]) || [];
    if (!name) throw new Error("no option: " + list[i]);
    if (name === "json" || name === "quiet") continue;
    const row = rows.find((o) => o.name === name || o.alias === name);
    const picture = row?.kind === "flag" && list[i + 1] && !list[i + 1].startsWith("--"); // as a command: a file
    const value = row?.kind === "flag" ? (picture && i++, true) : joined ?? list[++i];
    if (["csv", "plot", "hdf5", "diagram"].includes(name)) continue;
    if (name in job) job[name] = [].concat(job[name], value);
    else job[name] = value;
  }
  return job;
}

// The words of a command with --json and without files of its own.
export function bare(line) {
  const list = words(line).slice(1), out = [];
  for (let i = 0; i < list.length; i++) {
    if (["--csv", "--plot", "--hdf5", "--diagram"].includes(list[i])) i++;
    else if (list[i] !== "--json" && list[i] !== "--quiet") out.push(list[i]);
  }
  return [...out, "--json"];
}

// JSON whose numbers stay texts, so that no digit is lost.
function parse(text) {
  return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (t) => (t[0] === '"' ? t : `"${t}"`)));
}

function withoutTimes(x) {
  if (Array.isArray(x)) return x.map(withoutTimes);
  if (x === null || typeof x !== "object") return x;
  const keep = Object.entries(x).filter(([k]) => k.split("_").pop() !== "seconds" && !("engine" in x && (k === "rate" || k === "threads")));
  return Object.fromEntries(keep.map(([k, v]) => [k, withoutTimes(v)]));
}

// As Python's json.dumps writes it.
function dumps(x) {
  if (Array.isArray(x)) return "[" + x.map(dumps).join(", ") + "]";
  if (x !== null && typeof x === "object") return "{" + Object.entries(x).map(([k, v]) => dumps(k) + ": " + dumps(v)).join(", ") + "}";
  return JSON.stringify(x).replace(/[\u007f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// [hash of the answer, hash of the table], or [message].
export async function answer(engine, job, table, hash) {
  const text = engine.say({ ...job, $json: true });
  if (!text.startsWith('{"status":0')) return [text];
  const tree = parse(text.slice(text.indexOf('"answer":') + 9, text.lastIndexOf(',"notes":[')));
  const said = await hash(new TextEncoder().encode(dumps(withoutTimes(tree))));
  if (!table) return [said, "-"];
  engine.files.remove("table.csv");
  engine.say({ ...job, $csv: "table.csv" });
  const bytes = engine.files.read("table.csv");
  return [said, bytes ? await hash(bytes) : "-"];
}

// Rows of answers.txt that are run: {said, table, line}.
export function golden(text) {
  return text.split("\n").filter((l) => l && l[0] !== "#").map((l) => {
    const [said, table, ...rest] = l.split(" ");
    return { said, table, line: rest.join(" ") };
  }).filter((r) => r.said !== "slow" && r.said !== "fails");
}
