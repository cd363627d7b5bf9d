// SPDX-License-Identifier: MIT
// For pages that are one file: scripts, styles and the engine inside, no server and no network.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** A source file and what it imports, as one classic script. */
export async function bundle(folder, entry) {
  const { output } = await build({
    root: folder.pathname,
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      rollupOptions: { input: new URL(entry, folder).pathname, external: [/^node:/], output: { format: "iife" } },
    },
  }).then((result) => (Array.isArray(result) ? result[0] : result));
  return output[0].code;
}

/** Inside a script element only these two could end it, or begin a comment that hides its end. */
export const in_script = (code) => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/** A file as text that may stand anywhere in a page. */
export const packed = (file) => gzipSync(readFileSync(file), { level: 9 }).toString("base64");

/** The page with each {{name}} replaced by that part; names that are no part stay. */
export function filled(folder, parts) {
  return readFileSync(new URL("index.html", folder), "utf8").replace(/\{\{(\w+)\}\}/g, (all, name) => parts[name] ?? all);
}
