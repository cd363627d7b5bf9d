// SPDX-License-Identifier: MIT
import * as THREE from "three";
import type { Picture } from "./picture.js";
import type { Grip, Pose } from "./types.js";

interface Held {
  body: number;
  point: THREE.Vector3; // where it was gripped
  from: Pose; // where the body was then
  turned: THREE.Quaternion; // by Shift
  last: { x: number; y: number };
  moved: THREE.Vector3;
}

/** The pointer as a hand: it drags bodies in the plane that faces the camera, and turns them with Shift. */
export class Hand {
  grip: Grip = null;
  #held: Held | null = null;

  constructor(readonly picture: Picture) {
    const canvas = picture.canvas;
    // In the capturing phase, before the camera's controls see it.
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { capture: true });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(end, () => this.release());
  }

  release(): void {
    this.#held = null;
    this.grip = null;
    this.picture.controls.enabled = true;
  }

  #place({ clientX, clientY }: PointerEvent): { x: number; y: number } {
    const box = this.picture.canvas.getBoundingClientRect();
    return { x: (2 * (clientX - box.left)) / box.width - 1, y: 1 - (2 * (clientY - box.top)) / box.height };
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const at = this.#place(event);
    const found = this.picture.pick(at.x, at.y);
    const from = found && this.picture.pose(found.body);
    if (!found || !from) return;
    event.stopImmediatePropagation();
    this.picture.controls.enabled = false;
    this.picture.canvas.setPointerCapture(event.pointerId);
    this.#held = { body: found.body, point: found.point, from, turned: new THREE.Quaternion(), last: at, moved: new THREE.Vector3() };
    this.#aim();
  }

  #move(event: PointerEvent): void {
    const at = this.#place(event);
    const held = this.#held;
    if (!held) {
      if (event.buttons === 0) this.picture.highlight(this.picture.pick(at.x, at.y)?.body ?? -1);
      return;
    }
    event.stopImmediatePropagation();
    if (event.shiftKey) {
      const [right, up] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(this.picture.camera.matrixWorld, k));
      const about = (axis: THREE.Vector3, angle: number) => new THREE.Quaternion().setFromAxisAngle(axis, angle);
      held.turned.premultiply(about(up!, 2 * (at.x - held.last.x))).premultiply(about(right!, -2 * (at.y - held.last.y)));
    } else {
      const before = this.picture.on_plane(held.last.x, held.last.y, held.point);
      const now = this.picture.on_plane(at.x, at.y, held.point);
      if (before && now) held.moved.add(now.sub(before));
    }
    held.last = at;
    this.#aim();
  }

  /** The body turns about the place where it is gripped. */
  #aim(): void {
    const { body, point, from, turned, moved } = this.#held!;
    const place = new THREE.Vector3(from[0], from[1], from[2]).sub(point).applyQuaternion(turned).add(point).add(moved);
    const q = turned.clone().multiply(new THREE.Quaternion(from[4], from[5], from[6], from[3])).normalize();
    this.grip = { body, target: [place.x, place.y, place.z, q.w, q.x, q.y, q.z] };
  }
}
