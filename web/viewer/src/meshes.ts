// SPDX-License-Identifier: MIT
import type { DrawnMesh } from "./engine.js";
import type { Mark } from "./contacts.js";

/** Corners of the triangles that light up. */
export function marked_corners(mesh: DrawnMesh, mark: Mark): number[] {
  const out: number[] = [];
  const add = (triangle: number) => {
    const corners = mesh.triangles.subarray(3 * triangle, 3 * triangle + 3);
    if (corners.length === 3) out.push(...corners);
  };
  mark.triangles.forEach(add);
  out.push(...mark.corners);
  for (const polygon of mark.polygons) {
    const [from, to] = mesh.starts ? [mesh.starts[polygon], mesh.starts[polygon + 1]] : [polygon, polygon + 1];
    for (let triangle = from ?? 0; triangle < (to ?? 0); ++triangle) add(triangle);
  }
  return out;
}

/** The middle of a box around the vertices, and half of its diagonal. */
export function extent(positions: Float64Array): { centre: [number, number, number]; radius: number } {
  const lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; ++i) {
    const x = positions[i]!;
    if (x < lo[i % 3]!) lo[i % 3] = x;
    if (x > hi[i % 3]!) hi[i % 3] = x;
  }
  if (positions.length === 0) return { centre: [0, 0, 0], radius: 1 };
  const centre = lo.map((low, k) => low / 2 + hi[k]! / 2) as [number, number, number];
  return { centre, radius: Math.hypot(...lo.map((low, k) => hi[k]! / 2 - low / 2)) };
}
