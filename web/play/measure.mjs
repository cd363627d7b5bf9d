// SPDX-License-Identifier: MIT
// How long a frame of the playground takes in Chromium, while a restless hand drags bodies into each other: the processor
// time of the engine's worker (detection, response and the copies for the page), as `scripts/bench play` measures it
// natively. What else the machine does is not counted; where the system does not tell processor times, the clock is read.
// Nothing is drawn meanwhile: without a graphics card, drawing would take the processor's caches from the engine.
// usage: node web/play/measure.mjs [SECONDS [SCENE...]]     (seconds of the scene's time; default 60, bunnies door potter)
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch } from "../chromium.mjs";

/** Milliseconds that 99 of 100 frames must not exceed: a dragged scene has 12; a pot is shaped 60 times a second. */
export const limits = { bunnies: 12, door: 12, potter: 1000 / 60 };

/** The processor time of a worker, in milliseconds; null if nobody tells. */
function worker_clock() {
  const text = (path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const numbers = (path) => {
    try {
      return readdirSync(path).filter((name) => /^\d+$/.test(name));
    } catch {
      return [];
    }
  };
  const parents = new Map(numbers("/proc").map((id) => [id, text(`/proc/${id}/stat`).replace(/^.*\) \S /s, "").split(" ")[0]]));
  const is_ours = (id) => {
    for (let one = id; one !== undefined && one !== "0"; one = parents.get(one)) if (one === String(process.pid)) return true;
    return false;
  };
  const threads = [...parents.keys()].filter(is_ours).flatMap((id) => numbers(`/proc/${id}/task`).map((task) => `/proc/${id}/task/${task}`));
  const workers = threads.filter((path) => text(`${path}/comm`).startsWith("DedicatedWorker") && text(`${path}/schedstat`) !== "");
  if (workers.length !== 1) return null;
  return () => Number(text(`${workers[0]}/schedstat`).split(" ")[0]) / 1e6;
}

/** Milliseconds of each frame in ascending order, and after how many of the frames looked at bodies shared a point. */
export async function measure(browser, scene, seconds, detail = 1) {
  const page = await browser.newPage();
  try {
    await page.goto(`${pathToFileURL(new URL("dist/play.html", import.meta.url).pathname).href}#scene=${scene}&detail=${detail}`);
    await page.waitForFunction(() => window.graze_play?.frames > 2, null, { timeout: 300_000 });
    await page.evaluate(prepare, hands[scene] ?? null);
    const clock = worker_clock();
    const out = { milliseconds: [], shared: 0, checked: 0, processor: clock !== null };
    for (let frame = 0; frame < 60 * seconds; ++frame) {
      const before = clock?.();
      const wall = await page.evaluate(() => window.next_frame());
      out.milliseconds.push(clock ? clock() - before : wall);
      if (frame % 30 !== 29 || scene === "potter") continue; // a hand that shapes a pot is inside of it
      ++out.checked;
      out.shared += (await page.evaluate(() => window.graze_play.shared())) > 0;
    }
    out.milliseconds.sort((a, b) => a - b);
    return out;
  } finally {
    await page.close();
  }
}

export const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** As `Scene` of play/scenes.cpp has them: what the hand holds, where it wants to be about, how far from there, how fast it is. */
const hands = {
  bunnies: { body: 0, goal: [0.2, 0, 0], range: 0.7, speed: 1.5 },
  door: { body: 1, goal: [0, -0.8, 0.3], range: 0.6, speed: 1 },
};

/** In the page: a hand that wants to be somewhere else all the time, mostly inside of other bodies, as `Hand` of play/scenes.cpp. */
function prepare(known) {
  const play = window.graze_play;
  play.pause(true);
  play.picture.render = () => {};
  let state = 1, patience = 0, wanted = null;
  const any = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 8388608 - 1;
  };
  const held = play.bodies.flatMap((body, i) => (body.held ? [i] : []));
  const hand = known ?? { body: held[0], goal: [0, 0, 0], range: 1, speed: 1.5 };
  window.next_frame = async () => {
    patience -= 1 / 60;
    if (patience <= 0) {
      patience = 0.2 + 0.6 * Math.abs(any());
      if (!known) hand.body = held[Math.floor(0.5 * (any() + 1) * held.length)];
      const q = [1, any(), any(), any()], size = Math.hypot(...q);
      wanted = { place: hand.goal.map((x) => x + hand.range * any()), turn: q.map((x) => x / size) };
    }
    // No faster than a hand: a part of the way.
    const pose = Array.from(play.last.poses.subarray(7 * hand.body, 7 * hand.body + 7));
    const way = wanted.place.map((x, k) => x - pose[k]), length = Math.hypot(...way);
    const share = Math.min(1, hand.speed / 60 / Math.max(length, 1e-9));
    const cosine = wanted.turn.reduce((sum, x, k) => sum + x * pose[3 + k], 0);
    const to = cosine < 0 ? wanted.turn.map((x) => -x) : wanted.turn, angle = Math.acos(Math.min(1, Math.abs(cosine)));
    const part = Math.min(1, 1.5 / 60 / Math.max(angle, 1e-9)); // three radians a second: the quaternion turns by half of them
    const turn = angle < 1e-6 ? to : to.map((x, k) => (Math.sin((1 - part) * angle) * pose[3 + k] + Math.sin(part * angle) * x) / Math.sin(angle));
    const target = [...way.map((x, k) => pose[k] + share * x), ...turn];
    play.last = await play.frame([{ body: hand.body, target }]);
    return play.milliseconds.at(-1);
  };
}

async function main() {
  const [, , seconds = "60", ...named] = process.argv;
  const browser = await launch();
  let bad = 0;
  console.log("scene        frames   ms: median     99 %    worst   frames with shared points");
  try {
    for (const scene of named.length > 0 ? named : Object.keys(limits)) {
      const { milliseconds, shared, checked, processor } = await measure(browser, scene, Number(seconds));
      const times = [0.5, 0.99, 1].map((share) => at(milliseconds, share).toFixed(2).padStart(8)).join(" ");
      const limit = limits[scene];
      const verdict = limit === undefined ? "" : `, 99 % wanted ${limit.toFixed(1)}: ${at(milliseconds, 0.99) <= limit ? "PASS" : "MISS"}`;
      console.log(`${scene.padEnd(12)} ${String(milliseconds.length).padStart(6)}      ${times}   ${shared} of ${checked} looked at${verdict}${processor ? "" : " (by the clock)"}`);
      bad += shared;
    }
  } finally {
    await browser.close();
  }
  process.exitCode = bad > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
