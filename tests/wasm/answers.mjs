// SPDX-License-Identifier: Apache-2.0
// answers.mjs MODULE ANSWERS PROGRAM: every golden answer, computed by the WebAssembly module under node, has the bits of the file;
// of one that has not, how far its numbers are from the program's.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Engine } from "../../web/src/engine.js";
import { answer, bare, golden, jobOf } from "./golden.mjs";

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const [, , path, file, program] = process.argv;
const module = await WebAssembly.compile(await readFile(path));
const engine = await Engine.start(module);
const catalogue = engine.catalogue();

// Largest difference of two answers against the size of their numbers; what counts work or estimates rounding is left out.
const ASIDE = /^(seconds|rate|threads|steps|rejected|rhs|jacobians|rounded|error|distance|residual|evaluations|iterations|multipliers?|contraction|condition|work_in_error)$/;
function difference(a, b, at = "", interval = 0) {
  if (typeof a === "number" && typeof b === "number") {
    const d = Math.abs(a - b), size = Math.max(Math.abs(a), Math.abs(b));
    return { d: d <= 1e-9 || d <= 1e-4 * interval ? 0 : d / size, at };
  }
  if (typeof a === "string" && typeof b === "string") { // texts may carry numbers: "sigma0=4e5,Fc=12"
    const numbers = (t) => (t.match(/[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi) || []).map(Number), bare = (t) => t.replace(/[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi, "#");
    return bare(a) === bare(b) ? difference(numbers(a), numbers(b), at) : { d: Infinity, at };
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return { d: a === b ? 0 : Infinity, at };
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return { d: Infinity, at: at + " length" };
  const width = typeof a.low === "number" && typeof a.high === "number" ? a.high - a.low : 0; // a search for a fitted value ends far within it
  let worst = { d: 0, at };
  for (const k of keys) {
    if (ASIDE.test(k) || k.split("_").pop() === "seconds") continue;
    const one = difference(a[k], b[k], `${at}.${k}`, width);
    if (one.d > worst.d) worst = one;
  }
  return worst;
}

let bad = 0, n = 0, same = 0;
for (const row of golden(await readFile(file, "utf8"))) {
  const words = row.line.split(" ");
  if (!catalogue.analyses.some((a) => a.name === words[1])) continue; // ensembles
  const job = jobOf(row.line, catalogue);
  const got = await answer(engine, job, row.table !== "-", hash);
  n++;
  if (got[0] === row.said && got[1] === row.table) {
    same++;
    continue;
  }
  const native = spawnSync(program, bare(row.line), { encoding: "utf8", maxBuffer: 1 << 28 });
  const here = JSON.parse(engine.say({ ...job, $json: true }));
  const d = here.status ? { d: Infinity, at: here.message } : difference(JSON.parse(native.stdout), here.answer);
  bad++;
  console.log(`${row.line}\n  differs by ${d.d} at ${d.at}`);
}
console.log(`${n} answers in WebAssembly: ${same} with the bits of answers.txt, ${bad} without`);
process.exitCode = bad > 0 || same === 0 ? 1 : 0;
