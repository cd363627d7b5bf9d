// SPDX-License-Identifier: MIT
import { GrazeError } from "./error.js";

/** Translation x y z, then a quaternion w x y z, of any length but 0. */
export type Pose = readonly [number, number, number, number, number, number, number];
export type Point = readonly [number, number, number];

/** Seven numbers, or anything with the position and quaternion of three.js: an `Object3D`, a mesh, a camera. */
export type PoseLike =
  | Pose
  | ArrayLike<number>
  | {
      readonly position: { readonly x: number; readonly y: number; readonly z: number };
      readonly quaternion: { readonly w: number; readonly x: number; readonly y: number; readonly z: number };
    };

export const identity: Pose = [0, 0, 0, 1, 0, 0, 0];

export function toPose(pose: PoseLike | undefined): Pose {
  if (pose === undefined) return identity;
  if ("position" in pose) {
    const { position: t, quaternion: q } = pose;
    return [t.x, t.y, t.z, q.w, q.x, q.y, q.z];
  }
  if (pose.length !== 7)
    throw new GrazeError({
      code: "bad_pose",
      message: `a pose has 7 numbers, translation and quaternion w x y z; this has ${pose.length}`,
    });
  return Array.from(pose) as unknown as Pose;
}

/** How a body moves while t runs from 0 to 1. Without `to` and `velocity` it stays. */
export interface Motion {
  from?: PoseLike;
  to?: PoseLike;
  /** From pose to pose: "velocity" (default), "screw" or "linear" (docs/motions.md). */
  kind?: "velocity" | "screw" | "linear";
  /** Instead of `to`: linear and angular velocity in the world, in radians. */
  velocity?: readonly number[];
  /** The point that goes straight, in the body's coordinates. */
  reference?: Point;
}

export function motionRequest(motion: Motion | undefined) {
  if (!motion) return null;
  return {
    from: toPose(motion.from),
    to: motion.to === undefined ? null : toPose(motion.to),
    kind: motion.kind ?? null,
    velocity: motion.velocity ?? null,
    reference: motion.reference ?? null,
  };
}
