// SPDX-License-Identifier: MIT
// The playground in Debian's Chromium, opened from a file as a visitor would who got it by mail. Without Chromium the tests
// are skipped, and say so.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { serve } from "../../serve.mjs";

const page_file = new URL("../dist/play.html", import.meta.url);
const chromium_path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const skip = chromium_path ? false : "no Chromium here: scripts/setup web installs it";
const scenes = ["bunnies", "door", "car", "engine", "assembly", "hands", "cage", "potter", "buttons", "cloth", "robot"];

describe("playground in Chromium", { skip, concurrency: false, timeout: 600_000 }, () => {
  let browser, context;
  before(async () => {
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({
      executablePath: chromium_path,
      args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
    });
    context = await browser.newContext({ viewport: { width: 700, height: 480 } });
  });
  after(() => browser?.close());

  /** A page with this scene, which must not print an error from here on. */
  async function open(scene, detail = 0.05, address = pathToFileURL(page_file.pathname).href) {
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${address}#scene=${scene}&detail=${detail}`);
    await page.waitForFunction(() => window.graze_play?.frames > 2, null, { timeout: 120_000 });
    page.fine = () => assert.deepEqual(errors, []);
    page.message = () => page.locator("#message").textContent();
    return page;
  }
  const grab = (page, name) =>
    page.evaluate((wanted) => {
      // The place of the canvas where a held body can be gripped: the nearest to its middle that hits it.
      const { picture } = window.graze_play;
      picture.render(); // a busy machine may not have drawn the bodies where they are
      for (let ring = 0; ring < 1; ring += 0.02)
        for (let turn = 0; turn < 6.28; turn += 0.3) {
          const [x, y] = [ring * Math.cos(turn), ring * Math.sin(turn)];
          const hit = picture.pick(x, y);
          if (!hit || (wanted !== null && hit.body !== wanted)) continue;
          const box = picture.canvas.getBoundingClientRect();
          return { body: hit.body, x: box.left + ((x + 1) / 2) * box.width, y: box.top + ((1 - y) / 2) * box.height };
        }
      return null;
    }, name ?? null);

  for (const scene of scenes)
    it(`shows ${scene} without an error in the console`, async () => {
      const page = await open(scene);
      assert.equal(await page.locator("#scene").inputValue(), scene);
      await page.waitForFunction(() => document.querySelectorAll("#numbers tr").length > 0);
      assert.equal(await page.message(), "");
      page.fine();
      await page.close();
    });

  it("leaves bodies apart that are dragged into each other by the mouse", async () => {
    const page = await open("bunnies");
    for (let drag = 0; drag < 8; ++drag) {
      let at = await grab(page);
      if (!at) { // dragged out of the picture
        await page.evaluate(() => window.graze_play.start());
        await page.waitForFunction(() => window.graze_play.frames > 2);
        at = await grab(page);
      }
      assert.ok(at, "no held body in the picture");
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      for (let step = 1; step <= 10; ++step)
        await page.mouse.move(at.x + 30 * step * Math.cos(2.1 * drag), at.y + 16 * step * Math.sin(2.1 * drag));
      await page.waitForFunction((frames) => window.graze_play.frames > frames + 5, await page.evaluate(() => window.graze_play.frames));
      assert.equal(await page.evaluate(() => window.graze_play.shared()), 0);
      await page.mouse.up();
    }
    page.fine();
    await page.close();
  });

  for (const [scene, drags] of [["bunnies", 2000], ["door", 500], ["assembly", 1000]])
  it(`leaves bodies apart after ${drags} random drags, in the poses that are shown: ${scene}`, async () => {
    const page = await open(scene);
    const shared = await page.evaluate(async (drags) => {
      const play = window.graze_play;
      play.pause(true);
      let [state, shared] = [12345, 0];
      const random = () => (state = (1103515245 * state + 12345) % 2147483648) / 2147483648;
      const bodies = play.last.poses.length / 7;
      for (let drag = 0; drag < drags; ++drag) {
        const body = Math.floor(random() * bodies);
        const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
        const size = Math.hypot(...q);
        const target = [4 * random() - 2, 4 * random() - 2, 4 * random() - 2, ...q.map((x) => x / size)];
        for (let frame = 0; frame < 3; ++frame) await play.frame([{ body, target }]);
        shared += await play.shared();
      }
      return shared;
    }, drags);
    assert.equal(shared, 0);
    page.fine();
    await page.close();
  });

  it("repeats a recording exactly, also from its file", async () => {
    const page = await open("potter");
    await page.click("#record");
    await page.waitForFunction(() => window.graze_play.mode === "record" && window.graze_play.frames > 0);
    const at = await grab(page);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let step = 0; step < 12; ++step) {
      await page.mouse.move(at.x, at.y + 12 * step);
      await page.waitForTimeout(30);
    }
    await page.mouse.up();
    await page.selectOption("[data-setting=tool]", "finger");
    await page.waitForTimeout(200);
    await page.click("#record");
    const volume = () => page.evaluate(() => [window.graze_play.frames, window.graze_play.last.numbers.volume]);
    await page.click("#pause");
    const folder = mkdtempSync(join(tmpdir(), "graze-play-"));
    try {
      const download = page.waitForEvent("download");
      await page.click("#save");
      await (await download).saveAs(join(folder, "played.json"));
      const played = JSON.parse(readFileSync(join(folder, "played.json"), "utf8"));
      assert.equal(played.application, "potter");
      assert.ok(played.frames.some((grips) => grips.length === 1));
      assert.equal(played.settings.length, 1);
      const repeat = async () => {
        await page.setInputFiles("#open", join(folder, "played.json"));
        await page.waitForFunction(() => window.graze_play.mode === "replay");
        await page.waitForFunction(() => window.graze_play.mode === "live", null, { timeout: 120_000 });
        await page.evaluate(() => window.graze_play.pause(true));
        return page.evaluate((count) => window.graze_play.history.slice(0, count), played.frames.length);
      };
      const [first, second] = [await repeat(), await repeat()];
      assert.equal(first.length, played.frames.length);
      assert.deepEqual(first, second);
      for (const text of ["", "{}", "[1]", '{"graze_play": 1, "application": "<b>", "detail": 1, "frames": [], "settings": []}']) {
        writeFileSync(join(folder, "bad.json"), text);
        await page.setInputFiles("#open", join(folder, "bad.json"));
        await page.waitForFunction(() => document.querySelector("#message.error")?.textContent.includes("recording"));
        await page.evaluate(() => window.graze_play.say(""));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    page.fine();
    await page.close();
  });

  it("lets a pot be pushed, pushes be undone and the pot be saved as OBJ", async () => {
    const page = await open("potter");
    const numbers = () => page.evaluate(() => window.graze_play.last.numbers);
    const before = (await numbers()).volume;
    const at = await grab(page);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let step = 0; step < 15; ++step) {
      await page.mouse.move(at.x, at.y + 14 * step);
      await page.waitForTimeout(30);
    }
    await page.mouse.up();
    await page.waitForFunction((volume) => window.graze_play.last.numbers.volume !== volume, before, { timeout: 20_000 });
    assert.ok((await numbers()).undo > 0);
    // The hand gets to where the mouse was some frames later, and pushes until then.
    for (let k = 0; k < 400 && (await numbers()).undo > 0; ++k) {
      await page.keyboard.press("u");
      await page.waitForTimeout(30);
    }
    await page.waitForFunction((volume) => window.graze_play.last.numbers.volume === volume, before, { timeout: 20_000 });
    const download = page.waitForEvent("download");
    await page.click("#obj");
    const text = readFileSync(await (await download).path(), "utf8");
    assert.match(text, /^v /m);
    assert.match(text, /^f /m);
    page.fine();
    await page.close();
  });

  it("presses a button with the finger", async () => {
    const page = await open("buttons");
    const events = await page.evaluate(async () => {
      const play = window.graze_play;
      play.pause(true);
      const finger = play.last.poses.length / 7 - 1;
      const all = [];
      for (const z of [2, 1, 0.5, 0.3, 1, 2]) {
        const frame = await play.frame([{ body: finger, target: [0, 0, z, 1, 0, 0, 0] }]);
        all.push(...frame.events);
      }
      return all;
    });
    assert.deepEqual(events, ["5 pressed", "5 released"]);
    await page.close();
  });

  it("is one scene in two tabs that share it", async () => {
    const server = await serve(new URL("../dist/", import.meta.url).pathname, 0);
    try {
      const address = `http://127.0.0.1:${server.address().port}/play.html`;
      const first = await open("assembly", 0.05, address);
      await first.check("#share");
      await first.waitForTimeout(200);
      const second = await open("assembly", 0.05, address);
      await second.check("#share");
      await first.bringToFront();
      // The second tab's hand moves a body of the first, which computes.
      await second.evaluate(() => (window.graze_play.hand.grip = { body: 1, target: [2, 1, 1, 1, 0, 0, 0] }));
      const pose = (page) => page.evaluate(() => Array.from(window.graze_play.last.poses.subarray(7, 10)));
      const start = await pose(first);
      await first.waitForFunction((old) => Math.abs(window.graze_play.last.poses[7] - old[0]) > 0.01, start, { timeout: 20_000 });
      await second.waitForFunction((old) => Math.abs(window.graze_play.last.poses[7] - old[0]) > 0.01, start, { timeout: 20_000 });
      first.fine();
      second.fine();
      await first.close();
      await second.close();
    } finally {
      server.closeAllConnections?.();
      server.close();
    }
  });

  it("gives memory back after a hundred scenes", async () => {
    const page = await open("buttons");
    const memory = async () => {
      await page.evaluate(async () => {
        for (let k = 0; k < 50; ++k) await window.graze_play.start();
        window.graze_play.picture.render(); // what is counted below is on the graphics card once it was drawn
      });
      return page.evaluate(() => ({ ...window.graze_play.picture.memory, engine: window.graze_play.engine.memory }));
    };
    const [first, second] = [await memory(), await memory()];
    assert.deepEqual(second, first);
    page.fine();
    await page.close();
  });

  it("offers what `graze play` names, and begins with what that wrote into the page", async () => {
    const folder = mkdtempSync(join(tmpdir(), "graze-play-"));
    try {
      const graze = process.env.GRAZE ?? new URL("../../../build/bin/graze", import.meta.url).pathname;
      const help = execFileSync(graze, ["play", "--help"], { encoding: "utf8" });
      assert.deepEqual(/SCENE:\{([a-z,]+)\}/.exec(help)[1].split(","), scenes);
      execFileSync(graze, ["play", "buttons", "--detail", "0.05", "-o", join(folder, "own.html"), "--template", page_file.pathname]);
      const page = await context.newPage();
      await page.goto(pathToFileURL(join(folder, "own.html")).href);
      await page.waitForFunction(() => window.graze_play?.frames > 2, null, { timeout: 120_000 });
      assert.deepEqual(await page.locator("#scene option").allTextContents(), scenes);
      assert.equal(await page.locator("#scene").inputValue(), "buttons");
      await page.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("switches the order while the scene runs, and says which it begins with", async () => {
    const page = await open("car");
    assert.equal(await page.locator("[data-setting=order]").inputValue(), "second");
    const height = () => page.evaluate(() => window.graze_play.last.poses[9]);
    await page.waitForFunction((start) => window.graze_play.last.poses[9] < start - 0.3, await height(), { timeout: 60_000 });
    await page.selectOption("[data-setting=order]", "first");
    await page.waitForFunction((frames) => window.graze_play.frames > frames + 3, await page.evaluate(() => window.graze_play.frames));
    const before = await height();
    await page.waitForFunction((frames) => window.graze_play.frames > frames + 10, await page.evaluate(() => window.graze_play.frames));
    assert.equal(await height(), before, "without a hand nothing moves in first order");
    assert.equal(await page.evaluate(() => window.graze_play.shared()), 0);
    page.fine();
    await page.close();
  });

  it("refuses an unknown scene in its address by showing the first one", async () => {
    const page = await context.newPage();
    await page.goto(`${pathToFileURL(page_file.pathname).href}#scene=<script>alert(1)</script>&detail=0.05`);
    await page.waitForFunction(() => window.graze_play?.frames > 0, null, { timeout: 120_000 });
    assert.equal(await page.locator("#scene").inputValue(), "bunnies");
    await page.close();
  });
});
