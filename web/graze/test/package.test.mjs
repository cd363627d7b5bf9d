// SPDX-License-Identifier: MIT
// The package itself: meshes, errors, memory, threads. What the engine answers is compared in same_answers.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { Worker } from "node:worker_threads";
import { BoxGeometry, BufferAttribute, BufferGeometry, Object3D } from "three";
import { GrazeError, load } from "../dist/graze.js";

const engine = await load();

/** What a request is refused with. */
function refusal(ask) {
  try {
    ask();
  } catch (error) {
    assert.ok(error instanceof GrazeError, String(error));
    assert.ok(error.advice.length > 10);
    return error;
  }
  assert.fail("nothing was refused");
}

test("meshes from arrays and from three.js", () => {
  const square = engine.mesh([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], [0, 1, 2, 3], [0, 4]);
  assert.equal(square.polygonCount, 1);
  assert.equal(square.triangleCount, 2);
  assert.deepEqual([...square.data().corners], [0, 1, 2, 3]);
  const box = engine.meshFromGeometry(new BoxGeometry(1, 2, 3));
  assert.deepEqual(box.data().box, [[-0.5, -1, -1.5], [0.5, 1, 1.5]]);
  assert.equal(box.vertexCount, 24);
  assert.equal(new Set(box.weld().data().corners).size, 8);
  const soup = new BufferGeometry();
  soup.setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), 3));
  assert.equal(engine.meshFromGeometry(soup).triangleCount, 1);
  assert.equal(refusal(() => engine.meshFromGeometry(new BufferGeometry())).code, "empty_mesh");
});

test("a pose may be an object of three.js", () => {
  const body = engine.body("box:1,1,1"), object = new Object3D();
  object.position.set(3, 0, 0);
  object.rotateZ(Math.PI / 4);
  const gap = engine.distance(body, undefined, body, object).distance;
  assert.ok(Math.abs(gap - (2.5 - Math.SQRT1_2)) < 1e-12);
});

test("errors say what and what to do", () => {
  const body = engine.body("sphere:1");
  assert.equal(refusal(() => engine.collide(body, [0, 0, 0, 0, 0, 0, 0], body)).code, "bad_pose");
  assert.equal(refusal(() => engine.collide(body, [NaN, 0, 0, 1, 0, 0, 0], body)).code, "not_finite");
  assert.equal(refusal(() => engine.collide(body, [0, 0, 0, 1], body)).code, "bad_pose");
  assert.equal(refusal(() => engine.collide(body, undefined, body, undefined, { method: "magic" })).code, "bad_option");
  assert.equal(refusal(() => engine.collide(body, undefined, body, undefined, { typo: true })).code, "bad_option");
  assert.equal(refusal(() => engine.body("sphere:-1")).code, "bad_option");
  assert.equal(refusal(() => engine.make("nothing")).code, "bad_option");
  assert.equal(refusal(() => engine.mesh([0, 0, 0], [0, 1, 2])).code, "index_out_of_range");
  assert.equal(refusal(() => engine.mesh([0, 0, 0], [0, -1, 0])).code, "index_out_of_range");
  assert.equal(refusal(() => engine.mesh([0, 0], [0, 0, 0])).code, "bad_option");
  assert.equal(refusal(() => engine.mesh([0, 0, NaN], [0, 0, 0])).code, "not_finite");
  assert.equal(refusal(() => engine.mesh([0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 7, 6])).code, "bad_option");
  const broken = refusal(() => engine.parseMesh("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "part.obj"));
  assert.deepEqual([broken.code, broken.file, broken.line], ["index_out_of_range", "part.obj", 3]);
  assert.equal(refusal(() => engine.parseMesh("v", "part.xyz")).code, "unknown_format");
  assert.equal(refusal(() => engine.collide(engine.body(engine.make("cloth_sheet")), undefined, body, undefined,
                                            { solid: true })).code, "unsupported");
  assert.throws(() => engine.distanceMany(body, body, [1, 2, 3]), RangeError);
  assert.equal(refusal(() => engine.distanceMany(body, body, new Float64Array(14))).code, "bad_pose");
  assert.equal(engine.collide(body, undefined, body).status, "contact", "the engine goes on after errors");
});

test("disposed objects are refused, and their memory is used again", () => {
  const round = () => {
    const mesh = engine.make("torus_knot", 20000), body = engine.body(mesh), world = engine.world();
    const cloth = engine.deformable(mesh);
    world.add(body);
    for (const held of [world, cloth, body, mesh]) held.dispose();
    return body;
  };
  const gone = round();
  assert.equal(refusal(() => engine.collide(gone, undefined, gone)).code, "disposed");
  gone.dispose();
  for (let i = 0; i < 5; ++i) round();
  const before = engine.held();
  for (let i = 0; i < 100; ++i) round();
  assert.deepEqual(engine.held(), before);
});

test("what is collected is freed", { skip: globalThis.gc ? false : "node runs without --expose-gc" }, async () => {
  const before = engine.held().meshes;
  for (let i = 0; i < 50; ++i) engine.make("box");
  for (let i = 0; i < 20 && engine.held().meshes > before; ++i) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.ok(engine.held().meshes <= before);
});

test("limits leave a question undecided, never wrong", () => {
  const knot = engine.body(engine.make("torus_knot", 2880));
  const turn = { from: [0, 0, 0, 1, 0, 0, 0], velocity: [0, 0, 0, 1, 2, 3] };
  const limited = engine.firstContact(knot, turn, knot, { from: [1.2, 0.4, 0.3, 1, 1, 0, 0] }, { work: 20 });
  assert.ok(limited.status === "undecided" || limited.status === "touching_at_start");
});

test("many poses at once", () => {
  const body = engine.body("box:1,1,1");
  const poses = [0, 0.5, 1, 2].flatMap((x) => [0, 0, 0, 1, 0, 0, 0, x, 0, 0, 1, 0, 0, 0]);
  assert.deepEqual(engine.collideMany(body, body, poses), ["contact", "contact", "contact", "free"]);
  assert.deepEqual(engine.touchMany(body, body, poses), [true, true, true, false]);
  assert.deepEqual([...engine.distanceMany(body, body, poses)], [0, 0, 0, 1]);
  const flights = [[3, 0, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]].flat();
  const [first] = engine.firstContactMany(body, body, flights);
  assert.equal(first.status, "contact");
  assert.ok(first.time[0] <= 1 && first.time[1] > 0.999);
});

test("a world", () => {
  const box = engine.body("box:1,1,1"), world = engine.world();
  const a = world.add(box, { name: "a" }), b = world.add(box, { name: "b", pose: [3, 0, 0, 1, 0, 0, 0] });
  assert.equal(world.check().events.length, 0);
  world.sweep();
  world.move(b, [0.5, 0, 0, 1, 0, 0, 0]);
  const [began] = world.check().events;
  assert.deepEqual([began.event, began.a, began.b, began.kind], ["began", a, b, "overlap"]);
  assert.deepEqual(world.touching(), [[a, b]]);
  const swept = world.sweep({ advance: true });
  assert.equal(swept.status, "contact");
  assert.ok(world.pose(b)[0] >= 1);
  assert.equal(world.check().events[0].event, "ended");
  assert.equal(world.castRay([-5, 0, 0], [5, 0, 0]).hits.length, 2);
  assert.equal(world.near(1).pairs.length, 1);
  world.remove(a);
  assert.equal(refusal(() => world.move(a, undefined)).code, "index_out_of_range");
});

test("pieces, hulls, points inside, depth", () => {
  const lamp = engine.body([{ body: engine.body("sphere:0.5"), pose: [0, 0, 2, 1, 0, 0, 0], name: "bulb" },
                            { body: engine.body("cylinder:0.1,4"), name: "stand" }]);
  const hit = engine.collide(lamp, undefined, engine.body("sphere:0.2"), [0.4, 0, 2, 1, 0, 0, 0]);
  assert.equal(hit.pieces.name_a, "bulb");
  const hull = engine.hull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.equal(engine.contains(hull, undefined, [0.1, 0.1, 0.1]).location, "inside");
  assert.equal(engine.contains(hull, undefined, [0, 0, 0]).location, "on_surface");
  const depth = engine.penetration(engine.body("sphere:1"), undefined, engine.body("sphere:1"), [1.5, 0, 0, 1, 0, 0, 0]);
  assert.ok(Math.abs(depth.upper - 0.5) < 1e-6);
});

test("in a worker, with a module compiled elsewhere", async () => {
  const module = await WebAssembly.compile(readFileSync(new URL("../dist/graze.wasm", import.meta.url)));
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    const { load } = await import(workerData.package);
    const engine = await load(workerData.module), body = engine.body("sphere:1");
    parentPort.postMessage(engine.distance(body, undefined, body, [3, 0, 0, 1, 0, 0, 0]).distance);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: { module, package: new URL("../dist/graze.js", import.meta.url).href } });
  const distance = await new Promise((done, fail) => worker.once("message", done).once("error", fail));
  assert.equal(distance, 1);
  await worker.terminate();
});

test("the engine is small enough to download", () => {
  assert.ok(gzipSync(readFileSync(new URL("../dist/graze.wasm", import.meta.url)), { level: 9 }).length <= 1.2e6);
});
