// SPDX-License-Identifier: MIT
import { GrazeError } from "./error.js";
import type { EngineModule } from "./module.js";

/** Frees in the engine what JavaScript has collected without a call of `dispose`. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** An engine that has failed gives back all of its memory at once, when nobody refers to it any more. */
function free(engine: EngineModule, kind: string, id: number): void {
  if (!engine.failed) engine.ask({ do: `${kind}.dispose`, [kind === "deform" ? "deformable" : kind]: id });
}

/** Something that the engine holds until it is disposed, or collected. */
export abstract class Held {
  readonly #engine: EngineModule;
  readonly #kind: string;
  #id: number;

  protected constructor(engine: EngineModule, kind: string, id: number) {
    this.#engine = engine;
    this.#kind = kind;
    this.#id = id;
    forgotten.register(this, () => free(engine, kind, id), this);
  }

  /** @internal */
  get engine(): EngineModule {
    return this.#engine;
  }

  /** @internal The number by which requests name it. */
  get id(): number {
    if (this.#id === 0)
      throw new GrazeError({ code: "disposed", element: this.#kind, message: "was disposed: make it again" });
    return this.#id;
  }

  get disposed(): boolean {
    return this.#id === 0;
  }

  /** Frees the engine's memory at once. A second call does nothing. */
  dispose(): void {
    if (this.#id === 0) return;
    const id = this.#id;
    this.#id = 0;
    forgotten.unregister(this);
    free(this.#engine, this.#kind, id);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
