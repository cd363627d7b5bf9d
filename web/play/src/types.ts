// SPDX-License-Identifier: MIT

/** x, y, z of the place, then w, x, y, z of the rotation. */
export type Pose = readonly [number, number, number, number, number, number, number];

export interface ApplicationInfo {
  name: string;
  summary: string;
  settings: string;
}

/** A body as the engine describes it at the start, and after a setting that changes bodies. */
export interface Shown {
  name: string;
  held: boolean;
  fixed: boolean;
  pose: Pose;
  positions: Float32Array;
  triangles: Uint32Array;
}

/** What the hand does in one frame; null: it is away. */
export type Grip = { body: number; target: Pose } | null;

/** How far a contact's numbers are apart: point, normal, the two bodies. */
export const contact_size = 8;

export interface Frame {
  poses: Float32Array; // seven numbers for each body
  contacts: Float32Array;
  deformed: { body: number; positions: Float32Array }[];
  touching: { body: number; triangles: Uint32Array }[];
  events: string[];
  numbers: Record<string, number>;
}

/** Every frame of a scene is so long, in seconds, however fast the screen is: so a recording repeats exactly. */
export const frame_time = 1 / 60;
