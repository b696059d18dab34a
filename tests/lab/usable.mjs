// SPDX-License-Identifier: Apache-2.0
// usable.mjs - the lab without a mouse, in calm, without jumps, in time.

// From the start page to an answer and its menu by keys alone.
async function keys({ page, open, answered, check }) {
  await open("#start");
  const focus = () => page.evaluate(() => document.activeElement.textContent.trim());
  await page.keyboard.press("Tab");
  check((await focus()) === "to the content", "keys: the first stop is not the way to the content");
  for (let i = 0; i < 20 && !(await focus()).startsWith("What is a minor loop?"); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await answered();
  check((await page.locator(".why").count()) === 1, "keys: the first question cannot be opened");
  await page.focus(".menu > button");
  await page.keyboard.press("Enter");
  check((await focus()) === "Link to this page", "keys: the menu does not take the focus");
  await page.keyboard.press("Escape");
  check((await focus()) === "Take away" && (await page.locator(".menu-list").isHidden()), "keys: Escape does not close the menu");
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  check(ring === "solid", "keys: the focus is not seen");
}

// Moves of a slider leave everything where it is, and are answered within a frame.
async function still({ page, open, answered, check }) {
  await open("#loop");
  await answered();
  const out = await page.evaluate(async () => {
    const view = window.bristleApp.view, bar = document.querySelector('[data-name="sigma0"] input[type=range]');
    const boxes = () => JSON.stringify([...document.querySelectorAll(".controls, .plots, .plot, .results, .control")].map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width]; }));
    const before = boxes(), times = [];
    let moved = 0;
    for (let i = 0; i < 40; i++) {
      const n = view.answers, from = performance.now();
      bar.value = String(400 + 5 * i);
      bar.dispatchEvent(new Event("input"));
      while (view.answers === n) await new Promise((go) => setTimeout(go, 0));
      times.push(performance.now() - from);
      moved += boxes() !== before;
    }
    return { moved, times: times.sort((a, b) => a - b) };
  });
  check(out.moved === 0, `the page jumped in ${out.moved} of 40 moves of a slider`);
  check(out.times[0] < 16, `loop: no move of a slider is drawn within a frame, the best in ${out.times[0].toFixed(1)} ms`); // the machine may be busy
  console.log(`loop: from a move of the slider to its curve ${out.times[0].toFixed(1)} ms at best, ${out.times[20].toFixed(1)} ms in the middle, ${out.times[39].toFixed(1)} ms at worst`);
}

// What is loaded comes to where it stays: the browser's own sum of jumps, of which 0.1 counts as good.
async function loaded({ page, open, answered, check }) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await page.setViewportSize({ width, height });
    for (const view of ["loop", "machine", "phase", "fit", "control"]) {
      await open("#" + view);
      await answered();
      const jumps = await page.evaluate(() => new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((e) => (sum += e.value))).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 300);
      }));
      check(jumps < 0.05, `${view} at ${width}: jumps of ${jumps.toFixed(3)} while it loads`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

// Whatever is chosen from a list is answered, or says what cannot be: no choice of a page is malformed.
async function choices({ page, open, answered, check }) {
  const wait = (n) => page.waitForFunction((k) => Number(document.querySelector(".stage").dataset.answers) > k || document.querySelector(".fault").textContent, n);
  const now = async () => Number(await page.getAttribute(".stage", "data-answers"));
  const pick = async (name, value) => {
    const n = await now();
    await page.selectOption(`[data-name="${name}"] select`, value);
    await wait(n);
    return page.textContent(".fault");
  };
  for (const [view, name, value] of [["loop", "preset", ""], ["machine", "preset", ""], ["machine", "system", "two_axis"], ["control", "preset", ""], ["control", "system", "dc_motor"],
    ["control", "controller", "pi"], ["control", "controller", "sliding_mode"]]) {
    await open("#" + view);
    await answered();
    const fault = await pick(name, value);
    check(fault === "", `${view}: ${name} '${value}' leads to: ${fault}`);
    if (value !== "pi") continue;
    await page.waitForSelector('[data-name="ki"]');
    check((await page.locator('[data-name="kd"]').count()) === 0, "control: pi has the gains of pid");
    const n = await now();
    await page.fill('[data-name="ki"] .number', "7");
    await page.press('[data-name="ki"] .number', "Enter");
    await wait(n);
    check((await page.evaluate(() => window.bristleApp.view.reply.answer.gains.ki)) === 7, "control: a gain of another controller does not move");
  }
  for (const [view, name] of [["loop", "model"], ["fit", "model"]]) {
    await open("#" + view);
    await answered();
    const list = await page.$$eval(`[data-name="${name}"] option`, (l) => l.map((o) => o.value));
    check(!list.includes("bouc_wen_biaxial") && list.includes("dahl"), `${view}: offers ${list}`);
    if (view === "fit") check(!list.includes("duhem"), "fit: offers models that cannot be fitted");
  }
  await open("#phase?preset=canudas1995_stickslip&vary=vp=0.02:0.4&at=vp=0.1");
  await page.waitForFunction(() => window.bristleApp.view.diagram);
  check((await page.textContent(".fault")) === "" && /^No portrait/.test(await page.textContent(".stage > .note")), "phase: a diagram without a portrait is called wrong");
  await open("#more");
  await answered();
  const others = await page.$$eval('[data-name="analysis"] option', (l) => l.map((o) => o.value));
  check(others.includes("steady") && others.includes("response") && !others.includes("loop"), `more: offers ${others}`);
  for (const one of others) {
    await open("#more?_analysis=" + one);
    await answered();
    check((await page.textContent(".fault")) === "", `more: ${one}: ${await page.textContent(".fault")}`);
  }
}

// What the system asks for: no motion of its own, or motion.
async function calm({ page, open, answered, check }) {
  for (const [motion, button] of [["reduce", "Play"], ["no-preference", "Pause"]]) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: motion });
    await open("#machine");
    await answered();
    check((await page.textContent(".drawing + .row button")) === button, `machine: motion '${motion}', and the button says otherwise than ${button}`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

// On a phone the picture stays in sight while the last slider is moved.
async function phone({ page, open, answered, check }) {
  await page.setViewportSize({ width: 390, height: 844 });
  await open("#loop");
  await answered();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.focus('[data-name="Fs"] input[type=range]');
  const seen = await page.evaluate(() => {
    const b = document.querySelector(".plots .plot").getBoundingClientRect(), s = document.querySelector('[data-name="Fs"]').getBoundingClientRect();
    return { ok: b.top >= 0 && b.bottom <= s.top && s.bottom <= innerHeight, text: `curve ${b.top} to ${b.bottom}, slider ${s.top} to ${s.bottom}` };
  });
  check(seen.ok, "phone: the slider and its curve are not seen together: " + seen.text);
  await page.setViewportSize({ width: 1440, height: 900 });
}

export async function usable(lab) {
  for (const part of [keys, still, loaded, choices, calm, phone]) {
    await part(lab);
    lab.quiet("usable: " + part.name);
  }
}
