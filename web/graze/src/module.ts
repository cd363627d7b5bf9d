// SPDX-License-Identifier: MIT
import { GrazeError, type ErrorDetail } from "./error.js";
import { requestText, type Value } from "./text.js";

/** Where graze.wasm comes from: bytes, a compiled module, an address, or what `fetch` returns. */
export type EngineSource = BufferSource | WebAssembly.Module | URL | string | Response | PromiseLike<Response>;

/** Numbers in the engine's memory: the address, and how many. */
export type Place = readonly [address: number, count: number];

type Numbers = Float64Array | Uint32Array | Uint8Array;

interface Exports {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(address: number): void;
  graze_ask(text: number, bytes: number): number;
  graze_reply(): number;
  graze_many(question: number, a: number, b: number, poses: number, count: number, out: number): number;
  _initialize(): void;
}

interface Reply {
  thrown?: ErrorDetail;
  status?: string;
  location?: string;
  error?: ErrorDetail;
}

/** An instance of the engine. Requests are plain objects, and so are replies; errors are thrown. */
export class EngineModule {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #failed = false;

  /** True after a trap: this engine answers nothing more, and its memory goes with it. */
  get failed(): boolean {
    return this.#failed;
  }

  constructor(module: WebAssembly.Module) {
    let memory: WebAssembly.Memory | undefined;
    const view = () => new DataView(memory!.buffer);
    const instance = new WebAssembly.Instance(module, imports(view));
    this.#exports = instance.exports as unknown as Exports;
    memory = this.#exports.memory;
    this.#exports._initialize();
  }

  /** Bytes of memory that the engine holds; it can grow to 4 GiB, and does not shrink. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** `T` is the form of the reply to this request. Arrays that are large go by `put`. */
  ask<T>(request: { readonly [key: string]: Value }): T {
    const text = this.#encoder.encode(requestText(request));
    const reply = this.with([text], ([place]) =>
      this.#guarded(() => {
        const size = this.#exports.graze_ask(place![0], text.length);
        const start = unsigned(this.#exports.graze_reply());
        return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, start, size));
      }),
    );
    const answer = JSON.parse(reply) as Reply;
    if (answer.thrown) throw new GrazeError(answer.thrown);
    if (answer.error && (answer.status === "invalid_request" || answer.location === "invalid_request"))
      throw new GrazeError(answer.error);
    return answer as T;
  }

  /** Calls `work` with copies of the arrays in the engine's memory, which are freed afterwards. */
  with<T>(arrays: readonly Numbers[], work: (places: Place[]) => T): T {
    const places: Place[] = [];
    try {
      for (const array of arrays) places.push(this.#put(array));
      return work(places);
    } finally {
      if (!this.#failed) for (const [address] of places) this.#exports.free(address);
    }
  }

  /** The same question at many poses: see apps/wasm/many.hpp. Returns the numbers that were written. */
  many(question: number, a: number, b: number, poses: Float64Array, each: number, out: number): Float64Array {
    const count = poses.length / each;
    return this.with([poses, new Float64Array(count * out)], ([from, to]) => {
      const refused = this.#guarded(() => this.#exports.graze_many(question, a, b, from![0], count, to![0]));
      if (refused >= 0)
        throw new GrazeError({
          code: "bad_pose",
          element: "entry",
          id: refused,
          message: "was refused: a body was disposed, a number is not finite or a quaternion is zero",
        });
      return this.doubles(to!);
    });
  }

  /** Copies of numbers in the engine's memory. */
  doubles([address, count]: Place): Float64Array {
    return new Float64Array(this.#exports.memory.buffer, address, count).slice();
  }
  ids([address, count]: Place): Uint32Array {
    return new Uint32Array(this.#exports.memory.buffer, address, count).slice();
  }
  bytes([address, count]: Place): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, address, count).slice();
  }

  #put(array: Numbers): Place {
    const address = unsigned(this.#guarded(() => this.#exports.malloc(Math.max(8, array.byteLength))));
    if (address === 0)
      throw new GrazeError({
        code: "out_of_memory",
        message: `no room for ${array.byteLength} bytes: dispose bodies that are no longer needed`,
      });
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, address);
    return [address, array.length];
  }

  /** After a trap (a stack that overflowed, say) the instance is in no state that could be trusted. */
  #guarded<T>(work: () => T): T {
    if (this.#failed) throw engineFailed("an earlier request");
    try {
      return work();
    } catch (error) {
      if (error instanceof GrazeError) throw error;
      this.#failed = true;
      throw engineFailed(String(error));
    }
  }
}

/** Above 2 GiB an address comes out of WebAssembly as a negative number. */
const unsigned = (address: number) => address >>> 0;

function engineFailed(why: string): GrazeError {
  return new GrazeError({
    code: "engine_failed",
    message: `the engine ended with ${why}: load another one, and report the request that did it`,
  });
}

/** What the module needs of its surroundings: a clock, and a place for messages of the C++ library. */
function imports(view: () => DataView): WebAssembly.Imports {
  const nothing = () => 0;
  const no_such_file = () => -44; // ENOENT of WASI: there are no files here
  return {
    env: {
      emscripten_notify_memory_growth: nothing,
      __syscall_unlink: no_such_file,
      __syscall_rmdir: no_such_file,
    },
    wasi_snapshot_preview1: {
      clock_time_get(_clock: number, _precision: bigint, out: number) {
        view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      environ_sizes_get(count: number, size: number) {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
      },
      environ_get: nothing,
      fd_write(_file: number, list: number, count: number, written: number) {
        let all = "";
        let bytes = 0;
        for (let i = 0; i < count; ++i) {
          const start = view().getUint32(list + 8 * i, true);
          const size = view().getUint32(list + 8 * i + 4, true);
          all += new TextDecoder().decode(new Uint8Array(view().buffer, start, size));
          bytes += size;
        }
        if (all.trim()) console.warn(`graze: ${all.trim()}`);
        view().setUint32(written, bytes, true);
        return 0;
      },
      proc_exit(status: number) {
        throw new Error(`exit status ${status}`);
      },
    },
  };
}

/** Compiles the engine. Without a source, graze.wasm lies beside this file. */
export async function compile(source?: EngineSource): Promise<WebAssembly.Module> {
  const given = await (source ?? new URL(/* @vite-ignore */ "graze.wasm", import.meta.url));
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given as BufferSource);
  if (typeof given === "string" || given instanceof URL) return compileFrom(new URL(given, import.meta.url));
  return compileResponse(given);
}

async function compileFrom(address: URL): Promise<WebAssembly.Module> {
  if (address.protocol === "file:" && typeof process !== "undefined" && process.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(address));
  }
  return compileResponse(await fetch(address));
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok)
    throw new GrazeError({
      code: "file_not_found",
      file: response.url,
      message: `the server answered ${response.status}: put graze.wasm there, or pass its address to load()`,
    });
  return WebAssembly.compile(await response.arrayBuffer());
}
