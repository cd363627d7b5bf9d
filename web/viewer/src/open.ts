// SPDX-License-Identifier: MIT
// Files that are dropped on the page, or chosen, as something to show.
import type { Motion, Pose } from "graze";
import { empty_document, parse_document, type Answer, type BodyView, type MeshSource, type ViewDocument } from "./document.js";
import type { Engine } from "./engine.js";
import { csv_table, type Table } from "./csv.js";
import { ending, last_name, text_of, type NamedFile } from "./files.js";
import { robot_of_urdf } from "./urdf.js";

const is_mesh = (name: string) => ["obj", "stl", "ply", "off"].includes(ending(name));

/** Throws an error that names the file. Answers without meshes belong to the bodies of `now`. */
export async function opened(files: readonly NamedFile[], engine: Engine, now: ViewDocument): Promise<ViewDocument> {
  const title = title_of(files);
  const roots = files.filter(refers_to_files);
  if (roots.length > 0) return { ...(await opened_by_engine(files, roots, engine)), title };
  const answers: Answer[] = [];
  const tables: Table[] = [];
  const meshes: { name: string; mesh: MeshSource }[] = [];
  let proof: string | null = null, whole: ViewDocument | null = null;
  for (const file of files) await with_name(file, async () => {
    if (is_mesh(file.name)) {
      meshes.push({ name: file.name, mesh: await engine.parse(file.bytes, file.name) });
    } else if (ending(file.name) === "csv") {
      tables.push(csv_table(file.name, text_of(file)));
    } else if (/^\s*graze-certificate /.test(text_of(file))) {
      proof = text_of(file);
    } else if (/^\s*\{[^{[]*"graze_view"/.test(text_of(file))) {
      whole = parse_document(text_of(file));
    } else {
      answers.push(...read_json(text_of(file)));
    }
  });
  if (whole) return whole;
  // With the answer, or alone: it says nothing about how the bodies move.
  const proved = answers.find((answer) => answer["certificate"]);
  if (proof !== null && !proved)
    throw new Error("a certificate without the answer that it proves: drop its JSON (--json) and the meshes, too");
  if (proof !== null) answers[answers.indexOf(proved!)] = { ...proved, certificate: { text: proof } };
  if (tables.length > 0) return { ...empty_document(title), tables };
  const view = meshes.length > 0 ? bodies_of(meshes, title) : { ...now, answers: [] };
  if (view.bodies.length === 0)
    throw new Error("an answer without its meshes: drop the meshes with it, A first");
  const bodies = view.bodies.map((body) => ({ ...body }));
  for (const answer of answers) place(bodies, answer);
  return { ...view, bodies, answers };
}

const title_of = (files: readonly NamedFile[]) =>
  files.length <= 4 ? files.map((file) => file.name).join(" ") : `${files[0]!.name} and ${files.length - 1} more files`;

async function with_name<T>(file: NamedFile, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = (error as Error).message;
    throw new Error(message.startsWith(file.name) ? message : `${file.name}: ${message}`, { cause: error });
  }
}

/** A scene, a robot, a list of clashes or a recording: the engine reads them as `graze view` does. */
function refers_to_files(file: NamedFile): boolean {
  if (is_mesh(file.name) || ending(file.name) === "csv") return false;
  if (ending(file.name) === "urdf" || is_recording(file)) return true;
  let value: unknown;
  try {
    value = JSON.parse(text_of(file));
  } catch {
    return false;
  }
  if (typeof value !== "object" || value === null) return false;
  if ("graze_view" in value || "graze_query" in value) return false;
  if ("report" in value && value.report === "clash") return true;
  return ("bodies" in value || "articulated" in value || "links" in value) && !("status" in value) && !("events" in value);
}

const is_recording = (file: NamedFile) => new TextDecoder().decode(file.bytes.subarray(0, 12)) === "graze-world ";

/** Files that no other one names are shown, as if they were named after `graze view`. */
async function opened_by_engine(files: readonly NamedFile[], roots: readonly NamedFile[], engine: Engine): Promise<ViewDocument> {
  const given: NamedFile[] = [];
  const texts = roots.filter((file) => !is_recording(file)).map(text_of);
  for (const file of files) {
    if (ending(file.name) !== "urdf") {
      given.push(file);
      continue;
    }
    given.push(...(await with_name(file, async () => {
      const { robot, scaled } = robot_of_urdf(text_of(file));
      const meshes = await Promise.all(scaled.map(async ({ name, file: source, scale }) => {
        const found = files.find((one) => last_name(one.name) === last_name(source));
        if (!found) throw new Error(`needs ${source}, which was not dropped with it`);
        return { name, bytes: await engine.scaled(found.bytes, found.name, scale) };
      }));
      return [{ name: `${file.name}.json`, bytes: new TextEncoder().encode(JSON.stringify(robot)) }, ...meshes];
    })));
  }
  const named_in = (file: NamedFile) => texts.some((text) => text.includes(last_name(file.name)));
  const is_root = new Set(roots);
  const shown = files.filter((file) => is_root.has(file) || !named_in(file))
    .filter((file) => is_root.has(file) || is_mesh(file.name) || ending(file.name) === "csv" || has_answer(file))
    .map((file) => (ending(file.name) === "urdf" ? `${file.name}.json` : file.name));
  try {
    return parse_document(await engine.open(given, shown));
  } catch (error) {
    const message = (error as Error).message;
    if (!/there is no file|no such file|cannot be opened|cannot (be )?read|not there|does not exist/i.test(message)) throw error;
    throw new Error(`${message} (drop it together with the file that names it)`, { cause: error });
  }
}

function has_answer(file: NamedFile): boolean {
  try {
    return read_json(text_of(file)).some((answer) => "status" in answer || "events" in answer);
  } catch {
    return false;
  }
}

/** One object, or the lines that a command printed. */
function read_json(text: string): Answer[] {
  let values: unknown[];
  try {
    values = [JSON.parse(text)];
  } catch {
    values = text.split("\n").filter((line) => line.trim() !== "").map((line, i) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        throw new Error(`line ${i + 1} is no JSON, and the name ends neither in obj, stl, ply, off, urdf nor csv`);
      }
    });
  }
  for (const value of values)
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("is no answer of a command");
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
