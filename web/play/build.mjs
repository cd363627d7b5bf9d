// SPDX-License-Identifier: MIT
// Writes dist/play.html: one file with the page, its worker and play.wasm inside, which needs no server and no network.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const here = new URL("./", import.meta.url);
const engine = process.env["GRAZE_PLAY_WASM"] ?? new URL("../../build-wasm/bin/play.wasm", here);

/** A source file and what it imports, as one classic script. */
async function bundle(entry) {
  const { output } = await build({
    root: here.pathname,
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      rollupOptions: { input: new URL(entry, here).pathname, external: [/^node:/], output: { format: "iife" } },
    },
  }).then((result) => (Array.isArray(result) ? result[0] : result));
  return output[0].code;
}

// Inside a script element only these two could end it, or begin a comment that hides its end.
const in_script = (code) => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const parts = {
  style: readFileSync(new URL("src/style.css", here), "utf8"),
  worker: in_script(await bundle("src/engine_worker.ts")),
  engine: gzipSync(readFileSync(engine), { level: 9 }).toString("base64"),
  page: in_script(await bundle("src/main.ts")),
};
const page = readFileSync(new URL("index.html", here), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
mkdirSync(new URL("dist/", here), { recursive: true });
writeFileSync(new URL("dist/play.html", here), page);
console.log(`play.html: ${page.length} bytes`);
