// SPDX-License-Identifier: MIT
// Counters and times of an answer as bars.
import type { Answer } from "./document.js";

const counted = new Intl.NumberFormat("en");

export function time_text(seconds: number): string {
  if (seconds < 1e-3) return `${(1e6 * seconds).toPrecision(3)} µs`;
  return seconds < 1 ? `${(1e3 * seconds).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

/** Bars of names and values, on a logarithmic scale if they differ much. */
function bars(values: [string, number][], text: (value: number) => string): HTMLElement {
  const out = document.createElement("div");
  out.className = "bars";
  const most = Math.max(...values.map(([, value]) => value), 1e-300);
  const least = Math.min(...values.map(([, value]) => value).filter((value) => value > 0), most);
  const logarithmic = most > 100 * least;
  const share = (value: number) =>
    value <= 0 ? 0 : logarithmic ? (1 + Math.log10(value / least)) / (1 + Math.log10(most / least)) : value / most;
  for (const [name, value] of values) {
    const [label, bar, number] = ["span", "i", "span"].map((tag) => document.createElement(tag));
    label!.textContent = name.replaceAll("_", " ");
    bar!.style.width = `${100 * share(value)}%`;
    bar!.title = logarithmic ? "logarithmic" : "";
    number!.textContent = text(value);
    out.append(label!, bar!, number!);
  }
  return out;
}

export function numbers_elements(answer: Answer): HTMLElement[] {
  const out: HTMLElement[] = [];
  const { seconds, counters } = answer as { seconds?: number | Record<string, number>; counters?: Record<string, number> };
  const times: [string, number][] = typeof seconds === "number" ? [["time", seconds]] : Object.entries(seconds ?? {});
  if (times.length > 0) out.push(bars(times, time_text));
  const counts = Object.entries(counters ?? {}).filter(([, value]) => typeof value === "number");
  if (counts.length > 0) out.push(bars(counts, (value) => counted.format(value)));
  return out;
}
