// SPDX-License-Identifier: MIT
// Where bodies are at a time of the slider: along motions, tracks of poses and frames of vertices.
import type { Pose } from "graze";
import type { BodyView, ViewDocument } from "./document.js";
import type { Engine } from "./engine.js";
import type { Picture } from "./picture.js";

/** The least and the largest value of the slider; equal: nothing moves. */
export function range_of(view: ViewDocument): [number, number] {
  if (view.bodies.some((body) => body.motion)) return [0, 1];
  if (view.times) return [view.times[0]!, view.times.at(-1)!];
  return [0, Math.max(0, view.frames - 1)];
}

/** False: the slider counts frames. */
export const has_clock = (view: ViewDocument): boolean => view.times !== null || view.bodies.some((body) => body.motion);

/** The slider's time as frames: 2.25 is a quarter of the way from the third frame to the fourth. */
export function frame_at(view: ViewDocument, time: number): number {
  const { times } = view;
  if (!times) return time;
  let i = 0;
  while (i + 2 < times.length && times[i + 1]! <= time) ++i;
  const [from, to] = [times[i]!, times[i + 1] ?? times[i]!];
  return to > from ? i + (time - from) / (to - from) : i;
}

/** Between two frames: translations straight, rotations evenly, the shorter way. */
function between(track: Float64Array, frame: number): Pose {
  const i = Math.min(Math.floor(frame), track.length / 7 - 1);
  const a = track.subarray(7 * i, 7 * i + 7), b = track.subarray(7 * i + 7, 7 * i + 14);
  const s = frame - i;
  if (s <= 0 || b.length === 0 || !b.every(Number.isFinite)) return Array.from(a) as unknown as Pose;
  const t = [0, 1, 2].map((k) => a[k]! + s * (b[k]! - a[k]!));
  const dot = a[3]! * b[3]! + a[4]! * b[4]! + a[5]! * b[5]! + a[6]! * b[6]!;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const [u, v] = angle < 1e-6 ? [1 - s, s] : [Math.sin((1 - s) * angle) / Math.sin(angle), Math.sin(s * angle) / Math.sin(angle)];
  const q = [3, 4, 5, 6].map((k) => u! * a[k]! + (dot < 0 ? -v! : v!) * b[k]!);
  return [...t, ...q] as unknown as Pose;
}

/** Vertices move straight from frame to frame. */
export function vertices_at(frames: Float64Array[], frame: number): Float64Array {
  const i = Math.min(Math.floor(frame), frames.length - 1);
  const a = frames[i]!, b = frames[i + 1];
  const s = frame - i;
  return b && s > 0 ? a.map((x, k) => x + s * (b[k]! - x)) : a;
}

/** Puts the bodies where they are at the time that was asked for last. */
export class Places {
  #wanted = 0;

  constructor(readonly engine: Engine, readonly picture: Picture) {}

  /** Resolves to false if another time was asked for meanwhile. */
  async place(view: ViewDocument, time: number): Promise<boolean> {
    const turn = ++this.#wanted;
    const places = await Promise.all(view.bodies.map((body) => this.#of(body, view, time)));
    if (turn !== this.#wanted) return false;
    const frame = frame_at(view, time);
    view.bodies.forEach((body, i) => {
      this.picture.place(i, places[i]!);
      if (body.frames) this.picture.deform(i, vertices_at(body.frames, frame));
    });
    return true;
  }

  /** Nobody else asks for a time now. */
  stop(): void {
    ++this.#wanted;
  }

  async #of(body: BodyView, view: ViewDocument, time: number): Promise<ArrayLike<number>> {
    if (body.motion) return (await this.engine.placements(body.motion, [time]))[0]!;
    if (body.track) return between(body.track, frame_at(view, time));
    return body.pose ?? [0, 0, 0, 1, 0, 0, 0];
  }
}
