// SPDX-License-Identifier: MIT
import * as THREE from "three";
import type { TreeNode } from "graze";
import { colour_of, type Picture } from "./picture.js";

export type TreeStyle = "boxes" | "cones";

/** More would be a carpet. */
const most = 4096;
const spokes = 12;

/** Levels of the bodies' trees: their boxes, or in each box the cone of the normals of its triangles. */
export class Trees {
  #parts: THREE.LineSegments[] = [];

  constructor(readonly picture: Picture) {}

  clear(): void {
    for (const part of this.#parts.splice(0)) {
      part.removeFromParent();
      part.geometry.dispose();
      (part.material as THREE.Material).dispose();
    }
    this.picture.change();
  }

  /** In the body's own coordinates, so that they go where it goes. Returns how many are drawn. */
  show(body: number, nodes: readonly TreeNode[], style: TreeStyle): number {
    const drawn = this.picture.bodies[body];
    if (!drawn) return 0;
    const shown = nodes.slice(0, most);
    const points = style === "boxes" ? shown.flatMap(box_edges) : shown.flatMap(cone_lines);
    const { centre } = drawn;
    const positions = Float32Array.from(points.flatMap((p) => [p.x - centre.x, p.y - centre.y, p.z - centre.z]));
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(positions, 3));
    const colour = new THREE.Color(colour_of(body)).lerp(new THREE.Color(style === "boxes" ? 0x808080 : 0x1f8f4d), 0.55);
    const part = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.85 }));
    part.raycast = () => {};
    part.frustumCulled = false;
    drawn.mesh.add(part);
    this.#parts.push(part);
    this.picture.change();
    return shown.length;
  }
}

function box_edges({ box: [lo, hi] }: TreeNode): THREE.Vector3[] {
  const corner = (bits: number) =>
    new THREE.Vector3(bits & 1 ? hi[0] : lo[0], bits & 2 ? hi[1] : lo[1], bits & 4 ? hi[2] : lo[2]);
  const out: THREE.Vector3[] = [];
  for (let from = 0; from < 8; ++from)
    for (const axis of [1, 2, 4]) if (!(from & axis)) out.push(corner(from), corner(from | axis));
  return out;
}

/** All directions: three axes through the middle. */
function cone_lines({ box: [lo, hi], axis, cosine }: TreeNode): THREE.Vector3[] {
  const [a, b] = [new THREE.Vector3(...lo), new THREE.Vector3(...hi)];
  const middle = a.clone().add(b).multiplyScalar(0.5), length = 0.5 * a.distanceTo(b);
  if (cosine <= -1) {
    return [0, 1, 2].flatMap((k) => [-1, 1].map((sign) =>
      middle.clone().add(new THREE.Vector3().setComponent(k, 0.5 * sign * length))));
  }
  const along = new THREE.Vector3(...axis).normalize();
  const side = new THREE.Vector3(Math.abs(along.x) < 0.6 ? 1 : 0, Math.abs(along.x) < 0.6 ? 0 : 1, 0).cross(along).normalize();
  const other = new THREE.Vector3().crossVectors(along, side);
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
  const rim = Array.from({ length: spokes }, (_, i) => {
    const angle = (2 * Math.PI * i) / spokes;
    return middle.clone().addScaledVector(along, length * cosine)
      .addScaledVector(side, length * sine * Math.cos(angle)).addScaledVector(other, length * sine * Math.sin(angle));
  });
  const axis_end = middle.clone().addScaledVector(along, length);
  return [middle, axis_end, ...rim.flatMap((p, i) => [p, rim[(i + 1) % spokes]!]), ...rim.filter((_, i) => i % 3 === 0).flatMap((p) => [middle, p])];
}
