// SPDX-License-Identifier: Apache-2.0
// dom.js - elements with few words.

const SVG = new Set(["svg", "path", "g", "line", "rect", "circle", "text", "polyline", "title"]);

export function h(tag, props, ...children) {
  const e = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (v === null || v === undefined || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (k in e && !SVG.has(tag) && k !== "list" && k !== "form") e[k] = v;
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

let count = 0;
export const unique = (stem) => `${stem}-${++count}`;

// A name of the tables for people: sigma0 -> σ₀.
const GREEK = { alpha: "α", beta: "β", gamma: "γ", delta: "δ", eta: "η", kappa: "κ", lambda: "λ", phi: "φ", rho: "ρ",
  sigma: "σ", tau: "τ", theta: "θ", omega: "ω", eps: "ε" };
export function pretty(name) {
  const m = /^([A-Za-z]+?)(\d*)$/.exec(name);
  if (!m || !GREEK[m[1]]) return name;
  return GREEK[m[1]] + [...m[2]].map((d) => "₀₁₂₃₄₅₆₇₈₉"[d]).join("");
}

export function unitText(unit) {
  return !unit || unit === "1" ? "" : unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/ /g, " ");
}

// A number to read: six digits at most.
export function short(x, digits = 5) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (typeof x !== "number") return String(x);
  if (x !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e6)) {
    const [m, e] = x.toExponential(digits - 1).split("e");
    return `${Number(m)} × 10${[...String(Number(e))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
  }
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

export function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const a = h("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
