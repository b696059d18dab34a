// SPDX-License-Identifier: Apache-2.0
// controls.js - rows of the tables as controls: sliders with units, fields, choices; each with its help and a way back.
import { h, pretty, unique, unitText } from "./dom.js";

// ---- sliders: a range round the value that counts as usual ----

// A number that has no upper bound and may not be zero is a scale: its slider goes by factors.
export function span(row, usual) {
  const lo = row.min, hi = row.max;
  if (lo !== null && hi !== null) return { log: false, lo, hi };
  if (lo === 0 && row.min_exclusive && usual > 0) return { log: true, lo: usual / 100, hi: usual * 100 };
  const size = Math.abs(usual) || 1;
  return { log: false, lo: lo === null ? -4 * size : lo, hi: (lo ?? 0) + 4 * size };
}

const STEPS = 1000;
const toSlider = (s, v) => Math.round(STEPS * (s.log ? Math.log(Math.max(v, s.lo) / s.lo) / Math.log(s.hi / s.lo) : (v - s.lo) / (s.hi - s.lo)));
const fromSlider = (s, p) => {
  const q = p / STEPS;
  const v = s.log ? s.lo * (s.hi / s.lo) ** q : s.lo + q * (s.hi - s.lo);
  return Number(v.toPrecision(s.log ? 3 : 4));
};

// A help text behind a small button; reachable by keyboard, closed by Escape.
function help(label, text) {
  if (!text) return null;
  const id = unique("help");
  const tip = h("span", { className: "tip", id, role: "tooltip" }, text);
  return h("span", { className: "help" }, h("button", { type: "button", className: "ask", ariaLabel: `about ${label}`, "aria-describedby": id,
    onkeydown: (e) => e.key === "Escape" && e.target.blur() }, "?"), tip);
}

function shell(label, row, body, reset, changed) {
  const unit = unitText(row.unit);
  return h("div", { className: "control" + (changed ? " changed" : "") },
    h("div", { className: "control-head" }, label, unit ? h("span", { className: "unit" }, unit) : null, help(row.name, row.doc),
      h("button", { type: "button", className: "reset", title: "back to the usual value", ariaLabel: `reset ${row.name}`, onclick: reset }, "↺")), body);
}

// A usual value to read: six digits are enough in the field, the job keeps its own.
const told = (x) => String(Number(x.toPrecision(6)));

// One number: slider and field.  set(text or null).
export function slider(row, text, usual, set) {
  const id = unique("p"), s = span(row, usual);
  const value = text === undefined ? usual : Number(text);
  const whole = row.kind === "count";
  const clip = (v) => (whole ? Math.round(v) : v);
  const bar = h("input", { type: "range", min: 0, max: STEPS, id, value: toSlider(s, Number.isFinite(value) ? value : usual),
    "aria-valuetext": `${value} ${unitText(row.unit)}` });
  const field = h("input", { type: "text", inputMode: "decimal", className: "number", value: text ?? told(usual), ariaLabel: `${row.name}, value`, spellcheck: false });
  const same = (t) => t === told(usual) || Number(t) === usual;
  const mark = () => box.classList.toggle("changed", !same(field.value));
  bar.addEventListener("input", () => {
    field.value = String(clip(fromSlider(s, Number(bar.value))));
    bar.setAttribute("aria-valuetext", `${field.value} ${unitText(row.unit)}`);
    mark();
    set(field.value);
  });
  field.addEventListener("change", () => {
    const v = Number(field.value);
    if (Number.isFinite(v)) bar.value = toSlider(s, v);
    mark();
    set(field.value.trim() || null);
  });
  const box = shell(h("label", { htmlFor: id }, pretty(row.name)), row, h("div", { className: "slide" }, bar, field), () => {
    field.value = told(usual);
    bar.value = toSlider(s, usual);
    mark();
    set(null);
  }, text !== undefined && !same(text));
  box.dataset.name = row.name;
  return box;
}

export function field(row, text, set, more = {}) {
  const id = unique("f");
  const list = more.choices ? unique("list") : null;
  const input = h("input", { type: "text", id, value: text ?? "", placeholder: more.placeholder ?? row.default ?? row.arg ?? "", spellcheck: false, autocomplete: "off",
    list, onchange: (e) => set(e.target.value.trim() || null) });
  const box = shell(h("label", { htmlFor: id }, pretty(row.name)), row, [input, list ? h("datalist", { id: list }, more.choices.map((c) => h("option", { value: c }))) : null],
    () => ((input.value = ""), set(null)), text !== undefined && text !== "");
  box.dataset.name = row.name;
  return box;
}

export function choice(row, value, options, set, more = {}) {
  const id = unique("c");
  const select = h("select", { id, onchange: (e) => set(e.target.value || null) },
    options.map((o) => h("option", { value: o.value ?? o, selected: (o.value ?? o) === value }, o.text ?? (o || "–"))));
  const box = h("div", { className: "control" }, h("div", { className: "control-head" }, h("label", { htmlFor: id }, more.label ?? pretty(row.name)), help(row.name, row.doc)), select);
  box.dataset.name = row.name;
  return box;
}

export function flag(row, value, set) {
  const id = unique("k");
  const box = h("div", { className: "control flag" }, h("input", { type: "checkbox", id, checked: value === "yes", onchange: (e) => set(e.target.checked ? "yes" : null) }),
    h("label", { htmlFor: id }, pretty(row.name)), help(row.name, row.doc));
  box.dataset.name = row.name;
  return box;
}

// Any option of the catalogue by its kind.
export function option(row, value, set) {
  if (row.kind === "flag") return flag(row, value, set);
  if (row.kind === "choice" || row.choices?.length) return choice(row, value ?? "", ["", ...row.choices], set);
  const usual = Number(row.default);
  if ((row.kind === "number" || row.kind === "count") && row.default !== null && Number.isFinite(usual) && usual !== 0 && (value === undefined || Number.isFinite(Number(value))))
    return slider(row, value, usual, set);
  return field(row, value, set);
}
