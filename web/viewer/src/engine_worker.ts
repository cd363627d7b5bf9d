// SPDX-License-Identifier: MIT
// The worker: graze.wasm, asked one question after another. It is ended to cancel a question.
import { GrazeError, type Body, type Mesh, type Motion } from "../../graze/src/index.js";
import { Graze } from "../../graze/src/graze.js";
import { EngineModule, type Place } from "../../graze/src/module.js";
import type { BodyView, MeshSource } from "./document.js";
import type { NamedFile } from "./files.js";

export type Question =
  | { do: "parse"; bytes: Uint8Array; name: string }
  | { do: "scaled"; bytes: Uint8Array; name: string; scale: readonly number[] }
  | { do: "open"; files: readonly NamedFile[]; shown: readonly string[] }
  | { do: "split"; mesh: MeshSource }
  | { do: "shape"; text: string }
  | { do: "placements"; motion: Motion; times: number[] }
  | { do: "tree"; of: BodyKey; level: number }
  | { do: "ask"; question: string; a: BodyKey; b: BodyKey | null; options: object };

/** A body to ask about. The mesh comes with the first question about it only, for it may be large. */
export interface BodyKey {
  key: string;
  mesh: MeshSource | null;
  shape?: string;
  pose?: BodyView["pose"];
  motion?: Motion;
}

let graze: Graze | undefined;
let module: WebAssembly.Module | undefined;
const bodies = new Map<string, Body>();
const say = (progress: string) => self.postMessage({ progress });

function source_mesh({ positions, corners, first }: MeshSource): Mesh {
  return graze!.mesh(positions, corners, first);
}

function body(of: BodyKey): Body {
  const known = bodies.get(of.key);
  if (known) return known;
  say(`building the tree of ${of.key.replace(/^\S+ /, "")}`);
  let made: Body;
  if (of.shape) {
    made = graze!.body(of.shape);
  } else {
    const mesh = source_mesh(of.mesh!);
    made = graze!.body(mesh);
    mesh.dispose();
  }
  bodies.set(of.key, made);
  return made;
}

/** What is drawn of a mesh: its triangles, and where the triangles of each polygon begin. */
function drawn(mesh: Mesh): MeshSource & { triangles: Uint32Array; starts: Uint32Array | null } {
  const { positions, corners, first, triangles } = mesh.data();
  mesh.dispose();
  const polygons = first.length - 1;
  if (triangles.length === corners.length && triangles.length === 3 * polygons)
    return { positions, corners, triangles, starts: null };
  const starts = new Uint32Array(polygons + 1);
  for (let i = 0; i < polygons; ++i) starts[i + 1] = starts[i]! + Math.max(0, first[i + 1]! - first[i]! - 2);
  return { positions, corners, first, triangles, starts };
}

function scaled(bytes: Uint8Array, name: string, scale: readonly number[]): Uint8Array {
  const mesh = graze!.parseMesh(bytes, name);
  const { positions, corners, first } = mesh.data();
  mesh.dispose();
  const larger = graze!.mesh(positions.map((x, i) => x * scale[i % 3]!), corners, first);
  const out = larger.file("obj");
  larger.dispose();
  return out;
}

/** The JSON of a view; apps/wasm/open.cpp. */
function opened(files: readonly NamedFile[], shown: readonly string[]): string {
  say(`reading ${shown.join(", ")}`);
  const { module } = graze!;
  return module.with(files.map((file) => file.bytes), (places) => {
    const request = { do: "view.open", shown, files: files.map(({ name }, i) => ({ name, bytes: places[i]! })) };
    return new TextDecoder().decode(module.bytes(module.ask<{ document: Place }>(request).document));
  });
}

function answer(question: Question): unknown {
  if (question.do === "parse") return drawn(graze!.parseMesh(question.bytes, question.name));
  if (question.do === "scaled") return scaled(question.bytes, question.name, question.scale);
  if (question.do === "open") return opened(question.files, question.shown);
  if (question.do === "split") return drawn(source_mesh(question.mesh));
  if (question.do === "shape") {
    const shape = graze!.body(question.text);
    const mesh = shape.mesh();
    shape.dispose();
    return drawn(mesh);
  }
  if (question.do === "placements") return graze!.placements(question.motion, question.times);
  if (question.do === "tree") return body(question.of).treeNodes(question.level);
  const a = body(question.a), b = question.b ? body(question.b) : null;
  say("asking");
  switch (question.question) {
    case "collide": return graze!.collide(a, question.a.pose, b!, question.b!.pose, question.options);
    case "distance": return graze!.distance(a, question.a.pose, b!, question.b!.pose, question.options);
    case "penetration": return graze!.penetration(a, question.a.pose, b!, question.b!.pose, question.options);
    case "self-collide": return graze!.selfCollide(a, question.options);
    default: return graze!.firstContact(a, question.a.motion, b!, question.b!.motion, question.options);
  }
}

type Message = { module?: WebAssembly.Module; id: number; question: Question; forget?: true };

self.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.module) {
    module = data.module;
    graze = new Graze(new EngineModule(module));
    return self.postMessage({ ready: true });
  }
  if (data.forget) {
    for (const one of bodies.values()) one.dispose();
    bodies.clear();
    return;
  }
  try {
    const reply = answer(data.question);
    self.postMessage({ id: data.id, reply, memory: graze!.held().memoryBytes });
  } catch (error) {
    const text = error instanceof GrazeError ? error.message : `the engine's worker failed: ${error}`;
    // An engine that a question brought down answers nothing more: another takes its place, without bodies.
    const new_engine = error instanceof GrazeError && error.code === "engine_failed";
    if (new_engine) {
      bodies.clear();
      graze = new Graze(new EngineModule(module!));
    }
    self.postMessage({ id: data.id, error: text, new_engine });
  }
};
