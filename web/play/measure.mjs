// SPDX-License-Identifier: MIT
// How long a frame of the playground takes in Chromium, while a restless hand drags bodies into each other.
// usage: node web/play/measure.mjs [SECONDS [SCENE...]]     (seconds of the scene's time; default 60, bunnies door potter)
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , seconds = "60", ...named] = process.argv;
const scenes = named.length > 0 ? named : ["bunnies", "door", "potter"];
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
if (!executablePath) throw new Error("no Chromium here: scripts/setup web installs it");
const browser = await chromium.launch({
  executablePath,
  args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
});
console.log("scene        frames   ms: median     99 %    worst   frames with shared points");
try {
  for (const scene of scenes) {
    const page = await browser.newPage();
    await page.goto(`${pathToFileURL(new URL("dist/play.html", import.meta.url).pathname).href}#scene=${scene}&detail=1`);
    await page.waitForFunction(() => window.graze_play?.frames > 2, null, { timeout: 300_000 });
    const result = await page.evaluate(drag, Number(seconds));
    const times = result.milliseconds.sort((a, b) => a - b);
    const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2).padStart(8);
    console.log(`${scene.padEnd(12)} ${String(times.length).padStart(6)}      ${at(0.5)} ${at(0.99)} ${at(1)}   ${result.shared} of ${result.checked} looked at`);
    await page.close();
  }
} finally {
  await browser.close();
}

/** In the page. Every half a second the hand takes a body and wants it at another one, or beside it. */
async function drag(seconds) {
  const play = window.graze_play;
  play.pause(true);
  let state = 1;
  const random = () => (state = (1103515245 * state + 12345) % 2147483648) / 2147483648;
  const result = { milliseconds: [], shared: 0, checked: 0 };
  const held = play.bodies.flatMap((body, i) => (body.held ? [i] : []));
  let grip = null;
  for (let frame = 0; frame < 60 * seconds; ++frame) {
    if (frame % 30 === 0) {
      const body = held[Math.floor(random() * held.length)];
      const other = Math.floor(random() * play.bodies.length);
      const place = Array.from(play.last.poses.subarray(7 * other, 7 * other + 3), (x) => x + 0.6 * (random() - 0.5));
      const q = [1, ...Array.from({ length: 3 }, () => random() - 0.5)];
      grip = { body, target: [...place, ...q.map((x) => x / Math.hypot(...q))] };
    }
    play.receive(await play.frame([grip]));
    result.milliseconds.push(play.milliseconds.at(-1));
    if (frame % 30 === 29) {
      ++result.checked;
      result.shared += (await play.shared()) > 0;
    }
  }
  return result;
}
