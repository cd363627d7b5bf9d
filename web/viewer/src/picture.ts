// SPDX-License-Identifier: MIT
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Point, Pose } from "graze";
import type { Contact, Mark } from "./contacts.js";
import type { DrawnMesh } from "./engine.js";
import { coarse_triangles, large } from "./coarse.js";
import { Marks } from "./marks.js";
import { extent, marked_corners } from "./meshes.js";

const colours = [0x5b8fd0, 0xe0a04a, 0x6fb184, 0xb58fc9, 0xcfc06b, 0x6cc0c4, 0xcf8a8a, 0x9aa3b2];
export const colour_of = (body: number): number => colours[body % colours.length]!;

export type Style = "solid" | "wire" | "translucent" | "hidden";

/** A body on the screen. Its vertices are kept relative to `centre`, so that singles suffice far from the origin. */
export interface Drawn {
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  /** Both have the same vertices; `coarse` is null for small meshes. */
  full: THREE.BufferGeometry;
  coarse: THREE.BufferGeometry | null;
  marks: Marks;
  source: DrawnMesh;
  centre: THREE.Vector3;
  radius: number;
  style: Style;
  /** Rotation and translation of the body's own coordinates. */
  rotation: THREE.Quaternion;
  translation: THREE.Vector3;
  there: boolean;
}

/** The bodies on a canvas. It knows nothing of the engine. It draws when something changed. */
export class Picture {
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly bodies: Drawn[] = [];
  /** World coordinates minus this are what is drawn. */
  readonly origin = new THREE.Vector3();
  /** How many pictures were drawn, and how long the last one took the page, in milliseconds. */
  pictures = 0;
  milliseconds = 0;
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #ray = new THREE.Raycaster();
  readonly #pointer: Marks;
  #changed = true;
  #flight: { from: THREE.Vector3; to: THREE.Vector3; target_from: THREE.Vector3; target_to: THREE.Vector3; start: number } | null = null;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.change());
    this.controls.zoomToCursor = true;
    this.#scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f9a, 2.4));
    const sun = new THREE.DirectionalLight(0xffffff, 1.7);
    sun.position.set(0.5, 0.8, 1);
    this.camera.add(sun); // what one looks at is lit
    this.#scene.add(this.camera);
    this.#pointer = new Marks(this.#scene);
    const loop = () => {
      requestAnimationFrame(loop);
      this.#render();
    };
    requestAnimationFrame(loop);
  }

  change(): void {
    this.#changed = true;
  }

  /** Something that is no body. */
  add(part: THREE.Object3D): void {
    this.#scene.add(part);
  }

  /** Replaces all bodies. */
  show(meshes: readonly DrawnMesh[]): void {
    this.clear();
    this.#slow = this.#in_motion = false;
    meshes.forEach((mesh, i) => this.bodies.push(this.#draw(mesh, i)));
    this.change();
  }

  clear(): void {
    this.mark(null);
    for (const { mesh, marks, full, coarse } of this.bodies.splice(0)) {
      this.#scene.remove(mesh);
      marks.dispose();
      full.dispose();
      coarse?.dispose();
      mesh.material.dispose();
    }
    this.#renderer.renderLists.dispose();
    this.change();
  }

  /** A translation and a quaternion, or a rotation by rows and then the translation. Not finite: the body is not there. */
  place(body: number, at: ArrayLike<number>): void {
    const drawn = this.bodies[body];
    if (!drawn) return;
    drawn.there = Array.prototype.every.call(at, Number.isFinite);
    if (drawn.there) {
      if (at.length === 12) {
        const m = new THREE.Matrix4().set(at[0]!, at[1]!, at[2]!, 0, at[3]!, at[4]!, at[5]!, 0, at[6]!, at[7]!, at[8]!, 0, 0, 0, 0, 1);
        drawn.rotation.setFromRotationMatrix(m);
        drawn.translation.set(at[9]!, at[10]!, at[11]!);
      } else {
        drawn.rotation.set(at[4]!, at[5]!, at[6]!, at[3]!).normalize();
        drawn.translation.set(at[0]!, at[1]!, at[2]!);
      }
      drawn.mesh.quaternion.copy(drawn.rotation);
      drawn.mesh.position.copy(drawn.centre).applyQuaternion(drawn.rotation).add(drawn.translation).sub(this.origin);
    }
    drawn.mesh.visible = drawn.there && drawn.style !== "hidden";
    this.change();
  }

  pose(body: number): Pose {
    const { translation: t, rotation: q } = this.bodies[body]!;
    return [t.x, t.y, t.z, q.w, q.x, q.y, q.z];
  }

  /** New vertices of a body that deforms. */
  deform(body: number, positions: ArrayLike<number>): void {
    const drawn = this.bodies[body];
    if (!drawn) return;
    const attribute = drawn.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    relative(positions, drawn.centre, attribute.array as Float32Array<ArrayBuffer>);
    attribute.needsUpdate = true;
    drawn.full.boundingSphere = null;
    if (drawn.coarse) drawn.coarse.boundingSphere = null;
    this.change();
  }

  style(body: number, style: Style): void {
    const drawn = this.bodies[body]!;
    drawn.style = style;
    this.#fade(drawn, false);
    drawn.mesh.visible = drawn.there && style !== "hidden";
    this.change();
  }

  #fade({ mesh: { material }, style }: Drawn, away: boolean): void {
    const opacity = away ? 0.12 : style === "translucent" ? 0.35 : 1;
    const wireframe = style === "wire";
    if (material.opacity === opacity && material.wireframe === wireframe) return;
    material.wireframe = wireframe;
    material.opacity = opacity;
    material.transparent = opacity < 1;
    material.depthWrite = opacity === 1;
    material.needsUpdate = true;
  }

  /** The body that is held is brighter. */
  hold(body: number | null): void {
    this.bodies.forEach(({ mesh }, i) => mesh.material.emissive.setHex(i === body ? 0x2a2a2a : 0));
    this.change();
  }

  /** Lights up what touches, and the points and normal where they are. */
  mark(contact: Contact | null): void {
    for (const { marks } of this.bodies) marks.clear();
    this.#pointer.clear();
    // Among many bodies two are hard to see: the others fade.
    const about = new Set((contact?.marks ?? []).map((mark) => mark.body));
    this.bodies.forEach((body, i) => this.#fade(body, this.bodies.length > 3 && about.size > 0 && !about.has(i)));
    for (const mark of contact?.marks ?? []) {
      const drawn = this.bodies[mark.body];
      drawn?.marks.features(drawn.source, mark);
    }
    if (contact?.points) this.#pointer.points(contact.points.map((p) => this.#local(p)), contact.normal, this.size / 8);
    this.change();
  }

  /** A line between the nearest points, while a body is dragged. */
  link(points: [Point, Point] | null): void {
    this.#pointer.clear();
    if (points) this.#pointer.points(points.map((p) => this.#local(p)), null, 0);
    this.change();
  }

  /** The radius of what is shown. */
  get size(): number {
    const sphere = this.#bounds();
    return sphere.radius > 0 ? sphere.radius : 1;
  }

  /** Turns the camera to everything, so near that all of it is in the picture. */
  look(): void {
    const box = new THREE.Box3();
    for (const { mesh, there } of this.bodies) if (there && mesh.visible) box.expandByObject(mesh);
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const centre = box.getCenter(new THREE.Vector3()), half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const back = new THREE.Vector3(0.5, -1, 0.5).normalize();
    const right = new THREE.Vector3().crossVectors(this.camera.up, back).normalize();
    const up = new THREE.Vector3().crossVectors(back, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    let far = half.length() || 1;
    for (const corner of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const d = new THREE.Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).multiply(half);
      const across = Math.max(Math.abs(d.dot(right)) / wide, Math.abs(d.dot(up)) / tall);
      far = Math.max(far, d.dot(back) + 1.15 * across);
    }
    this.#flight = null;
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(back, far);
    this.change();
  }

  /** Chooses where the coordinates of the picture begin: once, before anything is placed. */
  centre(at: readonly number[]): void {
    this.origin.set(at[0]!, at[1]!, at[2]!);
  }

  /** Flies to a point of the world. */
  fly(to: Point, distance = this.size): void {
    const target = this.#local(to);
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.#flight = {
      from: this.camera.position.clone(), to: target.clone().addScaledVector(direction, distance),
      target_from: this.controls.target.clone(), target_to: target, start: performance.now(),
    };
    this.change();
  }

  /** Where something that lights up is, in the world. */
  place_of(mark: Mark): Point | null {
    const drawn = this.bodies[mark.body]!;
    const vertex = [...mark.vertices, ...mark.edges.flat(), ...marked_corners(drawn.source, mark)][0];
    if (vertex === undefined) return null;
    const positions = drawn.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    if (!(vertex < positions.count)) return null; // an answer about another mesh
    const local = new THREE.Vector3().fromBufferAttribute(positions, vertex);
    return local.applyQuaternion(drawn.mesh.quaternion).add(drawn.mesh.position).add(this.origin).toArray();
  }

  /** The body under a place of the canvas (-1 to 1), and the point that is hit, in the world. */
  pick(x: number, y: number): { body: number; point: THREE.Vector3 } | null {
    this.#ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    const shown = this.bodies.filter(({ mesh }) => mesh.visible).map(({ mesh }) => mesh);
    const look = (coarse: boolean) => {
      for (const body of this.bodies) body.mesh.geometry = (coarse && body.coarse) || body.full;
      return this.#ray.intersectObjects(shown, false)[0];
    };
    // Millions of triangles take long to go through; past the coarse ones, the true ones may still be hit.
    const hit = look(true) ?? (this.bodies.some(({ coarse }) => coarse) ? look(false) : undefined);
    if (!hit) return null;
    return { body: this.bodies.findIndex(({ mesh }) => mesh === hit.object), point: hit.point.add(this.origin) };
  }

  /** Where a place of the canvas lies on the plane through `point` that faces the camera. */
  on_plane(x: number, y: number, point: THREE.Vector3): THREE.Vector3 | null {
    this.#ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    const towards = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(towards, point.clone().sub(this.origin));
    return this.#ray.ray.intersectPlane(plane, new THREE.Vector3())?.add(this.origin) ?? null;
  }

  /** Geometries and textures that the graphics card holds: for tests of what is given back. */
  get memory(): { geometries: number; textures: number } {
    return { ...this.#renderer.info.memory };
  }

  #local(p: Point): THREE.Vector3 {
    return new THREE.Vector3(...p).sub(this.origin);
  }

  #bounds(): THREE.Sphere {
    const box = new THREE.Box3();
    for (const { mesh, radius, there } of this.bodies) {
      const r = new THREE.Vector3().setScalar(radius);
      if (there) box.union(new THREE.Box3(mesh.position.clone().sub(r), mesh.position.clone().add(r)));
    }
    return box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 1) : box.getBoundingSphere(new THREE.Sphere());
  }

  #render(): void {
    const start = performance.now();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const size = this.#renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) {
      this.#renderer.setSize(width, height, false);
      this.camera.aspect = width / Math.max(1, height);
      this.#changed = true;
    }
    this.#fly_on(start);
    this.controls.update();
    const detail = this.#detail(start);
    if (!this.#changed) return;
    this.#changed = false;
    for (const body of this.bodies) body.mesh.geometry = (detail === "coarse" && body.coarse) || body.full;
    const far = this.camera.position.distanceTo(this.controls.target) + 4 * this.size;
    this.camera.near = far / 10_000;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
    this.#renderer.render(this.#scene, this.camera);
    ++this.pictures;
    this.milliseconds = performance.now() - start;
  }

  /** Coarse while something moves and the last pictures came too slowly; once all is at rest, the whole again. */
  #detail(now: number): "full" | "coarse" {
    const since = now - this.#last_drawn;
    if (this.#changed) {
      const follows = this.#in_motion;
      if (follows && since > 70) this.#slow = true;
      this.#in_motion = true;
      this.#last_drawn = now;
      return this.#slow ? "coarse" : "full";
    }
    if (since > 250) {
      if (this.#in_motion && this.#slow) this.#changed = true;
      this.#in_motion = false;
    }
    return "full";
  }
  #last_drawn = 0;
  #in_motion = false;
  #slow = false;

  #fly_on(now: number): void {
    const flight = this.#flight;
    if (!flight) return;
    const t = Math.min(1, (now - flight.start) / 350);
    const eased = t * t * (3 - 2 * t);
    this.camera.position.lerpVectors(flight.from, flight.to, eased);
    this.controls.target.lerpVectors(flight.target_from, flight.target_to, eased);
    if (t === 1) this.#flight = null;
    this.change();
  }

  #draw(source: DrawnMesh, i: number): Drawn {
    const { centre, radius } = extent(source.positions);
    const middle = new THREE.Vector3(...centre);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(relative(source.positions, middle), 3));
    geometry.setIndex(new THREE.BufferAttribute(source.triangles, 1));
    const material = new THREE.MeshStandardMaterial({ color: colour_of(i), flatShading: true, side: THREE.DoubleSide, roughness: 0.75 });
    material.polygonOffset = true; // so that what lights up lies above
    material.polygonOffsetFactor = material.polygonOffsetUnits = 1;
    const mesh = new THREE.Mesh(geometry, material);
    this.#scene.add(mesh);
    let coarse: THREE.BufferGeometry | null = null;
    if (source.triangles.length > 3 * large) {
      coarse = new THREE.BufferGeometry().setAttribute("position", geometry.getAttribute("position"));
      coarse.setIndex(new THREE.BufferAttribute(coarse_triangles(source.positions, source.triangles, radius), 1));
    }
    return {
      mesh, source, full: geometry, coarse, centre: middle, radius, style: "solid", marks: new Marks(mesh),
      rotation: new THREE.Quaternion(), translation: new THREE.Vector3(), there: true,
    };
  }
}

function relative(positions: ArrayLike<number>, centre: THREE.Vector3, out = new Float32Array(positions.length)): Float32Array<ArrayBuffer> {
  for (let i = 0; i < positions.length; i += 3) {
    out[i] = positions[i]! - centre.x;
    out[i + 1] = positions[i + 1]! - centre.y;
    out[i + 2] = positions[i + 2]! - centre.z;
  }
  return out;
}
