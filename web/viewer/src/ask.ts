// SPDX-License-Identifier: MIT
// Questions on the spot: the bodies where they are dragged, answered by the engine in its worker.
import type { Point, Pose, TreeNode } from "graze";
import type { Answer, ViewDocument } from "./document.js";
import { Cancelled, type Engine } from "./engine.js";
import type { BodyKey } from "./engine_worker.js";
import type { Picture } from "./picture.js";
import { frame_at, vertices_at } from "./timeline.js";

export interface Asked {
  question: string;
  a: number;
  b: number;
}

/** Asks about the bodies of a view. Bodies that were dragged are where they are now, and came from where they were. */
export class Questions {
  /** Where dragged bodies were before. */
  readonly home = new Map<number, Pose>();
  #busy = false;
  #serial = 0;
  #live: Asked | null = null;
  #frame = 0;

  constructor(readonly engine: Engine, readonly picture: Picture) {}

  get busy(): boolean {
    return this.#busy;
  }

  /** Another view, other bodies. */
  restart(): void {
    this.home.clear();
    this.#live = null;
    ++this.#serial;
    this.engine.forget();
  }

  /** Null if it was cancelled. */
  async ask(view: ViewDocument, asked: Asked, time: number): Promise<Answer | null> {
    this.#live = null;
    this.#busy = true;
    try {
      const [a, b] = [this.#body(view, asked.a, time), this.#body(view, asked.b, time)];
      return await this.engine.ask(asked.question, a, asked.question === "self-collide" ? null : b,
        asked.question === "first-contact" ? { certificate: true } : {});
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    } finally {
      this.#busy = false;
    }
  }

  /** The body's tree, as it is at this time. */
  tree(view: ViewDocument, body: number, time: number, level: number): Promise<TreeNode[]> {
    return this.engine.tree(this.#body(view, body, time), level);
  }

  cancel(): void {
    this.engine.cancel();
  }

  /** The distance while a body is dragged: of the last place that the engine had time for. */
  async follow(view: ViewDocument, asked: Asked, time: number, tell: (distance: number, points: [Point, Point] | null) => void): Promise<void> {
    const waiting = this.#live !== null;
    this.#live = asked;
    if (waiting || this.#busy) return;
    const serial = this.#serial;
    while (this.#live && serial === this.#serial) {
      const { a, b } = this.#live;
      this.#live = null;
      this.#busy = true;
      try {
        const answer = await this.engine.ask("distance", this.#body(view, a, time), this.#body(view, b, time), { relative_error: 1e-3 });
        if (serial === this.#serial) tell(Number(answer["distance"]), (answer["points"] as [Point, Point] | null) ?? null);
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
      } finally {
        this.#busy = false;
      }
    }
  }

  #body(view: ViewDocument, i: number, time: number): BodyKey {
    const body = view.bodies[i]!;
    if (body.picture_only)
      throw new Error(`${body.name} is drawn, but its shape is not in this page: ask about it on the command line`);
    const now = this.picture.pose(i);
    const home = this.home.get(i);
    const source = view.meshes[body.mesh]!;
    const frame = body.frames ? frame_at(view, time) : 0;
    if (frame !== this.#frame) this.engine.forget(); // trees of vertices that are no longer shown
    this.#frame = frame;
    const mesh = body.frames ? { ...source, positions: vertices_at(body.frames, frame) } : source;
    return {
      key: `${this.#serial}/${body.mesh}/${frame} ${body.name}`, mesh, pose: now,
      ...(body.shape ? { shape: body.shape } : {}),
      motion: home ? { from: home, to: now } : (body.motion ?? { from: now }),
    };
  }
}
