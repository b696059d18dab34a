// SPDX-License-Identifier: Apache-2.0
// mechanisms.mjs - mechanisms as text in the page: those of mechanisms/ and a written one give the program's numbers, a wrong text
// says where, a link opens the text again, and whatever is written stays a text.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Every file of mechanisms/ ends where the program says.
async function shipped({ page, root, program, check }) {
  const texts = await page.evaluate(async () => {
    const app = window.bristleApp, out = {};
    for (const m of window.bristleLab.mechanisms) {
      await app.mechanism(m.name);
      const own = app.catalogue.systems.find((s) => s.name === m.name)?.model;
      const reply = await app.client.call({ kind: "ask", job: { $analysis: "simulate", system: m.name, "t-end": "1", ...(own ? {} : { model: "coulomb" }) } });
      out[m.name] = reply.status ? reply.message : { own, end: reply.tables[0].columns.map((c) => c.data[c.data.length - 1]) };
    }
    return out;
  });
  for (const [file, got] of Object.entries(texts)) {
    const path = join(root, "mechanisms", file), words = ["simulate", "--system", path, "--t-end", "1", "--csv", "-", ...(got.own ? [] : ["--model", "coulomb"])];
    const table = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 }).stdout.trim().split("\n").pop().split(",").map(Number);
    check(got.end && table.every((x, i) => x === got.end[i]), `${file}: ${JSON.stringify(got.end ?? got).slice(0, 200)}, the program ${table.slice(0, 6)}`);
  }
}

// Writes into the editor and waits until the text was read.
async function write(page, text) {
  const n = Number(await page.getAttribute(".stage", "data-answers"));
  await page.fill("textarea.mechanism", text);
  await page.waitForFunction((k) => Number(document.querySelector(".stage").dataset.answers) > k, n);
}

const wrong = (page) => page.textContent(".text .fault");

export async function mechanismTexts({ page, root, program, native, open, answered, check }) {
  await open("#machine");
  await answered();
  check(await page.locator(".card.text").isHidden(), "machine: an editor for a mechanism that has no text");
  await page.selectOption('[data-name="system"] select', "belt_oscillator.yaml");
  await page.waitForFunction(() => window.bristleApp.view.system()?.name === "belt_oscillator.yaml" && window.bristleApp.view.reply?.tables.some((t) => t.columns.some((c) => c.name === "vb")));
  const belt = await page.evaluate(() => ({ energy: window.bristleApp.view.reply.answer.energy, drawn: document.querySelectorAll(".drawing .block").length, job: window.bristleApp.view.job(), fault: document.querySelector(".fault").textContent }));
  const told = native(["simulate", "--system", join(root, "mechanisms/belt_oscillator.yaml"), "--t-end", belt.job["t-end"]]);
  check(belt.fault === "" && belt.drawn === 1 && JSON.stringify(belt.energy) === JSON.stringify(told.energy), `mechanism as text: ${JSON.stringify(belt)}, the program ${JSON.stringify(told.energy)}`);
  await shipped({ page, root, program, check });

  // a stiffer spring, written
  await page.click(".text summary");
  const text = (await page.inputValue("textarea.mechanism")).replace("k: 100 N/m", "k: 240 N/m");
  await write(page, text);
  await page.waitForFunction((before) => JSON.stringify(window.bristleApp.view.reply.answer.energy) !== before, JSON.stringify(belt.energy));
  const folder = mkdtempSync(join(tmpdir(), "lab-")), file = join(folder, "own.yaml");
  writeFileSync(file, text);
  const own = await page.evaluate(() => ({ job: window.bristleApp.view.job(), energy: window.bristleApp.view.reply.answer.energy }));
  const stiff = native(["simulate", "--system", file, "--t-end", own.job["t-end"]]);
  check(own.job.system === "own.yaml" && JSON.stringify(own.energy) === JSON.stringify(stiff.energy), `a written text: ${JSON.stringify(own)}, the program ${JSON.stringify(stiff.energy)}`);
  check((await wrong(page)) === "", `a right text is called wrong: ${await wrong(page)}`);

  // its link, and what is taken away
  await page.waitForTimeout(300);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await answered();
  const again = await page.evaluate(() => ({ energy: window.bristleApp.view.reply.answer.energy, text: document.querySelector("textarea.mechanism").value }));
  check(again.text === text && JSON.stringify(again.energy) === JSON.stringify(own.energy), "the link to a written mechanism opens something else");
  const given = await page.evaluate(async () => (await window.bristleApp.view.forms()[0][1]()));
  check(given.name === "own.yaml" && given.content === text, "the text that is taken away is another one");

  // wrong: line and column, as the program says them; the button goes there; the old picture stays until it is right again
  const typo = text.replace("title:", "titel:");
  writeFileSync(file, typo);
  const says = spawnSync(program, ["simulate", "--system", file], { encoding: "utf8" }).stderr, place = /own\.yaml:(\d+):(\d+): (.*)/.exec(says);
  await write(page, typo);
  check((await wrong(page)) === `line ${place[1]}, column ${place[2]} ${place[3]}`, `a wrong text: ${await wrong(page)}, the program ${says}`);
  check(await page.evaluate(() => document.querySelector(".plots").classList.contains("stale")), "the picture of a wrong text looks right");
  await page.click(".text .fault button");
  check((await page.evaluate(() => { const a = document.querySelector("textarea.mechanism"); return a === document.activeElement && a.value.slice(a.selectionStart, a.selectionStart + 5); })) === "titel", "the button does not go to the fault");
  await write(page, text.slice(0, text.indexOf("[block")) + "[block");
  check(/^line \d+, column \d+ YAML: /.test(await wrong(page)), `an open bracket: ${await wrong(page)}`);
  await page.waitForTimeout(300);
  const broken = page.url();
  await page.goto("about:blank");
  await page.goto(broken);
  await page.waitForSelector("textarea.mechanism");
  check(/^line \d+/.test(await wrong(page)), "the link to a wrong text does not say what is wrong");

  // whatever is written stays a text
  const evil = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';
  await write(page, text.replace(/title: .*/, `title: '${evil}'`).replace("name: belt_oscillator", "name: belt"));
  check((await wrong(page)) === "" && (await page.textContent("main")).includes("onerror"), `a title with brackets: ${await wrong(page)}`);
  for (const bad of ["{".repeat(5000), "- ".repeat(4000), evil, "%s%n\u0000\u202e", `mechanism:\n  name: ${"x".repeat(3000)}`, "mechanism: *a"]) {
    await write(page, bad);
    check((await wrong(page)).length > 10, `no word about ${JSON.stringify(bad.slice(0, 20))}`);
  }
  check(await page.evaluate(() => window.evil === undefined && !document.querySelector("main img, main script")), "a text became a part of the page");

  // too long for a link: said; right again: it runs
  await write(page, text + "#".repeat(4100));
  check(/a link carries up to 4000/.test(await page.textContent(".text .note")) && (await wrong(page)) === "", "a text too long for a link is not said to be");
  await page.waitForTimeout(300);
  check(page.url().length < 1000, "a link carries a long text");
  const long = page.url();
  await page.goto("about:blank");
  await page.goto(long);
  await page.waitForSelector(".text .fault");
  check(/not in the link/.test(await wrong(page)), "a link without its text says nothing");
}
