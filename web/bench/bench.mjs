// SPDX-License-Identifier: MIT
// The engine in WebAssembly against the native one with vectors of the same width, and against three-mesh-bvh, on bunnies
// near touching. Answers are compared; questions are asked in turns, so that a busy machine slows all alike.
// The peer has one turn: it takes long.
//
// Then a restless hand drags in scenes of the playground, natively and in Chromium (where there is one).
//
// usage: scripts/bench web [--poses N] [--triangles N] [--turns N] [--minutes M] [--csv FILE]
import { spawn, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import { load } from "graze";
import { launch, no_chromium } from "../chromium.mjs";
import { limits, measure } from "../play/measure.mjs";

const { values } = parseArgs({ options: {
  poses: { type: "string", default: "100" }, triangles: { type: "string", default: "70000" },
  turns: { type: "string", default: "3" }, minutes: { type: "string", default: "0.5" }, csv: { type: "string", default: "build/bench/web.csv" },
} });
const [poses, turns] = [Number(values.poses), Number(values.turns)];
const root = new URL("../../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "graze-bench-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, "bunny.ply");
execFileSync(join(root, "build/bin/graze"), ["make", "bunny", "--triangles", values.triangles, "--binary", "-o", file], { stdio: "ignore" });
const engine = await load();
const mesh = engine.parseMesh(readFileSync(file), "bunny.ply");
const body = engine.body(mesh);
const { positions, triangles } = mesh.data();

// Approaches from random directions, and where they touch: poses within 0.01 of it, as `scripts/bench discrete` has them.
let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const rotation = () => [normal(), normal(), normal(), normal()];
const here = [0, 0, 0];
const rows = Array.from({ length: poses }, () => {
  const [q, p] = [rotation(), rotation()];
  const direction = [normal(), normal(), normal()];
  const size = Math.hypot(...direction);
  const at = (s) => direction.map((x) => (x / size) * s);
  const from = [...at(3), ...q], to = [...at(0.2), ...q], there = [...here, ...p];
  const found = engine.firstContact(body, { from, to }, body, { from: there });
  const touch = 3 - 2.8 * (found.time[1] ?? 1);
  return { row: [...at(touch + 0.02 * (random() - 0.5)), ...q, ...to, ...there, ...there], from, to, there };
});
rows.forEach((entry) => (entry.moving = [...entry.from, ...entry.to, ...entry.there, ...entry.there]));
const all = rows.flatMap((entry) => [entry.row, entry.moving]);
writeFileSync(join(folder, "rows.txt"), all.map((row) => row.map((x) => x.toString()).join(" ")).join("\n") + "\n");

const native = spawn(join(root, "build/bin/graze-bench-web"), [file, join(folder, "rows.txt")], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: native.stdout })[Symbol.asyncIterator]();
async function ask_native(question, i) {
  native.stdin.write(`${question} ${2 * i + (question === "first-contact" ? 1 : 0)}\n`);
  const { value } = await lines.next();
  if (value === undefined) throw new Error("the native program has ended");
  const [answer, seconds] = value.split(" ");
  return { answer: Number.isNaN(Number(answer)) ? answer : Number(answer), seconds: Number(seconds) };
}

const pose_of = (row, at) => row.slice(at, at + 7);
const ask_wasm = {
  collide: (row) => engine.collide(body, pose_of(row, 0), body, pose_of(row, 14)),
  distance: (row) => engine.distance(body, pose_of(row, 0), body, pose_of(row, 14)),
  "first-contact": (row) => engine.firstContact(body, { from: pose_of(row, 0), to: pose_of(row, 7) }, body, { from: pose_of(row, 14), to: pose_of(row, 21) }),
};
const value_of = { collide: (r) => r.status, distance: (r) => r.distance, "first-contact": (r) => r.time[0] };

const geometry = new BufferGeometry();
geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
geometry.setIndex(new BufferAttribute(triangles, 1));
const bvh = new MeshBVH(geometry);
geometry.boundsTree = bvh;
const matrix_of = ([x, y, z, w, a, b, c]) =>
  new Matrix4().compose(new Vector3(x, y, z), new Quaternion(a, b, c, w).normalize(), new Vector3(1, 1, 1));
const ask_peer = {
  collide: (to_a) => (bvh.intersectsGeometry(geometry, to_a) ? "contact" : "free"),
  distance: (to_a) => bvh.closestPointToGeometry(geometry, to_a, {}, {})?.distance ?? 0,
};

/** Best of the turns for each pose, then their mean and median. */
class Times {
  best = [];
  note(i, seconds) {
    this.best[i] = Math.min(this.best[i] ?? Infinity, seconds);
  }
  get known() {
    return this.best.filter((x) => x !== undefined);
  }
  get mean() {
    return this.known.reduce((a, b) => a + b, 0) / this.known.length;
  }
  at(share) {
    const sorted = this.known.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  }
}
const timed = (work) => {
  const start = performance.now();
  const answer = work();
  return { answer, seconds: (performance.now() - start) / 1000 };
};

const text = (seconds) => (seconds < 1e-3 ? `${(1e6 * seconds).toFixed(1)} us` : `${(1e3 * seconds).toFixed(2)} ms`).padStart(10);
const csv = ["row,task,contestant,mean_s,median_s,p99_s,ratio,target,verdict,note"];
let wrong = 0, missed = 0;
console.log(`bunny of ${(triangles.length / 3).toLocaleString("en")} triangles against itself, ${poses} poses within 0.01 of touching; best of ${turns} turns`);
console.log(`${"".padEnd(14)} ${"contestant".padEnd(26)} ${"mean".padStart(10)} ${"median".padStart(10)}      ratio   target`);
for (const question of ["collide", "distance", "first-contact"]) {
  const times = { native: new Times(), wasm: new Times(), call: new Times(), peer: new Times() };
  const few = question === "distance" ? 10 : Infinity; // of the peer: it takes about half a second for each
  let compared = 0, different = 0;
  for (let turn = 0; turn < turns; ++turn)
    for (let i = 0; i < poses; ++i) {
      const row = question === "first-contact" ? rows[i].moving : rows[i].row;
      const ours = await ask_native(question, i);
      times.native.note(i, ours.seconds);
      const call = timed(() => ask_wasm[question](row));
      times.call.note(i, call.seconds);
      times.wasm.note(i, call.answer.seconds);
      if (value_of[question](call.answer) !== ours.answer) ++wrong;
      if (!ask_peer[question] || i >= few || turn > 0) continue;
      const to_a = matrix_of(pose_of(row, 0)).invert().multiply(matrix_of(pose_of(row, 14)));
      const peer = timed(() => ask_peer[question](to_a));
      times.peer.note(i, peer.seconds);
      ++compared;
      const gap = Math.abs(Number(peer.answer) - ours.answer);
      if (question === "collide" ? peer.answer !== ours.answer : !(gap < 1e-4)) ++different;
    }
  const line = (name, time, ratio, target, good, note = "") => {
    const verdict = target === null ? "-" : good ? "PASS" : "MISS";
    missed += verdict === "MISS";
    const shown = ratio === null ? "" : ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2);
    console.log(`${question.padEnd(14)} ${name.padEnd(26)} ${text(time.mean)} ${text(time.at(0.5))} ${shown.padStart(10)}   ${target ?? ""} ${target === null ? "" : verdict} ${note}`);
    csv.push([question, `bunnies near touching`, `"${name}"`, time.mean, time.at(0.5), time.at(0.99), ratio ?? "", target === null ? "" : parseFloat(target.replace(/[^\d.]/g, "")), verdict, `"${note}"`].join(","));
  };
  line("graze, native, SSE4", times.native, null, null, true);
  const ratio = times.wasm.mean / times.native.mean;
  line("graze, WebAssembly", times.wasm, ratio, "<= 2.5", ratio <= 2.5, "of native");
  line("graze, WebAssembly, call", times.call, times.call.mean / times.native.mean, null, true, "with the package around it");
  if (ask_peer[question]) {
    const shared = times.call.best.slice(0, times.peer.known.length);
    const faster = times.peer.mean / (shared.reduce((a, b) => a + b, 0) / shared.length);
    const target = question === "collide" ? 100 : 500;
    line("three-mesh-bvh", times.peer, faster, `>= ${target}`, faster >= target,
      `times our call; ${different} of ${compared} answers differ from ours`);
  }
}
native.stdin.end();

console.log(`\n${"a frame of".padEnd(14)} ${"contestant".padEnd(26)} ${"median".padStart(10)} ${"99 of 100".padStart(10)}   ${values.minutes} minutes of dragging, processor time`);
const frames = (scene, name, seconds, limit, note) => {
  const verdict = seconds.at(0.99) <= limit ? "PASS" : "MISS";
  missed += verdict === "MISS";
  const wanted = `99 of 100 frames within ${(1000 * limit).toFixed(1)} ms wanted`;
  console.log(`${scene.padEnd(14)} ${name.padEnd(26)} ${text(seconds.at(0.5))} ${text(seconds.at(0.99))}   ${wanted}: ${verdict}; ${note}`);
  csv.push([scene, "a frame of the playground", `"${name}"`, seconds.mean, seconds.at(0.5), seconds.at(0.99), limit / seconds.at(0.99), 1, verdict, `"${wanted}; ${note}"`].join(","));
};
const browser = no_chromium ? null : await launch();
if (!browser) console.log(no_chromium);
for (const scene of ["bunnies", "door", "potter"]) {
  const table = join(folder, "play.csv");
  execFileSync(join(root, "build/bin/play_soak"), ["--scene", scene, "--minutes", values.minutes, "--csv", table], { stdio: "ignore" });
  const [, row] = readFileSync(table, "utf8").trim().split("\n");
  const [, mean, median, p99, rest] = /^[^"]*"[^"]*",([^,]*),([^,]*),([^,]*),[^"]*"([^"]*)"$/.exec(row);
  const known = { mean: Number(mean), at: (share) => Number(share === 0.5 ? median : p99) };
  frames(scene, "graze, native", known, scene === "potter" ? 1 / 60 : 0.005, rest.replace(/^.*wanted; /, ""));
  if (!browser) continue;
  const { milliseconds, shared, checked } = await measure(browser, scene, 60 * Number(values.minutes));
  wrong += shared;
  const times = new Times();
  milliseconds.forEach((ms, i) => times.note(i, ms / 1000));
  frames(scene, "graze in Chromium", times, limits[scene] / 1000, checked > 0 ? `${shared} of ${checked} frames looked at ended with shared points` : "");
}
await browser?.close();
mkdirSync(dirname(values.csv), { recursive: true });
writeFileSync(values.csv, csv.join("\n") + "\n");
console.log(`\n${wrong} answers of WebAssembly are wrong or differ from native ones, ${missed} targets missed; also in ${values.csv}`);
process.exitCode = wrong > 0 ? 1 : 0;
