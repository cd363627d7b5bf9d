// SPDX-License-Identifier: MIT
import * as THREE from "three";
import type { Picture } from "./picture.js";

/** The pointer: a click takes a body, a drag moves it in the plane that faces the camera, and turns it with Shift. */
export class Hand {
  /** The body that is taken. */
  held: number | null = null;
  on_hold: (body: number | null) => void = () => {};
  on_move: (body: number) => void = () => {};
  on_drop: (body: number) => void = () => {};
  #down: { x: number; y: number; moved: boolean; drags: boolean } | null = null;
  #point = new THREE.Vector3();
  #last = { x: 0, y: 0 };

  constructor(readonly picture: Picture) {
    const canvas = picture.canvas;
    // In the capturing phase, before the camera's controls see it.
    canvas.addEventListener("pointerdown", (event) => this.#press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { capture: true });
    canvas.addEventListener("pointerup", (event) => this.#release(event), { capture: true });
    canvas.addEventListener("pointercancel", () => this.#stop());
  }

  hold(body: number | null): void {
    this.held = body;
    this.picture.hold(body);
    this.on_hold(body);
  }

  #place({ clientX, clientY }: PointerEvent): { x: number; y: number } {
    const box = this.picture.canvas.getBoundingClientRect();
    return { x: (2 * (clientX - box.left)) / box.width - 1, y: 1 - (2 * (clientY - box.top)) / box.height };
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const at = this.#place(event);
    this.#down = { ...at, moved: false, drags: false };
    this.#last = at;
    // Only what is taken is dragged: so one look for what lies under the pointer a click is enough, also among millions
    // of triangles.
    const hit = this.held === null ? null : this.picture.pick(at.x, at.y);
    if (!hit || hit.body !== this.held) return;
    event.stopImmediatePropagation();
    this.#point = hit.point;
    this.#down.drags = true;
    this.picture.controls.enabled = false;
    this.picture.canvas.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const down = this.#down;
    if (!down) return;
    const at = this.#place(event);
    if (Math.hypot(at.x - down.x, at.y - down.y) > 0.01) down.moved = true;
    if (!down.drags || this.held === null || !down.moved) return;
    event.stopImmediatePropagation();
    const { rotation, translation } = this.picture.bodies[this.held]!;
    const [turned, moved] = [rotation.clone(), translation.clone()];
    if (event.shiftKey) {
      const [right, up] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(this.picture.camera.matrixWorld, k));
      const turn = new THREE.Quaternion().setFromAxisAngle(up!, 2 * (at.x - this.#last.x))
        .multiply(new THREE.Quaternion().setFromAxisAngle(right!, -2 * (at.y - this.#last.y)));
      moved.sub(this.#point).applyQuaternion(turn).add(this.#point);
      turned.premultiply(turn).normalize();
    } else {
      const before = this.picture.on_plane(this.#last.x, this.#last.y, this.#point);
      const now = this.picture.on_plane(at.x, at.y, this.#point);
      if (!before || !now) return;
      const way = now.sub(before);
      moved.add(way);
      this.#point.add(way);
    }
    this.#last = at;
    this.picture.place(this.held, [moved.x, moved.y, moved.z, turned.w, turned.x, turned.y, turned.z]);
    this.on_move(this.held);
  }

  #release(event: PointerEvent): void {
    const down = this.#down;
    if (down && !down.moved) {
      const hit = this.picture.pick(down.x, down.y);
      this.hold(hit ? hit.body : null);
    } else if (down?.drags && this.held !== null) {
      this.on_drop(this.held);
    }
    if (down?.drags) event.stopImmediatePropagation();
    this.#stop();
  }

  #stop(): void {
    this.#down = null;
    this.picture.controls.enabled = true;
  }
}
