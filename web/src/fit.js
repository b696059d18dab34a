// SPDX-License-Identifier: Apache-2.0
// fit.js - the fit view: a record of one's own, its columns, the model; nothing leaves the page.
import { choice } from "./controls.js";
import { h, pretty, short, unitText } from "./dom.js";
import { View } from "./view.js";

const MOST = 50e6;

export class FitView extends View {
  sourceGroup() {
    const c = this.app.catalogue;
    const row = this.analysis.options.find((o) => o.name === "model");
    return this.group("", choice(row, this.pairs.model ?? "", [{ value: "", text: "all: the best is told" }, ...c.models.filter((m) => m.axes === 1 && !m.parameters.some((p) => p.formula_of)).map((m) => ({ value: m.name, text: `${m.name} – ${m.title.split(":")[0]}` }))],
      (v) => {
        if (v) this.pairs.model = v;
        else delete this.pairs.model;
        this.changed("model");
      }));
  }

  parameterGroup() {
    return null; // they are what is sought
  }

  extraGroups() {
    const input = h("input", { type: "file", accept: ".csv,.txt,text/csv", id: "file", ariaLabel: "record", onchange: () => input.files[0] && this.take(input.files[0]) });
    const box = h("div", { className: "drop", ondragover: (e) => (e.preventDefault(), box.classList.add("over")), ondragleave: () => box.classList.remove("over"),
      ondrop: (e) => {
        e.preventDefault();
        box.classList.remove("over");
        if (e.dataTransfer.files[0]) this.take(e.dataTransfer.files[0]);
      } }, h("p", {}, "Drop a CSV file here, or"), input);
    const roles = this.analysis.options.filter((o) => o.arg === "COL");
    const list = (this.columns || []).map((k) => ({ value: k.name, text: k.unit ? `${k.name} (${unitText(k.unit)})` : k.name }));
    return [this.group("record", box, h("p", { className: "hint" }, this.columns ? `${this.pairs.file}: ${this.rows} rows` : `now: ${this.pairs.file}`)),
      this.columns ? this.group("columns", roles.map((o) => choice(o, this.pairs[o.name] ?? "", [{ value: "", text: "by its unit or name" }, ...list], (v) => this.set(o.name, v)))) : null].filter(Boolean);
  }

  async take(file) {
    if (file.size > MOST) return this.refuse(`${file.name} has ${short(file.size / 1e6, 3)} MB: up to 50 MB are read here, the command line takes any size`);
    const name = file.name.replace(/[^A-Za-z0-9_.-]/g, "_");
    this.app.client.file(name, new Uint8Array(await file.arrayBuffer()));
    const reply = await this.app.client.call({ kind: "columns", name });
    if (reply.status) return this.refuse(reply.message);
    this.columns = reply.columns;
    this.rows = reply.rows;
    for (const o of this.analysis.options) if (o.arg === "COL") delete this.pairs[o.name];
    this.pairs.file = name;
    this.renderControls();
    this.changed("file");
  }

  refuse(message) {
    this.fault.textContent = message;
    this.answers++;
    this.stage.dataset.answers = String(this.answers);
  }

  hiddenOptions() {
    return new Set(["file", "model", ...this.analysis.options.filter((o) => o.arg === "COL").map((o) => o.name)]);
  }

  // A link cannot carry a file: it says so.
  async ask() {
    if (this.pairs.file && !this.pairs.file.startsWith("sample:") && !this.app.client.files.has(this.pairs.file))
      return this.refuse(`${this.pairs.file} is not here: a link carries the question, not the record. Drop the file again.`);
    return super.ask();
  }

  show(reply) {
    super.show(reply);
    const p = reply.answer?.parameters;
    if (!p) return;
    const rows = Object.entries(p);
    this.figures.prepend(h("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "parameters" }, h("table", {}, h("caption", {}, `parameters of ${reply.answer.model}`),
      h("thead", {}, h("tr", {}, ["name", "value", "low", "high", "unit"].map((t) => h("th", { scope: "col", className: t === "name" || t === "unit" ? "text" : "" }, t)))),
      h("tbody", {}, rows.map(([name, v]) => h("tr", {}, h("td", { className: "text" }, pretty(name)), h("td", {}, short(v.value)), h("td", {}, short(v.low)), h("td", {}, short(v.high)), h("td", { className: "text" }, unitText(v.unit))))))));
    this.figures.hidden = false;
  }
}
