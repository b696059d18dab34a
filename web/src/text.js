// SPDX-License-Identifier: Apache-2.0
// text.js - the mechanism as text: an editor beside the drawing, which says where a text is wrong.
import { h, unique } from "./dom.js";
import { LINKED } from "./state.js";

export const OWN = "own.yaml"; // the file that a text of one's own has, here and in what is taken away
const LONGEST = 60000;         // characters
const PAUSE = 250;             // ms without a key before a text is read

// "own.yaml:3:5: what" -> {line, column, what}; null: no place is said.
export function place(message) {
  const m = /^[^:]*:(\d+):(\d+): ([\s\S]*)$/.exec(message);
  return m ? { line: Number(m[1]), column: Number(m[2]), what: m[3] } : null;
}

export class TextEditor {
  // change(text) is asked once the keys rest.
  constructor(change) {
    const id = unique("text"), about = unique("about");
    this.area = h("textarea", { id, className: "mechanism", rows: 15, spellcheck: false, wrap: "off", maxLength: LONGEST, autocomplete: "off", autocapitalize: "off", "aria-describedby": about,
      oninput: () => {
        clearTimeout(this.later);
        this.later = setTimeout(() => change(this.area.value), PAUSE);
      } });
    this.wrong = h("p", { className: "fault", role: "alert" });
    this.link = h("p", { className: "note" });
    this.element = h("details", { className: "card text" }, h("summary", {}, "The mechanism as text"),
      h("label", { htmlFor: id, className: "hint" }, "Bodies, connections and contacts; what is written here runs at once."), this.area, h("p", { className: "hint", id: about }, "Units may follow a number: 3 N, 100 N/m."), this.wrong, this.link);
  }

  // null: the mechanism has no text.
  show(text) {
    this.element.hidden = text === null;
    if (text !== null && text !== this.area.value) this.area.value = text;
    this.measure();
  }

  measure() {
    const n = this.area.value.length;
    this.link.textContent = n > LINKED ? `The text has ${n} characters; a link carries up to ${LINKED}. Take the text away as a file.` : "";
  }

  // What is wrong with the text, with a way there; "": nothing.
  say(message) {
    const at = message ? place(message) : null;
    this.area.setAttribute("aria-invalid", String(Boolean(message)));
    this.wrong.replaceChildren(...(at ? [h("button", { type: "button", onclick: () => this.go(at) }, `line ${at.line}, column ${at.column}`), " ", at.what] : [message].filter(Boolean)));
    if (message) this.element.open = true;
    this.measure();
  }

  go({ line, column }) {
    const lines = this.area.value.split("\n"), from = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(from, from + 1);
    this.area.scrollTop = Math.max(0, line - 4) * parseFloat(getComputedStyle(this.area).lineHeight);
  }

  destroy() {
    clearTimeout(this.later);
  }
}
