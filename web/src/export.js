// SPDX-License-Identifier: Apache-2.0
// export.js - take the question and its answer away: link, study, CSV, SVG, C header, Python, command.
import { h, save } from "./dom.js";
import { svgOf } from "./plot.js";

async function text(view, as) {
  if (as === "header") await view.app.sources();
  const reply = JSON.parse(await view.app.client.call({ kind: "say", job: { ...view.job(), $take: as } }));
  if (reply.status) throw new Error(reply.message);
  return reply.text;
}

const FORMS = [
  ["Link to this page", async (v) => ({ copy: location.href.split("#")[0] + v.link() })],
  ["Command line", async (v) => ({ copy: await text(v, "command") })],
  ["Study file (.yaml)", async (v) => ({ name: "study.yaml", content: await text(v, "study"), type: "application/yaml" })],
  ["Python snippet (.py)", async (v) => ({ name: "question.py", content: await text(v, "python"), type: "text/x-python" })],
  ["C header (.h)", async (v) => ({ name: "bristle_element.h", content: await text(v, "header"), type: "text/x-c" })],
  ["Table (.csv)", async (v) => {
    const reply = await v.app.client.call({ kind: "csv", job: v.job() });
    if (reply.status || !reply.bytes) throw new Error(reply.message || "this question has no table");
    return { name: v.analysis.name + ".csv", content: new Blob([reply.bytes], { type: "text/csv" }) };
  }],
  ["Picture (.svg)", async (v) => ({ name: v.spec.name + ".svg", content: svgOf(v.plots, v.spec.title), type: "image/svg+xml" })],
];

export function menu(view) {
  const say = h("span", { className: "note", role: "status" });
  const list = h("div", { className: "menu-list", hidden: true, id: "menu-list" }, [...FORMS, ...view.forms()].map(([title, make]) => h("button", { type: "button", onclick: async () => {
    toggle(false);
    try {
      const got = await make(view);
      if (got.copy) {
        await navigator.clipboard?.writeText(got.copy).catch(() => {});
        say.textContent = "copied";
        view.app.copied = got.copy;
      } else {
        save(got.name, got.content, got.type);
        say.textContent = got.name;
      }
    } catch (fault) {
      say.textContent = fault.message;
    }
  } }, title)));
  const button = h("button", { type: "button", "aria-expanded": "false", "aria-controls": "menu-list", onclick: () => toggle(list.hidden) }, "Take away");
  const box = h("div", { className: "menu", onkeydown: (e) => {
    if (e.key !== "Escape") return;
    toggle(false);
    button.focus();
  } }, button, list);
  function toggle(open) {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) list.firstChild.focus();
  }
  document.addEventListener("click", (e) => box.contains(e.target) || toggle(false));
  return h("div", { className: "row" }, say, h("button", { type: "button", onclick: () => view.app.reset(view.spec) }, "Reset"), box);
}
