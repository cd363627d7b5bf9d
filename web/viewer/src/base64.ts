// SPDX-License-Identifier: MIT

/** The bytes of a base64 text. A loop, because `Uint8Array.from` with a function takes ten times as long. */
export function bytes_of(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const out = new Uint8Array(characters.length);
  for (let i = 0; i < out.length; ++i) out[i] = characters.charCodeAt(i);
  return out;
}

/** What was compressed as a .gz file and written as base64. */
export function unpacked(text: string): Response {
  return new Response(new Blob([bytes_of(text.trim())]).stream().pipeThrough(new DecompressionStream("gzip")));
}
