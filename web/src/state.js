// SPDX-License-Identifier: Apache-2.0
// state.js - what a page shows, as the part of its address behind '#': view?name=value&...
// Names are those of a job; a name that starts with '_' belongs to the view.

export function parse(hash) {
  const text = hash.replace(/^#/, "");
  const cut = text.indexOf("?");
  const view = decodeURIComponent(cut < 0 ? text : text.slice(0, cut));
  const pairs = {};
  for (const [k, v] of new URLSearchParams(cut < 0 ? "" : text.slice(cut + 1)))
    pairs[k] = k in pairs ? [].concat(pairs[k], v) : v;
  return { view: view || "start", pairs };
}

export const LINKED = 4000; // characters of a text that an address may carry

export function print(view, pairs) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(pairs))
    for (const one of [].concat(v)) if (one !== null && one !== undefined && one !== "" && one.length <= LINKED) q.append(k, one);
  const text = q.toString().replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%3D/g, "=").replace(/%2F/g, "/");
  return `#${view}${text ? "?" + text : ""}`;
}

const ASKED = new Set(["preset", "model", "system", "set", "input", "init"]);

// A command line as pairs: `bristle loop --preset doc0 --set a=1` -> {analysis, pairs}.  rows: options of the analysis.
export function fromCommand(line, catalogue) {
  const list = line.match(/'[^']*'|\S+/g).map((w) => w.replace(/^'|'$/g, "")).slice(1);
  const analysis = catalogue.analyses.find((a) => a.name === list[0]);
  const pairs = {};
  for (let i = 1; i < list.length; i++) {
    const name = list[i].slice(2);
    const row = analysis.options.find((o) => o.name === name);
    if (!row && !ASKED.has(name)) { // where its answer goes is not part of a question
      if (list[i + 1] && !list[i + 1].startsWith("--")) i++;
      continue;
    }
    const value = row && row.kind === "flag" ? "yes" : list[++i];
    if (name === "set") for (const [k, v] of splitSet(value)) pairs["set." + k] = v;
    else if (name === "input" && pairs.input) pairs.input = [].concat(pairs.input, value);
    else pairs[name] = value;
  }
  return { analysis: analysis.name, pairs };
}

// "a=1,b=2,3" -> [[a, "1"], [b, "2,3"]]
export function splitSet(text) {
  const out = [];
  for (const token of (text || "").split(",")) {
    const at = token.indexOf("=");
    if (at > 0) out.push([token.slice(0, at).trim(), token.slice(at + 1)]);
    else if (out.length) out[out.length - 1][1] += "," + token;
  }
  return out;
}

export function jobOf(analysis, pairs) {
  const job = { $analysis: analysis };
  for (const [k, v] of Object.entries(pairs)) if (!k.startsWith("_") && v !== "" && v !== null) job[k] = v;
  return job;
}
