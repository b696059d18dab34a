// SPDX-License-Identifier: Apache-2.0
// pictures.mjs - screenshots of the lab: one of every view, light and dark, wide and phone, and those that the docs show, which
// must be what the page looks like now.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const SIZES = [["light", 1440, 900], ["dark", 1440, 900], ["light", 390, 844], ["dark", 390, 844]];

// Pictures of docs/lab.md: where, how, and what is done before; phones show the first screen only.
const SHOWN = [
  { name: "lab_loop", view: "loop", scheme: "light", width: 1440, height: 900 },
  { name: "lab_machine", view: "machine?system=belt_oscillator.yaml&t-end=20", scheme: "light", width: 1440, height: 1100, before: (page) => page.click(".text summary") },
  { name: "lab_phase", view: "phase", scheme: "dark", width: 1440, height: 900 },
  { name: "lab_phone", view: "loop", scheme: "light", width: 390, height: 844, before: (page) => page.evaluate(() => scrollTo(0, 880)) },
];
const BLOCK = 8;      // pixels a side that are averaged: fonts and times of computation come out alike
const APART = 20;     // of 255: a block that looks otherwise
const MOST = 0.01;    // part of the blocks that may

export async function shoot(page, folder, name, full) {
  mkdirSync(folder, { recursive: true });
  await page.waitForTimeout(150); // plots follow the size of their boxes
  await page.screenshot({ path: join(folder, name + ".png"), fullPage: full });
}

// Part of the blocks in which two pictures differ; 1 where their sizes do.
export async function apart(page, a, b) {
  const text = (path) => readFileSync(path).toString("base64");
  return page.evaluate(async ([one, two, block, far]) => {
    const read = async (data) => {
      const image = new Image();
      image.src = "data:image/png;base64," + data;
      await image.decode();
      const c = new OffscreenCanvas(Math.ceil(image.width / block), Math.ceil(image.height / block)), g = c.getContext("2d");
      g.imageSmoothingQuality = "high";
      g.drawImage(image, 0, 0, image.width / block, image.height / block);
      return { size: `${image.width} x ${image.height}`, data: g.getImageData(0, 0, c.width, c.height).data };
    };
    const p = await read(one), q = await read(two);
    if (p.size !== q.size) return 1;
    let n = 0;
    for (let i = 0; i < p.data.length; i += 4) n += [0, 1, 2].some((k) => Math.abs(p.data[i + k] - q.data[i + k]) > far);
    return n / (p.data.length / 4);
  }, [text(a), text(b), BLOCK, APART]);
}

// Draws what the docs show into folder; with update they take it over, else they are compared.
export async function documented({ page, root, folder, update, visit, check }) {
  const figures = join(root, "docs/figures"), text = readFileSync(join(root, "docs/lab.md"), "utf8");
  for (const p of SHOWN) {
    await page.emulateMedia({ colorScheme: p.scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: p.width, height: p.height });
    await visit(p.view);
    if (p.before) await p.before(page);
    await shoot(page, folder, p.name, false);
    const fresh = join(folder, p.name + ".png"), kept = join(figures, p.name + ".png");
    if (update) copyFileSync(fresh, kept);
    check(text.includes(`figures/${p.name}.png`), `docs/lab.md does not show ${p.name}.png`);
    const part = existsSync(kept) ? await apart(page, fresh, kept) : 1;
    console.log(`docs/figures/${p.name}.png: ${(100 * part).toFixed(2)} % apart from the page`);
    check(part <= MOST, `docs/figures/${p.name}.png is not what the page shows; tests/lab/test_browser.sh --update draws it anew`);
  }
  const known = new Set(SHOWN.map((p) => p.name + ".png"));
  for (const f of readdirSync(figures)) check(!f.startsWith("lab_") || known.has(f), `docs/figures/${f} is drawn by no test`);
}
