// SPDX-License-Identifier: Apache-2.0
// plot.js - one panel on uPlot, drawn by styles of the catalogue; the same panel as SVG.
import { h, short } from "./dom.js";

const MARKS = new Set(["circle", "disc", "square", "triangle", "cross", "star", "points", "ring", "box"]);
const DASH = { dotted: [2, 4], dashed: [8, 5], dashdot: [8, 4, 2, 4], dots: [1, 4] };
const WIDTH = { bold: 2.5, fine: 1.2, muted: 1.2, back: 1, frame: 0, border: 1 };
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function colourOf(line) {
  if (line.kind === "muted" || line.kind === "back" || line.kind === "border") return css("--muted-line");
  return css(`--c${((line.colour - 1) % 7) + 1}`);
}

// ---- ranges: everything that is drawn, with a margin ----

function range(lines, key) {
  let lo = Infinity, hi = -Infinity;
  for (const l of lines)
    for (const v of l[key])
      if (Number.isFinite(v)) {
        if (v < lo) lo = v;
        if (v > hi) hi = v;
      }
  if (lo > hi) return [0, 1];
  const pad = hi > lo ? 0.05 * (hi - lo) : Math.abs(hi) * 0.1 || 1;
  return [lo - pad, hi + pad];
}

export function ranges(panel) {
  const framed = panel.lines.filter((l) => l.kind === "frame");
  const seen = framed.length ? framed : panel.lines;
  const out = { x: range(seen, "x"), y: range(seen, "y") };
  if (framed.length) for (const k of ["x", "y"]) out[k] = tight(framed, k);
  const maps = panel.lines.filter((l) => l.value);
  if (maps.length && !framed.length) for (const k of ["x", "y"]) out[k] = tight(maps, k);
  return out;
}

function tight(lines, key) {
  let lo = Infinity, hi = -Infinity;
  for (const l of lines) for (const v of l[key]) { if (v < lo) lo = v; if (v > hi) hi = v; }
  return hi > lo ? [lo, hi] : [lo - 1, hi + 1];
}

// ---- marks, in units of pixels; `to` has moveTo, lineTo, arc, closePath ----

function mark(to, kind, x, y, r) {
  if (kind === "square" || kind === "box") {
    to.moveTo(x - r, y - r), to.lineTo(x + r, y - r), to.lineTo(x + r, y + r), to.lineTo(x - r, y + r), to.closePath();
  } else if (kind === "triangle") {
    to.moveTo(x, y - 1.2 * r), to.lineTo(x + 1.1 * r, y + 0.8 * r), to.lineTo(x - 1.1 * r, y + 0.8 * r), to.closePath();
  } else if (kind === "cross" || kind === "star") {
    to.moveTo(x - r, y - r), to.lineTo(x + r, y + r), to.moveTo(x - r, y + r), to.lineTo(x + r, y - r);
    if (kind === "star") to.moveTo(x, y - 1.3 * r), to.lineTo(x, y + 1.3 * r);
  } else {
    to.moveTo(x + r, y), to.arc(x, y, r, 0, 2 * Math.PI), to.closePath();
  }
}

function head(to, x0, y0, x, y, size) {
  const a = Math.atan2(y - y0, x - x0);
  to.moveTo(x, y), to.lineTo(x - size * Math.cos(a - 0.45), y - size * Math.sin(a - 0.45));
  to.lineTo(x - size * Math.cos(a + 0.45), y - size * Math.sin(a + 0.45)), to.closePath();
}

// Draw one line through px, py (value to pixel).
function trace(to, line, px, py, scale) {
  const { x, y } = line, n = x.length;
  if (MARKS.has(line.kind)) {
    for (let i = 0; i < n; i++) mark(to, line.kind, px(x[i]), py(y[i]), (line.kind === "points" ? 2 : 4.5) * scale);
    return;
  }
  if (line.kind === "heads") {
    for (let i = 0; i + 1 < n; i += 2) head(to, px(x[i]), py(y[i]), px(x[i + 1]), py(y[i + 1]), 9 * scale);
    return;
  }
  let pen = false;
  for (let i = 0; i < n; i++) {
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) pen = false;
    else if (pen) to.lineTo(px(x[i]), py(y[i]));
    else to.moveTo(px(x[i]), py(y[i])), (pen = true);
  }
}

const filled = (kind) => ["disc", "heads", "points"].includes(kind);

// ---- maps: cells of a grid ----

const TINTS = ["--t1", "--t2", "--t3", "--t4", "--t5", "--t6"];

// Rectangles [x0, x1, y0, y1, value]: of a grid, or of columns that are cut where the value changes (`top`).
function cells(line) {
  const steps = (a) => [...new Set(a)].sort((p, q) => p - q);
  const xs = steps(line.x), ys = line.top ? [] : steps(line.y), edge = new Map();
  xs.forEach((x, i) => edge.set(x, [i ? (xs[i - 1] + x) / 2 : x, i + 1 < xs.length ? (x + xs[i + 1]) / 2 : x]));
  if (!line.top) xs.forEach((x) => edge.set(x, [x - (xs[1] - xs[0] || 1) / 2, x + (xs[1] - xs[0] || 1) / 2]));
  const dy = (ys[1] - ys[0] || 1) / 2, out = [];
  for (let i = 0; i < line.x.length; i++) {
    const [x0, x1] = edge.get(line.x[i]), v = line.value[i];
    if (Number.isFinite(v)) out.push(line.top ? [x0, x1, line.y[i], line.top[i], v] : [x0, x1, line.y[i] - dy, line.y[i] + dy, v]);
  }
  return out;
}

function tint(line) {
  let lo = Infinity, hi = -Infinity;
  for (const v of line.value) if (Number.isFinite(v)) { if (v < lo) lo = v; if (v > hi) hi = v; }
  return (v) => (line.kind === "heat" ? blend((v - lo) / (hi - lo || 1)) : css(TINTS[Math.round(v) % TINTS.length]));
}
const blend = (p) => `color-mix(in srgb, ${css("--c2")} ${Math.round(15 + 75 * p)}%, ${css("--paper")})`;

function drawMap(ctx, line, px, py) {
  const colour = tint(line);
  for (const [x0, x1, y0, y1, v] of cells(line)) {
    const a = px(x0), b = px(x1), c = py(y0), d = py(y1);
    ctx.fillStyle = colour(v);
    ctx.fillRect(Math.floor(Math.min(a, b)), Math.floor(Math.min(c, d)), Math.ceil(Math.abs(b - a)) + 1, Math.ceil(Math.abs(d - c)) + 1);
  }
}

// ---- the panel ----

export class Plot {
  // hooks: {click(x, y), drawn(plot)}
  constructor(title, hooks = {}) {
    this.hooks = hooks;
    this.box = h("div", { className: "plot-box" });
    this.read = h("span", { className: "plot-read", ariaHidden: "true" });
    this.legend = h("ul", { className: "legend" });
    this.element = h("figure", { className: "plot" }, this.box, h("figcaption", {}, this.legend, this.read));
    this.title = title;
    this.size = new ResizeObserver(() => this.fit());
    this.size.observe(this.box);
  }

  show(panel) {
    const same = this.u && this.panel && this.panel.xlabel === panel.xlabel && this.panel.ylabel === panel.ylabel &&
      this.panel.lines.length === panel.lines.length && this.panel.scale === panel.scale &&
      this.panel.lines.every((l, i) => l.kind === panel.lines[i].kind && l.colour === panel.lines[i].colour);
    this.panel = panel;
    this.range = ranges(panel);
    this.element.setAttribute("aria-label", `${this.title}: ${panel.ylabel} against ${panel.xlabel}`);
    if (same) {
      this.u.setData(this.data(), true);
    } else {
      this.build();
    }
    this.names();
  }

  data() {
    return [null, ...this.panel.lines.map((l) => [l.x, l.y])];
  }

  build() {
    this.u?.destroy();
    const p = this.panel, text = css("--ink-soft"), grid = css("--grid"), font = "12px system-ui, sans-serif";
    const axis = (label, side) => ({ label, side, stroke: text, font, labelFont: font, labelSize: 22, labelGap: 2,
      grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: side === 3 ? 58 : 34, space: side === 3 ? 34 : 64,
      values: (u, ticks) => ticks.map((v) => (v === null ? "" : short(v, 4))) });
    const log = (k) => ["log" + k, "loglog"].includes(p.scale);
    const scale = (k) => (log(k) ? { time: false, distr: 3, range: () => this.logRange(k) } : { time: false, range: () => this.range[k] });
    const series = p.lines.map((l, i) => ({
      facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
      stroke: colourOf(l), width: WIDTH[l.kind] ?? 1.8, points: { show: false },
      paths: (u, k) => this.paths(u, k, i),
    }));
    this.u = new uPlot({ mode: 2, width: this.box.clientWidth || 400, height: this.height(), legend: { show: false },
      padding: [10, 14, 0, 0],
      cursor: { points: { show: false }, drag: { x: false, y: false }, dataIdx: () => null },
      scales: { x: scale("x"), y: scale("y") }, axes: [axis(p.xlabel, 2), axis(p.ylabel, 3)], series: [{}, ...series],
      hooks: { setCursor: [(u) => this.point(u)], draw: [() => this.hooks.drawn?.(this)] } }, this.data(), this.box);
    const c = this.u.root.querySelector("canvas");
    c.setAttribute("role", "img");
    c.setAttribute("aria-label", `${p.ylabel} against ${p.xlabel}`);
    if (this.hooks.click) this.u.over.addEventListener("click", () => {
      const { left, top } = this.u.cursor;
      if (left >= 0) this.hooks.click(this.u.posToVal(left, "x"), this.u.posToVal(top, "y"));
    });
  }

  logRange(k) {
    let lo = Infinity, hi = 0;
    for (const l of this.panel.lines) for (const v of l[k]) if (v > 0) { if (v < lo) lo = v; if (v > hi) hi = v; }
    return hi > 0 ? [lo / 1.1, hi * 1.1] : [0.1, 1];
  }

  paths(u, k, i) {
    const l = this.panel.lines[i];
    if (l.kind === "frame") return null;
    const px = (v) => u.valToPos(v, "x", true), py = (v) => u.valToPos(v, "y", true);
    const { ctx } = u, ratio = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    if (l.value) {
      drawMap(ctx, l, px, py);
    } else {
      const path = new Path2D();
      trace(path, l, px, py, ratio);
      ctx.strokeStyle = ctx.fillStyle = colourOf(l);
      ctx.lineWidth = (MARKS.has(l.kind) ? 1.8 : WIDTH[l.kind] ?? 1.8) * ratio;
      ctx.lineJoin = "round";
      ctx.setLineDash((DASH[l.kind] || []).map((d) => d * ratio));
      if (MARKS.has(l.kind) && !filled(l.kind) && !["cross", "star"].includes(l.kind)) {
        ctx.fillStyle = css("--paper");
        ctx.fill(path);
      }
      if (filled(l.kind)) ctx.fill(path);
      else ctx.stroke(path);
    }
    ctx.restore();
    return null;
  }

  point(u) {
    const { left, top } = u.cursor;
    this.read.textContent = left >= 0 ? `${short(u.posToVal(left, "x"), 4)} · ${short(u.posToVal(top, "y"), 4)}` : "";
  }

  names() {
    const seen = new Set();
    this.legend.replaceChildren(...this.entries().filter((e) => !seen.has(e.text) && seen.add(e.text)).map((e) =>
      h("li", {}, swatch(e), e.text)));
  }

  entries() {
    const out = [];
    for (const l of this.panel.lines) {
      if (l.value && l.kind !== "heat") {
        const used = new Set([...l.value].map((v) => Math.round(v)));
        (l.names || []).forEach((n, k) => n && used.has(k) && out.push({ text: n, tint: TINTS[k % TINTS.length] }));
      } else if (l.label && l.kind !== "frame") {
        out.push({ text: l.label, line: l });
      }
    }
    return out.length > 1 || (out[0] && out[0].tint) ? out : [];
  }

  height() {
    return this.box.clientHeight || 300;
  }

  fit() {
    if (this.u && this.box.clientWidth) this.u.setSize({ width: this.box.clientWidth, height: this.height() });
  }

  recolour() {
    if (this.panel) this.build(), this.names();
  }

  destroy() {
    this.size.disconnect();
    this.u?.destroy();
  }
}

function swatch(e) {
  const s = h("svg", { viewBox: "0 0 26 12", class: "swatch", "aria-hidden": "true" });
  if (e.tint) {
    s.append(h("rect", { x: 5, y: 1, width: 16, height: 10, rx: 2, fill: `var(${e.tint})`, stroke: "var(--grid)" }));
    return s;
  }
  s.append(h("path", svgAttributes(e.line, svgPath({ ...e.line, x: MARKS.has(e.line.kind) ? [13] : [1, 25], y: MARKS.has(e.line.kind) ? [6] : [6, 6] }, (v) => v, (v) => v))));
  return s;
}

// ---- SVG ----

function svgPath(line, px, py) {
  let d = "";
  const r = (v) => Number(v.toFixed(2));
  trace({ moveTo: (x, y) => (d += `M${r(x)} ${r(y)}`), lineTo: (x, y) => (d += `L${r(x)} ${r(y)}`),
    arc: (x, y, rad) => (d += `M${r(x - rad)} ${r(y)}a${rad} ${rad} 0 1 0 ${2 * rad} 0a${rad} ${rad} 0 1 0 ${-2 * rad} 0`),
    closePath: () => (d += "Z") }, line, px, py, 1);
  return d;
}

function svgAttributes(line, d) {
  const colour = colourOf(line);
  return { d, fill: filled(line.kind) ? colour : "none", stroke: filled(line.kind) ? "none" : colour,
    "stroke-width": MARKS.has(line.kind) ? 1.8 : WIDTH[line.kind] ?? 1.8, "stroke-linejoin": "round",
    "stroke-dasharray": (DASH[line.kind] || []).join(" ") || null };
}

// All panels under one another, as one SVG text with its own colours.
export function svgOf(plots, title) {
  const W = 760, H = 380, L = 78, R = 20, T = 34, B = 56;
  const all = h("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${W} ${H * plots.length}`, width: W, height: H * plots.length,
    "font-family": "system-ui, sans-serif", "font-size": 13 });
  all.append(h("title", {}, title), h("rect", { width: W, height: H * plots.length, fill: css("--paper") }));
  plots.forEach((plot, k) => {
    const g = h("g", { transform: `translate(0 ${k * H})` }), r = plot.range;
    const px = (v) => L + ((v - r.x[0]) / (r.x[1] - r.x[0])) * (W - L - R), py = (v) => H - B - ((v - r.y[0]) / (r.y[1] - r.y[0])) * (H - T - B);
    const ink = css("--ink-soft"), grid = css("--grid"), id = `clip${k}`;
    for (const t of plot.u.axes[0]._splits || []) g.append(h("line", { x1: px(t), x2: px(t), y1: T, y2: H - B, stroke: grid }),
      h("text", { x: px(t), y: H - B + 18, "text-anchor": "middle", fill: ink }, short(t, 4)));
    for (const t of plot.u.axes[1]._splits || []) g.append(h("line", { x1: L, x2: W - R, y1: py(t), y2: py(t), stroke: grid }),
      h("text", { x: L - 8, y: py(t) + 4, "text-anchor": "end", fill: ink }, short(t, 4)));
    const clip = document.createElementNS("http://www.w3.org/2000/svg", "clipPath");
    clip.setAttribute("id", id);
    clip.append(h("rect", { x: L, y: T, width: W - L - R, height: H - T - B }));
    const inner = h("g", { "clip-path": `url(#${id})` });
    for (const l of plot.panel.lines) {
      if (l.kind === "frame") continue;
      if (l.value) {
        const colour = tint(l);
        for (const [x0, x1, y0, y1, v] of cells(l))
          inner.append(h("rect", { x: px(x0), y: py(y1), width: px(x1) - px(x0) + 0.5, height: py(y0) - py(y1) + 0.5, fill: colour(v) }));
      } else {
        inner.append(h("path", svgAttributes(l, svgPath(l, px, py))));
      }
    }
    g.append(clip, inner, h("text", { x: (L + W - R) / 2, y: H - 14, "text-anchor": "middle", fill: ink }, plot.panel.xlabel),
      h("text", { x: 18, y: (T + H - B) / 2, "text-anchor": "middle", fill: ink, transform: `rotate(-90 18 ${(T + H - B) / 2})` }, plot.panel.ylabel));
    all.append(g);
  });
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(all);
}
