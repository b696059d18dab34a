// SPDX-License-Identifier: Apache-2.0
// numbers.js - the numbers of an answer that its result rows name, with unit and meaning.
import { h, pretty, short, unitText } from "./dom.js";

function at(tree, path) {
  let x = tree;
  for (const key of path.split(".")) {
    if (x === null || x === undefined || typeof x !== "object") return undefined;
    x = x[key];
  }
  return x;
}

// A column of words, not of numbers: to the left.
const words = (list, c) => list.some((o) => typeof at(o, c.key) === "string");

// Rows of scalars: those without '*'; lists of objects become small tables.
export function numbers(analysis, answer, skip = new Set()) {
  const scalars = [], lists = new Map();
  for (const row of analysis.results) {
    if (row.kind !== "value" || skip.has(row.name)) continue;
    const star = row.name.indexOf(".*.");
    if (star < 0) {
      const v = at(answer, row.name);
      if (["number", "string", "boolean"].includes(typeof v)) scalars.push([row, v]);
    } else {
      const list = row.name.slice(0, star);
      if (!lists.has(list)) lists.set(list, []);
      lists.get(list).push({ ...row, key: row.name.slice(star + 3) });
    }
  }
  const out = [];
  if (scalars.length) out.push(h("dl", { className: "numbers" }, scalars.map(([row, v]) =>
    h("div", { title: row.doc, className: typeof v === "string" && v.length > 24 ? "long" : "" }, h("dt", {}, row.name.replace(/[._]/g, " ")), h("dd", {}, typeof v === "boolean" ? (v ? "yes" : "no") : short(v), " ",
      h("span", { className: "unit" }, typeof v === "number" ? unitText(row.unit) : ""))))));
  for (const [name, rows] of lists) {
    const list = at(answer, name);
    if (!Array.isArray(list) || !list.length || typeof list[0] !== "object") continue;
    const cols = rows.filter((r) => !r.key.includes("*") && list.some((o) => ["number", "string", "boolean"].includes(typeof at(o, r.key))));
    if (!cols.length) continue;
    out.push(h("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: name }, h("table", {}, h("caption", {}, name.replace(/[._]/g, " ")),
      h("thead", {}, h("tr", {}, cols.map((c) => h("th", { scope: "col", title: c.doc, className: words(list, c) ? "text" : "" }, pretty(c.key).replace(/[._]/g, " "), h("span", { className: "unit" }, " ", unitText(c.unit)))))),
      h("tbody", {}, list.slice(0, 12).map((o) => h("tr", {}, cols.map((c) => {
        const v = at(o, c.key);
        return h("td", { className: words(list, c) ? "text" : "" }, typeof v === "boolean" ? (v ? "yes" : "no") : v === undefined || v === null ? "" : short(v));
      })))))));
  }
  return out;
}
