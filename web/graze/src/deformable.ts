// SPDX-License-Identifier: MIT
import type { DeformAnswer, DeformContact, Limits, ProximityAnswer, StepSizeAnswer } from "./answers.js";
import { Held } from "./held.js";
import { doubles, type Mesh } from "./mesh.js";
import type { EngineModule, Place } from "./module.js";
import type { Point } from "./pose.js";

export interface DeformOptions extends Limits {
  /** Also contacts of a connected part with itself; default true. */
  self?: boolean;
  /** Every contact of the step (default), or only the earliest. */
  all?: boolean;
  exact?: boolean;
  crossing_at_start?: boolean;
  tolerance?: number;
  min_separation?: number;
  /** With each contact the points and the normal. */
  points?: boolean;
}

export interface StepSizeOptions extends Limits {
  slack?: number;
  self?: boolean;
  tolerance?: number;
  min_separation?: number;
  ignore_start_crossings?: boolean;
  ignore_start_if_separating?: boolean;
}

type ContactsReply = Omit<DeformAnswer, "contacts" | "crossing_at_start"> & {
  contacts: Place;
  crossing_at_start: Place;
  numbers_each: number;
};

const kinds = ["vf", "ee", "ve", "vv"] as const;

/** As apps/wasm/deform.cpp writes them. */
function contactList(numbers: Float64Array, each: number): DeformContact[] {
  return Array.from({ length: numbers.length / each }, (_, i) => {
    const [kind, a, b, c, d, safe, touch, gap, start, ...points] = numbers.subarray(i * each, (i + 1) * each) as unknown as
      number[];
    const contact: DeformContact = { kind: kinds[kind!]!, vertices: [a!, b!, c!, d!], time: [safe!, touch!], gap: gap!,
                                     at_start: start === 1 };
    if (points.length === 0) return contact;
    const point = (k: number): Point => [points[k]!, points[k + 1]!, points[k + 2]!];
    return { ...contact, points: [point(0), point(3)], normal: point(6) };
  });
}

/** A mesh whose vertices move on straight lines from step to step (docs/simulation.md). */
export class Deformable extends Held {
  /** @internal */
  constructor(engine: EngineModule, mesh: Mesh) {
    super(engine, "deform", engine.ask<{ id: number }>({ do: "deform.new", mesh: mesh.id }).id);
  }

  /** Puts the vertices there at once; nothing is asked about the way. */
  setPositions(positions: ArrayLike<number>): void {
    this.#ask("deform.set", positions, {});
  }

  /** What touches on the way to these positions? The mesh stays where it is. */
  contacts(positions: ArrayLike<number>, options: DeformOptions = {}): DeformAnswer {
    return this.#contacts(positions, { ...options });
  }

  /** The same, and afterwards the mesh is at the new positions. */
  step(positions: ArrayLike<number>, options: DeformOptions = {}): DeformAnswer {
    return this.#contacts(positions, { ...options, move: true });
  }

  /** How far may the vertices go towards these positions before anything touches? */
  stepSize(positions: ArrayLike<number>, options: StepSizeOptions = {}): StepSizeAnswer {
    return this.#ask("deform.step_size", positions, { ...options });
  }

  /** Every pair of features that are at most this far apart now. */
  near(distance: number, options: Limits & { self?: boolean } = {}): ProximityAnswer {
    return this.engine.ask({ do: "deform.near", deformable: this.id, distance, ...options });
  }

  #contacts(positions: ArrayLike<number>, options: { [key: string]: number | boolean }): DeformAnswer {
    const reply = this.#ask<ContactsReply>("deform.contacts", positions, options);
    const { contacts, crossing_at_start, numbers_each, ...rest } = reply;
    const pairs = this.engine.ids(crossing_at_start);
    return {
      ...rest,
      contacts: contactList(this.engine.doubles(contacts), numbers_each),
      crossing_at_start: Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!]),
    };
  }

  #ask<T>(question: string, positions: ArrayLike<number>, options: { [key: string]: number | boolean }): T {
    return this.engine.with([doubles(positions)], ([place]) =>
      this.engine.ask<T>({ do: question, deformable: this.id, positions: place!, ...options }));
  }
}
