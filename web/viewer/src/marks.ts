// SPDX-License-Identifier: MIT
import * as THREE from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Point } from "graze";
import type { Mark } from "./contacts.js";
import type { DrawnMesh } from "./engine.js";
import { marked_corners } from "./meshes.js";

const red = 0xe0312a;

/** Triangles, edges and points that light up, in the coordinates of what they hang on. */
export class Marks {
  #parts: (THREE.Mesh | THREE.Points)[] = [];

  constructor(readonly parent: THREE.Object3D) {}

  /** Of a body: its vertices as they are drawn now. */
  features(mesh: DrawnMesh, mark: Mark): void {
    const drawn = (this.parent as THREE.Mesh).geometry.getAttribute("position").array as Float32Array;
    const at = (vertices: readonly number[]) =>
      Float32Array.from(vertices.flatMap((v) => Array.from(drawn.subarray(3 * v, 3 * v + 3))));
    this.#triangles(at(marked_corners(mesh, mark)));
    this.#lines(at(mark.edges.flat()));
    this.#dots(at(mark.vertices));
  }

  /** A point of either body, the line between them, and the normal at the second. */
  points(points: THREE.Vector3[], normal: Point | null, length: number): void {
    const [a, b] = points;
    this.#dots(Float32Array.from(points.flatMap((p) => p.toArray())));
    const lines: number[] = [];
    if (a && b && a.distanceTo(b) > 0) lines.push(...a.toArray(), ...b.toArray());
    if (a && normal) lines.push(...a.toArray(), ...a.clone().addScaledVector(new THREE.Vector3(...normal), length).toArray());
    this.#lines(Float32Array.from(lines));
  }

  clear(): void {
    for (const part of this.#parts.splice(0)) {
      this.parent.remove(part);
      part.geometry.dispose();
      (part.material as THREE.Material).dispose();
    }
  }

  dispose(): void {
    this.clear();
  }

  #add(part: THREE.Mesh | THREE.Points, order: number): void {
    part.frustumCulled = false;
    part.renderOrder = order;
    part.raycast = () => {};
    this.parent.add(part);
    this.#parts.push(part);
  }

  #triangles(positions: Float32Array): void {
    if (positions.length === 0) return;
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(positions, 3));
    this.#add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: red, side: THREE.DoubleSide })), 1);
  }

  #lines(positions: Float32Array): void {
    if (positions.length === 0) return;
    const geometry = new LineSegmentsGeometry().setPositions(positions);
    const material = new LineMaterial({ color: red, linewidth: 3.5, depthTest: false, transparent: true });
    this.#add(new LineSegments2(geometry, material), 2);
  }

  #dots(positions: Float32Array): void {
    if (positions.length === 0) return;
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(positions, 3));
    const material = new THREE.PointsMaterial({ color: red, size: 9, sizeAttenuation: false, depthTest: false, transparent: true, map: disc() });
    this.#add(new THREE.Points(geometry, material), 3);
  }
}

let shared_disc: THREE.DataTexture | undefined;

/** Points are squares without it. */
function disc(): THREE.DataTexture {
  if (shared_disc) return shared_disc;
  const size = 32;
  const pixels = new Uint8Array(4 * size * size).fill(255);
  for (let i = 0; i < size * size; ++i) {
    const r = Math.hypot((i % size) - 15.5, Math.floor(i / size) - 15.5);
    pixels[4 * i + 3] = 255 * Math.min(1, Math.max(0, 15.5 - r));
  }
  shared_disc = new THREE.DataTexture(pixels, size, size);
  shared_disc.needsUpdate = true;
  return shared_disc;
}
