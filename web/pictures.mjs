// SPDX-License-Identifier: MIT
// Makes docs/pictures (scripts/pictures).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const root = new URL("../", import.meta.url).pathname;
const pictures = join(root, "docs/pictures");
const folder = mkdtempSync(join(tmpdir(), "graze-pictures-"));
const graze = (...args) => execFileSync(join(root, "build/bin/graze"), args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
const largest = 200_000; // bytes: they are part of every clone

mkdirSync(pictures, { recursive: true });
const browser = await launch();

/** A page when it is ready, with what `work` did in it. */
async function picture(name, address, ready, work, size = { width: 1000, height: 560 }) {
  const page = await browser.newPage({ viewport: size, colorScheme: "light" });
  await page.goto(address);
  await page.waitForFunction(ready, null, { timeout: 120_000 });
  await page.evaluate(work);
  await page.waitForTimeout(700);
  const path = join(pictures, name);
  await page.screenshot({ path });
  await page.close();
  const bytes = statSync(path).size;
  console.log(`docs/pictures/${name}: ${bytes} bytes`);
  if (bytes > largest) throw new Error(`${name} has ${bytes} bytes, and should have at most ${largest}`);
}

try {
  graze("make", "bunny", "--triangles", "70000", "-o", "bunny.obj");
  graze("report", "first-contact", "bunny.obj", "bunny.obj", "--a-from", "1.6 0.1 0.5 0.8 0.1 0.3 0.5", "--a-to", "-0.4 0.1 0 1 0 0.9 0.3",
    "-o", "viewer.html");
  await picture("viewer.png", pathToFileURL(join(folder, "viewer.html")).href, () => window.graze_view, async () => {
    const { picture } = window.graze_view;
    picture.look();
    picture.camera.position.lerp(picture.controls.target, 0.22);
  });
  await picture("playground.png", `${pathToFileURL(join(root, "build/web/play.html")).href}#scene=cloth&detail=1`,
    () => window.graze_play?.frames > 5, async () => {
      const play = window.graze_play;
      play.pause(true);
      for (let k = 0; k < 90; ++k) play.receive(await play.frame([]));
    });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
