// SPDX-License-Identifier: MIT
import { GrazeError } from "./error.js";
import { Held } from "./held.js";
import type { EngineModule, Place } from "./module.js";
import type { Point } from "./pose.js";

export type MeshFormat = "automatic" | "obj" | "stl" | "ply" | "off";

/** What is read of a three.js `BufferGeometry`. */
export interface GeometryLike {
  readonly attributes: { readonly [name: string]: AttributeLike | undefined };
  readonly index: AttributeLike | null;
}
interface AttributeLike {
  readonly count: number;
  getX(index: number): number;
  getY(index: number): number;
  getZ(index: number): number;
}

interface MeshCounts {
  id: number;
  vertices: number;
  polygons: number;
  triangles: number;
}

/** A mesh of polygons; immutable. Vertices and polygons keep their order. */
export class Mesh extends Held {
  readonly vertexCount: number;
  readonly polygonCount: number;
  readonly triangleCount: number;

  /** @internal */
  constructor(engine: EngineModule, counts: MeshCounts) {
    super(engine, "mesh", counts.id);
    this.vertexCount = counts.vertices;
    this.polygonCount = counts.polygons;
    this.triangleCount = counts.triangles;
  }

  /** A copy of what the engine holds: three numbers a vertex, three vertices a triangle, polygons as they were given. */
  data(): { positions: Float64Array; triangles: Uint32Array; corners: Uint32Array; first: Uint32Array; box: [Point, Point] } {
    const at = this.engine.ask<{ positions: Place; triangles: Place; corners: Place; first: Place; box: [Point, Point] }>(
      { do: "mesh.data", mesh: this.id });
    return {
      positions: this.engine.doubles(at.positions),
      triangles: this.engine.ids(at.triangles),
      corners: this.engine.ids(at.corners),
      first: this.engine.ids(at.first),
      box: at.box,
    };
  }

  /** The mesh with vertices at exactly equal positions made one. */
  weld(): Mesh {
    return new Mesh(this.engine, this.engine.ask({ do: "mesh.weld", mesh: this.id }));
  }

  /** The bytes of a file. `binary`: PLY and STL only. */
  file(format: Exclude<MeshFormat, "automatic">, binary = false): Uint8Array {
    const { bytes } = this.engine.ask<{ bytes: Place }>({ do: "mesh.write", mesh: this.id, format, binary });
    return this.engine.bytes(bytes);
  }
}

/** Three numbers a vertex; three vertices a triangle. With `first`, polygon i has the corners [first[i], first[i + 1]). */
export function newMesh(engine: EngineModule, positions: ArrayLike<number>, corners: ArrayLike<number>,
                        first?: ArrayLike<number>): Mesh {
  if (positions.length % 3 !== 0)
    throw new GrazeError({ code: "bad_option", element: "positions",
      message: `have ${positions.length} numbers, which is no multiple of 3; give x, y, z of each vertex` });
  const arrays: (Float64Array | Uint32Array)[] = [doubles(positions), indices(corners, "corners")];
  if (first) arrays.push(indices(first, "first"));
  return engine.with(arrays, ([p, c, f]) =>
    new Mesh(engine, engine.ask({ do: "mesh.new", positions: p!, corners: c!, first: f ?? null })));
}

/** The triangles of a geometry; its morph targets and skin are not looked at. */
export function meshFromGeometry(engine: EngineModule, geometry: GeometryLike): Mesh {
  const position = geometry.attributes["position"];
  if (!position)
    throw new GrazeError({ code: "empty_mesh", element: "geometry", message: "has no attribute position" });
  const positions = new Float64Array(3 * position.count);
  for (let i = 0; i < position.count; ++i)
    positions.set([position.getX(i), position.getY(i), position.getZ(i)], 3 * i);
  const index = geometry.index;
  const corners = new Uint32Array(index ? index.count : position.count);
  for (let i = 0; i < corners.length; ++i) corners[i] = index ? index.getX(i) : i;
  return newMesh(engine, positions, corners);
}

export function parseMesh(engine: EngineModule, bytes: Uint8Array | ArrayBuffer | string, name: string,
                          format: MeshFormat): Mesh {
  const given = typeof bytes === "string" ? new TextEncoder().encode(bytes)
                                          : bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  return engine.with([given], ([place]) =>
    new Mesh(engine, engine.ask({ do: "mesh.parse", bytes: place!, name, format })));
}

export function doubles(values: ArrayLike<number>): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

/** A negative or broken index must not become a valid one by conversion. */
function indices(values: ArrayLike<number>, what: string): Uint32Array {
  if (values instanceof Uint32Array) return values;
  const out = Uint32Array.from(values);
  for (let i = 0; i < out.length; ++i)
    if (out[i] !== values[i])
      throw new GrazeError({ code: "index_out_of_range", element: what, id: i,
        message: `is ${values[i]}; give whole numbers from 0 to 4294967295` });
  return out;
}
