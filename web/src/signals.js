// SPDX-License-Identifier: Apache-2.0
// signals.js - the spec of an input as controls, from the table of signals.
import { h, unique } from "./dom.js";

// "sine:A,f[,phase,offset]" -> {args: [{name, needed}], list}
export function template(spec) {
  const body = spec.slice(spec.indexOf(":") + 1);
  const needed = body.replace(/\[.*\]/, ""), optional = (/\[,?(.*)\]/.exec(body) || [, ""])[1];
  const names = (t) => t.split(",").map((s) => s.trim()).filter(Boolean);
  return { list: body.includes("..."), plain: needed !== needed.toUpperCase() || needed.includes(","), args: [
    ...names(needed).map((name) => ({ name, needed: true })), ...names(optional).map((name) => ({ name, needed: false }))] };
}

export const inFile = (signal) => signal.spec.includes("FILE");

// Numbers of turning points, of `turning:` and `bimodal:`; null for other signals.
export function points(spec) {
  const m = /^(turning|bimodal):(.*)$/.exec(spec || "");
  const list = m ? m[2].split(",").map(Number) : null;
  return list && list.every(Number.isFinite) && (m[1] === "turning" || list.length === 4) ? list : null;
}

// row: {name, unit, doc}; held: the value where it is a constant (undefined: it cannot be).
export function editor(signals, row, spec, held, set) {
  const kinds = signals.filter((s) => !inFile(s));
  const kind = spec ? spec.slice(0, spec.indexOf(":")) : "";
  const known = kinds.find((s) => s.name === kind);
  const id = unique("s");
  const body = h("div", { className: "args" });
  const select = h("select", { id, onchange: () => change(select.value) }, held !== undefined ? h("option", { value: "", selected: !spec }, "constant") : null,
    kinds.map((s) => h("option", { value: s.name, selected: s.name === kind }, s.name)));
  const say = h("p", { className: "hint" }, known ? known.doc : "");

  function change(name) {
    const s = kinds.find((one) => one.name === name);
    if (!s) return set(null);
    const t = template(s.spec);
    set(`${name}:${t.list ? "0,1,0.5,1.5" : name === "expr" ? "sin(2*pi*t)" : t.args.filter((a) => a.needed).map(() => "1").join(",")}`);
  }

  if (known) {
    const t = template(known.spec), text = spec.slice(spec.indexOf(":") + 1), values = text.split(",");
    const whole = t.list || known.name === "expr" || values.length > t.args.length;
    const put = () => {
      const list = [...body.querySelectorAll("input")].map((i) => i.value.trim());
      while (list.length && !list[list.length - 1]) list.pop();
      set(`${known.name}:${list.map((v) => v || "0").join(",")}`);
    };
    for (const [k, a] of (whole ? [{ name: t.args.map((x) => x.name).join(", ") }] : t.args).entries()) {
      const one = unique("a");
      body.append(h("div", { className: whole ? "arg wide" : "arg" }, h("label", { htmlFor: one }, a.name),
        h("input", { id: one, type: "text", spellcheck: false, value: whole ? text : values[k] ?? "", onchange: put })));
    }
  }
  const box = h("div", { className: "control" }, h("div", { className: "control-head" }, h("label", { htmlFor: id }, `input ${row.name}`),
    h("span", { className: "unit" }, row.unit === "1" ? "" : row.unit)), select, body, say);
  box.dataset.name = "input." + row.name;
  return box;
}
