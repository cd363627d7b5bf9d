// SPDX-License-Identifier: MIT
// What the page shows, as `graze view` and `graze report` write it (apps/graze/view/view_document.hpp): JSON, compressed.
import type { Motion, Pose } from "graze";
import { bytes_of, unpacked } from "./base64.js";
import { csv_table, type Table } from "./csv.js";

/** The JSON that a command printed. Its keys are those of docs/command-line.md. */
export interface Answer {
  readonly [key: string]: unknown;
}

export interface MeshSource {
  positions: Float64Array; // three numbers a vertex
  corners: Uint32Array;
  first?: Uint32Array; // polygon i has the corners [first[i], first[i + 1]); absent: triangles
}

export interface BodyView {
  name: string;
  mesh: number;
  /** Asked as this shape (docs/shapes.md), and drawn as its mesh, which may be coarser. */
  shape?: string;
  /** The mesh is not the body, and nothing here is: there are no questions about it. */
  picture_only?: true;
  pose?: Pose;
  /** While time runs from 0 to 1. */
  motion?: Motion;
  /** Seven numbers a frame; those of frames in which the body is not there are not finite. */
  track?: Float64Array;
  /** The vertices of each frame. */
  frames?: Float64Array[];
}

export interface ViewDocument {
  title: string;
  /** What was asked: a command line, or nothing. */
  command: string;
  meshes: MeshSource[];
  bodies: BodyView[];
  /** How many frames; 0: time runs from 0 to 1, or nothing moves. */
  frames: number;
  /** When each frame is, if the frames are those of a motion from 0 to 1. */
  times: number[] | null;
  answers: Answer[];
  tables: Table[];
}

export const empty_document = (title = ""): ViewDocument => ({
  title, command: "", meshes: [], bodies: [], frames: 0, times: null, answers: [], tables: [],
});

type Json = { [key: string]: unknown };

const doubles_of = (text: unknown) => new Float64Array(bytes_of(text as string).buffer);
const ids_of = (text: unknown) => new Uint32Array(bytes_of(text as string).buffer);

function list(json: Json, key: string): Json[] {
  const value = json[key] ?? [];
  if (!Array.isArray(value)) throw new Error(`"${key}" is no list`);
  return value as Json[];
}

/** The text of a view's JSON. Throws an error that says what is wrong. */
export function parse_document(text: string): ViewDocument {
  const json = JSON.parse(text) as Json;
  if (json["graze_view"] !== 1)
    throw new Error(`this page reads views of version 1, not ${json["graze_view"]}: make both with the same graze`);
  const frames = Number(json["frames"] ?? 0);
  const meshes = list(json, "meshes").map((mesh): MeshSource => ({
    positions: doubles_of(mesh["positions"]),
    corners: ids_of(mesh["corners"]),
    ...(mesh["first"] ? { first: ids_of(mesh["first"]) } : {}),
  }));
  const bodies = list(json, "bodies").map((body, i): BodyView => {
    const mesh = Number(body["mesh"]);
    if (!meshes[mesh]) throw new Error(`body ${i} has mesh ${body["mesh"]}, but there are ${meshes.length}`);
    const out: BodyView = { name: String(body["name"] ?? `body ${i}`), mesh };
    if (body["shape"]) out.shape = String(body["shape"]);
    if (body["picture_only"]) out.picture_only = true;
    if (body["pose"]) out.pose = body["pose"] as Pose;
    if (body["motion"]) out.motion = body["motion"] as Motion;
    if (body["track"]) out.track = doubles_of(body["track"]);
    if (out.track && out.track.length !== 7 * frames)
      throw new Error(`the track of body ${i} has ${out.track.length} numbers, and 7 a frame would be ${7 * frames}`);
    if (body["frames"]) out.frames = (body["frames"] as string[]).map(doubles_of);
    return out;
  });
  return {
    title: String(json["title"] ?? ""), command: String(json["command"] ?? ""), meshes, bodies, frames,
    times: (json["times"] as number[] | undefined) ?? null,
    answers: list(json, "answers"), tables: list(json, "tables").map((table) => csv_table(String(table["name"]), String(table["csv"]))),
  };
}

/** The document inside this page; null if it has none. */
export async function document_inside(): Promise<ViewDocument | null> {
  const text = document.getElementById("document")!.textContent!.trim();
  if (text === "" || text.startsWith("{{")) return null;
  return parse_document(await unpacked(text).text());
}
