// SPDX-License-Identifier: MIT
// Answers as a list of contacts: what lights up, where the picture flies to, what the list says.
import type { Feature, Pair, Point } from "graze";
import type { Answer, ViewDocument } from "./document.js";

/** What lights up on one body. */
export interface Mark {
  body: number;
  triangles: number[];
  polygons: number[];
  edges: [number, number][];
  vertices: number[];
  /** Triangles by their vertices, three each. */
  corners: number[];
}

export interface Contact {
  text: string;
  detail: string;
  /** Where the slider goes; null: nothing moves. */
  time: number | null;
  marks: Mark[];
  /** A point of either body. */
  points: [Point, Point] | null;
  normal: Point | null;
}

const mark = (body: number): Mark => ({ body, triangles: [], polygons: [], edges: [], vertices: [], corners: [] });
const kinds: { [letter: string]: string } = { v: "vertex", e: "edge", f: "face" };

function feature_text(kind: string, id: number | [number, number]): string {
  return `${kinds[kind] ?? kind} ${Array.isArray(id) ? id.join("-") : id}`;
}

function add_feature(to: Mark, kind: string, id: number | [number, number]): void {
  if (Array.isArray(id)) to.edges.push(id);
  else if (kind === "v") to.vertices.push(id);
  else if (kind === "f") to.polygons.push(id);
}

/** "vf" is a vertex of A and a face of B. */
function of_features(features: readonly Feature[], a: number, b: number): Mark[] {
  const marks = [mark(a), mark(b)];
  for (const feature of features) {
    add_feature(marks[0]!, feature.kind[0]!, feature.a);
    add_feature(marks[1]!, feature.kind[1]!, feature.b);
  }
  return marks;
}

function of_pairs(pairs: readonly Pair[], a: number, b: number): Mark[] {
  const marks = [mark(a), mark(b)];
  for (const pair of pairs) {
    marks[0]!.triangles.push(pair.a);
    marks[1]!.triangles.push(pair.b);
  }
  return marks;
}

const feature_line = (feature: Feature, [a, b]: readonly string[] = ["A", "B"]) =>
  `${feature_text(feature.kind[0]!, feature.a)} of ${a}, ${feature_text(feature.kind[1]!, feature.b)} of ${b}`;
const number_text = (x: unknown) => (typeof x === "number" ? String(Number(x.toPrecision(6))) : String(x));

interface Keys {
  status?: string;
  kind?: string | null;
  time?: [number, number | null] | number | null;
  distance?: number | null;
  direction?: string | null;
  pairs?: (Pair & { neighbourhood?: string })[];
  features?: Feature[];
  contacts?: (Feature & { time: [number, number]; direction: string; links?: [string, string | null] })[] | null;
  points?: [Point, Point] | null;
  normal?: Point | null;
  patches?: { depth?: number; length?: number; normal?: Point; translation?: Point; points: unknown[]; triangles_a?: number[]; triangles_b?: number[] }[];
  hit?: { point: Point; normal: Point | null; triangle: number | null; fraction: number } | null;
  all?: { point: Point; normal: Point | null; triangle: number | null; fraction: number }[];
  links?: [string, string | null] | null;
  /** Of a robot: the numbers of these bodies, and the times of its trajectory. */
  parts?: [number, number] | null;
  when?: [number, number | null];
  segment?: number;
  frame?: number;
  events?: WorldEvent[];
  step?: number;
  first?: { kind: string; vertices: [number, number, number, number]; gap: number } | null;
  profile?: { time: number; lower: number; upper: number | null }[];
  vf?: number | null;
  clashes?: ClashKeys[];
  between?: { bodies: [number, number]; time: [number, number | null] }[];
}

interface WorldEvent {
  event: string;
  a: string;
  b: string;
  kind?: string | null;
  gap?: number;
  triangles?: [number, number];
  features?: Feature[];
  points?: [Point, Point] | null;
  normal?: Point | null;
  all_pairs?: [number, number][];
}

/** Of one answer, which may be about one body, two, links of a robot, a frame of many bodies, or a step between frames. */
export function contacts_of(view: ViewDocument, answer: Answer, step = 0): Contact[] {
  const keys = answer as Keys;
  if (keys.clashes) return keys.clashes.map(clash_contact);
  if (keys.vf !== undefined && keys.pairs) return near_contacts(keys.pairs as unknown as NearKeys[]);
  if (keys.profile) return keys.profile.map(profile_entry);
  if (keys.vf !== undefined) return deform_contacts((keys.contacts ?? []) as unknown as DeformKeys[], step);
  const index_of = (name: string | null | undefined) => view.bodies.findIndex((body) => body.name === name);
  if (keys.frame !== undefined && Array.isArray(keys.contacts))
    return deform_scene_contacts(view, keys.contacts as unknown as SceneContactKeys[], keys.frame, index_of);
  if (keys.frame !== undefined && keys.step !== undefined)
    return keys.first ? deform_scene_contacts(view, [keys.first as unknown as SceneContactKeys], keys.frame, index_of) : [];
  if (keys.events) return keys.events.map((event) => world_contact(event, keys.frame ?? 0, index_of));
  if (keys.step !== undefined && keys.first) return [step_contact(keys.first, step, touch_time(keys, step))];
  if (keys.hit !== undefined || keys.all) return rays(keys);
  if (keys.patches) return keys.patches.flatMap(patch_contacts);
  const of_robot = Array.isArray(keys.links);
  const ends = keys.parts ?? (of_robot ? [index_of(keys.links![0]), index_of(keys.links![1] ?? "environment")] : [0, view.bodies.length > 1 ? 1 : 0]);
  const [a, b] = ends as [number, number];
  const touch = touch_time(keys, step);
  const base = { points: keys.points ?? null, normal: keys.normal ?? null };
  const out: Contact[] = [];
  const names = of_robot ? keys.links!.map((name) => name ?? "the environment") : undefined;
  const features = keys.features ?? [], pairs = keys.pairs ?? [];
  if (keys.contacts?.length) {
    for (const contact of keys.contacts)
      out.push({
        text: feature_line(contact, contact.links?.map((name) => name ?? "the environment") ?? names), detail: `t = ${number_text(contact.time[1])}, ${contact.direction}`,
        time: contact.time[1], marks: of_features([contact], a, b), points: null, normal: null,
      });
  }
  if (pairs.length > 1) {
    for (const pair of pairs)
      out.push({
        text: `triangles ${pair.a} and ${pair.b}`, detail: pair.neighbourhood ?? keys.kind ?? "", time: touch,
        marks: of_pairs([pair], a, b), points: null, normal: null,
      });
  }
  if (features.length > 0 || pairs.length === 1) {
    const [first] = features;
    const detail = keys.distance !== undefined ? `${number_text(keys.distance)} apart`
      : touch !== null ? [`t = ${number_text(touch)}`, keys.direction].filter(Boolean).join(", ") : (keys.kind ?? "");
    const name = first ? feature_line(first, names) : `triangles ${pairs[0]!.a} and ${pairs[0]!.b}`;
    const more = features.length > 1 ? ` and ${features.length - 1} more` : "";
    // Coloured features, not triangles, where there are features: a face has all its triangles.
    const marks = first ? of_features(features, a, b) : of_pairs(pairs, a, b);
    out.unshift({ text: name + more, detail, time: touch, marks, ...base });
  } else if (keys.parts && out.length === 0) {
    // A state of a robot, or an edge asked for any contact: who touches is all that is known.
    out.push({ text: keys.links!.join(" and "), detail: keys.status ?? "", time: touch, marks: [mark(a), mark(b)], ...base });
  } else if (base.points && out.length === 0) {
    out.push({ text: "nearest points", detail: number_text(keys.distance), time: touch, marks: [], ...base });
  }
  return out;
}

/** On the slider. Edges of a robot follow one another, each from 0 to 1. */
function touch_time({ when, time, links, segment }: Keys, step: number): number | null {
  if (when) return when[1];
  const own = Array.isArray(time) ? time[1] : (time ?? null);
  return own !== null && links && segment !== undefined ? step + own : own;
}

/** Of `graze deform SCENE.json`. Vertices count in their own body, those of A first. */
interface SceneContactKeys {
  a: string;
  b: string;
  kind: string;
  vertices: [number, number, number, number];
  time: [number, number];
  gap: number;
}

function deform_scene_contacts(view: ViewDocument, contacts: readonly SceneContactKeys[], frame: number, index_of: (name: string) => number): Contact[] {
  // The vertices of a shape are not those of its picture.
  const has_vertices = (body: number) => view.bodies[body] && !view.bodies[body].shape && !view.bodies[body].picture_only;
  return contacts.map(({ a, b, kind, vertices: [p, q, r, s], time, gap }) => {
    const marks = [mark(index_of(a)), mark(index_of(b))];
    if (has_vertices(marks[0]!.body)) {
      if (kind === "ee") marks[0]!.edges.push([p, q]);
      else marks[0]!.vertices.push(p);
    }
    if (has_vertices(marks[1]!.body)) {
      if (kind === "ee") marks[1]!.edges.push([r, s]);
      else if (kind === "vf") marks[1]!.corners.push(q, r, s);
      else if (kind === "ve") marks[1]!.edges.push([q, r]);
      else marks[1]!.vertices.push(q);
    }
    const names: { [kind: string]: [string, string] } = {
      ee: [`edge ${p}-${q}`, `edge ${r}-${s}`], vf: [`vertex ${p}`, `face ${q} ${r} ${s}`], ve: [`vertex ${p}`, `edge ${q}-${r}`],
    };
    const [one, other] = names[kind] ?? [`vertex ${p}`, `vertex ${q}`];
    // Frames are counted from 1, and the step ends at this one.
    return {
      text: `${one} of ${a}, ${other} of ${b}`, detail: `frame ${frame}, t = ${number_text(time[1])}, gap ${number_text(gap)}`,
      time: frame - 2 + time[1], marks: marks.filter((entry) => entry.body >= 0), points: null, normal: null,
    };
  });
}

function world_contact(event: WorldEvent, frame: number, index_of: (name: string) => number): Contact {
  const [a, b] = [index_of(event.a), index_of(event.b)];
  const said: { [kind: string]: string } = { began: "begin to touch", stays: "still touch", ended: "touch no more" };
  const pairs = event.all_pairs ?? (event.triangles ? [event.triangles] : []);
  const marks = [mark(a), mark(b)];
  for (const [i, j] of pairs) {
    marks[0]!.triangles.push(i);
    marks[1]!.triangles.push(j);
  }
  return {
    text: `${event.a} and ${event.b} ${said[event.event] ?? event.event}`, detail: `frame ${frame}`,
    // Frames of a world are counted from 1.
    time: Math.max(0, frame - 1), marks: marks.filter((one) => one.body >= 0),
    points: event.points ?? null, normal: event.normal ?? null,
  };
}

/** Of `graze clash`. The bodies of the view are the parts of its list. */
interface ClashKeys {
  a: number;
  b: number;
  name_a: string;
  name_b: string;
  kind: string;
  inside: "a" | "b" | null;
  distance: number | null;
  depth: number | null;
  point_a: Point | null;
  point_b: Point | null;
  change?: string;
}

function clash_contact(clash: ClashKeys): Contact {
  const { name_a, name_b, kind, point_a, point_b } = clash;
  const more = kind === "near" ? `${number_text(clash.distance)} apart`
    : clash.inside ? `${clash.inside === "a" ? name_a : name_b} is inside`
    : clash.depth ? `at most ${number_text(clash.depth)} deep` : "";
  const known = (p: Point | null): p is Point => p !== null && p.every((x) => typeof x === "number");
  return {
    text: `${name_a} and ${name_b}`, detail: [kind, more, clash.change].filter(Boolean).join(", "), time: null,
    // Nothing lights up on these; the picture shows only both of them.
    marks: [mark(clash.a), mark(clash.b)], points: known(point_a) && known(point_b) ? [point_a, point_b] : null, normal: null,
  };
}

/** With --details: what touches in a step between two frames. */
interface DeformKeys {
  kind: string;
  vertices: [number, number, number, number];
  time: [number, number];
  a: Point;
  b: Point;
  normal: Point | null;
  gap: number;
}

/** The features of one mesh by its vertices: what lights up, and how it is called. */
function features_of(kind: string, [p, q, r, s]: readonly number[]): { on: Mark; text: string } {
  const on = mark(0);
  if (kind === "ee") on.edges.push([p!, q!], [r!, s!]);
  else on.vertices.push(p!);
  if (kind === "vf") on.corners.push(q!, r!, s!);
  else if (kind === "ve") on.edges.push([q!, r!]);
  else if (kind === "vv") on.vertices.push(q!);
  const text = kind === "ee" ? `edges ${p}-${q} and ${r}-${s}` : kind === "vf" ? `vertex ${p} and face ${q} ${r} ${s}`
    : kind === "ve" ? `vertex ${p} and edge ${q}-${r}` : `vertex ${p} and point ${q}`;
  return { on, text };
}

function deform_contacts(contacts: readonly DeformKeys[], step: number): Contact[] {
  return contacts.map(({ kind, vertices, time, a, b, normal, gap }) => {
    const { on, text } = features_of(kind, vertices);
    return {
      text, detail: `step ${step}, t = ${number_text(time[1])}, gap ${number_text(gap)}`, time: step + time[1], marks: [on],
      points: a && b ? [a, b] : null, normal: normal ?? null,
    };
  });
}

/** With --near: pairs of features in one frame. */
interface NearKeys {
  kind: string;
  vertices: number[];
  distance: number;
}

function near_contacts(pairs: readonly NearKeys[]): Contact[] {
  return pairs.map(({ kind, vertices, distance }) => {
    const { on, text } = features_of(kind, vertices);
    return { text, detail: `${number_text(distance)} apart`, time: null, marks: [on], points: null, normal: null };
  });
}

/** With --step-size: what ends the step. */
function step_contact({ kind, vertices, gap }: NonNullable<Keys["first"]>, step: number, touch: number | null): Contact {
  const { on, text } = features_of(kind, vertices);
  return {
    text, detail: `step ${step}, t = ${number_text(touch)}, gap ${number_text(gap)}`, time: touch === null ? step : step + touch, marks: [on],
    points: null, normal: null,
  };
}

/** With --profile: how near they are at one of the times. */
function profile_entry({ time, lower, upper }: NonNullable<Keys["profile"]>[number]): Contact {
  const apart = upper === null ? "nothing is known" : upper - lower < 1e-6 * upper ? number_text(upper) : `${number_text(lower)} to ${number_text(upper)}`;
  return { text: `t = ${number_text(time)}`, detail: `${apart} apart`, time, marks: [], points: null, normal: null };
}

function rays(keys: Keys): Contact[] {
  const hits = keys.all ?? (keys.hit ? [keys.hit] : []);
  return hits.map((hit) => ({
    text: hit.triangle === null ? "the surface" : `triangle ${hit.triangle}`, detail: `at ${number_text(hit.fraction)} of the ray`,
    time: null, marks: [{ ...mark(0), triangles: hit.triangle === null ? [] : [hit.triangle] }],
    points: [hit.point, hit.point], normal: hit.normal,
  }));
}

/** Of a manifold: its points. Of a penetration: the points that are deepest. */
function patch_contacts(patch: NonNullable<Keys["patches"]>[number], i: number): Contact[] {
  const single = patch.points as unknown as [Point, Point];
  const of_manifold = patch.points.length > 0 && !Array.isArray(patch.points[0]);
  const all = of_manifold ? (patch.points as { id: string; points: [Point, Point]; depth: number }[])
                          : [{ id: `patch ${i}`, points: single, depth: patch.length ?? 0 }];
  return all.map((point) => ({
    text: point.id, detail: `${number_text(point.depth)} deep`, time: null, marks: of_triangles(patch), points: point.points,
    normal: patch.normal ?? null,
  }));
}

/** The triangles of a penetration's patch. */
function of_triangles({ triangles_a, triangles_b }: { triangles_a?: number[]; triangles_b?: number[] }): Mark[] {
  return [{ ...mark(0), triangles: triangles_a ?? [] }, { ...mark(1), triangles: triangles_b ?? [] }];
}

const status_of = (keys: Keys) => keys.status ?? "";

/** One line about an answer, as the command line's first. */
export function headline(answer: Answer): string {
  const keys = answer as Keys;
  const time = keys.when ?? (Array.isArray(keys.time) ? keys.time : null);
  const depth = (answer as { upper?: number | null }).upper;
  if (status_of(keys) === "contact" && typeof depth === "number") return `contact: at most ${number_text(depth)} deep`;
  if (keys.events) return `frame ${keys.frame}: ${keys.events.length} events`;
  if (keys.clashes) return `${keys.clashes.length} clashes`;
  const status = status_of(keys);
  if (status === "contact" && time && time[1] !== null)
    return `contact: in touch at t = ${number_text(time[1])}, certified free until ${time[0].toPrecision(10)}`;
  if (status === "free" && time) return "free: certified for the whole motion";
  if (keys.distance !== undefined && keys.distance !== null) return `${number_text(keys.distance)} apart`;
  if (status === "contact") return keys.kind ? `contact: ${keys.kind}` : "contact";
  if (status === "touching_at_start") return "in touch at the start";
  return status === "" ? "an answer" : status;
}
