// SPDX-License-Identifier: Apache-2.0
// more.js - the analyses that have no view of their own, each with its first example, as the catalogue says them.
import { choice } from "./controls.js";
import { fromCommand, print } from "./state.js";
import { View } from "./view.js";

// The analyses that no other view starts with.
export function others(app) {
  const shown = new Set(app.views.views.map((v) => v.start?.split(" ")[1]));
  return app.catalogue.analyses.filter((a) => !shown.has(a.name));
}

export class MoreView extends View {
  constructor(app, spec, pairs) {
    const list = others(app), chosen = list.find((a) => a.name === pairs._analysis) || list.find((a) => a.picture.length); // one with a picture first
    const own = Object.keys(pairs).some((k) => k !== "_analysis");
    super(app, spec, chosen.name, { _analysis: chosen.name, ...(own ? pairs : fromCommand(chosen.examples[0], app.catalogue).pairs) });
  }

  sourceGroup() {
    const row = { name: "analysis", doc: this.analysis.text };
    const which = choice(row, this.analysis.name, others(this.app).map((a) => ({ value: a.name, text: `${a.name} – ${a.summary}` })), (v) => (location.hash = print(this.spec.name, { _analysis: v })));
    const group = super.sourceGroup() ?? this.group("");
    group.prepend(which);
    return group;
  }
}
