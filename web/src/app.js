// SPDX-License-Identifier: Apache-2.0
// app.js - the page: the library in its worker, the catalogue, views by the address.
import { Client } from "./client.js";
import { CompareView } from "./compare.js";
import { ControlView } from "./control.js";
import { DocumentsView } from "./documents.js";
import { h } from "./dom.js";
import { FitView } from "./fit.js";
import { LoopView } from "./loop.js";
import { MachineView } from "./machine.js";
import { MoreView } from "./more.js";
import { PhaseView } from "./phase.js";
import { fromCommand, parse, print } from "./state.js";
import { OWN } from "./text.js";
import { View } from "./view.js";

const KINDS = { loop: LoopView, machine: MachineView, phase: PhaseView, fit: FitView, compare: CompareView, control: ControlView };
const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

// A file of the page that is fetched when it is needed: a script, since those load from a disk too.
function script(src) {
  return new Promise((done, fail) => document.head.append(h("script", { src, onload: done, onerror: () => fail(new Error(`${src} cannot be read`)) })));
}

class App {
  async start() {
    this.views = window.bristleLab.views;
    this.main = document.getElementById("main");
    this.theme();
    document.getElementById("nav").append(...this.views.views.map((v) => h("a", { href: "#" + v.name }, v.title)));
    this.client = new Client(window.bristleLab.worker, bytesOf(window.bristleLab.wasm));
    delete window.bristleLab.wasm;
    try {
      this.catalogue = await this.client.start();
    } catch (fault) {
      this.main.replaceChildren(h("p", { className: "fault", role: "alert" }, `The library did not start: ${fault.message}`));
      return;
    }
    document.getElementById("version").textContent = `Bristle ${this.catalogue.version}`;
    addEventListener("hashchange", () => this.go());
    this.go();
  }

  theme() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let chosen = null;
    const apply = () => {
      document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
      this.view?.recolour?.();
    };
    dark.addEventListener("change", apply);
    document.getElementById("theme").addEventListener("click", () => {
      chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      apply();
    });
    apply();
  }

  // The sources that exported headers are made of.
  async sources() {
    if (this.sourced) return;
    await script("sources.js");
    this.client.sources = bytesOf(window.bristleLab.sources);
    const reply = await this.client.call({ kind: "sources", bytes: this.client.sources });
    if (reply.status) throw new Error(reply.message);
    this.sourced = true;
  }

  // A mechanism as text becomes one of the systems, under the name of its file, once it is right; else what is wrong with it.
  async mechanism(name, own) {
    const { systems } = this.catalogue, text = name === OWN ? own ?? "" : window.bristleLab.mechanisms.find((m) => m.name === name)?.text;
    if (name === OWN && !own) return "The text of this mechanism is not in the link.";
    if (text === undefined || systems.some((s) => s.name === name && s.text === text)) return "";
    const bytes = new TextEncoder().encode(text), reader = this.client.line("text"); // tried where nothing else is computed
    reader.call({ kind: "file", name, bytes });
    const reply = await reader.call({ kind: "system", name });
    if (reply.status) return reply.message;
    this.client.file(name, bytes);
    const at = systems.findIndex((s) => s.name === name);
    systems.splice(at < 0 ? systems.length : at, 1, { ...reply.system, name, model: reply.model, text });
    return "";
  }

  async go() {
    const { view: name, pairs } = parse(location.hash);
    this.wrong = pairs.system ? await this.mechanism(pairs.system, pairs._text) : "";
    if (document.getElementById(name) && name !== "start") return; // the link to the content
    const spec = this.views.views.find((v) => v.name === name);
    this.view?.destroy?.();
    this.view = null;
    for (const a of document.querySelectorAll("#nav a")) {
      if (a.hash === "#" + name) a.setAttribute("aria-current", "page");
      else a.removeAttribute("aria-current");
    }
    document.title = spec ? `${spec.title} · Bristle lab` : "Bristle lab";
    if (!spec) return this.main.replaceChildren(this.startPage());
    if (spec.kind === "more") {
      this.view = new MoreView(this, spec, pairs);
    } else if (spec.kind === "documents") {
      if (!this.figures) await script("figures.js"), (this.figures = window.bristleLab.figures);
      this.view = new DocumentsView(this, spec, pairs);
    } else {
      const first = fromCommand(spec.start, this.catalogue);
      const why = this.views.questions[Number(pairs._question ?? -1)]?.answer;
      const own = Object.keys(pairs).some((k) => k !== "_question");
      this.view = new (KINDS[name] || View)(this, spec, first.analysis, own ? pairs : first.pairs, why);
    }
    this.main.replaceChildren(this.view.render());
    scrollTo(0, 0);
  }

  // The address follows what is shown, without a new entry of the history for each move of a slider.
  replace(view, pairs) {
    clearTimeout(this.later);
    this.later = setTimeout(() => history.replaceState(null, "", print(view, pairs)), 120);
  }

  reset(spec) {
    clearTimeout(this.later);
    history.replaceState(null, "", "#" + spec.name);
    this.go();
  }

  startPage() {
    const questions = this.views.questions.map((q, i) => {
      const pairs = { ...fromCommand(q.command, this.catalogue).pairs, _question: String(i) };
      return h("li", {}, h("a", { href: print(q.view, pairs) }, h("strong", {}, q.title), h("span", {}, q.answer)));
    });
    return h("div", {}, h("div", { className: "hero" }, h("h1", {}, "Friction remembers."), h("p", {}, "Move a slider and see what it does: loops, stick-slip, bifurcations, fits and controllers, computed in this page by the library itself.")),
      h("ul", { className: "questions" }, questions), h("h2", {}, "Views"),
      h("ul", { className: "tiles" }, this.views.views.map((v) => h("li", {}, h("a", { href: "#" + v.name }, h("strong", {}, v.title), h("span", {}, v.about))))));
  }
}

window.bristleApp = new App();
window.bristleApp.start();
