// SPDX-License-Identifier: Apache-2.0
// worker.js - computes beside the page: one message in, one out.
import { Engine } from "./engine.js";
import { unlzma } from "./lzma.js";

let engine = null;

async function begin(message) {
  const module = message.module || (await WebAssembly.compile(unlzma(message.bytes)));
  engine = await Engine.start(module);
  return { module, catalogue: message.module ? null : engine.catalogue() };
}

async function answer(m) {
  if (m.kind === "begin") return begin(m);
  if (m.kind === "file") return engine.files.write(m.name, m.bytes), {};
  if (m.kind === "columns") return engine.columns(m.name);
  if (m.kind === "system") return engine.system(m.name);
  if (m.kind === "equations") return engine.equations(m.name);
  if (m.kind === "sources") return engine.sources(unlzma(m.bytes)), {};
  if (m.kind === "say") return engine.say(m.job);
  if (m.kind === "csv") {
    const reply = engine.ask({ ...m.job, $csv: "lab.csv" });
    return reply.status ? reply : { status: 0, bytes: engine.files.read("lab.csv")?.slice() ?? null };
  }
  const from = performance.now();
  const reply = engine.ask(m.job);
  reply.ms = performance.now() - from;
  return reply;
}

self.onmessage = async (event) => {
  const m = event.data;
  let reply, broken = false;
  try {
    reply = await answer(m);
  } catch (fault) {
    broken = fault instanceof WebAssembly.RuntimeError; // its memory is not trusted any more
    reply = { status: -1, message: broken ? `the computation broke off: ${fault.message}` : String(fault.message || fault) };
  }
  const moved = (reply?.tables || []).flatMap((t) => t.columns.map((c) => c.data.buffer));
  self.postMessage({ id: m.id, reply, broken }, moved);
};
