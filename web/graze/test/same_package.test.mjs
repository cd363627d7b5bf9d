// SPDX-License-Identifier: MIT
// Every question of the package, asked of the engine in WebAssembly and of the native one with the same words: the same
// answers, bit by bit, and the same errors. Where a search looks first depends on the width of vectors, and with it what
// was found when a limit ended it: such answers are compared with the native engine that has vectors of the same width.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { load } from "../dist/graze.js";
import { randomNumbers, randomPose } from "./corpus.mjs";
import { load_native, no_native } from "./native.mjs";

const bits = new DataView(new ArrayBuffer(8));
/** Numbers by their bits; without times, counters and the sizes of pointers. */
function exact(value) {
  if (typeof value === "number") {
    bits.setFloat64(0, value);
    return bits.getBigUint64(0).toString(16);
  }
  if (ArrayBuffer.isView(value)) return Array.from(value, exact);
  if (Array.isArray(value)) return value.map(exact);
  if (value === null || typeof value !== "object") return value;
  const skipped = new Set(["seconds", "counters", "tree_bytes"]);
  return Object.fromEntries(Object.entries(value).filter(([key]) => !skipped.has(key)).map(([key, entry]) => [key, exact(entry)]));
}

for (const narrow of [true, false])
describe(`the package upon WebAssembly and upon the native engine${narrow ? ", with vectors of the same width" : ""}`, { skip: no_native, concurrency: false }, async () => {
  if (no_native) return;
  const engines = [await load(), load_native(...(narrow ? ["--narrow"] : []))];
  let questions = 0;
  const limited = (options) => (narrow ? options : Object.fromEntries(Object.entries(options).filter(([key]) => key !== "work")));

  /** `make` builds what is asked about, once for each engine. The function that it returns asks both. */
  function both(make) {
    const things = engines.map(make);
    return (what, ask) => {
      ++questions;
      const [wasm, native] = things.map((thing) => {
        try {
          return { answer: exact(ask(thing)) };
        } catch (error) {
          if (error.name !== "GrazeError") throw error;
          return { code: error.code, advice: error.advice, element: error.element };
        }
      });
      assert.deepEqual(wasm, native, what);
      return wasm.answer;
    };
  }

  const shapes = ["sphere:0.5", "capsule:0.3,1", "box:1,2,0.5", "box:1,1,1+0.1", "cylinder:0.5,1", "cone:0.5,1", "ellipsoid:0.5,1,0.7", "halfspace"];
  const corner_points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.4, 0.5, 0.6];
  const zoo = (graze) => {
    const meshes = ["box", "torus_knot", "chair", "sphere"].map((name) => graze.make(name, name === "box" || name === "chair" ? 0 : 700));
    const bodies = [...meshes.map((mesh) => graze.body(mesh)), ...shapes.map((shape) => graze.body(shape)), graze.hull(corner_points), graze.hull(corner_points, 0.2)];
    bodies.push(graze.body([{ body: bodies[0], name: "foot" }, { body: bodies[4], pose: [0, 0, 1, 1, 0, 0, 0] }]));
    return { graze, meshes, bodies };
  };
  const ask = both(zoo);
  const random = randomNumbers(77);
  const pick = (count) => Math.floor(count * random());
  const count = 4 + shapes.length + 3;

  it("questions about two bodies that stand", () => {
    const options = {
      collide: [{}, { all: true }, { all_features: true }, { solid: true }, { work: 3 }], distance: [{}, { relative_error: 0.1 }, { work: 5 }],
      penetration: [{}, { relative_error: 0.01 }], manifold: [{}, { margin: 0.05 }],
    };
    const given = {};
    for (let k = 0; k < 1500; ++k) {
      const question = Object.keys(options)[k % 4], own = limited(options[question][pick(options[question].length)]);
      const [i, j, p, q] = [pick(count), pick(count), randomPose(random, 0.8), randomPose(random, 0.8)];
      const answer = ask(`${question} ${i} ${j} ${p} ${q} ${JSON.stringify(own)}`, ({ graze, bodies }) => graze[question](bodies[i], p, bodies[j], q, own));
      if (answer) given[question] = (given[question] ?? 0) + 1;
    }
    for (const question of Object.keys(options)) assert.ok(given[question] > 100, `${question}: ${given[question]}`);
    for (let k = 0; k < 200; ++k) {
      const [i, j, p, q, d] = [pick(count), pick(count), randomPose(random, 1), randomPose(random, 1), random() * 0.5];
      ask(`within ${d} ${i} ${j} ${p} ${q}`, ({ graze, bodies }) => graze.within(d, bodies[i], p, bodies[j], q));
    }
  });

  it("questions about bodies that move", () => {
    const kinds = ["velocity", "screw", "linear"];
    const motion = () => {
      const kind = kinds[pick(3)], from = randomPose(random, 2.5);
      if (random() < 0.1) return { from };
      if (random() < 0.2) return { from, velocity: Array.from({ length: 6 }, () => 4 * random() - 2) };
      return { kind, from, to: randomPose(random, 0.5) };
    };
    for (let k = 0; k < 250; ++k) {
      const [i, j, m, n] = [pick(count), pick(count), motion(), motion()];
      const own = limited([{}, { min_separation: 0.01 }, { tolerance: 1e-3 }, { work: 20 }, { ignore_start_if_separating: true }, { solid: true }, { all_features: true }][pick(7)]);
      ask(`firstContact ${i} ${j} ${JSON.stringify([m, n, own])}`, ({ graze, bodies }) => graze.firstContact(bodies[i], m, bodies[j], n, own));
      ask(`motionFree ${i} ${j} ${JSON.stringify([m, n])}`, ({ graze, bodies }) => graze.motionFree(bodies[i], m, bodies[j], n));
      ask(`placements ${JSON.stringify(m)}`, ({ graze }) => graze.placements(m, [0, 0.3, 1]));
    }
  });

  it("what is proved", () => {
    for (let k = 0; k < 20; ++k) {
      const m = { from: randomPose(random, 3), to: randomPose(random, 3) };
      // The directions of a proof depend on the width of vectors; what is stated does not.
      const stated = (certificate) => certificate?.text?.split("\n").filter((line) => narrow || !line.startsWith("S "));
      for (const question of ["firstContact", "motionFree"])
        ask(`${question} with certificate ${JSON.stringify(m)}`, ({ graze, bodies }) => {
          const { certificate, ...rest } = graze[question](bodies[1], m, bodies[0], undefined, { certificate: true });
          return { ...rest, stated: stated(certificate) };
        });
      if (narrow)
        ask(`clearance ${JSON.stringify(m)}`, ({ graze, bodies }) => graze.firstContact(bodies[1], m, bodies[2], undefined, { clearance: true }));
    }
  });

  it("rays, points, trees, meshes", () => {
    for (let k = 0; k < 150; ++k) {
      const [i, pose, from, to] = [pick(count), randomPose(random, 0.3), ...[0, 1].map(() => Array.from({ length: 3 }, () => Math.round(8 * random() - 4) / 2))];
      ask(`ray ${i} ${pose} ${from} ${to}`, ({ graze, bodies }) => graze.castRay(bodies[i], pose, from, to, [{}, { all: true }, { any: true }][k % 3]));
      ask(`contains ${i} ${pose} ${from}`, ({ graze, bodies }) => graze.contains(bodies[i], pose, from));
    }
    for (let i = 0; i < count; ++i) {
      ask(`box ${i}`, ({ bodies }) => bodies[i].box);
      ask(`tree ${i}`, ({ bodies }) => bodies[i].treeNodes(3));
      ask(`self ${i}`, ({ graze, bodies }) => graze.selfCollide(bodies[i], { all: true }));
      ask(`mesh ${i}`, ({ bodies }) => bodies[i].mesh().data());
    }
    for (let i = 0; i < 4; ++i) {
      ask(`data ${i}`, ({ meshes }) => meshes[i].data());
      ask(`weld ${i}`, ({ meshes }) => meshes[i].weld().data());
      for (const format of ["obj", "stl", "ply", "off"]) {
        ask(`file ${i} ${format}`, ({ meshes }) => meshes[i].file(format));
        ask(`file read again ${i} ${format}`, ({ graze, meshes }) => graze.parseMesh(meshes[i].file(format), `x.${format}`).data());
      }
    }
  });

  it("many poses at once", () => {
    const poses = Array.from({ length: 100 }, () => [...randomPose(random, 1), ...randomPose(random, 1)]).flat();
    for (const [i, j] of [[0, 1], [1, 2], [3, 4], [5, 6], [11, 12]])
      for (const question of ["collideMany", "touchMany", "distanceMany", "firstContactMany"])
        ask(`${question} ${i} ${j}`, ({ graze, bodies }) => graze[question](bodies[i], bodies[j], poses));
    ask("a pose that is none", ({ graze, bodies }) => graze.collideMany(bodies[0], bodies[1], [...poses.slice(0, 14), ...Array(14).fill(0)]));
  });

  it("a world: checks, sweeps, what is near, rays", () => {
    for (const settings of [{}, { solid: true }, { broad: "grid" }, { broad: "sweep_and_prune" }]) {
      const world_of = (graze) => {
        const { bodies } = zoo(graze);
        const world = graze.world(settings), own = randomNumbers(5);
        const ids = bodies.filter((_, i) => i !== 11).map((body, i) => world.add(body, {
          pose: [4 * own() - 2, 4 * own() - 2, 4 * own() - 2, 1, 0, 0, 0], name: `body ${i}`, ...(i === 3 ? { trigger: true } : {}), ...(i === 5 ? { margin: 0.2 } : {}) }));
        return { world, ids };
      };
      let ask_world;
      try {
        ask_world = both(world_of);
      } catch (error) {
        if (error.name !== "GrazeError") throw error;
        continue; // no such broad phase
      }
      const what = JSON.stringify(settings), own = randomNumbers(6);
      for (let frame = 0; frame < 8; ++frame) {
        const moves = Array.from({ length: 14 }, () => [...Array.from({ length: 3 }, () => 4 * own() - 2), ...randomPose(own, 1).slice(3)]);
        ask_world(`move ${frame}`, ({ world, ids }) => ids.forEach((id, i) => (i % 5 === 4 ? world.teleport(id, moves[i]) : world.move(id, moves[i]))));
        ask_world(`sweep ${frame} ${what}`, ({ world }) => world.sweep([{}, { earliest: true }, { advance: true }, { advance: true, each: true }, { min_separation: 0.05 }][frame % 5]));
        ask_world(`check ${frame} ${what}`, ({ world }) => world.check([{}, { all_pairs: true }, { manifold: true }, { depth: true }][frame % 4]));
        ask_world(`near ${frame} ${what}`, ({ world }) => world.near(0.5));
        ask_world(`touching ${frame}`, ({ world }) => world.touching());
        ask_world(`ray ${frame}`, ({ world }) => world.castRay([-5, 0.1, 0.2], [5, 0.3, -0.2]));
        ask_world(`poses ${frame}`, ({ world, ids }) => ids.map((id) => world.pose(id)));
        if (frame === 4) ask_world("interest", ({ world, ids }) => (world.interest(ids[0], ids[1], false), world.remove(ids[2])));
        if (frame === 5) ask_world("removed", ({ world, ids }) => world.pose(ids[2]));
      }
    }
  });

  it("a deforming mesh: steps, contacts, sizes of steps, what is near", () => {
    const ask_sheet = both((graze) => {
      const mesh = graze.make("cloth_sheet", 600);
      return { graze, mesh, sheet: graze.deformable(mesh), positions: mesh.data().positions };
    });
    for (let frame = 0; frame < 6; ++frame) {
      const own = randomNumbers(100 + frame), shifts = Array.from({ length: 6000 }, () => 0.06 * (own() - 0.5));
      const to = ({ positions }) => positions.map((x, i) => (i % 3 === 1 ? x * (1 - frame / 5) : x) + shifts[i % shifts.length]);
      ask_sheet(`step size ${frame}`, (thing) => thing.sheet.stepSize(to(thing)));
      ask_sheet(`contacts ${frame}`, (thing) => thing.sheet.contacts(to(thing), { points: true }));
      ask_sheet(`first ${frame}`, (thing) => thing.sheet.contacts(to(thing), { all: false, min_separation: 1e-3 }));
      ask_sheet(`step ${frame}`, (thing) => thing.sheet.step(to(thing), { exact: frame % 2 === 0 }));
      ask_sheet(`near ${frame}`, (thing) => thing.sheet.near(0.05));
      ask_sheet(`near others ${frame}`, (thing) => thing.sheet.near(0.05, { self: false }));
    }
    ask_sheet("set", (thing) => thing.sheet.setPositions(thing.positions));
    ask_sheet("too few", (thing) => thing.sheet.contacts([1, 2, 3]));
    ask_sheet("deformed", ({ graze, mesh, positions }) => graze.selfCollide(graze.body(mesh).deformed(positions.map((x) => 0.5 * x)), { all: true }));
  });

  it("refusals", () => {
    const bad = [
      ({ graze }) => graze.body("sphere:-1"), ({ graze }) => graze.body("potato"), ({ graze }) => graze.make("potato"), ({ graze }) => graze.mesh([0, 0, 0], [0, 1, 2]),
      ({ graze }) => graze.mesh([0, 0], []), ({ graze }) => graze.hull([]), ({ graze, bodies }) => graze.collide(bodies[0], [0, 0, 0, 0, 0, 0, 0], bodies[1]),
      ({ graze, bodies }) => graze.distance(bodies[0], [1e308, 0, 0, 1, 0, 0, 0], bodies[1], [-1e308, 0, 0, 1, 0, 0, 0]), ({ graze, bodies }) => graze.collide(bodies[0], undefined, bodies[1], undefined, { method: "guess" }),
      ({ graze, bodies }) => graze.firstContact(bodies[0], { from: [0, 0, 0, 1, 0, 0, 0], kind: "jump" }, bodies[1]), ({ graze }) => graze.parseMesh("v 0 0\n", "a.obj"), ({ graze }) => graze.parseMesh("solid", "a.xyz"),
      ({ graze, bodies }) => graze.castRay(bodies[0], undefined, [0, 0, 0], [0, 0, 0]), ({ graze }) => graze.world({ broad: "guess" }), ({ graze, bodies }) => graze.within(-1, bodies[0], undefined, bodies[1]),
    ];
    bad.forEach((question, i) => ask(`refusal ${i}: ${question}`, question));
  });

  it("were two thousand questions, of every kind", () => {
    assert.ok(questions > 2000, `${questions}`);
    const methods = Object.getOwnPropertyNames(engines[0].constructor.prototype).filter((name) => !["constructor", "held", "meshFromGeometry"].includes(name));
    const text = readFileSync(new URL(import.meta.url), "utf8");
    for (const name of methods) assert.ok(text.includes(name), `${name} is asked nowhere here`);
  });
});
