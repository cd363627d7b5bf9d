// SPDX-License-Identifier: MIT

/** Meshes with more triangles are drawn coarser while something moves, where the screen cannot keep up. */
export const large = 150_000;

/**
 * Triangles between vertices that stand for all in their cell of a grid: the same mesh, coarser. Vertices keep their
 * numbers, so that both are drawn from the same coordinates.
 */
export function coarse_triangles(positions: ArrayLike<number>, triangles: Uint32Array, radius: number): Uint32Array {
  const cells = 96; // along the longest side: some ten thousand triangles are left
  const size = (2 * radius) / cells || 1;
  const stand_in = new Uint32Array(positions.length / 3);
  const first = new Map<number, number>();
  for (let v = 0; v < stand_in.length; ++v) {
    let key = 0;
    for (let k = 0; k < 3; ++k) key = key * 65536 + ((Math.floor(positions[3 * v + k]! / size) & 0xffff) >>> 0);
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    stand_in[v] = known ?? v;
  }
  const out: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [stand_in[triangles[i]!]!, stand_in[triangles[i + 1]!]!, stand_in[triangles[i + 2]!]!];
    if (a !== b && b !== c && c !== a) out.push(a, b, c);
  }
  return Uint32Array.from(out);
}
