// SPDX-License-Identifier: MIT
import { Graze } from "./graze.js";
import { compile, EngineModule, type EngineSource } from "./module.js";

/**
 * Loads the engine; the same in Node, in a page and in a worker. Without a source, graze.wasm is read from beside this
 * file. Every call makes an engine with memory of its own.
 */
export async function load(source?: EngineSource): Promise<Graze> {
  return new Graze(new EngineModule(await compile(source)));
}

export { compile, type EngineSource } from "./module.js";
export { GrazeError, type ErrorDetail } from "./error.js";
export { Graze, type CollideOptions, type FirstContactOptions } from "./graze.js";
export { Mesh, type GeometryLike, type MeshFormat } from "./mesh.js";
export { Body, type Piece, type TreeNode } from "./body.js";
export { Deformable, type DeformOptions, type StepSizeOptions } from "./deformable.js";
export {
  World, type BodyId, type BodySettings, type CheckAnswer, type CheckOptions, type SweepAnswer, type SweepContact,
  type SweepOptions, type WorldEvent,
} from "./world.js";
export { toPose, type Motion, type Point, type Pose, type PoseLike } from "./pose.js";
export type * from "./answers.js";
