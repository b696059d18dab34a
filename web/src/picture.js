// SPDX-License-Identifier: Apache-2.0
// picture.js - pictures of the catalogue as data: panels {xlabel, ylabel, lines: [{x, y, kind, colour, label}]}.
import { pretty, unitText } from "./dom.js";

// "minor*" fits minor0.
const fits = (pattern, name) =>
  pattern.includes("*") ? name.startsWith(pattern.slice(0, pattern.indexOf("*"))) && name.endsWith(pattern.slice(pattern.indexOf("*") + 1)) : pattern === name;

function column(table, name, otherwise) {
  if (name === null || name === undefined) return table.columns[otherwise];
  if (name[0] === "#") return table.columns[Number(name.slice(1))];
  return table.columns.find((c) => c.name === name);
}

const MAPS = new Set(["areas", "regions", "heat"]);

function axis(label, c) {
  const text = label || (c ? pretty(c.name) : "");
  const unit = c ? unitText(c.unit) : "";
  return unit ? `${text} (${unit})` : text;
}

function lineOf(panel, line, t, order) {
  const x = column(t, line.x ?? panel.x, 0), y = column(t, line.y ?? panel.y, 1);
  if (!x || !y || !t.rows) return null;
  const style = line.style && line.style !== "table" ? line.style : t.style || "line";
  let data = y.data;
  if (line.minus) {
    const m = column(t, line.minus, 1);
    data = data.map((v, i) => v - m.data[i]);
  }
  const value = MAPS.has(style) ? column(t, line.value ?? panel.value, t.columns.length - 1) : null;
  return { x: x.data, y: data, xcol: x, ycol: y, kind: style, table: t.name, colour: line.colour || order, names: t.names,
    value: value ? value.data : null, top: value ? t.columns.find((c) => c.name === y.name + "_to")?.data ?? null : null,
    label: line.label === "" ? "" : line.label ?? t.label ?? "" };
}

// One panel of the catalogue with the tables of an answer; null where nothing is there for it.
function panelOf(panel, tables, prefix) {
  const named = (p) => tables.filter((t) => t.rows && t.name.startsWith(prefix) && fits(p, t.name.slice(prefix.length)));
  if (panel.when && !named(panel.when).length) return null;
  const lines = [];
  let order = 0;
  for (const line of panel.lines) {
    const found = line.table ? named(line.table) : tables.filter((t) => t.main);
    const some = line.most ? found.slice(0, line.most) : found;
    const colour = line.colour || ++order;
    for (const t of some) {
      const one = lineOf(panel, line, t, colour);
      if (one) lines.push(one);
    }
  }
  if (!lines.length) return null;
  const first = lines.find((l) => !["frame", "heads"].includes(l.kind)) || lines[0];
  return { xlabel: axis(panel.xlabel, first.xcol), ylabel: axis(panel.ylabel, first.ycol), scale: panel.scale || "", lines,
    xname: first.xcol.name, yname: first.ycol.name };
}

// All panels of a picture.  A panel with `series` comes again for the tables at1_..., at2_....
export function panels(picture, tables) {
  const out = [];
  for (const panel of picture || []) {
    const one = panelOf(panel, tables, "");
    if (one) out.push(one);
    for (let k = 1; panel.series; k++) {
      const more = panelOf(panel, tables, `at${k}_`);
      if (!more) break;
      out.push(more);
    }
  }
  return out;
}
