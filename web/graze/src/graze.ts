// SPDX-License-Identifier: MIT
import type {
  CollideAnswer, ContainsAnswer, DistanceAnswer, FirstContactAnswer, Limits, ManifoldAnswer, MotionFreeAnswer,
  PenetrationAnswer, RayAnswer, SelfCollideAnswer, Status, WithinAnswer,
} from "./answers.js";
import { newBody, newHull, type Body, type Piece } from "./body.js";
import { Deformable } from "./deformable.js";
import { doubles, Mesh, meshFromGeometry, newMesh, parseMesh, type GeometryLike, type MeshFormat } from "./mesh.js";
import type { EngineModule } from "./module.js";
import { motionRequest, toPose, type Motion, type Point, type PoseLike } from "./pose.js";
import { World } from "./world.js";

export interface CollideOptions extends Limits {
  method?: string;
  /** Every pair of triangles that meet, not only a witness. */
  all?: boolean;
  all_features?: boolean;
  /** A closed body inside another counts, too. */
  solid?: boolean;
}

export interface FirstContactOptions extends Limits {
  method?: string;
  tolerance?: number;
  min_separation?: number;
  all_features?: boolean;
  all_contacts?: boolean;
  clearance?: boolean;
  ignore_start_if_separating?: boolean;
  solid?: boolean;
  /** The proof that `graze verify` checks. */
  certificate?: boolean;
}

const statuses: readonly (Status | "invalid_request")[] =
  ["free", "contact", "touching_at_start", "undecided", "invalid_request"];

/** The engine's questions. Poses may be left out: at the origin. */
export class Graze {
  /** @internal */
  readonly module: EngineModule;

  constructor(module: EngineModule) {
    this.module = module;
  }

  /** Three numbers a vertex and three vertices a triangle; with `first`, polygons of any number of corners. */
  mesh(positions: ArrayLike<number>, corners: ArrayLike<number>, first?: ArrayLike<number>): Mesh {
    return newMesh(this.module, positions, corners, first);
  }
  /** The triangles of a three.js geometry. */
  meshFromGeometry(geometry: GeometryLike): Mesh {
    return meshFromGeometry(this.module, geometry);
  }
  /** A file's bytes: OBJ, STL, PLY or OFF, by its name unless the format is said. */
  parseMesh(bytes: Uint8Array | ArrayBuffer | string, name: string, format: MeshFormat = "automatic"): Mesh {
    return parseMesh(this.module, bytes, name, format);
  }
  /** One of the generators that `graze make --list` shows. */
  make(shape: string, triangles = 0): Mesh {
    return new Mesh(this.module, this.module.ask({ do: "mesh.make", shape, triangles }));
  }
  /** Of a mesh, a shape's text ("sphere:1"), or pieces. */
  body(of: Mesh | string | readonly Piece[]): Body {
    return newBody(this.module, of);
  }
  hull(points: ArrayLike<number>, rounding = 0): Body {
    return newHull(this.module, points, rounding);
  }
  deformable(mesh: Mesh): Deformable {
    return new Deformable(this.module, mesh);
  }
  world(options: { solid?: boolean; broad?: string } = {}): World {
    return new World(this.module, options);
  }

  /** Do the surfaces share a point? Decided exactly. */
  collide(a: Body, poseA: PoseLike | undefined, b: Body, poseB?: PoseLike, options: CollideOptions = {}): CollideAnswer {
    return this.#pair("collide", a, poseA, b, poseB, options);
  }
  selfCollide(body: Body, options: Limits & { all?: boolean } = {}): SelfCollideAnswer {
    return this.module.ask({ do: "self_collide", body: body.id, ...options });
  }
  distance(a: Body, poseA: PoseLike | undefined, b: Body, poseB?: PoseLike,
           options: Limits & { relative_error?: number; method?: string } = {}): DistanceAnswer {
    return this.#pair("distance", a, poseA, b, poseB, options);
  }
  /** Are they at most this far apart? Decided exactly, and cheaper than `distance`. */
  within(distance: number, a: Body, poseA: PoseLike | undefined, b: Body, poseB?: PoseLike,
         options: Limits = {}): WithinAnswer {
    return this.#pair("within", a, poseA, b, poseB, { distance, ...options });
  }
  penetration(a: Body, poseA: PoseLike | undefined, b: Body, poseB?: PoseLike,
              options: Limits & { relative_error?: number } = {}): PenetrationAnswer {
    return this.#pair("penetration", a, poseA, b, poseB, options);
  }
  /** Up to 4 points a patch, for a solver. */
  manifold(a: Body, poseA: PoseLike | undefined, b: Body, poseB?: PoseLike,
           options: Limits & { margin?: number } = {}): ManifoldAnswer {
    return this.#pair("manifold", a, poseA, b, poseB, options);
  }
  /** When do two moving bodies first touch? Certified, rotation included. */
  firstContact(a: Body, motionA: Motion | undefined, b: Body, motionB?: Motion,
               options: FirstContactOptions = {}): FirstContactAnswer {
    return this.module.ask({ do: "first_contact", a: a.id, motion_a: motionRequest(motionA), b: b.id,
                             motion_b: motionRequest(motionB), ...options });
  }
  /** Is the whole motion free of contact, yes or no? */
  motionFree(a: Body, motionA: Motion | undefined, b: Body, motionB?: Motion,
             options: Limits & { tolerance?: number; certificate?: boolean } = {}): MotionFreeAnswer {
    return this.module.ask({ do: "motion_free", a: a.id, motion_a: motionRequest(motionA), b: b.id,
                             motion_b: motionRequest(motionB), ...options });
  }
  /** Where does the segment from one point to another meet the body? */
  castRay(body: Body, pose: PoseLike | undefined, from: Point, to: Point,
          options: { all?: boolean; any?: boolean } = {}): RayAnswer {
    return this.module.ask({ do: "ray", body: body.id, pose: toPose(pose), from, to, ...options });
  }
  contains(body: Body, pose: PoseLike | undefined, point: Point): ContainsAnswer {
    return this.module.ask({ do: "contains", body: body.id, pose: toPose(pose), point });
  }
  /** Where a motion is at these times, for pictures: a rotation by rows (9 numbers), then the translation. */
  placements(motion: Motion, times: readonly number[]): number[][] {
    return this.module.ask<{ placements: number[][] }>({ do: "motion.at", motion: motionRequest(motion), times }).placements;
  }

  /** `collide` at many poses: 14 numbers each, of A and of B. Only the statuses, without the cost of objects. */
  collideMany(a: Body, b: Body, poses: ArrayLike<number>): Status[] {
    return statusList(this.module.many(0, a.id, b.id, whole(poses, 14), 14, 1), 1);
  }
  /** `distance` at many poses; 0 where they touch. */
  distanceMany(a: Body, b: Body, poses: ArrayLike<number>): Float64Array {
    return every(this.module.many(1, a.id, b.id, whole(poses, 14), 14, 2), 2, 1);
  }
  /** Do they share a point, yes or no, at many poses? The cheapest question. */
  touchMany(a: Body, b: Body, poses: ArrayLike<number>): boolean[] {
    return statusList(this.module.many(2, a.id, b.id, whole(poses, 14), 14, 1), 1).map((s) => s === "contact");
  }
  /** `firstContact` of many motions with constant velocity: 28 numbers each, A from and to, B from and to. */
  firstContactMany(a: Body, b: Body, poses: ArrayLike<number>): { status: Status; time: [number, number | null] }[] {
    const out = this.module.many(3, a.id, b.id, whole(poses, 28), 28, 3);
    return statusList(out, 3).map((status, i) => {
      const touch = out[3 * i + 2]!;
      return { status, time: [out[3 * i + 1]!, Number.isNaN(touch) ? null : touch] };
    });
  }

  /** What the engine holds now, and the memory that it has taken. */
  held(): { meshes: number; bodies: number; deformables: number; worlds: number; memoryBytes: number } {
    const counts = this.module.ask<{ meshes: number; bodies: number; deformables: number; worlds: number }>({ do: "counts" });
    return { ...counts, memoryBytes: this.module.memoryBytes };
  }

  #pair<T>(question: string, a: Body, poseA: PoseLike | undefined, b: Body, poseB: PoseLike | undefined,
           options: object): T {
    return this.module.ask<T>({ do: question, a: a.id, pose_a: toPose(poseA), b: b.id, pose_b: toPose(poseB), ...options });
  }
}

function whole(poses: ArrayLike<number>, each: number): Float64Array {
  if (poses.length % each !== 0)
    throw new RangeError(`${poses.length} numbers are no multiple of ${each}: give ${each} for each entry`);
  return doubles(poses);
}

function every(numbers: Float64Array, each: number, at: number): Float64Array {
  return Float64Array.from({ length: numbers.length / each }, (_, i) => numbers[each * i + at]!);
}

function statusList(numbers: Float64Array, each: number): Status[] {
  return Array.from(every(numbers, each, 0), (n) => statuses[n] as Status);
}
