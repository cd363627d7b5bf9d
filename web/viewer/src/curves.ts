// SPDX-License-Identifier: MIT
// How times grow: contestants whose tasks differ in one number only, on logarithmic axes.
import type { Table } from "./csv.js";
import { time_text } from "./numbers.js";
import { svg } from "./tables.js";

interface Point {
  x: number;
  seconds: number;
}

/** "1,000" and "70 K" as numbers. */
export function number_in(text: string): number | null {
  const found = /(\d[\d,]*(?:\.\d+)?)\s*([KM]\b)?/.exec(text);
  if (!found) return null;
  const scale = found[2] === "K" ? 1e3 : found[2] === "M" ? 1e6 : 1;
  return Number(found[1]!.replaceAll(",", "")) * scale;
}

/** Series of at least three sizes; null if the table has none. */
export function curves(table: Table): HTMLElement | null {
  const at = (name: string) => table.columns.indexOf(name);
  const families = new Map<string, Map<string, Point[]>>();
  for (const row of table.rows) {
    const task = row[at("task")]!;
    const x = number_in(task), seconds = Number(row[at("mean_s")] || NaN);
    if (x === null || !(x > 0) || !(seconds > 0)) continue;
    const family = `${row[at("row")]}: ${task.replace(/\d[\d,]*(\.\d+)?(\s*[KM]\b)?/, "N")}`;
    const series = families.get(family) ?? new Map<string, Point[]>();
    const name = row[at("contestant")]!;
    series.set(name, [...(series.get(name) ?? []), { x, seconds }]);
    families.set(family, series);
  }
  const section = document.createElement("section");
  for (const [family, series] of families) {
    if (![...series.values()].some((points) => new Set(points.map((p) => p.x)).size >= 3)) continue;
    const title = document.createElement("h3");
    title.textContent = `growth, ${family}`;
    section.append(title, plot(series));
  }
  return section.childElementCount > 0 ? section : null;
}

function plot(series: Map<string, Point[]>): SVGElement {
  const [left, top, width, height] = [70, 10, 520, 240];
  const all = [...series.values()].flat();
  const range = (values: number[]) => [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))] as const;
  const [x0, x1] = range(all.map((p) => p.x)), [low, high] = range(all.map((p) => p.seconds));
  const [y0, y1] = [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
  const x = (value: number) => left + ((Math.log10(value) - x0) / (x1 - x0 || 1)) * width;
  const y = (value: number) => top + height - ((Math.log10(value) - y0) / (y1 - y0 || 1)) * height;
  const out = svg("svg", { viewBox: `0 0 ${left + width + 150} ${height + 50}`, width: left + width + 150, role: "img" });
  for (let k = Math.ceil(y0); k <= y1; ++k)
    out.append(svg("line", { class: "grid", x1: left, x2: left + width, y1: y(10 ** k), y2: y(10 ** k) }),
      svg("text", { class: "soft", x: left - 6, y: y(10 ** k) + 4, "text-anchor": "end" }, time_text(10 ** k)));
  for (let k = Math.ceil(x0); k <= x1; ++k)
    out.append(svg("text", { class: "soft", x: x(10 ** k), y: top + height + 18, "text-anchor": "middle" }, (10 ** k).toLocaleString("en")));
  let i = 0;
  const labels: number[] = []; // heights, so that none covers another
  for (const [name, points] of [...series].toSorted(([, a], [, b]) => b.at(-1)!.seconds - a.at(-1)!.seconds)) {
    const sorted = points.toSorted((a, b) => a.x - b.x);
    const ours = /^(graze|ours)/.test(name);
    const colour = `hsl(${ours ? 210 : (250 + 67 * ++i) % 360} ${ours ? 80 : 45}% 50%)`;
    const line = sorted.map((p, k) => `${k === 0 ? "M" : "L"}${x(p.x)} ${y(p.seconds)}`).join("");
    out.append(svg("path", { d: line, fill: "none", stroke: colour, "stroke-width": ours ? 3 : 1.5 }));
    const last = sorted.at(-1)!;
    const label = Math.max(y(last.seconds) + 4, (labels.at(-1) ?? -Infinity) + 13);
    labels.push(label);
    out.append(svg("text", { x: x(last.x) + 8, y: label, style: `fill:${colour}` }, name));
  }
  return out;
}
