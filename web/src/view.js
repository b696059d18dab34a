// SPDX-License-Identifier: Apache-2.0
// view.js - an analysis of the catalogue as a page: controls of its rows, its pictures, its numbers.
import { choice, field, option, slider } from "./controls.js";
import { h, pretty, unitText } from "./dom.js";
import { menu } from "./export.js";
import { numbers } from "./numbers.js";
import { panels } from "./picture.js";
import { Plot } from "./plot.js";
import { editor, points } from "./signals.js";
import { jobOf, print, splitSet } from "./state.js";

export class View {
  constructor(app, spec, analysis, pairs, why) {
    Object.assign(this, { app, spec, pairs, why });
    this.analysis = app.catalogue.analyses.find((a) => a.name === analysis);
    this.plots = [];
    this.answers = 0;
  }

  // ---- what the job is made of ----

  preset() {
    return this.app.catalogue.presets.find((p) => p.name === this.pairs.preset);
  }
  model() {
    const name = this.pairs.model || this.preset()?.model;
    return this.app.catalogue.models.find((m) => m.name === name);
  }
  system() {
    const name = this.pairs.system || (this.needs("system") ? this.preset()?.system : null);
    return this.app.catalogue.systems.find((s) => s.name === name);
  }
  needs(what) {
    return this.analysis.needs.includes(what);
  }
  job() {
    return jobOf(this.analysis.name, this.pairs);
  }

  // The value that a parameter has where nobody changes it.
  usual(row) {
    const p = this.preset();
    const found = [...splitSet(p?.model_set), ...splitSet(p?.system_set)].find(([k]) => k === row.name || k.endsWith("." + row.name));
    return found ? found[1] : row.default;
  }

  set(name, value) {
    if (value === null || value === undefined) delete this.pairs[name];
    else this.pairs[name] = String(value);
    this.changed(name);
  }

  // Something else is asked from now on: controls of the old model go, those that both have stay.
  choose(name, value) {
    const old = { model: this.model()?.name, system: this.system()?.name };
    if (value) this.pairs[name] = value;
    else delete this.pairs[name];
    const p = this.preset();
    if (name === "preset") for (const what of ["model", "system"]) {
      delete this.pairs[what];
      if (!value && old[what] && this.needs(what)) this.pairs[what] = old[what]; // without its published values
    }
    if (name === "preset") for (const k of Object.keys(this.pairs)) if (k.startsWith("set.")) delete this.pairs[k];
    if (name !== "preset" && p) {
      for (const [what, of] of [["model", p.model], ["system", p.system]]) if (of && this.needs(what) && !this.pairs[what]) this.pairs[what] = of;
      delete this.pairs.preset;
    }
    if (this.needs("model") && this.model() && this.model().axes !== this.axes()) this.pairs.model = this.models()[0].name; // of a mechanism with other contacts
    this.prune();
    if (name === "system" || name === "preset") for (const k of Object.keys(this.pairs)) if (k.startsWith("init") || (this.system() && k.startsWith("input"))) delete this.pairs[k];
    this.settle();
    this.app.replace(this.spec.name, this.pairs);
    this.renderControls();
    this.ask();
  }

  // What else a view asks for must fit what was chosen, before it is asked.
  settle() {}

  // Axes of the contacts: of the mechanism; motions of the page have one.
  axes() {
    return this.system()?.axes ?? 1;
  }
  models() {
    return this.app.catalogue.models.filter((m) => m.axes === this.axes());
  }

  // Values of parameters that model and mechanism do not have go.
  prune() {
    const rows = new Set([...(this.model()?.parameters || []), ...(this.system()?.parameters || []), ...(this.system()?.inputs || [])].map((r) => r.name));
    for (const k of Object.keys(this.pairs)) if (k.startsWith("set.") && !rows.has(k.slice(4))) delete this.pairs[k];
  }

  changed() {
    this.app.replace(this.spec.name, this.pairs);
    this.ask();
  }

  // ---- controls ----

  renderControls() {
    const groups = [this.sourceGroup(), ...this.extraGroups(), this.inputGroup(), this.parameterGroup("model", this.model()),
      this.parameterGroup("mechanism", this.system()), this.optionGroup(), this.equationGroup()].filter(Boolean);
    this.controls.replaceChildren(...groups);
  }

  group(title, ...children) {
    return h("div", { className: "group" }, title ? h("h2", {}, title) : null, children);
  }

  extraGroups() {
    return [];
  }

  sourceGroup() {
    const c = this.app.catalogue, list = [];
    const text = (o) => ({ value: o.name, text: `${o.name} – ${o.title.split(":")[0]}` });
    const of = (p) => c.models.find((m) => m.name === p.model)?.axes;
    const fitting = c.presets.filter((p) => (this.needs("system") ? p.system : of(p) === 1));
    if (this.needs("model")) list.push(choice({ name: "preset", doc: "a published set of model, mechanism and values" }, this.pairs.preset ?? "",
      [{ value: "", text: "none: the defaults" }, ...fitting.map((p) => ({ value: p.name, text: `${p.name} – ${p.title}` }))], (v) => this.choose("preset", v)));
    if (this.needs("system")) list.push(choice({ name: "system", doc: this.system()?.title }, this.system()?.name ?? "", [...c.systems.filter((s) => !s.text || s === this.system()), ...this.texts()].map(text), (v) => this.choose("system", v), { label: "mechanism" }));
    if (this.needs("model")) list.push(choice({ name: "model", doc: this.model()?.title }, this.model()?.name ?? "", [...(this.model() ? [] : [{ value: "", text: "as the mechanism says" }]), ...this.models().map(text)], (v) => this.choose("model", v)));
    if (this.preset()) list.push(h("p", { className: "hint" }, "Source: " + this.preset().source));
    return list.length ? this.group("", list) : null;
  }

  // Mechanisms as text, beside the present one.
  texts() {
    return [];
  }

  inputGroup() {
    const s = this.system(), signals = this.app.catalogue.signals;
    if (!this.needs("input")) return null;
    if (!s) {
      const row = { name: "u", unit: "m", doc: "the motion" };
      return this.group("motion", this.inputExtra(), editor(signals, row, [].concat(this.pairs.input || "")[0], undefined, (spec) => this.input("input", spec)));
    }
    return this.group("inputs", s.inputs.map((row) => {
      const spec = this.pairs["input." + row.name] ?? (s.inputs.length === 1 ? this.pairs.input : undefined);
      const held = spec ? null : slider(row, this.pairs["set." + row.name], Number(this.usual(row)) || Number(this.pairs["set." + row.name]) || 1, (v) => this.set("set." + row.name, v));
      return [editor(signals, row, spec, 0, (t) => {
        delete this.pairs.input;
        if (t) delete this.pairs["set." + row.name];
        this.input("input." + row.name, t);
      }), held];
    }));
  }

  inputExtra() {
    return null;
  }

  input(name, spec) {
    if (spec) this.pairs[name] = spec;
    else delete this.pairs[name];
    this.app.replace(this.spec.name, this.pairs);
    this.renderControls();
    this.ask();
  }

  parameterGroup(title, of) {
    if (!of || !of.parameters.length) return null;
    const shown = [], more = [];
    for (const row of of.parameters) {
      const value = this.pairs["set." + row.name], usual = this.usual(row);
      const plain = typeof usual !== "object" && Number.isFinite(Number(usual)) && (value === undefined || Number.isFinite(Number(value)));
      if (row.choices?.length) shown.push(choice(row, value ?? row.default, row.choices, (v) => this.set("set." + row.name, v)));
      else if (plain && usual !== "" && usual !== null) shown.push(slider(row, value, Number(usual), (v) => this.set("set." + row.name, v)));
      else (Array.isArray(usual) && usual.length ? shown : more).push(field(row, value, (v) => this.set("set." + row.name, v), { placeholder: String(usual ?? "") }));
    }
    const low = shown.splice(9);
    more.unshift(...low);
    return this.group(title, shown, more.length ? h("details", {}, h("summary", {}, "more parameters"), h("div", { className: "list" }, more)) : null);
  }

  optionGroup() {
    const hidden = this.hiddenOptions();
    const rows = this.analysis.options.filter((o) => !hidden.has(o.name) && !(o.arg || "").startsWith("FILE"));
    if (!rows.length) return null;
    const init = this.needs("init") ? [field({ name: "init", doc: "states at the start: NAME=VALUE,...", arg: "NAME=VALUE,..." }, this.pairs.init, (v) => this.set("init", v))] : [];
    return this.group("", h("details", {}, h("summary", {}, "options"), h("div", { className: "list" },
      [...rows.map((o) => option(o, this.pairs[o.name], (v) => this.set(o.name, v))), ...init])));
  }

  hiddenOptions() {
    return new Set();
  }

  equationGroup() {
    const names = [this.model()?.name, this.system()?.text ? null : this.system()?.name].filter(Boolean); // a text is its own equations
    if (!names.length) return null;
    const body = h("div", { className: "equations", tabIndex: 0, role: "region", ariaLabel: "equations" });
    const box = h("details", { ontoggle: async () => {
      if (!box.open || body.childElementCount) return;
      for (const name of names) {
        const text = await this.app.client.call({ kind: "equations", name });
        const page = new DOMParser().parseFromString(`<body>${text}</body>`, "text/html");
        body.append(h("h2", {}, name), ...[...page.body.childNodes].map((n) => document.adoptNode(n)));
      }
    } }, h("summary", {}, "equations"), body);
    return this.group("", box);
  }

  // ---- the stage ----

  render() {
    this.controls = h("form", { className: "controls card", ariaLabel: "settings", onsubmit: (e) => e.preventDefault() });
    this.fault = h("p", { className: "fault", role: "alert" });
    this.note = h("p", { className: "note" });
    this.grid = h("div", { className: "plots", role: "group", ariaLabel: "pictures" });
    this.narrow = new ResizeObserver(() => { // a row that is scrolled has the keyboard
      if (this.grid.scrollWidth > this.grid.clientWidth + 1) this.grid.setAttribute("tabindex", "0");
      else this.grid.removeAttribute("tabindex");
    });
    this.narrow.observe(this.grid);
    this.figures = h("div", { className: "card results", ariaLive: "off" });
    this.stage = h("section", { className: "stage live", ariaLabel: "results" }, this.why ? h("p", { className: "why" }, this.why) : null, this.fault, this.before(), this.grid, this.after(), this.figures, this.note);
    this.renderControls();
    this.ask();
    return h("div", { className: "view" }, h("div", { className: "head" }, h("div", {}, h("h1", {}, this.spec.title), h("p", { className: "lead" }, this.spec.about)),
      menu(this)), this.controls, this.stage);
  }

  before() {
    return null;
  }
  after() {
    return null;
  }

  async ask() {
    this.wait();
    const reply = await this.app.client.newest("main", this.job());
    if (reply) this.show(reply);
  }

  // The picture is that of the question before; after a while the page says so.
  wait() {
    this.grid.classList.add("stale");
    clearTimeout(this.slow);
    this.slow = setTimeout(() => (this.note.textContent = "Still computing. A change of a slider asks anew."), 1500);
  }

  show(reply) {
    clearTimeout(this.slow);
    this.grid.classList.remove("stale");
    this.fault.textContent = reply.status ? reply.message : "";
    if (reply.status) this.note.textContent = "";
    if (reply.status) return;
    this.reply = reply;
    this.note.textContent = [...(reply.notes || [])].join(" ");
    this.draw(this.pictureOf(reply));
    this.figures.replaceChildren(...numbers(this.analysis, reply.answer, this.skip()));
    this.figures.hidden = !this.figures.childElementCount;
    this.answers++;
    this.stage.dataset.answers = String(this.answers);
    this.stage.dataset.ms = String(reply.ms ?? "");
  }

  skip() {
    return new Set();
  }

  pictureOf(reply) {
    const out = panels(this.analysis.picture, reply.tables);
    for (const p of this.analysis.pictures) if (p.option && this.pairs[p.option] === "yes") out.push(...panels(p.panels, reply.tables));
    return out;
  }

  draw(list) {
    this.grid.hidden = !list.length;
    while (this.plots.length > list.length) {
      const p = this.plots.pop();
      p.element.remove();
      p.destroy();
    }
    list.forEach((panel, i) => {
      if (!this.plots[i]) {
        this.plots[i] = new Plot(this.spec.title, this.hooks(i));
        this.grid.append(this.plots[i].element);
      }
      this.plots[i].show(panel);
    });
  }

  hooks() {
    return {};
  }

  // What this view alone can give away: [title, make].
  forms() {
    return [];
  }

  link() {
    return print(this.spec.name, this.pairs);
  }

  recolour() {
    for (const p of this.plots) p.recolour();
  }

  destroy() {
    this.gone = true;
    clearTimeout(this.slow);
    this.app.client.stop("main"); // what nobody waits for any more
    this.narrow.disconnect();
    for (const p of this.plots) p.destroy();
  }
}

export { points, pretty, unitText };
