// SPDX-License-Identifier: MIT
import type { Grip } from "./types.js";

/** Everything that was done in a scene, frame by frame: the same inputs give the same frames. */
export interface Recording {
  graze_play: 1;
  application: string;
  detail: number;
  /** The grips of each frame: none, one, or one of each tab. */
  frames: Exclude<Grip, null>[][];
  /** Settings, before the frame of that number. */
  settings: { frame: number; name: string; value: string }[];
}

/** Throws with advice if the text is no recording. */
export function parse_recording(text: string): Recording {
  const refuse = (why: string): never => {
    throw new Error(`this is no recording of the playground: ${why}; open a file that "save" wrote`);
  };
  let read: Partial<Recording> | null = null;
  try {
    read = JSON.parse(text);
  } catch (error) {
    refuse(String(error));
  }
  if (typeof read !== "object" || read === null || read.graze_play !== 1) refuse('it has no "graze_play": 1');
  const { application, detail, frames, settings } = read!;
  if (typeof application !== "string" || typeof detail !== "number") refuse("application or detail is missing");
  if (!Array.isArray(frames) || !Array.isArray(settings)) refuse("frames or settings are missing");
  frames!.forEach((grips, i) => {
    const fine = Array.isArray(grips) && grips.every(is_grip);
    if (!fine) refuse(`frame ${i} is no list of grips`);
  });
  for (const entry of settings!)
    if (!Number.isInteger(entry?.frame) || typeof entry.name !== "string" || typeof entry.value !== "string")
      refuse("a setting needs frame, name and value");
  return read as Recording;
}

function is_grip(grip: unknown): boolean {
  const { body, target } = (grip ?? {}) as { body?: unknown; target?: unknown };
  return Number.isInteger(body) && (body as number) >= 0 && Array.isArray(target) && target.length === 7 && target.every(Number.isFinite);
}
