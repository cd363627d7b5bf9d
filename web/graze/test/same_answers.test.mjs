// SPDX-License-Identifier: MIT
// The engine in WebAssembly gives the same answers as the native one, bit for bit.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { load } from "../dist/graze.js";
import { batch, bytes, essence, folder, randomNumbers, randomPose, run } from "./corpus.mjs";

const engine = await load();
const shapes = { box: 12, torus_knot: 2880, chair: 0, sphere: 500, torus: 800 };
const bodies = {};
for (const [shape, triangles] of Object.entries(shapes)) {
  run("make", shape, ...(triangles ? ["--triangles", String(triangles)] : []), "-o", `${shape}.obj`);
  bodies[shape] = engine.body(engine.parseMesh(bytes(`${shape}.obj`), `${shape}.obj`));
}
const pairs = [["box", "torus_knot"], ["chair", "sphere"], ["torus", "torus_knot"], ["box", "box"], ["chair", "chair"]];
const solids = ["sphere:0.5", "capsule:0.3,1", "box:1,2,0.5", "cylinder:0.5,1", "cone:0.5,1", "ellipsoid:0.5,1,0.7"];

const same = (native, wasm, what) => assert.deepEqual(essence(wasm), essence(native), what);

/** Compares the answers to many rows: `ask(row)` is the package's. */
function sameRows(rows, args, ask) {
  const answers = batch(rows, ...args);
  assert.equal(answers.length, rows.length);
  answers.forEach((native, i) => same(native, ask(rows[i]), `${args.join(" ")}, row ${i}: ${rows[i]}`));
}

function poses(seed, count, reach) {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => [...randomPose(random, reach), ...randomPose(random, reach)]);
}

for (const [a, b] of pairs) {
  const files = [`${a}.obj`, `${b}.obj`];
  const [A, B] = [bodies[a], bodies[b]];
  test(`collide ${a} ${b}`, () => {
    sameRows(poses(1, 60, 0.8), ["collide", ...files], (r) => engine.collide(A, r.slice(0, 7), B, r.slice(7)));
    sameRows(poses(2, 10, 0.5), ["collide", ...files, "--all"],
             (r) => engine.collide(A, r.slice(0, 7), B, r.slice(7), { all: true }));
  });
  test(`distance ${a} ${b}`, () => {
    sameRows(poses(3, 40, 2), ["distance", ...files], (r) => engine.distance(A, r.slice(0, 7), B, r.slice(7)));
    sameRows(poses(4, 20, 1), ["distance", ...files, "--within", "0.25"],
             (r) => engine.within(0.25, A, r.slice(0, 7), B, r.slice(7)));
  });
  test(`first contact ${a} ${b}`, () => {
    const random = randomNumbers(5);
    const rows = Array.from({ length: 12 }, () => [3, 3, 0.3, 0.3].flatMap((reach) => randomPose(random, reach)));
    const motions = (r) => [{ from: r.slice(0, 7), to: r.slice(7, 14) }, { from: r.slice(14, 21), to: r.slice(21) }];
    for (const [options, flags] of [[{}, []], [{ kind: "screw" }, ["--motion", "screw"]],
                                    [{ kind: "linear" }, ["--motion", "linear"]]])
      sameRows(rows.slice(0, options.kind ? 4 : 12), ["first-contact", ...files, ...flags], (r) => {
        const [m, n] = motions(r);
        return engine.firstContact(A, { ...m, ...options }, B, { ...n, ...options });
      });
    sameRows(rows.slice(0, 6), ["first-contact", ...files, "--min-separation", "0.01"], (r) =>
      engine.firstContact(A, motions(r)[0], B, motions(r)[1], { min_separation: 0.01 }));
    // Between which bounds the search for the least distance ends depends on the instruction set, natively, too.
    const clearances = batch(rows.slice(0, 4), "first-contact", ...files, "--clearance");
    clearances.forEach(({ clearance: native, ...rest }, i) => {
      const [m, n] = motions(rows[i]);
      const { clearance: wasm, ...mine } = engine.firstContact(A, m, B, n, { clearance: true });
      same(rest, mine, `clearance, row ${i}`);
      assert.ok(Math.max(native.lower, wasm.lower) <= Math.min(native.upper, wasm.upper), `clearance, row ${i}`);
      assert.ok(wasm.upper - wasm.lower <= 1.1e-5 * wasm.upper + rest.tolerance, `clearance, row ${i}`);
    });
  });
}

test("solids", () => {
  for (const shape of solids) {
    const solid = engine.body(shape);
    for (const other of ["torus", "sphere"]) {
      const files = [shape, `${other}.obj`];
      const ask = (question) => (r) => engine[question](solid, r.slice(0, 7), bodies[other], r.slice(7));
      sameRows(poses(6, 10, 1), ["collide", ...files], ask("collide"));
      sameRows(poses(7, 6, 2), ["distance", ...files], ask("distance"));
      sameRows(poses(8, 4, 0.6), ["penetration", ...files], ask("penetration"));
      sameRows(poses(9, 4, 0.6), ["manifold", ...files], ask("manifold"));
    }
  }
});

test("every contact of a motion, and its proof", () => {
  const [from, to] = [[-3, 0.1, 0.2, 1, 0, 0, 0], [3, 0.3, 0, 0.2, 1, 0, 0]];
  const texts = ["--a-from", from.join(" "), "--a-to", to.join(" ")];
  const all = JSON.parse(run("first-contact", "box.obj", "torus.obj", ...texts, "--all-contacts", "--json"));
  same(all, engine.firstContact(bodies.box, { from, to }, bodies.torus, undefined, { all_contacts: true }));
  assert.ok(all.contacts.length > 10);
  // The directions of a proof depend on the instruction set, what is proved does not.
  run("first-contact", "box.obj", "torus.obj", ...texts, "--certificate", "native.txt");
  const proved = engine.firstContact(bodies.box, { from, to }, bodies.torus, undefined, { certificate: true });
  const stated = (text) => text.split("\n").filter((line) => !line.startsWith("S "));
  assert.deepEqual(stated(proved.certificate.text), stated(bytes("native.txt").toString()));
  writeFileSync(join(folder, "wasm.txt"), proved.certificate.text);
  assert.match(run("verify", "wasm.txt", "box.obj", "torus.obj"), /valid|verified|proved|holds/i);
});

test("a mesh with itself", () => {
  for (const shape of Object.keys(shapes))
    for (const flags of [[], ["--all"]])
      same(JSON.parse(run("collide", `${shape}.obj`, "--self", "--json", ...flags)),
           engine.selfCollide(bodies[shape], { all: flags.length > 0 }), shape);
});

test("rays", () => {
  const random = randomNumbers(10);
  const rows = Array.from({ length: 60 }, () => Array.from({ length: 6 }, () => random() * 4 - 2));
  for (const shape of ["torus_knot", "chair"])
    for (const flags of [[], ["--all"]])
      sameRows(rows, ["ray", `${shape}.obj`, ...flags], (r) =>
        engine.castRay(bodies[shape], undefined, r.slice(0, 3), r.slice(3), { all: flags.length > 0 }));
});

test("a step of a deforming mesh", () => {
  run("make", "cloth_sheet", "--triangles", "2000", "-o", "before.obj");
  const before = engine.parseMesh(bytes("before.obj"), "before.obj");
  const data = before.data();
  const random = randomNumbers(11);
  const end = data.positions.map((x, i) => (i % 3 === 1 ? x * 0.2 : x) + (random() - 0.5) * 0.3);
  const after = engine.mesh(end, data.corners, data.first);
  writeFileSync(join(folder, "after.obj"), after.file("obj"));
  const native = JSON.parse(run("deform", "before.obj", "after.obj", "--self", "--json", "--pairs", "pairs.csv"));
  const wasm = engine.deformable(before).step(end);
  const lines = wasm.contacts.map((c) => [c.kind, ...c.vertices, ...c.time].join(","));
  const expected = bytes("pairs.csv").toString().trim().split("\n").map((line) => line.split(","));
  const rows = expected.filter((l) => l[0] === "vf" || l[0] === "ee")
                       .map((l) => [l[0], ...l.slice(1).map(Number)].join(","));
  assert.ok(rows.length > 100);
  assert.deepEqual(lines, rows);
  assert.equal(wasm.status, native.status);
  assert.deepEqual(wasm.time, native.time);
  assert.deepEqual(wasm.crossing_at_start, native.crossing_at_start);
  const step = JSON.parse(run("deform", "before.obj", "after.obj", "--self", "--json", "--step-size"));
  const mine = engine.deformable(before).stepSize(end);
  assert.deepEqual([mine.status, mine.step, mine.time], [step.status, step.step, step.time]);
});

test("files are read and written alike", () => {
  for (const format of ["obj", "off", "ply", "stl"]) {
    run("make", "chair", "-o", `chair.${format}`);
    const mesh = engine.parseMesh(bytes(`chair.${format}`), `chair.${format}`);
    assert.deepEqual(Buffer.from(mesh.file(format)), bytes(`chair.${format}`), format);
    mesh.dispose();
  }
  run("make", "chair", "--binary", "-o", "chair.ply");
  assert.deepEqual(Buffer.from(engine.parseMesh(bytes("chair.ply"), "chair.ply").file("ply", true)), bytes("chair.ply"));
});
