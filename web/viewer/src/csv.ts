// SPDX-License-Identifier: MIT

export interface Table {
  name: string;
  columns: string[];
  rows: string[][];
}

/** Comma-separated values; quotes around a value that has commas, and doubled inside. */
export function csv_table(name: string, text: string): Table {
  const rows = text.split(/\r?\n/).filter((line) => line !== "").map((line) =>
    Array.from(line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g), ([, value]) => value!).slice(0, count_of(line))
      .map((value) => (value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)));
  const [columns, ...rest] = rows;
  if (!columns) throw new Error("is empty");
  return { name, columns, rows: rest };
}

/** How many values a line has: commas outside of quotes, and one. */
function count_of(line: string): number {
  let count = 1, quoted = false;
  for (const c of line) {
    if (c === '"') quoted = !quoted;
    else if (c === "," && !quoted) ++count;
  }
  return count;
}
