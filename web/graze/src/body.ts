// SPDX-License-Identifier: MIT
import { Held } from "./held.js";
import { doubles, Mesh } from "./mesh.js";
import type { EngineModule, Place } from "./module.js";
import { toPose, type Point, type PoseLike } from "./pose.js";

/** A part of a compound. */
export interface Piece {
  body: Body;
  pose?: PoseLike;
  name?: string;
}

interface BodyReply {
  id: number;
  box: [Point, Point];
  tree_bytes: number;
}

/** A node of a body's tree, in the body's own coordinates. */
export interface TreeNode {
  box: [Point, Point];
  /** How many triangles are below it. */
  triangles: number;
  /** Their normals are within so much of this axis; a cosine of -1: all directions. */
  axis: Point;
  cosine: number;
}

/** A mesh, a shape or a compound, prepared for questions; immutable. The mesh may be disposed afterwards. */
export class Body extends Held {
  /** A box that contains it, in its own coordinates. */
  readonly box: readonly [Point, Point];
  readonly treeBytes: number;

  /** @internal */
  constructor(engine: EngineModule, reply: BodyReply) {
    super(engine, "body", reply.id);
    this.box = reply.box;
    this.treeBytes = reply.tree_bytes;
  }

  /** The same polygons with new positions, three numbers a vertex; far cheaper than a new body. */
  deformed(positions: ArrayLike<number>): Body {
    return this.engine.with([doubles(positions)], ([place]) =>
      new Body(this.engine, this.engine.ask({ do: "body.deformed", body: this.id, positions: place! })));
  }

  /** The nodes of the tree so many steps below its root, and those above that have no children. */
  treeNodes(level: number): TreeNode[] {
    const { nodes } = this.engine.ask<{ nodes: Place }>({ do: "body.tree", body: this.id, level });
    const n = this.engine.doubles(nodes);
    const point = (k: number): Point => [n[k]!, n[k + 1]!, n[k + 2]!];
    return Array.from({ length: n.length / 11 }, (_, i) => (
      { box: [point(11 * i), point(11 * i + 3)], triangles: n[11 * i + 6]!, axis: point(11 * i + 7), cosine: n[11 * i + 10]! }));
  }

  /** Its mesh; of a box or a hull, its surface. Curved shapes and compounds have none: an error. */
  mesh(): Mesh {
    const { id } = this.engine.ask<{ id: number }>({ do: "body.mesh", body: this.id });
    const counts = this.engine.ask<{ positions: [number, number]; triangles: [number, number]; first: [number, number] }>(
      { do: "mesh.data", mesh: id });
    return new Mesh(this.engine, { id, vertices: counts.positions[1] / 3, triangles: counts.triangles[1] / 3,
                                   polygons: counts.first[1] - 1 });
  }
}

/** A mesh; a text such as "sphere:1" or "box:1,2,3+0.1" (docs/shapes.md); or pieces that move as one. */
export function newBody(engine: EngineModule, of: Mesh | string | readonly Piece[]): Body {
  if (typeof of === "string") return new Body(engine, engine.ask({ do: "body.new", shape: of }));
  if (of instanceof Mesh) return new Body(engine, engine.ask({ do: "body.new", mesh: of.id }));
  const pieces = of.map((piece) => ({ body: piece.body.id, pose: toPose(piece.pose), name: piece.name ?? null }));
  return new Body(engine, engine.ask({ do: "body.new", pieces }));
}

/** The convex hull of points, and all points within `rounding` of it. */
export function newHull(engine: EngineModule, points: ArrayLike<number>, rounding: number): Body {
  return engine.with([doubles(points)], ([place]) =>
    new Body(engine, engine.ask({ do: "body.hull", points: place!, rounding })));
}
