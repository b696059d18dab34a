// SPDX-License-Identifier: Apache-2.0
// documents.js - figures of the documents as presets: the runs of their studies, computed here.
import { h } from "./dom.js";
import { panels } from "./picture.js";
import { Plot } from "./plot.js";
import { jobOf, print } from "./state.js";

// A line of one run among several: in its colour, under its name.
const own = (l, colour, run) => ({ ...l, colour, kind: l.kind === "muted" || l.kind === "back" ? "line" : l.kind, label: run.label || run.name });

const SHOWN = 6; // runs of a figure that are computed at once

export class DocumentsView {
  constructor(app, spec, pairs) {
    Object.assign(this, { app, spec, pairs, plots: [] });
    this.figure = app.figures.figures.find((f) => f.name === pairs._figure) || app.figures.figures[0];
  }

  render() {
    const list = h("nav", { className: "card figures", ariaLabel: "figures" });
    for (const d of this.app.figures.documents) {
      list.append(h("h2", {}, d.title, h("br"), h("small", {}, d.authors)));
      for (const f of this.app.figures.figures.filter((x) => x.document === d.name))
        list.append(h("a", { href: print(this.spec.name, { _figure: f.name }), "aria-current": f === this.figure ? "page" : null }, h("small", {}, /^[0-9]/.test(f.figure || "") ? `figure ${f.figure} ` : f.figure ? `${f.figure} ` : ""), f.title));
    }
    this.grid = h("div", { className: "plots" });
    this.fault = h("p", { className: "fault", role: "alert" });
    this.links = h("div", { className: "row" });
    this.stage = h("section", { className: "stage", ariaLabel: "figure" }, h("h2", {}, this.figure.title), h("p", { className: "why" }, this.figure.about), this.fault, this.grid, this.links);
    this.compute();
    return h("div", { className: "view" }, h("div", { className: "head" }, h("div", {}, h("h1", {}, this.spec.title), h("p", { className: "lead" }, this.spec.about))), list, this.stage);
  }

  async compute() {
    const drawn = [];
    for (const run of this.figure.runs.slice(0, SHOWN)) {
      const a = this.app.catalogue.analyses.find((x) => x.name === run.analysis);
      if (!a) continue;
      const reply = await this.app.client.newest("main", jobOf(run.analysis, run.pairs));
      if (this.gone) return;
      if (!reply) continue;
      if (reply.status) {
        this.fault.textContent = `${run.label || run.name}: ${reply.message}`;
        continue;
      }
      const list = panels(a.picture, reply.tables);
      for (const p of a.pictures) if (p.option && run.pairs[p.option] === "yes") list.push(...panels(p.panels, reply.tables));
      for (const [k, panel] of list.entries()) this.put(drawn, `${run.analysis} ${k} ${panel.xlabel} ${panel.ylabel}`, panel, run);
      const view = this.app.views.views.find((v) => v.start?.split(" ")[1] === run.analysis);
      const rest = this.app.views.views.find((v) => v.kind === "more"), [to, pairs] = view ? [view, run.pairs] : [rest, { _analysis: run.analysis, ...run.pairs }];
      this.links.append(h("a", { href: print(to.name, pairs) }, `open ${run.label || run.name} in ${to.title}`));
    }
    const answers = Number(this.stage.dataset.answers || 0) + 1;
    this.stage.dataset.answers = String(answers);
  }

  // Runs of one kind share their panels; each has its colour.
  put(drawn, key, panel, run) {
    const found = drawn.find((d) => d.key === key), several = this.figure.runs.length > 1;
    if (!found) {
      const d = { key, panel: { ...panel, lines: panel.lines.map((l) => (several ? own(l, 1, run) : l)) }, plot: new Plot(this.figure.title), n: 1 };
      drawn.push(d);
      this.plots.push(d.plot);
      this.grid.append(d.plot.element);
      d.plot.show(d.panel);
      return;
    }
    found.n++;
    const main = panel.lines.filter((l) => !["areas", "regions", "heat", "frame"].includes(l.kind));
    found.panel.lines.push(...main.map((l) => own(l, ((found.n - 1) % 7) + 1, run)));
    found.plot.show({ ...found.panel, lines: [...found.panel.lines] });
  }

  recolour() {
    for (const p of this.plots) p.recolour();
  }

  destroy() {
    this.gone = true;
    for (const p of this.plots) p.destroy();
  }
}
