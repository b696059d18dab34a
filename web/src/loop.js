// SPDX-License-Identifier: Apache-2.0
// loop.js - the loop view: turning points of the input can be dragged.
import { h, short } from "./dom.js";
import { Plot } from "./plot.js";
import { points } from "./signals.js";
import { View } from "./view.js";

export class LoopView extends View {
  inputExtra() {
    this.pad?.destroy();
    this.pad = null;
    const list = this.turning();
    if (!list) return null;
    this.pad = new Plot("input", { drawn: () => this.place() });
    this.pad.element.classList.add("small");
    this.handles = list.map((_, i) => this.handle(i));
    this.pad.box.append(...this.handles);
    this.showPad();
    return h("div", {}, this.pad.element, h("div", { className: "row" },
      h("button", { type: "button", onclick: () => this.count(1) }, "+ point"), h("button", { type: "button", onclick: () => this.count(-1), disabled: list.length < 3 }, "− point"),
      h("span", { className: "hint" }, "drag, or arrow keys")));
  }

  turning() {
    return points([].concat(this.pairs.input || "")[0]);
  }

  showPad() {
    const list = this.turning(), closed = [...list, list[0]];
    this.pad.show({ xlabel: "turning point", ylabel: "u (m)", scale: "", lines: [{ x: closed.map((_, i) => i), y: closed, kind: "line", colour: 1, label: "" }] });
  }

  place() {
    const list = this.turning(), u = this.pad?.u;
    if (!u || !list) return;
    this.handles.forEach((e, i) => {
      e.style.left = u.over.offsetLeft + u.valToPos(i, "x") + "px";
      e.style.top = u.over.offsetTop + u.valToPos(list[i], "y") + "px";
      e.setAttribute("aria-valuenow", String(list[i]));
      e.setAttribute("aria-valuetext", `${short(list[i])} m`);
    });
  }

  handle(i) {
    const move = (e) => {
      const box = this.pad.u.over.getBoundingClientRect();
      this.put(i, this.pad.u.posToVal(e.clientY - box.top, "y"));
    };
    return h("button", { type: "button", className: "handle", role: "slider", ariaLabel: `turning point ${i + 1}`, "aria-valuenow": "0",
      onpointerdown: (e) => {
        e.target.setPointerCapture(e.pointerId);
        this.held = this.pad.range;
        e.target.onpointermove = move;
      },
      onpointerup: (e) => {
        e.target.onpointermove = null;
        this.showPad();
      },
      onkeydown: (e) => {
        const step = (this.pad.range.y[1] - this.pad.range.y[0]) / 50;
        const by = { ArrowUp: step, ArrowRight: step, ArrowDown: -step, ArrowLeft: -step }[e.key];
        if (!by) return;
        e.preventDefault();
        this.put(i, this.turning()[i] + by);
        this.showPad();
      } });
  }

  put(i, value) {
    const list = this.turning();
    list[i] = Number(value.toPrecision(3));
    this.pairs.input = "turning:" + list.join(",");
    const closed = [...list, list[0]];
    this.pad.panel.lines[0].y = closed;
    this.pad.u.setData([null, [closed.map((_, k) => k), closed]], true);
    this.place();
    this.changed("input");
  }

  count(by) {
    const list = this.turning(), n = list.length;
    if (by > 0) list.push(Number(((list[n - 1] + list[0]) / 2 + (list[n - 1] - list[0]) / 4).toPrecision(3)));
    else list.pop();
    this.input("input", "turning:" + list.join(","));
  }

  recolour() {
    super.recolour();
    this.pad?.recolour();
  }

  destroy() {
    super.destroy();
    this.pad?.destroy();
  }
}
