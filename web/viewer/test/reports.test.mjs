// SPDX-License-Identifier: MIT
// What a report that was mailed has to do: no network, the reader's own light or dark, plots of the work, a flight to what
// is clicked, also by keyboard alone. Without Chromium the tests are skipped, and say so.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { errors_of, launch, no_chromium } from "../../chromium.mjs";
import { folder, run } from "../../graze/test/corpus.mjs";

const page_file = new URL("../dist/viewer.html", import.meta.url).pathname;

describe("a report", { skip: no_chromium, concurrency: false, timeout: 300_000 }, () => {
  let browser;
  before(async () => {
    browser = await launch();
    run("make", "torus_knot", "--triangles", "2880", "-o", "knot.obj");
    run("make", "box", "-o", "box.obj");
    run("report", "first-contact", "knot.obj", "box.obj", "--a-from", "-3 0 0 1 0 0 0", "--a-to", "3 0.5 0 0 0 1 0", "--all-contacts", "-o", "mailed.html", "--template", page_file);
  });
  after(() => browser?.close());

  async function open(scheme) {
    const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, colorScheme: scheme, offline: true });
    const page = await context.newPage();
    const errors = errors_of(page), asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(join(folder, "mailed.html")).href);
    await page.waitForFunction(() => window.graze_view, null, { timeout: 120_000 });
    page.close_fine = async () => {
      assert.deepEqual(asked.filter((url) => !/^(file|blob|data):/.test(url)), []);
      assert.equal(asked.filter((url) => url.startsWith("file:")).length, 1); // itself
      assert.deepEqual(errors, []);
      await context.close();
    };
    return page;
  }

  it("needs no network, and begins as light or dark as its reader's system", async () => {
    for (const scheme of ["dark", "light"]) {
      const page = await open(scheme);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), scheme);
      const bright = await page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g).map(Number).reduce((a, b) => a + b) > 380);
      assert.equal(bright, scheme === "dark");
      // The page may not reach anything, even if it were told to.
      const reached = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => "reached", () => "refused"));
      assert.equal(reached, "refused");
      await page.close();
    }
  });

  it("shows counters and times as plots, and flies to what is clicked", async () => {
    const page = await open("light");
    assert.ok(await page.locator("#numbers_part").isVisible());
    assert.ok((await page.locator("#numbers .bars i").count()) >= 3);
    const camera = () => page.evaluate(() => window.graze_view.picture.camera.position.toArray());
    await page.evaluate(() => window.graze_view.picture.look());
    const before = await camera();
    const count = await page.locator("#contacts button").count();
    assert.ok(count >= 2);
    await page.locator("#contacts button").nth(count - 1).click();
    await page.waitForFunction((from) => window.graze_view.picture.camera.position.toArray().some((x, k) => Math.abs(x - from[k]) > 0.1), before, { timeout: 20_000 });
    assert.equal(await page.evaluate(() => window.graze_view.chosen), count - 1);
    await page.close_fine();
  });

  it("can be read by keyboard alone", async () => {
    const page = await open("light");
    const reached = new Set();
    const wanted = ["theme", "open", "contacts", "play", "time", "ask"];
    for (let k = 0; k < 1000 && !wanted.every((id) => reached.has(id)); ++k) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.closest("[id]")?.id));
    }
    for (const id of wanted) assert.ok(reached.has(id), `${id} of ${[...reached]}`);
    await page.evaluate(() => document.activeElement.blur());
    for (const key of ["n", "p", "f", "w", "Escape", "ArrowRight", "Shift+ArrowLeft", " ", " "]) await page.keyboard.press(key);
    // Everything that is pressed has a name that can be read aloud.
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select")].filter((e) =>
      !(e.textContent.trim() || e.getAttribute("aria-label") || e.title || e.closest("label"))).map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    await page.close_fine();
  });
});
