// SPDX-License-Identifier: Apache-2.0
// build.mjs FIGURES_JSON: web/dist from web/src, uPlot, build/wasm/bristle.wasm and the list of figures.  Modules become
// one classic script, bytes base64 of their lzma (xz): neither modules nor fetches work from a disk.  Prints the sizes.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = dirname(fileURLToPath(import.meta.url)), root = dirname(web), dist = join(web, "dist");
const read = (path) => readFileSync(path, "utf8");
const bytes = (path) => readFileSync(path);
const squeeze = (data) => execFileSync("xz", ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "-c"], { input: data, maxBuffer: 1 << 26 });
const packed = (data) => squeeze(data).toString("base64");

// A module and what it imports, in order, without import and export: all names of web/src are different.
function bundle(entry) {
  const done = new Set(), out = [];
  const take = (path) => {
    if (done.has(path)) return;
    done.add(path);
    const text = read(path);
    for (const m of text.matchAll(/^import .* from "(.*)";$/gm)) take(resolve(dirname(path), m[1]));
    out.push(text.replace(/^import .*$/gm, "").replace(/^export \{.*\};$/gm, "").replace(/^export /gm, "").replace(/^\/\/.*$/gm, "").replace(/\n\s*\n+/g, "\n"));
  };
  take(entry);
  return `(() => {\n"use strict";\n${out.join("\n")}\n})();\n`;
}

mkdirSync(dist, { recursive: true }); // emptied, not made anew: who serves it goes on
for (const old of readdirSync(dist)) rmSync(join(dist, old), { recursive: true });
const sizes = [];
const write = (name, data, first = true) => {
  writeFileSync(join(dist, name), data);
  const n = Buffer.byteLength(data), z = gzipSync(data, { level: 9 }).length;
  sizes.push({ name, n, z, first });
};

const module = bytes(join(root, "build/wasm/bristle.wasm"));
const sources = Buffer.concat(read(join(root, "build/wasm/generated/packed.list")).split("\n").filter(Boolean).map((p) => bytes(join(root, p))));
const views = JSON.stringify(JSON.parse(read(join(web, "views.json"))));
const texts = readdirSync(join(root, "mechanisms")).filter((f) => f.endsWith(".yaml")).map((name) => {
  const text = read(join(root, "mechanisms", name));
  return { name, text, title: /^ *title: *(.*)$/m.exec(text)[1] };
});
const uplot = join(web, "node_modules/uplot");
write("index.html", read(join(web, "index.html")));
write("lab.css", read(join(web, "lab.css")));
write("uplot.css", read(join(uplot, "dist/uPlot.min.css")));
write("uplot.js", "/* uPlot, MIT licence: see uplot.LICENSE */\n" + read(join(uplot, "dist/uPlot.iife.min.js")));
write("uplot.LICENSE", read(join(uplot, "LICENSE")), false);
write("wasm.js", `window.bristleLab = { wasm: "${packed(module)}" };\n`);
write("lab.js", `Object.assign(window.bristleLab, { views: ${views}, mechanisms: ${JSON.stringify(texts)}, worker: ${JSON.stringify(bundle(join(web, "src/worker.js")))} });\n${bundle(join(web, "src/app.js"))}`);
write("sources.js", `window.bristleLab.sources = "${packed(sources)}";\n`, false);
write("figures.js", `window.bristleLab.figures = ${existsSync(process.argv[2]) ? read(process.argv[2]).trim() : '{"documents":[],"figures":[]}'};\n`, false);

const first = sizes.filter((s) => s.first).reduce((a, s) => a + s.z, 0);
const kb = (n) => `${(n / 1000).toFixed(0)} kB`;
for (const s of sizes) console.log(`${s.name.padEnd(14)} ${kb(s.n).padStart(9)}  compressed ${kb(s.z).padStart(7)}${s.first ? "" : "  (when needed)"}`);
console.log(`bristle.wasm ${kb(module.length)}, compressed ${kb(squeeze(module).length)} (gzip ${kb(gzipSync(module, { level: 9 }).length)}); first load ${kb(first)}`);
const most = { bytes: 1300000, packed: 450000, first: 700000 }; // kB of 1000 bytes
if (module.length >= most.bytes || squeeze(module).length >= most.packed || first >= most.first) {
  console.error(`lab: larger than allowed: ${JSON.stringify(most)}`);
  process.exitCode = 1;
}
