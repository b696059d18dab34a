// SPDX-License-Identifier: Apache-2.0
// phase.js - the phase view: the diagram along the varied parameter, the portrait at one value of it, and motions that
// start where the plane is clicked.  Diagram and portrait are two questions, on workers of their own.
import { slider } from "./controls.js";
import { h, short } from "./dom.js";
import { numbers } from "./numbers.js";
import { panels } from "./picture.js";
import { splitSet } from "./state.js";
import { View } from "./view.js";

export class PhaseView extends View {
  // vary: "sigma1=0.1:12"
  varied() {
    const m = /^([^=]+)=([^:]+):(.+)$/.exec(this.pairs.vary || "");
    return m ? { name: m[1], lo: Number(m[2]), hi: Number(m[3]) } : null;
  }

  // The value the portrait stands at.
  here() {
    const v = this.varied(), at = splitSet(this.pairs.at).find(([k]) => k === v?.name);
    return at ? Number(at[1].split(",")[0]) : v?.lo;
  }

  extraGroups() {
    const v = this.varied();
    if (!v) return [];
    const row = [...(this.model()?.parameters || []), ...(this.system()?.parameters || []), ...(this.system()?.inputs || [])].find((r) => r.name === v.name) || { name: v.name, doc: "" };
    const fine = { ...row, min: v.lo, max: v.hi, doc: `${row.doc}: where the portrait stands` };
    this.mover = slider(fine, String(this.here()), this.here(), (x) => {
      if (!x) return;
      this.pairs.at = `${v.name}=${x}`;
      this.app.replace(this.spec.name, this.pairs);
      this.mark();
      this.askPortrait();
    });
    return [this.group("portrait at", this.mover, h("p", { className: "hint" }, "Click into the plane: a motion starts there."))];
  }

  // What is varied must be something the model or the mechanism has: else the first number that is not zero.
  settle() {
    const rows = [...(this.system()?.inputs || []), ...(this.system()?.parameters || []), ...(this.model()?.parameters || [])];
    if (rows.some((r) => r.name === this.varied()?.name)) return;
    const size = (r) => Number(this.pairs["set." + r.name] ?? this.usual(r)), row = rows.find((r) => Number.isFinite(size(r)) && size(r) > 0);
    if (!row) return;
    this.pairs.vary = `${row.name}=${0.2 * size(row)}:${4 * size(row)}`;
    this.pairs.at = `${row.name}=${size(row)}`;
    delete this.pairs["set." + row.name];
    this.portrait = this.whole = this.diagram = this.basins = null;
  }

  hiddenOptions() {
    return new Set([...this.analysis.pictures.map((p) => p.option), "at"]);
  }

  parameterGroup(title, of) {
    const v = this.varied();
    return super.parameterGroup(title, of && v ? { ...of, parameters: of.parameters.filter((p) => p.name !== v.name) } : of);
  }

  renderControls() {
    super.renderControls();
    this.grid.classList.add("tall");
  }

  // The picture that comes again for every value of 'at'.
  plane() {
    return this.analysis.pictures.find((p) => p.panels.some((q) => q.series));
  }

  // In three steps: at once what is known in closed form and the manifolds, then the cycles, then the basins.
  portraitJob(step) {
    const v = this.varied(), x = this.here(), picture = this.plane(), job = { ...super.job() }, maps = step === "basins";
    const lines = picture.panels.flatMap((p) => p.lines).filter((l) => (l.style === "areas") === maps || (maps && l.style === "frame"));
    job.vary = `${v.name}=${x}:${x + Math.max(Math.abs(x), 1e-9) * 1e-6}`;
    if (step === "quick") job.only = "equilibria";
    job.at = `${v.name}=${x}`;
    job[picture.option] = "yes";
    job.$tables = lines.map((l) => l.table).join("|");
    return job;
  }

  diagramJob() {
    const job = { ...super.job() };
    delete job.at;
    return job;
  }

  ask() {
    this.motions = [];
    this.diagramFault = this.portraitFault = null;
    this.askPortrait();
    this.askDiagram();
  }

  destroy() {
    super.destroy();
    this.turn = -1;
    clearTimeout(this.later);
    for (const slot of ["portrait", "cycles", "diagram"]) this.app.client.stop(slot);
  }

  async askDiagram() {
    this.wait();
    const reply = await this.app.client.newest("diagram", this.diagramJob());
    if (!reply || this.gone) return;
    clearTimeout(this.slow);
    this.grid.classList.remove("stale");
    this.diagramFault = reply.status ? reply.message : "";
    if (!reply.status) this.diagram = panels(this.analysis.picture, reply.tables)[0], this.reply = reply;
    this.update();
    if (!reply.status) this.figures.replaceChildren(...numbers(this.analysis, { ...reply.answer, equilibria: undefined }, new Set()));
  }

  async askPortrait() {
    const turn = (this.turn = (this.turn || 0) + 1);
    clearTimeout(this.later);
    this.basins = null;
    const reply = await this.app.client.newest("portrait", this.portraitJob("quick"));
    if (!reply) return;
    this.portraitFault = reply.status ? reply.message : "";
    if (!reply.status) this.portrait = this.framed(panels(this.plane().panels, reply.tables)[0]);
    Object.assign(this.stage.dataset, { quick: String(reply.ms), turn: String(turn) });
    this.note.textContent = reply.status ? "" : "Cycles are being looked for.";
    this.update();
    if (!reply.status && turn === this.turn) this.later = setTimeout(() => this.askCycles(turn), 60);
  }

  // Until the cycles are known the plane keeps its window: it would jump to and fro.
  framed(panel) {
    const kept = this.whole?.lines.filter((l) => l.table === "window");
    return kept?.length && panel ? { ...panel, lines: panel.lines.map((l) => (l.table === "window" ? kept[0] : l)) } : panel;
  }

  async askCycles(turn) {
    const reply = await this.app.client.newest("cycles", this.portraitJob("cycles"));
    if (!reply || turn !== this.turn) return;
    this.note.textContent = "";
    this.portraitFault = reply.status ? reply.message : "";
    if (!reply.status) this.portrait = this.whole = panels(this.plane().panels, reply.tables)[0];
    this.stage.dataset.ms = String(reply.ms);
    this.update();
    if (!reply.status) this.later = setTimeout(() => this.askBasins(turn), 600);
  }

  async askBasins(turn) {
    const reply = await this.app.client.newest("cycles", this.portraitJob("basins"));
    if (!reply || reply.status || turn !== this.turn) return;
    this.basins = panels(this.plane().panels, reply.tables)[0]?.lines.filter((l) => l.value);
    this.update();
  }

  update() {
    const told = this.diagramFault === ""; // a diagram alone is an answer
    this.fault.textContent = this.diagramFault || "";
    if (this.portraitFault) this.portrait = null;
    if (this.portraitFault && told) this.note.textContent = `${this.diagram ? "" : "Nothing to draw along the parameter: no sliding, no cycle. "}No portrait: ${this.portraitFault}`;
    const list = [];
    if (this.portrait) list.push({ ...this.portrait, lines: [...(this.basins || []), ...this.portrait.lines, ...(this.motions || [])] });
    if (this.diagram) list.push(this.marked());
    if (list.length || (told && this.portraitFault)) this.draw(list);
    this.answers++;
    this.stage.dataset.answers = String(this.answers);
  }

  // The diagram with the value of the portrait.
  marked() {
    const d = this.diagram, x = this.here();
    let lo = Infinity, hi = -Infinity;
    for (const l of d.lines) for (const y of l.y) if (Number.isFinite(y)) { lo = Math.min(lo, y); hi = Math.max(hi, y); }
    return { ...d, lines: [{ x: [x, x], y: [lo, hi], kind: "muted", colour: 7, label: `portrait at ${short(x, 4)}` }, ...d.lines] };
  }

  mark() {
    if (this.diagram && this.plots.length) this.plots[this.plots.length - 1].show(this.marked());
  }

  hooks(i) {
    return i === 0 ? { click: (x, y) => this.begin(x, y) } : {};
  }

  // A motion from the clicked point: the same mechanism, in time.
  async begin(x, y) {
    const p = this.portrait, v = this.varied();
    if (!p) return;
    const job = { $analysis: "simulate" };
    for (const [k, value] of Object.entries(this.job())) if (k === "preset" || k === "model" || k === "system" || k.startsWith("set.")) job[k] = value;
    job["set." + v.name] = String(this.here());
    job["init." + p.xname] = String(x);
    job["init." + p.yname] = String(y);
    job["t-end"] = "60";
    const reply = await this.app.client.newest("motion", job);
    if (!reply) return;
    this.fault.textContent = reply.status ? reply.message : "";
    const t = reply.tables?.find((one) => one.main) || reply.tables?.[0];
    const a = t?.columns.find((c) => c.name === p.xname), b = t?.columns.find((c) => c.name === p.yname);
    if (!a || !b) return;
    this.motions = [...this.motions.slice(-4), { x: a.data, y: b.data, kind: "line", colour: 2, label: "motion from the click" }];
    this.update();
  }
}
