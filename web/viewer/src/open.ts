// SPDX-License-Identifier: MIT
// Files that are dropped on the page, or chosen, as something to show.
import type { Motion, Pose } from "graze";
import { empty_document, parse_document, type Answer, type BodyView, type MeshSource, type ViewDocument } from "./document.js";
import type { Engine } from "./engine.js";
import { csv_table, type Table } from "./csv.js";

export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

const ending = (name: string) => /\.([a-z]+)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? "";
const is_mesh = (name: string) => ["obj", "stl", "ply", "off"].includes(ending(name));
const text_of = (file: NamedFile) => new TextDecoder().decode(file.bytes);

/** Throws an error that names the file. Answers without meshes belong to the bodies of `now`. */
export async function opened(files: readonly NamedFile[], engine: Engine, now: ViewDocument): Promise<ViewDocument> {
  const answers: Answer[] = [];
  const tables: Table[] = [];
  const meshes: { name: string; mesh: MeshSource }[] = [];
  let proof: string | null = null;
  for (const file of files) {
    try {
      if (is_mesh(file.name)) {
        meshes.push({ name: file.name, mesh: await engine.parse(file.bytes, file.name) });
      } else if (ending(file.name) === "csv") {
        tables.push(csv_table(file.name, text_of(file)));
      } else if (/^graze-world /.test(text_of(file))) {
        throw new Error("is a recording of a world: `graze view` shows it");
      } else if (/^\s*graze-certificate /.test(text_of(file))) {
        proof = text_of(file);
      } else {
        const found = read_json(text_of(file));
        if (!Array.isArray(found)) return found;
        answers.push(...found);
      }
    } catch (error) {
      const message = (error as Error).message;
      throw new Error(message.startsWith(file.name) ? message : `${file.name}: ${message}`);
    }
  }
  // With the answer, or alone: it says nothing about how the bodies move.
  const proved = answers.find((answer) => answer["certificate"]);
  if (proof !== null && !proved)
    throw new Error("a certificate without the answer that it proves: drop its JSON (--json) and the meshes, too");
  if (proof !== null) answers[answers.indexOf(proved!)] = { ...proved, certificate: { text: proof } };
  const title = files.map((file) => file.name).join(" ");
  const list = answers.find((answer) => Array.isArray(answer["clashes"]) && Array.isArray(answer["parts"]));
  if (list) return { ...empty_document(title), ...parts_of(list, meshes), answers: [list] };
  if (tables.length > 0) return { ...empty_document(title), tables };
  const view = meshes.length > 0 ? bodies_of(meshes, title) : { ...now, answers: [] };
  if (view.bodies.length === 0)
    throw new Error("an answer without its meshes: drop the meshes with it, A first");
  const bodies = view.bodies.map((body) => ({ ...body }));
  for (const answer of answers) place(bodies, answer);
  return { ...view, bodies, answers };
}

/** A whole view, or the lines that a command printed. */
function read_json(text: string): ViewDocument | Answer[] {
  if (/^\s*\{[^{[]*"graze_view"/.test(text)) return parse_document(text);
  let values: unknown[];
  try {
    values = [JSON.parse(text)];
  } catch {
    values = text.split("\n").filter((line) => line.trim() !== "").map((line, i) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        throw new Error(`line ${i + 1} is no JSON, and the name ends neither in obj, stl, ply, off nor csv`);
      }
    });
  }
  for (const value of values) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("is no answer of a command");
    const keys = value as { [key: string]: unknown };
    if ("bodies" in keys && !("status" in keys)) throw new Error(`is a scene, which names other files: \`graze view\` shows it`);
    if ("links" in keys && "from" in keys && !("status" in keys)) throw new Error(`is a robot, which names other files: \`graze view\` shows it`);
  }
  return values as Answer[];
}

/** Each mesh a body; or, if they have the same polygons and names that differ in digits only, frames of one. */
function bodies_of(meshes: { name: string; mesh: MeshSource }[], title: string): ViewDocument {
  const same = (a: Uint32Array | undefined, b: Uint32Array | undefined) =>
    a?.length === b?.length && (a === undefined || a.every((x, i) => x === b![i]));
  const stem = (name: string) => name.replaceAll(/\d+/g, "#");
  const [first] = meshes;
  const is_sequence = meshes.length > 1 && meshes.every(({ name, mesh }) =>
    stem(name) === stem(first!.name) && same(mesh.corners, first!.mesh.corners) && same(mesh.first, first!.mesh.first));
  if (!is_sequence)
    return { ...empty_document(title), meshes: meshes.map(({ mesh }) => mesh), bodies: meshes.map(({ name }, mesh) => ({ name, mesh })) };
  const number = (name: string) => Number(/(\d+)\D*$/.exec(name)?.[1] ?? 0);
  const frames = meshes.toSorted((a, b) => number(a.name) - number(b.name)).map(({ mesh }) => mesh.positions);
  return { ...empty_document(title), meshes: [first!.mesh], bodies: [{ name: stem(first!.name), mesh: 0, frames }], frames: frames.length };
}

/** The parts of a list of clashes, each with the mesh that its file's name says. */
function parts_of(list: Answer, meshes: { name: string; mesh: MeshSource }[]): Pick<ViewDocument, "meshes" | "bodies"> {
  const known = new Map(meshes.map(({ name }, i) => [name, i]));
  const bodies = (list["parts"] as { name?: unknown; file?: unknown; pose?: unknown; geometry?: unknown }[]).map((part): BodyView => {
    const file = String(part.file ?? "").split(/[\\/]/).at(-1)!;
    const mesh = known.get(file);
    if (mesh === undefined) throw new Error(`the list of clashes needs ${file || "files that it does not name"}: drop its meshes with it, or use \`graze view\``);
    return { name: String(part.name ?? file), mesh, ...(Array.isArray(part.pose) ? { pose: part.pose as unknown as Pose } : {}) };
  });
  // Two parts of one file would both be drawn as all of it.
  const geometry = new Map<string, unknown>();
  for (const part of list["parts"] as { file?: unknown; geometry?: unknown }[]) {
    const file = String(part.file);
    if (geometry.has(file) && geometry.get(file) !== part.geometry)
      throw new Error(`${file} was split into parts, which this page cannot do: \`graze view clash PARTS...\` shows them`);
    geometry.set(file, part.geometry);
  }
  return { meshes: meshes.map(({ mesh }) => mesh), bodies };
}

/** Bodies stand and move as the answer says. */
function place(bodies: BodyView[], answer: Answer): void {
  (["a", "b"] as const).forEach((letter, i) => {
    const body = bodies[i];
    if (!body) return;
    if (answer[`pose_${letter}`]) body.pose = answer[`pose_${letter}`] as Pose;
    if (answer["motion"] === undefined) return;
    const motion: { [key: string]: unknown } = { kind: answer["motion"] };
    for (const key of ["from", "to", "velocity", "reference"])
      if (answer[`${letter}_${key}`]) motion[key] = answer[`${letter}_${key}`];
    body.motion = motion as Motion;
  });
}
