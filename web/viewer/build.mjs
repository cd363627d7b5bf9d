// SPDX-License-Identifier: MIT
// Writes dist/viewer.html: one file with the page, its worker and view.wasm inside. Opened as it is, it shows files that
// are dropped on it; `graze view` and `graze report` put what it shows in the place of {{document}}.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { bundle, filled, in_script, packed } from "../bundle.mjs";

const here = new URL("./", import.meta.url);
const page = filled(here, {
  style: readFileSync(new URL("src/style.css", here), "utf8"),
  worker: in_script(await bundle(here, "src/engine_worker.ts")),
  engine: packed(process.env["GRAZE_WASM"] ?? new URL("../../build-wasm/bin/view.wasm", here)),
  page: in_script(await bundle(here, "src/main.ts")),
});
if (page.split("{{document}}").length !== 2) throw new Error("the page must have one place for a document");
mkdirSync(new URL("dist/", here), { recursive: true });
writeFileSync(new URL("dist/viewer.html", here), page);
console.log(`viewer.html: ${page.length} bytes`);
