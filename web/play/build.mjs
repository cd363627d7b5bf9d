// SPDX-License-Identifier: MIT
// Writes dist/play.html: one file with the page, its worker and play.wasm inside, which needs no server and no network.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { bundle, filled, in_script, packed } from "../bundle.mjs";

const here = new URL("./", import.meta.url);
const page = filled(here, {
  style: readFileSync(new URL("src/style.css", here), "utf8"),
  worker: in_script(await bundle(here, "src/engine_worker.ts")),
  engine: packed(process.env["GRAZE_PLAY_WASM"] ?? new URL("../../build-wasm/bin/play.wasm", here)),
  page: in_script(await bundle(here, "src/main.ts")),
});
mkdirSync(new URL("dist/", here), { recursive: true });
writeFileSync(new URL("dist/play.html", here), page);
console.log(`play.html: ${page.length} bytes`);
