// SPDX-License-Identifier: Apache-2.0
// control.js - the control view: what stands in lists of NAME=VALUE (gains) as sliders of their own.
import { choice, field, slider } from "./controls.js";
import { splitSet } from "./state.js";
import { View } from "./view.js";

export class ControlView extends View {
  constructor(...rest) {
    super(...rest);
    this.first = splitSet(this.pairs.gains);
  }

  // A state that the new mechanism does not have cannot be tracked: the analysis takes its usual one.
  settle() {
    if (!this.system()?.states.some((s) => s.name === this.pairs.track)) delete this.pairs.track;
  }

  // Another controller has gains of its own; the answer names those it takes where none are given.
  law(name) {
    delete this.pairs.gains;
    this.first = [];
    this.set("controller", name);
    this.renderControls();
  }

  show(reply) {
    super.show(reply);
    const used = Object.entries(reply.answer?.gains || {}).filter(([, x]) => typeof x === "number");
    if (this.first.length || !used.length) return;
    this.first = used.map(([name, x]) => [name, String(x)]);
    this.renderControls();
  }

  row(name) {
    return this.analysis.options.find((o) => o.name === name);
  }

  extraGroups() {
    const gains = this.row("gains"), controller = this.row("controller");
    const names = (/one of ([\w ]+)/.exec(controller.doc) || [, ""])[1].trim().split(/\s+/).filter(Boolean);
    const now = new Map([...this.first, ...splitSet(this.pairs.gains)]);
    const sliders = this.first.map(([name, usual]) => slider({ name, unit: "", min: 0, min_exclusive: true, max: null, doc: gains.doc }, now.get(name), Number(usual), (v) => {
      now.set(name, v ?? usual);
      this.set("gains", [...now].map(([k, x]) => `${k}=${x}`).join(","));
    }));
    return [this.group("controller", names.length ? choice(controller, this.pairs.controller ?? "", names, (v) => this.law(v)) : field(controller, this.pairs.controller, (v) => this.set("controller", v)), sliders,
      field(this.row("reference"), this.pairs.reference, (v) => this.set("reference", v)))];
  }

  hiddenOptions() {
    return new Set(["gains", "controller", "reference"]);
  }
}
