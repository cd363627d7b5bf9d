// SPDX-License-Identifier: MIT
import { GrazeError } from "./error.js";

/** A value that a request may hold. */
export type Value = null | undefined | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/**
 * JSON that keeps every double: `JSON.stringify` would write -0 as 0, and NaN as null, which the engine would take for
 * a value that was left out.
 */
export function requestText(value: Value, place = "request"): string {
  if (typeof value === "number") {
    if (!Number.isFinite(value))
      throw new GrazeError({ code: "not_finite", element: place, message: `is ${value}; give a finite number` });
    return Object.is(value, -0) ? "-0.0" : String(value);
  }
  if (value === null || value === undefined) return "null";
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${Array.from(value, (entry, i) => requestText(entry, `${place}[${i}]`)).join(",")}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${requestText(entry, key)}`).join(",")}}`;
}

function isList(value: readonly Value[] | { readonly [key: string]: Value }): value is readonly Value[] {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}
