// SPDX-License-Identifier: Apache-2.0
// machine.js - the machine view: block, spring and bristle drawn as the tables of the contacts say.
import { h, short } from "./dom.js";
import { OWN, TextEditor } from "./text.js";
import { View } from "./view.js";

const H = 180, FLOOR = 142, HEIGHT = 60;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function zigzag(x0, x1, y) {
  let d = `M${x0} ${y}`;
  const n = 12, a = x0 + 10, b = x1 - 10;
  for (let i = 0; i <= n; i++) d += `L${a + ((b - a) * i) / n} ${y + (i === 0 || i === n ? 0 : i % 2 ? 9 : -9)}`;
  return d + `L${x1} ${y}`;
}

export class MachineView extends View {
  before() {
    this.svg = h("svg", { class: "drawing", role: "img", "aria-label": "the mechanism in motion" });
    this.clock = h("span", { className: "unit" });
    this.bar = h("input", { type: "range", min: 0, max: 1000, value: 0, className: "time", ariaLabel: "moment that is drawn", oninput: () => {
      this.play(false);
      this.at = (Number(this.bar.value) / 1000) * this.length();
      this.frame();
    } });
    this.button = h("button", { type: "button", onclick: () => this.play(!this.playing) }, "Play");
    this.size = new ResizeObserver(() => this.frame());
    this.size.observe(this.svg);
    this.editor = new TextEditor((text) => this.edited(text));
    this.editor.show(this.pairs._text ?? this.system()?.text ?? (this.pairs.system === OWN ? "" : null));
    this.editor.say(this.app.wrong);
    this.editor.element.open ||= this.pairs.system === OWN;
    return [h("div", { className: "card" }, this.svg, h("div", { className: "row" }, this.button, this.bar, this.clock)), this.editor.element];
  }

  texts() {
    const own = { name: OWN, title: "a text of your own" };
    return [...window.bristleLab.mechanisms, own].filter((m) => m.name !== this.system()?.name);
  }

  forms() {
    return [["Mechanism (.yaml)", async () => {
      const text = this.pairs._text ?? this.system()?.text;
      if (!text) throw new Error("this mechanism is built in and has no text");
      return { name: this.pairs.system, content: text, type: "application/yaml" };
    }]];
  }

  // Keys rest: a right text is the mechanism from now on, a wrong one says where, and the picture is that of the last right one.
  async edited(text) {
    const turn = (this.turn = (this.turn || 0) + 1), wrong = await this.app.mechanism(OWN, text);
    if (turn !== this.turn || this.gone) return;
    this.app.wrong = wrong;
    delete this.pairs.preset;
    Object.assign(this.pairs, { system: OWN, _text: text });
    this.editor.say(wrong);
    if (!wrong) this.elements();
    this.prune();
    this.app.replace(this.spec.name, this.pairs);
    this.renderControls();
    this.ask();
  }

  // The contacts of a mechanism as text may have their models; else one is chosen.
  elements() {
    if (this.system()?.model) delete this.pairs.model;
    else this.pairs.model ??= this.app.catalogue.models[0].name;
  }

  async ask() {
    if (!this.app.wrong) return super.ask();
    this.grid.classList.add("stale");
    this.answers++;
    this.stage.dataset.answers = String(this.answers);
  }

  inputGroup() {
    return this.system() ? super.inputGroup() : null;
  }

  // Another mechanism takes a published set where there is one.
  async choose(name, value) {
    if (name !== "system") return super.choose(name, value);
    const known = window.bristleLab.mechanisms, near = known.find((m) => m.name.startsWith(this.system()?.name)) ?? known[0];
    const text = value === OWN ? this.system()?.text ?? near.text : undefined;
    this.app.wrong = await this.app.mechanism(value, text);
    for (const k of Object.keys(this.pairs)) if (k !== "t-end") delete this.pairs[k];
    this.pairs.system = value;
    if (text !== undefined) this.pairs._text = text;
    const fits = this.app.catalogue.presets.find((p) => p.system === value);
    if (fits) this.pairs.preset = fits.name;
    else this.elements();
    this.editor.show(this.system()?.text ?? null);
    this.editor.say(this.app.wrong);
    this.editor.element.open = value === OWN;
    super.choose(name, value);
  }

  hiddenOptions() {
    return new Set(this.analysis.pictures.map((p) => p.option));
  }

  show(reply) {
    super.show(reply);
    if (reply.status) return;
    this.contacts = reply.tables.filter((t) => /^contact\d/.test(t.name) && t.rows > 1);
    this.at = Math.min(this.at ?? (calm() ? 0.3 * this.length() : 0), this.length()); // a still picture shows the spring under load
    this.prepare();
    this.frame();
    if (this.playing === undefined) this.play(!calm());
  }

  column(name, k = 0) {
    return this.contacts[k]?.columns.find((c) => c.name === name)?.data;
  }

  length() {
    const t = this.contacts?.length ? this.column("t") : null;
    return t ? t[t.length - 1] : 0;
  }

  play(on) {
    this.playing = on;
    this.button.textContent = on ? "Pause" : "Play";
    cancelAnimationFrame(this.timer);
    if (!on) return;
    let before = performance.now();
    const step = (now) => {
      const whole = this.length(), speed = Math.max(whole / 14, 1e-9); // once through in fourteen seconds
      this.at = (this.at + ((now - before) / 1000) * speed) % (whole || 1);
      before = now;
      this.frame();
      this.timer = requestAnimationFrame(step);
    };
    this.timer = requestAnimationFrame(step);
  }

  // Value of a column at the moment, straight between rows.
  value(name, k) {
    const t = this.column("t", k), y = this.column(name, k);
    if (!y) return 0;
    let lo = 0, hi = t.length - 1;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (t[mid] <= this.at) lo = mid;
      else hi = mid;
    }
    const part = t[hi] > t[lo] ? Math.min(1, (this.at - t[lo]) / (t[hi] - t[lo])) : 0;
    return y[lo] + (y[hi] - y[lo]) * part;
  }

  prepare() {
    const u = this.column("u"), z = this.column("z") || this.contacts[0]?.columns.find((c) => /^(z|F|x)/.test(c.name))?.data, l = this.column("l");
    const most = (a) => (a ? a.reduce((m, v) => Math.max(m, Math.abs(v)), 0) : 0);
    const range = u ? [Math.min(...minmax(u)), Math.max(...minmax(u))] : [0, 1];
    this.scale = { u: range, z: most(z) || 1, l: most(l) || 1, F: most(this.column("F")) || 1 };
    this.zname = this.column("z") ? "z" : "F";
  }

  // In the pixels of its box, so that a phone shows the same block in a shorter run.
  frame() {
    const width = this.svg.clientWidth;
    if (!this.contacts?.length || !width) return this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${H}`);
    const parts = [h("line", { x1: 0, x2: width, y1: FLOOR, y2: FLOOR, class: "ground" })];
    for (let i = 0; i < width / 20; i++) parts.push(h("line", { x1: i * 20 + 8, x2: i * 20, y1: FLOOR, y2: FLOOR + 8, class: "ground" }));
    const n = Math.min(8, this.contacts.length);
    for (let k = 0; k < n; k++) parts.push(...this.block(k, n, width));
    this.svg.replaceChildren(...parts);
    this.clock.textContent = `t = ${short(this.at, 3)} s`;
    this.bar.value = String(Math.round((1000 * this.at) / (this.length() || 1)));
  }

  // One block on its bristles, with its spring and what it does.
  block(k, n, width) {
    const parts = [], [lo, hi] = this.scale.u, y0 = FLOOR - 16, mid = y0 - HEIGHT / 2;
    const pulled = this.column("l", k), held = !pulled && k === 0 && this.system()?.parameters.some((p) => p.name === "ks");
    const slack = Math.min(150, 0.22 * width), left = held ? slack : 0.04 * width, right = pulled ? slack + 30 : 0.04 * width;
    const place = (width - left - right) / n, wide = Math.min(n > 1 ? 0.6 * place : 0.3 * place, 110);
    const x = left + k * place + ((this.value("u", k) - lo) / (hi - lo || 1)) * (place - wide);
    const z = this.value(this.zname, k) / (this.zname === "z" ? this.scale.z : this.scale.F);
    for (let i = 0; i < 5; i++) {
      const foot = x + 0.14 * wide + i * 0.18 * wide;
      parts.push(h("path", { d: `M${foot} ${y0}Q${foot} ${y0 + 9} ${foot - 13 * z} ${FLOOR}`, class: "bristle" }));
    }
    parts.push(h("rect", { x, y: y0 - HEIGHT, width: wide, height: HEIGHT, rx: 6, class: "block" }));
    if (pulled) parts.push(h("path", { d: zigzag(x + wide, x + wide + 40 + (right - 46) * Math.max(0, this.value("l", k) / this.scale.l), mid), class: "spring" }));
    if (held) parts.push(h("path", { d: zigzag(0, x, mid), class: "spring" }));
    const said = `v = ${short(this.value("v", k), 3)} · F = ${short(this.value("F", k), 3)}`, half = 3.6 * said.length; // 7 pixels a character
    if (n === 1 || place > 2 * half) parts.push(h("text", { x: Math.max(half, Math.min(width - half, x + wide / 2)), y: y0 - HEIGHT - 12, "text-anchor": "middle" }, said));
    return parts;
  }

  destroy() {
    super.destroy();
    this.size.disconnect();
    this.editor.destroy();
    cancelAnimationFrame(this.timer);
  }
}

function minmax(a) {
  let lo = Infinity, hi = -Infinity;
  for (const v of a) { if (v < lo) lo = v; if (v > hi) hi = v; }
  return [lo, hi];
}
