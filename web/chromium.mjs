// SPDX-License-Identifier: MIT
// Debian's Chromium for tests and measurements, without a screen.
import { existsSync } from "node:fs";

export const chromium_path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
export const no_chromium = chromium_path ? false : "no Chromium here: scripts/setup web installs it";

export async function launch(...more) {
  if (!chromium_path) throw new Error(no_chromium);
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: chromium_path,
    args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", ...more],
  });
}

/** Collects what a page prints as errors. */
export function errors_of(page) {
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return errors;
}
