// SPDX-License-Identifier: MIT
// Tables of the bench as they were measured, each task with bars: ours against peers.
import type { Table } from "./csv.js";
import { time_text } from "./numbers.js";
import { curves } from "./curves.js";

const node = <K extends keyof HTMLElementTagNameMap>(tag: K, text = "", name = "") => {
  const out = document.createElement(tag);
  out.textContent = text;
  if (name) out.className = name;
  return out;
};

export function svg(tag: string, attributes: { [name: string]: string | number }, text = ""): SVGElement {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, String(value));
  out.textContent = text;
  return out;
}

interface Bar {
  name: string;
  seconds: number;
  /** 99 of 100 were not longer; 0: not known. */
  p99: number;
  ours: boolean;
}

/** Bars of seconds on a logarithmic scale, and a line up to what 99 of 100 took at most. */
function bar_plot(entries: Bar[]): SVGElement {
  const [left, width, height] = [170, 460, 22];
  const least = Math.min(...entries.map((e) => e.seconds)) / 3, most = Math.max(...entries.map((e) => Math.max(e.seconds, e.p99)));
  const x = (seconds: number) => (Math.log(seconds / least) / Math.log(most / least || 2)) * width;
  const out = svg("svg", { viewBox: `0 0 ${left + width + 90} ${entries.length * height + 4}`, width: left + width + 90, role: "img" });
  out.append(svg("title", {}, "seconds, on a logarithmic scale"));
  entries.forEach((entry, i) => {
    const y = i * height;
    out.append(svg("text", { x: left - 8, y: y + 15, "text-anchor": "end" }, entry.name),
      svg("rect", { class: entry.ours ? "bar ours" : "bar", x: left, y: y + 4, width: Math.max(1, x(entry.seconds)), height: height - 8, rx: 2 }),
      svg("text", { class: "soft", x: left + x(Math.max(entry.seconds, entry.p99)) + 6, y: y + 15 }, time_text(entry.seconds)));
    if (entry.p99 <= entry.seconds) return;
    const line = svg("line", { class: "p99", x1: left + x(entry.seconds), x2: left + x(entry.p99), y1: y + height / 2, y2: y + height / 2 });
    line.append(svg("title", {}, `99 of 100 within ${time_text(entry.p99)}`));
    out.append(line);
  });
  return out;
}

/** A table of graze-bench has these columns; others are shown as they are. */
const bench_columns = ["row", "task", "contestant", "mean_s", "ratio", "verdict"];

export function table_elements(table: Table): HTMLElement[] {
  const at = (name: string) => table.columns.indexOf(name);
  if (bench_columns.some((name) => at(name) < 0)) return [plain_section(table, table.name, table.rows)];
  const groups = new Map<string, string[][]>();
  for (const row of table.rows) {
    const key = `${row[at("row")]}: ${row[at("task")]}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const sections = Array.from(groups, ([title, rows]) => {
    const section = plain_section(table, title, rows);
    const entries = rows.map((row) => ({
      name: row[at("contestant")]!, seconds: Number(row[at("mean_s")] || NaN),
      p99: at("p99_s") < 0 ? 0 : Number(row[at("p99_s")] || 0), ours: /^(graze|ours)/.test(row[at("contestant")]!),
    })).filter((entry) => entry.seconds > 0);
    if (entries.length > 1 || entries.some((entry) => entry.p99 > 0)) section.children[0]!.after(bar_plot(entries));
    return section;
  });
  const growth = curves(table);
  return growth ? [growth, ...sections] : sections;
}

function plain_section(table: Table, title: string, rows: string[][]): HTMLElement {
  const section = node("section");
  section.append(node("h3", title));
  const out = node("table");
  const hidden = new Set(["row", "task", "p99_s"].filter(() => title !== table.name).map((name) => table.columns.indexOf(name)));
  const head = out.createTHead().insertRow();
  const numeric = table.columns.map((_, i) => rows.some((row) => row[i]) && rows.every((row) => !row[i] || Number.isFinite(Number(row[i]))));
  table.columns.forEach((column, i) => {
    if (!hidden.has(i)) head.append(node("th", column.replace(/_s$/, "").replaceAll("_", " "), numeric[i] ? "number" : ""));
  });
  for (const row of rows) {
    const line = out.insertRow();
    table.columns.forEach((column, i) => {
      if (hidden.has(i)) return;
      const value = row[i] ?? "";
      const is_time = column.endsWith("_s") && value !== "" && Number.isFinite(Number(value));
      const text = is_time ? time_text(Number(value)) : numeric[i] && value !== "" ? String(Number(Number(value).toPrecision(4))) : value;
      const cell = line.insertCell();
      cell.textContent = text;
      cell.className = [numeric[i] ? "number" : "", ["MISS", "WRONG"].includes(value) ? value : "", value === "graze" ? "ours" : ""].join(" ").trim();
    });
  }
  section.append(out);
  return section;
}
