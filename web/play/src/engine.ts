// SPDX-License-Identifier: MIT
import type { ApplicationInfo, Frame, Grip, Shown } from "./types.js";
import { frame_time } from "./types.js";

type Request = { do: string; [key: string]: unknown };

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

/** The engine's worker, from what the page carries inside. */
export class Engine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  /** How long the last request took in the worker, with its copies, in milliseconds. */
  milliseconds = 0;
  /** Bytes of memory that the engine holds. */
  memory = 0;
  /** Called sixty times a second, also while the tab is hidden. */
  on_tick: () => void = () => {};

  static async load(): Promise<Engine> {
    const packed = Uint8Array.from(atob(text_of("engine").trim()), (c) => c.charCodeAt(0));
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(plain).arrayBuffer());
    return new Engine(module);
  }

  private constructor(module: WebAssembly.Module) {
    const address = URL.createObjectURL(new Blob([text_of("worker")], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data }) => {
      if (data.tick) return this.on_tick();
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.error !== undefined) return waiting?.reject(new Error(data.error));
      this.milliseconds = data.milliseconds;
      this.memory = data.memory;
      waiting?.resolve(data.reply);
    };
    this.#worker.onerror = (event) => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(event.message));
      this.#waiting.clear();
    };
    this.#worker.postMessage({ module });
  }

  #ask<T>(request: Request): Promise<T> {
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (reply: unknown) => void, reject });
      this.#worker.postMessage({ id, request });
    });
  }

  async list(): Promise<ApplicationInfo[]> {
    return (await this.#ask<{ applications: ApplicationInfo[] }>({ do: "play.list" })).applications;
  }
  start(name: string, detail: number): Promise<{ id: number; bodies: Shown[] }> {
    return this.#ask({ do: "play.start", name, detail });
  }
  async set(application: number, name: string, value: string): Promise<Shown[]> {
    return (await this.#ask<{ bodies: Shown[] }>({ do: "play.set", application, name, value })).bodies;
  }
  frame(application: number, grip: Grip, time = frame_time): Promise<Frame> {
    return this.#ask({ do: "play.frame", application, time, holding: grip !== null, ...grip });
  }
  /** Pairs of bodies that share a point as they stand, by the exact discrete test. */
  async shared(application: number): Promise<number> {
    return (await this.#ask<{ pairs: number }>({ do: "play.shared", application })).pairs;
  }
  async obj(application: number, body: number): Promise<string> {
    return (await this.#ask<{ obj: string }>({ do: "play.obj", application, body })).obj;
  }
  dispose(application: number): Promise<unknown> {
    return this.#ask({ do: "play.dispose", application });
  }
}

function text_of(id: string): string {
  return document.getElementById(id)!.textContent!;
}
