// SPDX-License-Identifier: Apache-2.0
// engine.js - bristle.wasm as an object: the catalogue, and ask(job).  Runs in a worker, and in node for the tests.
import { Files, wasi } from "./wasi.js";

export class Engine {
  static async start(module, say) {
    const files = new Files();
    const system = wasi(files, say);
    const imports = {};
    for (const one of WebAssembly.Module.imports(module))
      (imports[one.module] ||= {})[one.name] = system.imports[one.name];
    const instance = await WebAssembly.instantiate(module, imports);
    system.attach(instance.exports.memory);
    instance.exports._initialize();
    return new Engine(instance.exports, files);
  }

  constructor(lab, files) {
    this.lab = lab;
    this.files = files;
  }

  text(at) {
    const all = new Uint8Array(this.lab.memory.buffer);
    return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
  }

  catalogue() {
    return JSON.parse(this.text(this.lab.lab_catalogue()));
  }

  with(text, fn) {
    const bytes = new TextEncoder().encode(text + "\0");
    const at = this.lab.lab_room(bytes.length);
    if (!at) return '{"status":1,"message":"out of memory"}';
    new Uint8Array(this.lab.memory.buffer, at, bytes.length).set(bytes);
    const reply = this.text(fn(at));
    this.lab.lab_drop(at);
    return reply;
  }

  // The text that exported headers are made of.
  sources(bytes) {
    const at = this.lab.lab_sources(bytes.length);
    if (!at) throw new Error("sources.js is that of another build");
    new Uint8Array(this.lab.memory.buffer, at, bytes.length).set(bytes);
  }

  equations(name) {
    return this.with(name, this.lab.lab_equations);
  }

  // {status: 0, system} of a mechanism as text, or {status, message}.
  system(name) {
    return JSON.parse(this.with(name, this.lab.lab_system));
  }

  // {status: 0, rows, columns: [{name, unit}]} of a file, or {status, message}.
  columns(name) {
    return JSON.parse(this.with(name, this.lab.lab_columns));
  }

  // The reply as text: its numbers keep their digits.
  say(job) {
    return this.with(JSON.stringify(job), this.lab.lab_ask);
  }

  // {status, message} or {status: 0, answer, tables, notes}: a table has one Float64Array a column.
  ask(job) {
    const reply = JSON.parse(this.say(job));
    for (const t of reply.tables || []) {
      const n = t.columns.length, rows = t.rows;
      const all = new Float64Array(this.lab.memory.buffer, t.at, rows * n);
      t.columns.forEach((c, k) => {
        c.data = new Float64Array(rows);
        for (let i = 0; i < rows; i++) c.data[i] = all[i * n + k];
      });
      delete t.at;
    }
    return reply;
  }
}
