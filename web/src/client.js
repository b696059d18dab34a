// SPDX-License-Identifier: Apache-2.0
// client.js - the page's side of its workers: one for each slot, of which only the newest question counts.

const PATIENCE = 350; // ms that an older question may go on once a newer one waits

class Line {
  constructor(client) {
    this.client = client;
    this.calls = new Map();
    this.next = 1;
    this.open();
  }

  open() {
    const url = URL.createObjectURL(new Blob([this.client.source], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = (event) => {
      const done = this.calls.get(event.data.id);
      this.calls.delete(event.data.id);
      done?.(event.data.reply);
      if (event.data.broken) this.renew();
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail({ status: -1, message: "the computation broke off" });
    };
    if (!this.client.module) return;
    this.call({ kind: "begin", module: this.client.module });
    if (this.client.sources) this.call({ kind: "sources", bytes: this.client.sources });
    for (const [name, bytes] of this.client.files) this.call({ kind: "file", name, bytes });
  }

  fail(reply) {
    for (const done of this.calls.values()) done(reply);
    this.calls.clear();
  }

  // A fresh worker over the same module; what the old one was doing is dropped.
  renew() {
    this.worker.terminate();
    this.fail({ status: -2, message: "dropped" });
    this.open();
  }

  call(message) {
    return new Promise((done) => {
      const id = this.next++;
      this.calls.set(id, done);
      this.worker.postMessage({ ...message, id });
    });
  }

  async newest(job) {
    this.waiting?.(false);
    this.waiting = null;
    if (this.busy) {
      const turn = new Promise((go) => (this.waiting = go));
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.waiting && this.busy && this.renew(), Math.max(0, PATIENCE - (performance.now() - this.since)));
      if (!(await turn)) return null;
    }
    this.busy = true;
    this.since = performance.now();
    const reply = await this.call({ kind: "ask", job });
    this.busy = false;
    const go = this.waiting;
    this.waiting = null;
    go?.(true);
    return reply.status === -2 ? null : reply;
  }
}

export class Client {
  constructor(source, bytes) {
    this.source = source; // text of the worker
    this.bytes = bytes;   // lzma of bristle.wasm
    this.module = null;
    this.files = new Map();
    this.lines = new Map();
  }

  line(slot = "main") {
    if (!this.lines.has(slot)) this.lines.set(slot, new Line(this));
    return this.lines.get(slot);
  }

  async start() {
    const reply = await this.line().call({ kind: "begin", bytes: this.bytes });
    if (!reply.module) throw new Error(reply.message || "bristle.wasm did not start");
    this.module = reply.module;
    return reply.catalogue;
  }

  call(message) {
    return this.line().call(message);
  }

  // A file that every worker has before the next question: messages keep their order, a busy worker is not waited for.
  file(name, bytes) {
    this.files.set(name, bytes);
    for (const l of this.lines.values()) l.call({ kind: "file", name, bytes });
  }

  // The answer; null where a newer question of the slot came in between.
  newest(slot, job) {
    return this.line(slot).newest(job);
  }

  // Whatever the slot is doing is dropped.
  stop(slot) {
    const l = this.lines.get(slot);
    if (l?.busy) l.renew();
  }
}
