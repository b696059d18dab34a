// SPDX-License-Identifier: Apache-2.0
// compare.js - two models under one motion: the second has parameters of its own ('_' in front of their names).
import { choice, slider } from "./controls.js";
import { panels } from "./picture.js";
import { View } from "./view.js";

export class CompareView extends View {
  other() {
    const name = this.pairs._model || "dahl";
    return this.app.catalogue.models.find((m) => m.name === name) || this.app.catalogue.models[0];
  }

  extraGroups() {
    const c = this.app.catalogue, m = this.other(), first = this.model();
    const near = (row) => {
      const twin = first?.parameters.find((p) => p.name === row.name);
      return twin ? Number(this.pairs["set." + row.name] ?? this.usual(twin)) : Number(row.default);
    };
    return [this.group("second model", choice({ name: "_model", doc: m.title }, m.name, c.models.filter((x) => x.axes === 1).map((x) => ({ value: x.name, text: `${x.name} – ${x.title.split(":")[0]}` })), (v) => {
      for (const k of Object.keys(this.pairs)) if (k.startsWith("_set.")) delete this.pairs[k];
      this.pairs._model = v;
      this.app.replace(this.spec.name, this.pairs);
      this.renderControls();
      this.ask();
    }, { label: "model" }), m.parameters.filter((row) => typeof row.default === "number").slice(0, 8).map((row) =>
      slider(row, this.pairs["_set." + row.name], near(row), (v) => this.set("_set." + row.name, v))))];
  }

  otherJob() {
    const job = { ...this.job(), model: this.other().name }, first = this.model();
    delete job.preset;
    for (const k of Object.keys(job)) if (k.startsWith("set.")) delete job[k];
    for (const row of this.other().parameters) {
      const twin = first?.parameters.find((p) => p.name === row.name && typeof p.default === "number");
      if (twin) job["set." + row.name] = String(this.pairs["set." + row.name] ?? this.usual(twin));
    }
    for (const [k, v] of Object.entries(this.pairs)) if (k.startsWith("_set.")) job[k.slice(1)] = v;
    return job;
  }

  async ask() {
    this.wait();
    const [a, b] = await Promise.all([this.app.client.newest("main", this.job()), this.app.client.newest("other", this.otherJob())]);
    if (!a || !b) return;
    this.second = b;
    this.show(a.status ? a : b.status ? b : a);
  }

  pictureOf(reply) {
    const named = (panel, name, colour) => ({ ...panel, lines: panel.lines.map((l) => ({ ...l, label: name, colour, kind: colour === 2 ? "dashed" : l.kind })) });
    const one = panels(this.analysis.picture, reply.tables), two = panels(this.analysis.picture, this.second?.tables || []);
    return one.map((p, i) => {
      const x = named(p, this.model().name, 1), y = two[i] && named(two[i], this.other().name, 2);
      return y ? { ...x, lines: [...x.lines, ...y.lines] } : x;
    });
  }
}
