// SPDX-License-Identifier: MIT
// Asks the native command line, and says the same question to the engine of the package.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
export const graze = process.env.GRAZE ?? join(root, "build/bin/graze");

export const folder = mkdtempSync(join(tmpdir(), "graze-corpus-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export function run(...args) {
  return execFileSync(graze, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28,
                                     stdio: ["ignore", "pipe", "ignore"] });
}

export const bytes = (file) => readFileSync(join(folder, file));

/** Numbers that are the same in every run, 0 to 1. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A pose with so large a translation; some turn by nothing, or stand on whole numbers. */
export function randomPose(random, reach) {
  const place = () => (random() * 2 - 1) * reach;
  const kind = random();
  if (kind < 0.1) return [Math.round(place() * 4) / 4, Math.round(place() * 4) / 4, 0, 1, 0, 0, 0];
  if (kind < 0.2) return [place(), place(), place(), 1, 0, 0, 0];
  return [place(), place(), place(), random() * 2 - 1, random() * 2 - 1, random() * 2 - 1, random() * 2 - 1];
}

/** One JSON object for each row of numbers, as the command answers it. */
export function batch(rows, ...args) {
  const file = join(folder, "rows.csv");
  writeFileSync(file, rows.map((row) => row.join(",")).join("\n") + "\n");
  return run(...args, "--batch", file).trim().split("\n").map((line) => JSON.parse(line));
}

/** An answer without what may differ: times, counters, and what the command adds of its arguments. */
export function essence(answer) {
  const { seconds, counters, pose_a, pose_b, motion, a_from, a_to, b_from, b_to, row, ...rest } = answer;
  return rest;
}
