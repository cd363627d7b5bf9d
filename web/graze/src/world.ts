// SPDX-License-Identifier: MIT
import type { ContactKind, Counters, Feature, Limits, Status } from "./answers.js";
import type { Body } from "./body.js";
import { Held } from "./held.js";
import { doubles } from "./mesh.js";
import type { EngineModule } from "./module.js";
import { toPose, type Point, type Pose, type PoseLike } from "./pose.js";

/** Names a body of a world: its slot, and how often the slot was used before. */
export type BodyId = readonly [slot: number, generation: number];

export interface BodySettings {
  pose?: PoseLike;
  name?: string;
  interest?: boolean;
  trigger?: boolean;
  margin?: number;
  group?: number;
  mask?: number;
}

export interface WorldEvent {
  event: "began" | "stays" | "ended";
  a: BodyId;
  b: BodyId;
  frame: number;
  trigger?: true;
  pose_a: Pose;
  pose_b: Pose;
  kind?: ContactKind | null;
  gap?: number;
  contained?: "none" | "a_in_b" | "b_in_a";
  triangles?: [number, number];
  features?: Feature[];
  points?: [Point, Point] | null;
  normal?: Point | null;
  all_pairs?: [number, number][];
}

export interface CheckAnswer {
  frame: number;
  events: WorldEvent[];
  undecided: { a: BodyId; b: BodyId }[];
  counters: Counters;
  seconds: number;
}

export interface CheckOptions extends Limits {
  all_pairs?: boolean;
  manifold?: boolean;
  depth?: boolean;
}

export interface SweepOptions extends Limits {
  earliest?: boolean;
  advance?: boolean;
  each?: boolean;
  ignore_start_if_separating?: boolean;
  min_separation?: number;
  tolerance?: number;
}

export interface SweepContact {
  a: BodyId;
  b: BodyId;
  status: Status;
  time: [number, number | null];
  points: [Point, Point] | null;
  normal: Point | null;
}

export interface SweepAnswer {
  status: Status;
  safe: number;
  contacts: SweepContact[];
  triggers: SweepContact[];
  earliest: number | null;
  advanced: boolean;
  seconds: number;
}

/** Many bodies: report what moved, and ask what touches (docs/world.md). */
export class World extends Held {
  /** @internal */
  constructor(engine: EngineModule, options: { solid?: boolean; broad?: string }) {
    super(engine, "world", engine.ask<{ id: number }>({ do: "world.new", ...options }).id);
  }

  add(body: Body, settings: BodySettings = {}): BodyId {
    const { pose, ...rest } = settings;
    return this.engine.ask<{ body: BodyId }>(
      { do: "world.add", world: this.id, body: body.id, pose: toPose(pose), ...rest }).body;
  }
  remove(id: BodyId): void {
    this.engine.ask({ do: "world.remove", world: this.id, body: id });
  }
  /** The body moved there: a sweep looks at its way. */
  move(id: BodyId, pose: PoseLike): void {
    this.engine.ask({ do: "world.move", world: this.id, body: id, pose: toPose(pose) });
  }
  /** The body was put there: there is no way. */
  teleport(id: BodyId, pose: PoseLike): void {
    this.engine.ask({ do: "world.move", world: this.id, body: id, pose: toPose(pose), teleport: true });
  }
  deform(id: BodyId, positions: ArrayLike<number>): void {
    this.engine.with([doubles(positions)], ([place]) =>
      this.engine.ask({ do: "world.deform", world: this.id, body: id, positions: place! }));
  }
  pose(id: BodyId): Pose {
    return this.engine.ask<{ pose: Pose }>({ do: "world.pose", world: this.id, body: id }).pose;
  }
  /** Whether contacts of the two matter. */
  interest(a: BodyId, b: BodyId, wanted: boolean): void {
    this.engine.ask({ do: "world.interest", world: this.id, a, b, wanted });
  }
  /** What began, stays and ended since the last check? */
  check(options: CheckOptions = {}): CheckAnswer {
    return this.engine.ask({ do: "world.check", world: this.id, ...options });
  }
  /** Who touches on the way from the poses of the last sweep to those of now? */
  sweep(options: SweepOptions = {}): SweepAnswer {
    return this.engine.ask({ do: "world.sweep", world: this.id, ...options });
  }
  near(distance: number, options: Limits = {}):
      { status: Status; pairs: { a: BodyId; b: BodyId; distance: number; points: [Point, Point] }[] } {
    return this.engine.ask({ do: "world.near", world: this.id, distance, ...options });
  }
  castRay(from: Point, to: Point):
      { hits: { body: BodyId; fraction: number; point: Point; normal: Point | null; triangle: number }[] } {
    return this.engine.ask({ do: "world.ray", world: this.id, from, to });
  }
  touching(): [BodyId, BodyId][] {
    return this.engine.ask<{ pairs: [BodyId, BodyId][] }>({ do: "world.touching", world: this.id }).pairs;
  }
}
