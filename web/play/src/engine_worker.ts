// SPDX-License-Identifier: MIT
// The worker: play.wasm, asked one request after another. Numbers in its memory are copied into the reply.
import { EngineModule, type Place } from "../../graze/src/module.js";
import { GrazeError } from "../../graze/src/error.js";
import type { Value } from "../../graze/src/text.js";
import { frame_time } from "./types.js";

const doubles = new Set(["positions", "poses", "contacts"]);
let engine: EngineModule | undefined;

function copied(value: unknown, key: string, moved: ArrayBuffer[]): unknown {
  if (doubles.has(key)) return kept(Float32Array.from(engine!.doubles(value as Place)), moved);
  if (key === "triangles") return kept(engine!.ids(value as Place), moved);
  if (Array.isArray(value)) return value.map((entry) => copied(entry, "", moved));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copied(entry, name, moved)]));
}

function kept<T extends Float32Array | Uint32Array>(array: T, moved: ArrayBuffer[]): T {
  moved.push(array.buffer as ArrayBuffer);
  return array;
}

// The page's own clock stops while its tab is hidden, and another tab may want to see this scene.
setInterval(() => self.postMessage({ tick: true }), 1000 * frame_time);

self.onmessage = ({ data }: MessageEvent<{ module?: WebAssembly.Module; id: number; request: { [key: string]: Value } }>) => {
  if (data.module) {
    engine = new EngineModule(data.module);
    return;
  }
  const moved: ArrayBuffer[] = [];
  try {
    const start = performance.now();
    const reply = copied(engine!.ask(data.request), "", moved);
    const milliseconds = performance.now() - start;
    self.postMessage({ id: data.id, reply, milliseconds, memory: engine!.memoryBytes }, { transfer: moved });
  } catch (error) {
    const text = error instanceof GrazeError ? error.message : `the engine's worker failed: ${error}`;
    self.postMessage({ id: data.id, error: text });
  }
};
