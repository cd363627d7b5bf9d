// SPDX-License-Identifier: MIT
// The package with the native engine below it instead of WebAssembly: apps/wasm/native.cpp, asked through two named pipes,
// since the package does not wait for answers.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Graze, GrazeError } from "../dist/graze.js";

const program = process.env.GRAZE_WEB_NATIVE ?? fileURLToPath(new URL("../../../build/bin/graze-web-native", import.meta.url));
export const no_native = existsSync(program) ? false : "no native engine to compare with: configure with GRAZE_BUILD_TESTS=ON";

/** Keeps -0, and leaves out what is null, as the package's own requests do. */
const request_text = (request) =>
  JSON.stringify(request, (_, value) => (value === null ? undefined : Object.is(value, -0) ? "@-0" : ArrayBuffer.isView(value) ? Array.from(value) : value))
    .replaceAll('"@-0"', "-0.0");

/** With the methods of `EngineModule` (web/graze/src/module.ts). */
class NativeModule {
  failed = false;
  memoryBytes = 0;
  #buffer = Buffer.alloc(1 << 20);

  constructor(to, from) {
    [this.to, this.from] = [to, from];
  }
  #line(request) {
    const all = Buffer.from(`${request_text(request)}\n`);
    for (let at = 0; at < all.length;) at += writeSync(this.to, all, at);
    const parts = [];
    for (;;) {
      const size = readSync(this.from, this.#buffer);
      if (size === 0) throw new Error("the native engine has ended");
      parts.push(this.#buffer.toString("latin1", 0, size));
      if (parts.at(-1).endsWith("\n")) return JSON.parse(Buffer.from(parts.join(""), "latin1").toString());
    }
  }
  ask(request) {
    const answer = this.#line(request);
    if (answer.thrown) throw new GrazeError(answer.thrown);
    if (answer.error && (answer.status === "invalid_request" || answer.location === "invalid_request")) throw new GrazeError(answer.error);
    return answer;
  }
  with(arrays, work) {
    const places = arrays.map((array) =>
      this.#line({ do: "memory.put", bytes: Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("hex") }).place);
    try {
      return work(places.map(([address], i) => [address, arrays[i].length]));
    } finally {
      for (const place of places) this.#line({ do: "memory.free", place });
    }
  }
  many(question, a, b, poses, each, out) {
    const count = poses.length / each;
    return this.with([poses, new Float64Array(count * out)], ([from, to]) => {
      const { refused } = this.#line({ do: "many", question, a, b, poses: from[0], count, out: to[0] });
      if (refused >= 0) throw new GrazeError({ code: "bad_pose", element: "entry", id: refused, message: "was refused: a body was disposed, a number is not finite or a quaternion is zero" });
      return this.doubles(to);
    });
  }
  #bytes(address, count) {
    return Uint8Array.from(Buffer.from(this.#line({ do: "memory.get", place: [address, count] }).bytes, "hex"));
  }
  doubles = ([address, count]) => new Float64Array(this.#bytes(address, 8 * count).buffer);
  ids = ([address, count]) => new Uint32Array(this.#bytes(address, 4 * count).buffer);
  bytes = ([address, count]) => this.#bytes(address, count);
}

/** Ends with the process. With "--narrow": vectors no wider than those of WebAssembly. */
export function load_native(...options) {
  const folder = mkdtempSync(join(tmpdir(), "graze-native-"));
  const [to, from] = [join(folder, "to"), join(folder, "from")];
  execFileSync("mkfifo", [to, from]);
  const child = spawn("sh", ["-c", 'exec "$0" $3 <"$1" >"$2"', program, to, from, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  child.unref();
  const files = [openSync(to, "w"), openSync(from, "r")];
  process.on("exit", () => {
    files.forEach(closeSync);
    rmSync(folder, { recursive: true, force: true });
  });
  return new Graze(new NativeModule(...files));
}
