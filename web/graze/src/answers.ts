// SPDX-License-Identifier: MIT
import type { Point } from "./pose.js";

/** "undecided" only with `work` or `seconds`: nothing is known beyond what the answer says. */
export type Status = "free" | "contact" | "touching_at_start" | "undecided";

/** Surfaces touch or cross; solids whose surfaces do not cross, and which share a volume, overlap. */
export type ContactKind = "touching" | "crossing" | "overlap";

export interface Limits {
  /** At most so many steps, about a microsecond each; reproducible. */
  work?: number;
  /** At most so long; not reproducible. */
  seconds?: number;
}

export interface Feature {
  kind: string;
  /** A vertex or face, or the two vertices of an edge. */
  a: number | [number, number];
  b: number | [number, number];
  diagonal_a?: boolean;
  diagonal_b?: boolean;
}

export interface Pair {
  a: number;
  b: number;
  polygon_a: number;
  polygon_b: number;
  piece_a?: number;
  piece_b?: number;
}

export type Counters = { readonly [name: string]: number };

/** Keys as the command line prints them with --json (docs/command-line.md). */
export interface CollideAnswer {
  status: Status;
  method: string;
  kind: ContactKind | null;
  contained: "none" | "a_in_b" | "b_in_a";
  /** Absent: true. */
  certain?: false;
  pair_count: number;
  pairs: Pair[];
  features: Feature[];
  points: [Point, Point] | null;
  normal: Point | null;
  counters: Counters;
  seconds: number;
}

export interface SelfCollideAnswer {
  status: Status;
  kind: ContactKind | null;
  pair_count: { [neighbourhood: string]: number };
  pairs: (Pair & { neighbourhood: string })[];
  features: Feature[];
  points: [Point, Point] | null;
  counters: Counters;
  seconds: number;
}

export interface DistanceAnswer {
  status: Status;
  distance: number | null;
  certain?: false;
  pairs: Pair[];
  features: Feature[];
  points: [Point, Point] | null;
  normal: Point | null;
  counters: Counters;
  seconds: number;
}

export interface WithinAnswer {
  status: Status;
  within: number;
  certain?: false;
  counters: Counters;
  seconds: number;
}

export interface ContactEvent extends Feature {
  time: [number, number];
  until: number;
  gap: number;
  direction: "incoming" | "sliding" | "outgoing";
}

/** Certified free until `until`; `text` is what `graze verify` checks. */
export interface Certificate {
  until: number;
  text: string;
}

export interface FirstContactAnswer {
  status: Status;
  method: string;
  /** Certified free before the first, within the tolerance at the second, which is null if there is none. */
  time: [number, number | null];
  gap: number | null;
  tolerance: number;
  pairs: Pair[];
  features: Feature[];
  points: [Point, Point] | null;
  normal: Point | null;
  direction: string | null;
  contained: "none" | "a_in_b" | "b_in_a";
  clearance: { lower: number; upper: number; time: number } | null;
  contacts: ContactEvent[] | null;
  certificate?: Certificate | null;
  counters: Counters;
  seconds: number;
}

export interface MotionFreeAnswer {
  status: Status;
  time: number | null;
  probes: number;
  certificate?: Certificate | null;
  seconds: number;
}

export interface PenetrationAnswer {
  status: Status;
  certain?: false;
  lower: number | null;
  upper: number | null;
  translation: Point | null;
  points: [Point, Point] | null;
  patches?: { length: number; translation: Point; points: [Point, Point]; triangles_a: number[]; triangles_b: number[] }[];
}

export interface ManifoldAnswer {
  status: Status;
  certain?: false;
  patches: { normal: Point; depth: number; points: { id: string; points: [Point, Point]; depth: number }[] }[];
}

export interface RayHit {
  fraction: number;
  point: Point;
  normal: Point | null;
  triangle: number | null;
  polygon: number | null;
  weights: Point | null;
}

export interface RayAnswer {
  status: Status;
  certain?: false;
  hit: RayHit | null;
  all?: RayHit[];
  counters: Counters;
}

export interface ContainsAnswer {
  location: "outside" | "on_surface" | "inside";
  piece?: number;
}

export interface DeformContact {
  kind: "vf" | "ee" | "ve" | "vv";
  vertices: [number, number, number, number];
  time: [number, number];
  gap: number;
  at_start: boolean;
  /** With `points`: where they touch, on either side, and the unit normal. */
  points?: [Point, Point];
  normal?: Point;
}

export interface DeformAnswer {
  status: Status;
  time: [number, number | null];
  contacts: DeformContact[];
  crossing_at_start: [number, number][];
  counters: Counters;
  seconds: number;
}

export interface StepSizeAnswer {
  status: Status;
  /** The share of the way that is certified. */
  step: number;
  time: [number, number | null];
  first: { kind: string; vertices: [number, number, number, number]; gap: number } | null;
}

export interface ProximityAnswer {
  status: Status;
  pairs: { kind: string; vertices: number[]; weights: number[]; distance: number; of_vertex_face: number; of_edge_edge: number }[];
}
