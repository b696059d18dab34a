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

  row(name) {
    return this.analysis.options.find((o) => o.name === name);
  }

  extraGroups() {
    const gains = this.row("gains"), controller = this.row("controller");
    const names = (/one of ([\w ]+)/.exec(controller.doc) || [, ""])[1].trim().split(/\s+/).filter(Boolean);
    const now = new Map(splitSet(this.pairs.gains));
    const sliders = this.first.map(([name, usual]) => slider({ name, unit: "", min: 0, min_exclusive: true, max: null, doc: gains.doc }, now.get(name), Number(usual), (v) => {
      now.set(name, v ?? usual);
      this.set("gains", [...now].map(([k, x]) => `${k}=${x}`).join(","));
    }));
    return [this.group("controller", names.length ? choice(controller, this.pairs.controller ?? "", names, (v) => this.set("controller", v)) : field(controller, this.pairs.controller, (v) => this.set("controller", v)), sliders,
      field(this.row("reference"), this.pairs.reference, (v) => this.set("reference", v)))];
  }

  hiddenOptions() {
    return new Set(["gains", "controller", "reference"]);
  }
}
