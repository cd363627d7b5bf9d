// SPDX-License-Identifier: MIT
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { contact_size, type Frame, type Pose, type Shown } from "./types.js";

const colours = [0x6b9bd1, 0xd9a25f, 0x79b38a, 0xb58fc9, 0xcfc06b, 0x7fc1c4, 0xc98f8f, 0x9aa3b2];
const touching_colour = 0xd0342c;

interface Drawn {
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  touching: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  held: boolean;
  fixed: boolean;
}

/** The bodies on a canvas. It knows nothing of the engine. */
export class Picture {
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #bodies: Drawn[] = [];
  readonly #ray = new THREE.Raycaster();
  readonly #contacts: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  readonly #points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera.up.set(0, 0, 1); // as gravity has it
    this.controls = new OrbitControls(this.camera, canvas);
    this.#scene.add(new THREE.HemisphereLight(0xffffff, 0x606878, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(2, -3, 5);
    this.#scene.add(sun);
    this.#contacts = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: touching_colour }));
    this.#points = new THREE.Points(
      new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ color: touching_colour, size: 6, sizeAttenuation: false, depthTest: false }),
    );
    for (const drawn of [this.#contacts, this.#points]) {
      drawn.frustumCulled = false;
      this.#scene.add(drawn);
    }
  }

  /** Replaces all bodies; `look` turns the camera to them. */
  show(bodies: readonly Shown[], look: boolean): void {
    this.clear();
    bodies.forEach((body, i) => this.#bodies.push(this.#draw(body, i)));
    if (look) this.#look_at(bodies);
  }

  clear(): void {
    for (const { mesh, touching } of this.#bodies.splice(0)) {
      this.#scene.remove(mesh);
      mesh.geometry.dispose();
      touching.geometry.dispose();
      mesh.material.dispose();
      touching.material.dispose();
    }
    for (const drawn of [this.#contacts, this.#points]) drawn.geometry.setDrawRange(0, 0);
  }

  move(frame: Frame): void {
    this.#bodies.forEach(({ mesh }, i) => place(mesh, frame.poses.subarray(7 * i, 7 * i + 7)));
    for (const { body, positions } of frame.deformed) {
      const drawn = this.#bodies[body];
      const old = drawn?.mesh.geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
      if (!drawn || !old) continue;
      (old.array as Float32Array).set(positions);
      old.needsUpdate = true;
      drawn.mesh.geometry.boundingSphere = drawn.mesh.geometry.boundingBox = null;
    }
    this.#colour(frame);
    this.#mark(frame.contacts);
  }

  render(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const size = this.#renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) {
      this.#renderer.setSize(width, height, false);
      this.camera.aspect = width / Math.max(1, height);
      this.camera.updateProjectionMatrix();
    }
    this.controls.update();
    this.#renderer.render(this.#scene, this.camera);
  }

  /** The held body under a place of the canvas (-1 to 1), and the point that is hit. */
  pick(x: number, y: number): { body: number; point: THREE.Vector3 } | null {
    this.#ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    const hit = this.#ray.intersectObjects(this.#bodies.map((drawn) => drawn.mesh), false)[0];
    const body = hit ? this.#bodies.findIndex((drawn) => drawn.mesh === hit.object) : -1;
    return hit && this.#bodies[body]?.held ? { body, point: hit.point } : null;
  }

  /** Where a place of the canvas lies on the plane through `point` that faces the camera. */
  on_plane(x: number, y: number, point: THREE.Vector3): THREE.Vector3 | null {
    this.#ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    const towards = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(towards, point);
    return this.#ray.ray.intersectPlane(plane, new THREE.Vector3());
  }

  pose(body: number): Pose | null {
    const mesh = this.#bodies[body]?.mesh;
    if (!mesh) return null;
    const { position: p, quaternion: q } = mesh;
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  /** Brighter, so that one sees what can be dragged. */
  highlight(body: number): void {
    this.#bodies.forEach(({ mesh }, i) => mesh.material.emissive.setHex(i === body ? 0x333333 : 0));
  }

  /** Geometries and textures that the graphics card holds: for tests of what is given back. */
  get memory(): { geometries: number; textures: number } {
    return { ...this.#renderer.info.memory };
  }

  #draw(body: Shown, i: number): Drawn {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(body.positions.slice(), 3));
    geometry.setIndex(new THREE.BufferAttribute(body.triangles, 1));
    const colour = body.fixed ? 0x9aa3b2 : colours[i % colours.length]!;
    const material = new THREE.MeshStandardMaterial({ color: colour, flatShading: true, side: THREE.DoubleSide, roughness: 0.8 });
    const mesh = new THREE.Mesh(geometry, material);
    const touching = new THREE.Mesh(
      new THREE.BufferGeometry(),
      new THREE.MeshStandardMaterial({
        color: touching_colour,
        flatShading: true,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: -1,
        polygonOffsetUnits: -1,
      }),
    );
    touching.geometry.setAttribute("position", geometry.getAttribute("position"));
    touching.visible = touching.frustumCulled = false;
    mesh.add(touching);
    place(mesh, body.pose);
    this.#scene.add(mesh);
    return { mesh, touching, held: body.held, fixed: body.fixed };
  }

  /** Bodies that touch something glow; triangles that touch are red. */
  #colour(frame: Frame): void {
    const in_contact = new Set<number>();
    for (let k = 6; k < frame.contacts.length; k += contact_size)
      in_contact.add(frame.contacts[k]!).add(frame.contacts[k + 1]!);
    this.#bodies.forEach(({ mesh, touching, fixed }, i) => {
      const base = fixed ? 0x9aa3b2 : colours[i % colours.length]!;
      mesh.material.color.setHex(base);
      if (in_contact.has(i) && !fixed) mesh.material.color.lerp(new THREE.Color(touching_colour), 0.4);
      touching.visible = false;
    });
    for (const { body, triangles } of frame.touching) {
      const drawn = this.#bodies[body];
      const all = drawn?.mesh.geometry.getIndex()?.array as Uint32Array | undefined;
      if (!drawn || !all) continue;
      const chosen = new Uint32Array(3 * triangles.length);
      triangles.forEach((t, k) => chosen.set(all.subarray(3 * t, 3 * t + 3), 3 * k));
      drawn.touching.geometry.setIndex(new THREE.BufferAttribute(chosen, 1));
      drawn.touching.visible = true;
    }
  }

  #mark(contacts: Float32Array): void {
    const count = contacts.length / contact_size;
    const points = new Float32Array(3 * count);
    const lines = new Float32Array(6 * count);
    const length = 0.05 * this.camera.position.distanceTo(this.controls.target);
    for (let i = 0; i < count; ++i)
      for (let k = 0; k < 3; ++k) {
        const at = contacts[contact_size * i + k]!;
        points[3 * i + k] = lines[6 * i + k] = at;
        lines[6 * i + 3 + k] = at + length * contacts[contact_size * i + 3 + k]!;
      }
    replace(this.#points.geometry, points);
    replace(this.#contacts.geometry, lines);
  }

  #look_at(bodies: readonly Shown[]): void {
    const box = new THREE.Box3();
    this.#bodies.forEach(({ mesh }, i) => {
      mesh.updateMatrixWorld();
      if (!bodies[i]!.fixed || bodies.every((body) => body.fixed)) box.expandByObject(mesh);
    });
    // What never moves belongs into the picture if it is not much larger than the rest.
    const size = box.getSize(new THREE.Vector3()).length();
    for (const { mesh, fixed } of this.#bodies) {
      const own = new THREE.Box3().setFromObject(mesh);
      if (fixed && own.getSize(new THREE.Vector3()).length() < 4 * size) box.union(own);
    }
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const far = (1.2 * sphere.radius) / Math.sin((this.camera.fov * Math.PI) / 360);
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).add(new THREE.Vector3(0.35, -1, 0.45).normalize().multiplyScalar(far));
    this.camera.near = far / 1000;
    this.camera.far = far * 100;
    this.camera.updateProjectionMatrix();
  }
}

function place(mesh: THREE.Object3D, pose: ArrayLike<number>): void {
  mesh.position.set(pose[0]!, pose[1]!, pose[2]!);
  mesh.quaternion.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!);
}

/** The attribute grows when it must; else its numbers are overwritten. */
function replace(geometry: THREE.BufferGeometry, numbers: Float32Array): void {
  const old = geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
  if (!old || old.array.length < numbers.length) {
    const room = new Float32Array(Math.max(96, 2 * numbers.length));
    room.set(numbers);
    geometry.dispose();
    geometry.setAttribute("position", new THREE.BufferAttribute(room, 3));
  } else {
    (old.array as Float32Array).set(numbers);
    old.needsUpdate = true;
  }
  geometry.setDrawRange(0, numbers.length / 3);
}
