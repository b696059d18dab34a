// SPDX-License-Identifier: Apache-2.0
// machine.js - the machine view: block, spring and bristle drawn as the tables of the contacts say.
import { h, short } from "./dom.js";
import { View } from "./view.js";

const W = 900, H = 170, FLOOR = 132, BLOCK = 84;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function zigzag(x0, x1, y) {
  let d = `M${x0} ${y}`;
  const n = 12, a = x0 + 10, b = x1 - 10;
  for (let i = 0; i <= n; i++) d += `L${a + ((b - a) * i) / n} ${y + (i === 0 || i === n ? 0 : i % 2 ? 9 : -9)}`;
  return d + `L${x1} ${y}`;
}

export class MachineView extends View {
  before() {
    this.svg = h("svg", { viewBox: `0 0 ${W} ${H}`, class: "drawing", role: "img", "aria-label": "the mechanism in motion" });
    this.clock = h("span", { className: "unit" });
    this.bar = h("input", { type: "range", min: 0, max: 1000, value: 0, className: "time", ariaLabel: "moment that is drawn", oninput: () => {
      this.play(false);
      this.at = (Number(this.bar.value) / 1000) * this.length();
      this.frame();
    } });
    this.button = h("button", { type: "button", onclick: () => this.play(!this.playing) }, "Play");
    return h("div", { className: "card" }, this.svg, h("div", { className: "row" }, this.button, this.bar, this.clock));
  }

  texts() {
    return window.bristleLab.mechanisms.filter((m) => !this.app.catalogue.systems.some((s) => s.name === m.name));
  }

  // The contacts of a mechanism as text have their models; another mechanism takes a published set where there is one.
  async choose(name, value) {
    if (name !== "system") return super.choose(name, value);
    await this.app.mechanism(value);
    for (const k of Object.keys(this.pairs)) if (k !== "t-end") delete this.pairs[k];
    const fits = this.app.catalogue.presets.find((p) => p.system === value);
    if (fits) this.pairs.preset = fits.name;
    else if (!this.app.catalogue.systems.find((s) => s.name === value)?.model) this.pairs.model = this.app.catalogue.models[0].name;
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

  frame() {
    if (!this.contacts?.length) return this.svg.replaceChildren();
    const [lo, hi] = this.scale.u, room = W - 2 * 150 - BLOCK;
    const parts = [h("line", { x1: 0, x2: W, y1: FLOOR, y2: FLOOR, class: "ground" })];
    for (let i = 0; i < 46; i++) parts.push(h("line", { x1: i * 20 + 8, x2: i * 20, y1: FLOOR, y2: FLOOR + 8, class: "ground" }));
    const n = Math.min(8, this.contacts.length), y0 = FLOOR - 14, place = room / n, wide = n > 1 ? Math.min(BLOCK, 0.6 * place) : BLOCK;
    for (let k = 0; k < n; k++) {
      const u = this.value("u", k), z = this.value(this.zname, k) / (this.zname === "z" ? this.scale.z : this.scale.F);
      const span = hi - lo || 1, pulled = this.column("l", k);
      const x = 150 + (n > 1 ? k * place : 0) + ((u - lo) / span) * (n > 1 ? place - wide : room);
      const height = 54;
      for (let i = 0; i < 5; i++) {
        const foot = x + 12 + (i * (wide - 24)) / 4;
        parts.push(h("path", { d: `M${foot} ${y0}Q${foot} ${y0 + 8} ${foot - 12 * z} ${FLOOR}`, class: "bristle" }));
      }
      parts.push(h("rect", { x, y: y0 - height, width: wide, height, rx: 6, class: "block" }));
      if (pulled) parts.push(h("path", { d: zigzag(x + wide, Math.min(W - 6, x + wide + 46 + 90 * Math.max(0, this.value("l", k) / this.scale.l)), y0 - height / 2), class: "spring" }));
      else if (k === 0 && this.system()?.parameters.some((p) => p.name === "ks")) parts.push(h("path", { d: zigzag(0, x, y0 - height / 2), class: "spring" }));
      const F = this.value("F", k) / this.scale.F;
      if (n <= 3) parts.push(h("text", { x: x + wide / 2, y: y0 - height - 10, "text-anchor": "middle" }, `v = ${short(this.value("v", k), 3)} · F = ${short(F * this.scale.F, 3)}`));
    }
    this.svg.replaceChildren(...parts);
    this.clock.textContent = `t = ${short(this.at, 3)} s`;
    this.bar.value = String(Math.round((1000 * this.at) / (this.length() || 1)));
  }

  destroy() {
    super.destroy();
    cancelAnimationFrame(this.timer);
  }
}

function minmax(a) {
  let lo = Infinity, hi = -Infinity;
  for (const v of a) { if (v < lo) lo = v; if (v > hi) hi = v; }
  return [lo, hi];
}
