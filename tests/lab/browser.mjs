// SPDX-License-Identifier: Apache-2.0
// browser.mjs ADDRESS PROGRAM SHOTS [--update]: the lab in Chromium.  Every view without console errors and accessibility faults, drawn
// into SHOTS; a slider's curve against the numbers of PROGRAM; a dropped record; a link; a bad record; the Content-Security-Policy.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { mechanismTexts } from "./mechanisms.mjs";
import { SIZES, documented, shoot } from "./pictures.mjs";
import { usable } from "./usable.mjs";

const [, , address, program, shots, update] = process.argv;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { chromium } = await import(pathToFileURL(join(root, "web/node_modules/playwright-core/index.mjs")).href);
const axe = readFileSync(join(root, "web/node_modules/axe-core/axe.min.js"), "utf8");
const LIMIT = 120000;
let faults = 0;
const check = (ok, what) => {
  if (ok) return;
  faults++;
  console.log("wrong: " + what);
};

const browser = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), "lab-")), {
  executablePath: "/usr/bin/chromium", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const page = browser.pages()[0] || (await browser.newPage());
page.setDefaultTimeout(LIMIT);
const said = [], asked = [];
page.on("console", (m) => ["error", "warning"].includes(m.type()) && said.push(m.text()));
page.on("pageerror", (e) => said.push(e.message));
page.on("request", (r) => asked.push(r.url()));

const quiet = (what) => {
  check(said.length === 0, `${what}: the console says ${said.join(" | ").slice(0, 300)}`);
  said.length = 0;
};
const answered = (n = 1) => page.waitForFunction((k) => Number(document.querySelector(".stage")?.dataset.answers) >= k, n);
const whole = () => page.waitForFunction(() => document.querySelector(".stage").dataset.ms && window.bristleApp.view.basins && window.bristleApp.view.diagram);
const open = async (hash) => {
  await page.goto("about:blank");
  await page.goto(address + hash);
  await page.waitForSelector("main > div");
};
const native = (words) => JSON.parse(spawnSync(program, words.concat("--json"), { encoding: "utf8", maxBuffer: 1 << 28 }).stdout);

// ---- every view: loads, says nothing, has no accessibility fault; light and dark, wide and phone ----
const views = JSON.parse(readFileSync(join(root, "web/views.json"), "utf8"));
for (const name of ["start", ...views.views.map((v) => v.name)]) {
  await open("#" + name);
  if (name !== "start") await answered(1);
  if (name === "phase") await whole();
  quiet(name);
  check((await page.textContent("main")).length > 100, `${name}: an empty page`);
  const fault = await page.$$eval(".fault", (list) => list.map((e) => e.textContent).join(""));
  check(fault === "", `${name}: ${fault}`);
  for (const [scheme, width, height] of SIZES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await shoot(page, shots, `${name}-${scheme}-${width}`, width < 500);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `${name} at ${width}: ${wide} pixels wider than the screen`);
    const tab = await page.evaluate(() => {
      const t = document.querySelector("#nav [aria-current]")?.getBoundingClientRect();
      return !t || (t.left >= 0 && t.right <= innerWidth);
    });
    check(tab, `${name} at ${width}: its tab is not in sight`);
    if (width > 500 || scheme === "light") {
      const found = await page.evaluate(`(() => { ${axe}; return axe.run(document, { resultTypes: ["violations"] }); })()`);
      for (const v of found.violations) check(false, `${name} ${scheme} ${width}: ${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 160)}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 900 });
}

// ---- the pictures of the docs ----
await documented({ page, root, folder: shots, update: update === "--update", check, visit: async (hash) => {
  await open("#" + hash);
  await answered();
  if (hash === "phase") await whole();
} });
await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
await page.setViewportSize({ width: 1440, height: 900 });
quiet("pictures");

// ---- a slider moves the curve to what the program prints ----
await open("#loop");
await answered();
const before = await page.evaluate(() => window.bristleApp.view.reply.answer.work);
await page.fill('[data-name="sigma0"] .number', "9");
await page.press('[data-name="sigma0"] .number', "Enter");
await answered(2);
const after = await page.evaluate(() => ({ answer: window.bristleApp.view.reply.answer, ms: Number(document.querySelector(".stage").dataset.ms),
  curve: window.bristleApp.view.plots[0].panel.lines.find((l) => l.table === "loop").y.length }));
const told = native(["loop", "--preset", "doc0_minor", "--set", "sigma0=9", "--input", "turning:0,1,0.5,1.5"]);
check(after.answer.work !== before, "loop: the slider changes nothing");
check(after.answer.work === told.work && after.answer.minor[0].gap === told.minor[0].gap, `loop: work ${after.answer.work}, the program ${told.work}`);
check(after.curve > 100, "loop: no curve");
await page.locator('[data-name="sigma0"] input[type=range]').press("ArrowRight");
await answered(3);
check((await page.evaluate(() => window.bristleApp.view.pairs["set.sigma0"])) !== "9", "loop: the arrow keys do not move the slider");
console.log(`loop: a move of the slider takes ${after.ms.toFixed(1)} ms in the worker`);

// ---- phase: a move of the slider draws the plane anew, the cycles follow; both as the program says ----
const phased = { quick: [], same: true };
await open("#phase");
await whole();
const hopf = native(["phase", "--preset", "doc2", "--vary", "sigma1=0.1:12"]).events.find((e) => e.type === "hopf").value;
const moves = [hopf - 0.6, hopf - 0.4, hopf - 0.2, hopf - 0.1, hopf + 0.1, hopf + 0.2, hopf + 0.4, hopf + 0.6];
for (const [i, x] of moves.entries()) {
  await page.fill('[data-name="sigma1"] .number', String(x));
  await page.press('[data-name="sigma1"] .number', "Enter");
  await page.waitForFunction((n) => Number(document.querySelector(".stage").dataset.turn) === n, 2 + i);
  const seen = await page.evaluate(() => ({ ms: Number(document.querySelector(".stage").dataset.quick),
    points: window.bristleApp.view.portrait.lines.filter((l) => /_point/.test(l.table)).map((l) => [l.table.replace(/_.*/, ""), l.x[0], l.y[0]]).sort((a, b) => a[2] - b[2]) }));
  phased.quick.push(seen.ms);
  if (i % 7) continue; // the first and the last one against the program
  const told = native(["phase", "--preset", "doc2", "--vary", `sigma1=${x}:${x + 1}`, "--at", `sigma1=${x}`, "--only", "equilibria"]).equilibria;
  check(told.length === seen.points.length && told.every((e, k) => e.z === seen.points[k][1] && e.v === seen.points[k][2] && (e.kind === "stick" || e.type.startsWith(seen.points[k][0]))),
    `phase: points ${JSON.stringify(seen.points)}, the program ${JSON.stringify(told.map((e) => [e.type, e.z, e.v]))}`);
}
console.log(`phase: a move of the slider takes ${phased.quick.map((t) => t.toFixed(0)).join(", ")} ms in the worker, the cycles ${Number(await page.getAttribute(".stage", "data-ms")).toFixed(0)} ms`);
check(Math.min(...phased.quick) < 100, "phase: no move of the slider was answered within 100 ms");
quiet("phase");

// ---- a turning point by keyboard ----
await open("#loop");
await answered();
await page.locator(".handle").nth(2).press("ArrowDown");
await answered(2);
check(/^turning:0,1,0\.4/.test(await page.evaluate(() => window.bristleApp.view.pairs.input)), "loop: a turning point does not move");

// ---- the link restores the state ----
await page.waitForTimeout(300);
const link = page.url();
const shown = await page.evaluate(() => window.bristleApp.view.reply.answer.work);
await page.goto("about:blank");
await page.goto(link);
await answered();
check((await page.evaluate(() => window.bristleApp.view.reply.answer.work)) === shown, "a link shows something else");

// ---- the question elsewhere ----
for (const [as, word] of [["command", "bristle loop"], ["study", "loop:"], ["python", "bristle.loop("], ["header", "#ifndef"]]) {
  const text = await page.evaluate(async (form) => {
    const app = window.bristleApp;
    if (form === "header") await app.sources();
    return JSON.parse(await app.client.call({ kind: "say", job: { ...app.view.job(), $take: form } }));
  }, as);
  check(text.status === 0 && text.text.includes(word), `taken away as ${as}: ${text.message}`);
}

// ---- newcomers: from the start page in one click ----
for (const [i, q] of views.questions.entries()) {
  await open("#start");
  await page.click(`.questions li:nth-child(${i + 1}) a`);
  await answered();
  check((await page.textContent(".why")) === q.answer, `${q.title}: no explanation`);
}

// ---- a dropped record, a bad one ----
const record = ["t [s],x [m],F [N]"];
for (let i = 0, z = 0, x = 0; i < 2000; i++) {
  const t = i * 1e-3, next = 1e-3 * Math.sin(2 * Math.PI * t);
  z += (next - x) - (Math.abs(next - x) * z) / 1e-4;
  x = next;
  record.push(`${t},${x},${12e3 * z}`);
}
const drop = async (name, text) => {
  const n = Number(await page.getAttribute(".stage", "data-answers"));
  await page.evaluate(([file, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file, { type: "text/csv" }));
    document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, text]);
  await answered(n + 1);
};
await open("#fit");
await answered();
await drop("mine.csv", record.join("\n"));
const fitted = await page.evaluate(() => ({ p: window.bristleApp.view.reply.answer.parameters, fault: document.querySelector(".fault").textContent }));
check(fitted.fault === "" && Math.abs(fitted.p.sigma0.value / 12e3 - 1) < 0.02, `fit: ${fitted.fault} ${JSON.stringify(fitted.p?.sigma0)}`);
await drop("broken.csv", "t,x,F\n0,1,2\n1,zwei,3\n");
const why = await page.textContent(".fault");
check(/broken\.csv/.test(why) && /zwei|number|column|line|3/.test(why), `a bad record says: ${why}`);
await drop("empty.csv", "");
check((await page.textContent(".fault")).length > 10, "an empty record says nothing");
quiet("fit");

// ---- mechanisms as text; keys, calm, stillness, time ----
await mechanismTexts({ page, root, program, native, open, answered, check });
quiet("mechanisms");
await usable({ page, open, answered, check, quiet });

// ---- hunting: other gains, no hunting ----
await open("#control");
await answered();
check((await page.evaluate(() => window.bristleApp.view.reply.answer.hunting.found)) === true, "control: no hunting");

// ---- the policy holds, nothing is asked from elsewhere ----
const blocked = await page.evaluate(async () => {
  const out = {};
  out.eval = await new Promise((done) => setTimeout(() => { // later: what a debugger evaluates may do everything
    try { done(new Function("return true")()); } catch { done(false); }
  }, 0));
  try { await fetch("http://127.0.0.1:9/"); out.fetch = true; } catch { out.fetch = false; }
  const s = document.createElement("script");
  s.textContent = "window.inlineRan = true";
  document.head.append(s);
  out.inline = window.inlineRan === true;
  return out;
});
check(!blocked.eval && !blocked.fetch && !blocked.inline, `policy: ${JSON.stringify(blocked)}`);
check(asked.every((u) => u.startsWith(address) || u.startsWith("blob:") || u.startsWith("data:") || u.startsWith("about:") || u.startsWith("http://127.0.0.1:9/")), "something was asked from elsewhere");

// ---- same bits: every golden answer of tests/bits, computed and hashed here ----
const bundled = ["web/src/lzma.js", "web/src/wasi.js", "web/src/engine.js", "tests/wasm/golden.mjs"].map((f) =>
  readFileSync(join(root, f), "utf8").replace(/^import .*$/gm, "").replace(/^export (?=class|function|async|const)/gm, "").replace(/^export \{.*\};$/gm, "")).join("\n");
await open("#start");
const bits = await page.evaluate(`(async () => {
  ${bundled}
  const engine = await Engine.start(await WebAssembly.compile(unlzma(window.bristleApp.client.bytes))), catalogue = engine.catalogue();
  const hash = async (b) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", b)).slice(0, 8)].map((x) => x.toString(16).padStart(2, "0")).join("");
  const out = { same: 0, other: [] };
  for (const row of golden(${JSON.stringify(readFileSync(join(root, "tests/bits/answers.txt"), "utf8"))})) {
    if (!catalogue.analyses.some((a) => a.name === row.line.split(" ")[1])) continue; // ensembles
    const got = await answer(engine, jobOf(row.line, catalogue), row.table !== "-", hash);
    if (got[0] === row.said && got[1] === row.table) out.same++;
    else out.other.push(row.line);
  }
  return out;
})()`);
console.log(`${bits.same} golden answers computed in Chromium with the bits of answers.txt, ${bits.other.length} without`);
check(bits.same > 30 && bits.other.length === 0, `other bits than natively: ${bits.other.join("; ").slice(0, 400)}`);
said.length = 0;

// ---- from a disk ----
said.length = 0;
await page.goto(pathToFileURL(join(root, "web/dist/index.html")).href + "#loop");
await answered();
quiet("file://");

await browser.close();
console.log(faults ? `${faults} faults` : "the lab holds");
process.exitCode = faults ? 1 : 0;
