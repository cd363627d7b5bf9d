// SPDX-License-Identifier: MIT
// A certificate (docs/certificates.md) as what can be drawn of it: which parts are apart when, along which direction.

/** From `from` to `to` these items of A are below those of B along `normal`. */
export interface Separation {
  a: [number, number];
  b: [number, number];
  normal: [number, number, number];
  /** The direction turns with this body; null: it stands. */
  turns_with: "a" | "b" | null;
  from: number;
  to: number;
}

export interface Proof {
  until: number;
  /** The vertices of each triangle, three numbers each. */
  triangles: { a: Uint32Array; b: Uint32Array };
  separations: Separation[];
}

/** Decimal, or C's hexadecimal: 0x1.8p+1 is 3. */
export function number_of(word: string): number {
  const hex = /^([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(word);
  if (!hex) return Number(word);
  const digits = hex[2]! + (hex[3] ?? "");
  const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(hex[4]) - 4 * (hex[3] ?? "").length);
  return hex[1] === "-" ? -value : value;
}

/** Null: a certificate of something else than two bodies of triangles. */
export function parse_proof(text: string): Proof | null {
  const words = text.split(/\s+/);
  let at = 0;
  const next = () => {
    if (at >= words.length) throw new Error("the certificate ends too early");
    return words[at++]!;
  };
  const number = () => number_of(next());
  if (next() !== "graze-certificate") return null;
  next();
  const out: Proof = { until: 0, triangles: { a: new Uint32Array(), b: new Uint32Array() }, separations: [] };
  for (let word = next(); word !== "proof"; word = next()) {
    if (word === "until") out.until = number();
    else if (word === "triangles") {
      const side = next() as "a" | "b";
      const list = new Uint32Array(3 * number());
      for (let i = 0; i < list.length; i += 3) {
        next(); // the polygon
        for (let k = 0; k < 3; ++k) list[i + k] = number();
      }
      out.triangles[side] = list;
    } else if (word === "shape" || word === "pieces") {
      return null;
    }
  }
  interface Claim { a: [number, number]; b: [number, number]; t: number }
  const open: Claim[] = [{ a: [0, out.triangles.a.length / 3], b: [0, out.triangles.b.length / 3], t: 0 }];
  while (open.length > 0) {
    const claim = open.pop()!;
    if (claim.t >= out.until) continue;
    const step = next();
    if (step === "S" || step === "T") {
      const turns_with = step === "T" ? (next() as "a" | "b") : null;
      const normal: [number, number, number] = [number(), number(), number()];
      const to = number();
      out.separations.push({ a: claim.a, b: claim.b, normal, turns_with, from: claim.t, to });
      open.push({ ...claim, t: to });
    } else if (step === "A" || step === "B") {
      const side = step === "A" ? "a" : "b";
      const counts = Array.from({ length: number() }, number);
      let first = claim[side][0];
      const parts = counts.map((count): Claim => ({ ...claim, [side]: [first, (first += count)] }));
      open.push(...parts.reverse());
    } else {
      return null;
    }
  }
  return out;
}
