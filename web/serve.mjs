// SPDX-License-Identifier: MIT
// usage: node web/serve.mjs FOLDER [PORT]: serves a folder to this machine only.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript",
                ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json", ".png": "image/png" };

/** Resolves to the server, listening; port 0 takes a free one. */
export function serve(folder, port) {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    const refuse = (status) => response.writeHead(status).end();
    let path;
    try {
      path = normalize(join(root, decodeURIComponent(new URL(request.url, "http://localhost").pathname)));
    } catch {
      return refuse(400);
    }
    if (path !== root && !path.startsWith(root + sep)) return refuse(403);
    try {
      if (statSync(path).isDirectory()) path = join(path, "index.html");
      statSync(path);
    } catch {
      return refuse(404);
    }
    response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(response);
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , folder, port] = process.argv;
  const server = await serve(folder, Number(port ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
