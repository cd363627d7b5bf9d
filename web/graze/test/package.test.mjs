// SPDX-License-Identifier: MIT
// The package itself: meshes, errors, memory, threads. What the engine answers is compared in same_answers.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { Worker } from "node:worker_threads";
import { BoxGeometry, BufferAttribute, BufferGeometry, InterleavedBuffer, InterleavedBufferAttribute, Object3D } from "three";
import { GrazeError, load } from "../dist/graze.js";

const engine = await load();
const knot = engine.body(engine.make("torus_knot", 2880));

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
  const buffer = new InterleavedBuffer(new Float32Array([9, 0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9, 5, 5, 5]), 4);
  const woven = new BufferGeometry().setAttribute("position", new InterleavedBufferAttribute(buffer, 3, 1)).setIndex([2, 1, 0]);
  assert.deepEqual([...engine.meshFromGeometry(woven).data().positions], [0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5]);
  assert.deepEqual([...engine.meshFromGeometry(woven).data().triangles], [2, 1, 0]);
  assert.equal(refusal(() => engine.meshFromGeometry(woven.setIndex([0, 1, 4]))).code, "index_out_of_range");
  assert.equal(refusal(() => engine.meshFromGeometry(woven.setIndex([0, 1]))).code, "bad_option");
  const small = new BufferGeometry(); // of small numbers, as compressed models have them
  small.setAttribute("position", new BufferAttribute(new Int8Array([0, 0, 0, 127, 0, 0, 0, -127, 0]), 3, true));
  assert.deepEqual([...engine.meshFromGeometry(small).data().positions], [0, 0, 0, 1, 0, 0, 0, -1, 0]);
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

test("arrays of a wrong length are refused, not cut", () => {
  const mesh = engine.make("box"), body = engine.body(mesh), soft = engine.deformable(mesh);
  const positions = Array.from(mesh.data().positions);
  for (const wrong of [positions.slice(1), [...positions, 1], positions.slice(3)]) {
    assert.equal(refusal(() => body.deformed(wrong)).code, "bad_option");
    for (const question of ["step", "contacts", "stepSize", "setPositions"])
      assert.equal(refusal(() => soft[question](wrong)).code, "bad_option", question);
  }
  assert.equal(refusal(() => engine.hull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5])).code, "bad_option");
  soft.step(positions);
});

test("a request that is refused has changed nothing", () => {
  const box = engine.body("box:1,1,1"), world = engine.world(), held = engine.held().worlds;
  const id = world.add(box);
  assert.equal(refusal(() => world.add(box, { typo: 1 })).code, "bad_option");
  assert.equal(refusal(() => world.add(box, { mask: 2 ** 32 })).code, "bad_option");
  assert.equal(refusal(() => engine.world({ typo: 1 })).code, "bad_option");
  assert.equal(engine.held().worlds, held);
  world.add(box, { pose: [0.5, 0, 0, 1, 0, 0, 0] });
  assert.equal(refusal(() => world.check({ typo: 1 })).code, "bad_option");
  assert.deepEqual(world.check().events.map((event) => [event.event, event.frame]), [["began", 1]]);
  for (const wrong of [[-1, 0], [0.5, 0], [2 ** 33, 0], [0], [0, 0, 0], "x"])
    assert.equal(refusal(() => world.move(wrong, undefined)).code, "bad_option", String(wrong));
  assert.equal(refusal(() => world.move([7, 0], undefined)).code, "index_out_of_range");
  world.move(id, undefined);
  const soft = engine.deformable(engine.make("box"));
  const { positions } = engine.make("box").data();
  assert.equal(refusal(() => soft.step(positions.map((x) => x + 9), { typo: 1 })).code, "bad_option");
  assert.equal(soft.near(0.1).pairs.length, 0);
});

/** An engine, and what its module exports, of which some are replaced. */
async function opened(replaced = () => ({})) {
  const { Instance } = WebAssembly;
  let exported;
  WebAssembly.Instance = class extends Instance {
    get exports() {
      return (exported ??= { ...super.exports, ...replaced(super.exports) });
    }
  };
  try {
    return { far: await load(), exported };
  } finally {
    WebAssembly.Instance = Instance;
  }
}

test("addresses above 2 GiB", async () => {
  const { far, exported } = await opened();
  // What lies below is taken without being written: so the test needs address space, and hardly any memory.
  for (let k = 0; k < 4; ++k) assert.notEqual(exported.malloc(2 ** 29), 0);
  assert.ok(exported.malloc(8) < 0, "an address above 2 GiB is a negative number");
  const mesh = far.make("torus_knot", 2880), body = far.body(mesh);
  assert.deepEqual(far.parseMesh(mesh.file("obj"), "knot.obj").data(), mesh.data());
  const pose = [0.4, 0.1, 0, 1, 0.2, 0, 0.1], away = [0, 0, 0, 1, 0, 0, 0, ...pose, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 1, 0, 0, 0];
  assert.deepEqual(far.collide(body, undefined, body, pose).pairs, engine.collide(knot, undefined, knot, pose).pairs);
  assert.deepEqual(far.distanceMany(body, body, away), engine.distanceMany(knot, knot, away));
  assert.equal(far.held().bodies, 1);
});

test("an engine that failed says so, and what it held can still be disposed", async () => {
  let traps = false;
  const { far } = await opened(({ graze_ask }) => ({
    graze_ask: (...args) => {
      if (traps) throw new WebAssembly.RuntimeError("unreachable");
      return graze_ask(...args);
    },
  }));
  const body = far.body("sphere:1");
  traps = true;
  assert.equal(refusal(() => far.collide(body, undefined, body)).code, "engine_failed");
  traps = false;
  assert.equal(refusal(() => far.collide(body, undefined, body)).code, "engine_failed", "its state cannot be trusted");
  body.dispose();
  assert.ok(body.disposed);
});

test("the nodes of a body's tree", () => {
  for (const level of [0, 2, 9]) {
    const nodes = knot.treeNodes(level);
    assert.equal(nodes.reduce((sum, node) => sum + node.triangles, 0), 2880);
    for (const { box: [lo, hi], cosine } of nodes) assert.ok(lo.every((x, k) => x <= hi[k]) && cosine >= -1 && cosine <= 1 + 1e-12);
  }
  assert.equal(refusal(() => engine.body("sphere:1").treeNodes(1)).code, "unsupported");
  assert.equal(refusal(() => knot.treeNodes(-1)).code, "bad_option");
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

test("what is collected is freed", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const before = engine.held().meshes;
  for (let i = 0; i < 50; ++i) engine.make("box");
  for (let i = 0; i < 100 && engine.held().meshes > before; ++i) {
    gc();
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

test("the engine is small enough to download, with the package around it", () => {
  const bytes = ["graze.wasm", "graze.js"].map((name) => gzipSync(readFileSync(new URL(`../dist/${name}`, import.meta.url)), { level: 9 }).length);
  assert.ok(bytes[0] + bytes[1] <= 1.2e6, `${bytes} bytes`);
});
