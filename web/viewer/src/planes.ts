// SPDX-License-Identifier: MIT
import * as THREE from "three";
import type { Picture } from "./picture.js";
import type { Proof, Separation } from "./proof.js";

/** More than these would hide each other. */
const most = 24;

/** The planes of a proof that separate parts of two bodies at a time, each in the middle of its gap. */
export class Planes {
  readonly #group = new THREE.Group();

  constructor(readonly picture: Picture) {
    picture.add(this.#group);
  }

  clear(): void {
    for (const child of this.#group.children.slice() as (THREE.Mesh | THREE.LineLoop)[]) {
      this.#group.remove(child);
      child.geometry.dispose();
      (child.material as THREE.Material).dispose();
    }
    this.picture.change();
  }

  /** `bodies`: which of the picture are the proof's A and B. Returns how many planes hold now. */
  show(proof: Proof, time: number, bodies: readonly [number, number]): number {
    this.clear();
    const now = proof.separations.filter((one) => one.from <= time && (time < one.to || one.to >= proof.until) && time <= one.to);
    const corners = { a: this.#corners(bodies[0]), b: this.#corners(bodies[1]) };
    for (const one of now.slice(0, most)) this.#plane(one, proof, corners, bodies);
    return now.length;
  }

  /** The vertices of a body in the picture's coordinates. */
  #corners(body: number): (vertex: number) => THREE.Vector3 {
    const drawn = this.picture.bodies[body]!;
    drawn.mesh.updateMatrix();
    const positions = drawn.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    return (vertex) => new THREE.Vector3().fromBufferAttribute(positions, vertex).applyMatrix4(drawn.mesh.matrix);
  }

  #plane(one: Separation, proof: Proof, corners: { a(v: number): THREE.Vector3; b(v: number): THREE.Vector3 }, bodies: readonly [number, number]): void {
    const normal = new THREE.Vector3(...one.normal).normalize();
    if (one.turns_with) normal.applyQuaternion(this.picture.bodies[bodies[one.turns_with === "a" ? 0 : 1]]!.rotation);
    const extreme = { a: -Infinity, b: Infinity };
    const box = new THREE.Box3();
    for (const side of ["a", "b"] as const) {
      const vertices = proof.triangles[side].subarray(3 * one[side][0], 3 * one[side][1]);
      for (const vertex of vertices) {
        const p = corners[side](vertex);
        const height = p.dot(normal);
        extreme[side] = side === "a" ? Math.max(extreme.a, height) : Math.min(extreme.b, height);
        // The smaller part says where the plane is of interest.
        if (side === (one.a[1] - one.a[0] < one.b[1] - one.b[0] ? "a" : "b")) box.expandByPoint(p);
      }
    }
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const centre = sphere.center.addScaledVector(normal, (extreme.a + extreme.b) / 2 - sphere.center.dot(normal));
    const half = Math.min(1.2 * sphere.radius, this.picture.size) || this.picture.size / 4;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    const square = new THREE.Mesh(new THREE.PlaneGeometry(2 * half, 2 * half),
      new THREE.MeshBasicMaterial({ color: 0x2fa36b, transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false }));
    const edge = new THREE.BufferGeometry().setFromPoints([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => new THREE.Vector3(x! * half, y! * half, 0)));
    const outline = new THREE.LineLoop(edge, new THREE.LineBasicMaterial({ color: 0x2fa36b }));
    for (const part of [square, outline]) {
      part.position.copy(centre);
      part.quaternion.copy(turn);
      part.raycast = () => {};
      this.#group.add(part);
    }
  }
}
