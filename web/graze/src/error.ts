// SPDX-License-Identifier: MIT

/** What an error is about, as the engine tells it. */
export interface ErrorDetail {
  code: string;
  /** What happened and what to do about it. */
  message: string;
  element?: string;
  id?: number;
  file?: string;
  line?: number;
}

/** Thrown for every request that cannot be answered. Nothing has changed then. */
export class GrazeError extends Error {
  /** The engine's code ("not_finite", "bad_file", ...), or "out_of_memory", "disposed", "engine_failed". */
  readonly code: string;
  /** One sentence: what happened and what to do. */
  readonly advice: string;
  readonly element: string | undefined;
  readonly id: number | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;

  constructor(detail: ErrorDetail) {
    const place = detail.file ? `${detail.file}${detail.line ? `:${detail.line}` : ""}: ` : "";
    const what = detail.element ? `${detail.element}${detail.id !== undefined ? ` ${detail.id}` : ""}: ` : "";
    super(place + what + detail.message);
    this.name = "GrazeError";
    this.code = detail.code;
    this.advice = detail.message;
    this.element = detail.element;
    this.id = detail.id;
    this.file = detail.file;
    this.line = detail.line;
  }
}
