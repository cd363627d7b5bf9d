// SPDX-License-Identifier: MIT
// The engine in WebAssembly gives the same answers as the native one, bit for bit: also where doubles end, for meshes that
// hardly are any, for compounds, and for many bodies in motion.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { load } from "../dist/graze.js";
import { batch, bytes, essence, folder, randomNumbers, randomPose, run } from "./corpus.mjs";

const engine = await load();
const same = (native, wasm, what) => assert.deepEqual(essence(wasm), essence(native), what);
const motions = (r) => [{ from: r.slice(0, 7), to: r.slice(7, 14) }, { from: r.slice(14, 21), to: r.slice(21) }];

/** A mesh in a file, and as a body of the package that was made of the file's numbers. */
function body_of(name, positions, corners) {
  const rows = [];
  for (let i = 0; i < positions.length; i += 3) rows.push(`v ${positions.slice(i, i + 3).join(" ")}`);
  for (let i = 0; i < corners.length; i += 3) rows.push(`f ${corners.slice(i, i + 3).map((c) => c + 1).join(" ")}`);
  writeFileSync(join(folder, `${name}.obj`), `${rows.join("\n")}\n`);
  return engine.body(engine.parseMesh(bytes(`${name}.obj`), `${name}.obj`));
}

/** Every question about two bodies at poses, and on motions between them. */
function compare(a, b, A, B, poses, ways, size) {
  const files = [`${a}`, `${b}`];
  const ask = (question) => (r) => engine[question](A, r.slice(0, 7), B, r.slice(7));
  for (const [args, question] of [[["collide"], ask("collide")], [["distance"], ask("distance")],
       [["collide", "--all"], (r) => engine.collide(A, r.slice(0, 7), B, r.slice(7), { all: true })],
       [["distance", "--within", String(size)], (r) => engine.within(size, A, r.slice(0, 7), B, r.slice(7))]]) {
    const native = batch(poses, args[0], ...files, ...args.slice(1));
    assert.equal(native.length, poses.length);
    native.forEach((answer, i) => same(answer, question(poses[i]), `${args.join(" ")} ${files}, row ${i}: ${poses[i]}`));
  }
  batch(ways, "first-contact", ...files).forEach((answer, i) =>
    same(answer, engine.firstContact(A, motions(ways[i])[0], B, motions(ways[i])[1]), `first-contact ${files}, row ${i}`));
}

const scaled = (pose, size) => pose.map((x, k) => (k < 3 ? x * size : x));
const two = (random, size) => [...scaled(randomPose(random, 1), size), ...scaled(randomPose(random, 1), size)];

test("at both ends of the doubles", () => {
  const { positions, triangles } = engine.make("torus_knot", 480).data();
  for (const exponent of [-1000, -500, 500, 950]) {
    const size = 2 ** exponent, random = randomNumbers(21);
    const a = body_of(`knot_${exponent}`, Array.from(positions, (x) => x * size), [...triangles]);
    const b = body_of(`plate_${exponent}`, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1e-200].map((x) => x * size), [0, 1, 2, 0, 1, 3]);
    const poses = Array.from({ length: 12 }, () => two(random, size));
    const ways = Array.from({ length: 4 }, () => [...two(random, 2 * size), ...two(random, 0.3 * size)]);
    compare(`knot_${exponent}.obj`, `plate_${exponent}.obj`, a, b, poses, ways, 0.25 * size);
  }
});

test("beside each other in size and far from the origin", () => {
  const { positions, triangles } = engine.make("sphere", 100).data();
  const random = randomNumbers(22);
  for (const [name, size, shift] of [["tiny", 1e-12, 0], ["far", 1, 2 ** 40], ["huge", 1e12, 0]]) {
    const a = body_of(name, Array.from(positions, (x) => x * size + shift), [...triangles]);
    const b = body_of(`beside_${name}`, [0, 0, 0, 1, 0, 0, 0, 1, 0].map((x) => x + shift), [0, 1, 2]);
    const poses = Array.from({ length: 12 }, () => [...randomPose(random, 0.5), 0, 0, 0, 1, 0, 0, 0]);
    const ways = poses.slice(0, 4).map((row, i) => [...row, ...poses[i + 4]]);
    compare(`${name}.obj`, `beside_${name}.obj`, a, b, poses, ways, 0.1);
  }
});

test("soups of points, needles, duplicates and planes that touch", () => {
  const random = randomNumbers(23);
  const whole = () => Math.floor(5 * random()) - 2;
  for (let k = 0; k < 12; ++k) {
    const soups = [0, 1].map((which) => {
      const positions = Array.from({ length: 24 }, whole), corners = Array.from({ length: 30 }, () => Math.floor(8 * random()));
      return body_of(`soup_${k}_${which}`, positions, corners);
    });
    const poses = Array.from({ length: 6 }, (_, i) => [0, 0, 0, 1, 0, 0, 0, whole(), whole(), whole() / 2, ...(i < 4 ? [1, 0, 0, 0] : [1, 1, 0, 0])]);
    const ways = poses.slice(0, 3).map((row, i) => [...row.slice(0, 7), ...row.slice(7), ...poses[i + 3]]);
    compare(`soup_${k}_0.obj`, `soup_${k}_1.obj`, ...soups, poses, ways, 1);
  }
});

test("compounds, half-spaces and points", () => {
  run("make", "torus", "--triangles", "400", "-o", "ring.obj");
  const pieces = { pieces: [{ name: "bulb", shape: "sphere:0.5", pose: [0, 0, 2, 1, 0, 0, 0] }, { shape: "cylinder:0.1,4" },
                            { name: "ring", mesh: "ring.obj", pose: [0, 0, -1, 1, 0.3, 0, 0] }] };
  writeFileSync(join(folder, "lamp.json"), JSON.stringify(pieces));
  const ring = engine.body(engine.parseMesh(bytes("ring.obj"), "ring.obj"));
  const lamp = engine.body(pieces.pieces.map(({ name, shape, pose }) => ({ name, body: shape ? engine.body(shape) : ring, pose })));
  const random = randomNumbers(24);
  const poses = Array.from({ length: 12 }, () => two(random, 2));
  const ways = poses.slice(0, 4).map((row, i) => [...row, ...poses[i + 4]]);
  compare("compound:lamp.json", "ring.obj", lamp, ring, poses, ways, 0.25);
  compare("compound:lamp.json", "halfspace", lamp, engine.body("halfspace"), poses, ways, 0.25);
  // A point is inside where a ball without radius overlaps the solid.
  const box = engine.body(engine.make("box"));
  run("make", "box", "-o", "solid.obj");
  for (let k = 0; k < 30; ++k) {
    const at = [0, 1, 2].map(() => Math.round(6 * random() - 3) / 4);
    const [native] = batch([[...at, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]], "collide", "sphere:0", "solid.obj", "--solid");
    const { location } = engine.contains(box, undefined, at);
    assert.equal(location === "outside" ? "free" : "contact", native.status, at);
  }
});

test("a world, frame by frame", () => {
  run("make", "torus_knot", "--triangles", "2880", "-o", "knot.obj");
  const frames = 12;
  const knot = engine.body(engine.parseMesh(bytes("knot.obj"), "knot.obj"));
  const kinds = [["mesh", "knot.obj", knot], ["shape", "sphere:0.4", engine.body("sphere:0.4")], ["shape", "box:1,0.5,0.3", engine.body("box:1,0.5,0.3")]];
  const random = randomNumbers(25);
  const bodies = Array.from({ length: 9 }, (_, i) => {
    const place = [0, 1, 2].map(() => 6 * random() - 3);
    return { name: `body ${i}`, [kinds[i % 3][0]]: kinds[i % 3][1], pose: [...place, 1, 0, 0, 0], motion: { velocity: place.map((x) => -0.4 * x) } };
  });
  writeFileSync(join(folder, "scene.json"), JSON.stringify({ version: 1, options: { frames_to_run: frames }, bodies }));
  const native = run("world", "scene.json", "--json").trim().split("\n").map((line) => JSON.parse(line)).filter((line) => line.events);
  const world = engine.world();
  const ids = bodies.map(({ name, pose }, i) => world.add(kinds[i % 3][2], { name, pose }));
  const name_of = new Map(ids.map((id, i) => [String(id), bodies[i].name]));
  let events = 0;
  for (let frame = 0; frame < frames; ++frame) {
    if (frame > 0)
      // As the scene moves them: each step adds the velocity to where the body is.
      bodies.forEach(({ motion }, i) => {
        const at = world.pose(ids[i]);
        world.move(ids[i], [...at.slice(0, 3).map((x, k) => x + motion.velocity[k]), ...at.slice(3)]);
      });
    const answer = world.check();
    for (const event of answer.events) [event.a, event.b] = [name_of.get(String(event.a)), name_of.get(String(event.b))];
    assert.deepEqual(answer.events, native[frame].events, `frame ${frame}`);
    events += answer.events.length;
  }
  assert.ok(events > 20);
});

test("files that are broken are refused with the same words", () => {
  const files = {
    "cut.ply": "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 0 0\n",
    "nan.obj": "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "range.off": "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "empty.stl": "",
    "word.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 three\n", "text.xyz": "hello",
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    let native;
    try {
      run("info", name);
    } catch (error) {
      native = error;
    }
    assert.equal(native?.status, 2, name);
    assert.throws(() => engine.parseMesh(text, name), (error) => error.name === "GrazeError" && error.advice.length > 10 && error.file === name, name);
  }
});
