// SPDX-License-Identifier: MIT
// The page: menus and keys, and the loop that asks the engine for the next frame while the picture shows the last one.
import { Engine } from "./engine.js";
import { Hand } from "./hand.js";
import { Picture } from "./picture.js";
import { Plot } from "./plot.js";
import { parse_recording, type Recording } from "./recording.js";
import { settings_elements } from "./settings.js";
import { Sharing } from "./sharing.js";
import { Sound } from "./sound.js";
import { contact_size, frame_time, type ApplicationInfo, type Frame, type Grip, type Shown } from "./types.js";

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const pressed = (id: string, on: boolean) => element(id).setAttribute("aria-pressed", String(on));

class Playground {
  readonly picture = new Picture(element<HTMLCanvasElement>("picture"));
  readonly hand = new Hand(this.picture);
  readonly #plot = new Plot(element<HTMLCanvasElement>("plot"));
  readonly #sound = new Sound();
  /** How many frames this scene has had, and how long each of the last thousand took in the engine. */
  frames = 0;
  milliseconds: number[] = [];
  last: Frame | null = null;
  bodies: Shown[] = [];
  /** A number for the places of all bodies after each frame: equal if and only if (nearly surely) a replay is equal. */
  history: number[] = [];
  #application: number | null = null;
  #name = "";
  #detail = 1;
  #running = true;
  #work: Promise<unknown> = Promise.resolve(); // everything asked of the engine, one after another
  #busy = false;
  #before = 0;
  #sharing: Sharing | null = null;
  #recording: Recording | null = null;
  #mode: "live" | "record" | "replay" = "live";
  #touched = new Set<string>();

  constructor(
    readonly engine: Engine,
    readonly all: readonly ApplicationInfo[],
  ) {
    this.#menus();
    // `graze play SCENE` writes into the page what it begins with; without, a name in braces is there.
    const own = document.documentElement.dataset["start"] ?? "";
    const wanted = new URLSearchParams(location.hash.slice(1) || (own.startsWith("{") ? "" : own));
    const name = wanted.get("scene") ?? all[0]!.name;
    element<HTMLSelectElement>("scene").value = all.some((info) => info.name === name) ? name : all[0]!.name;
    if (wanted.get("detail")) element<HTMLSelectElement>("detail").value = wanted.get("detail")!;
    void this.start();
    requestAnimationFrame((now) => this.#loop(now));
    engine.on_tick = () => {
      if (document.hidden && this.#sharing && this.#running && !this.#busy) this.#next();
    };
  }

  /** The scene that the menus name, from its beginning. */
  start(): Promise<void> {
    const name = element<HTMLSelectElement>("scene").value;
    const detail = Number(element<HTMLSelectElement>("detail").value || 1);
    if (name !== this.#name) this.#leave_sharing();
    this.#end_replay();
    return this.#start(name, detail);
  }

  #start(name: string, detail: number): Promise<void> {
    return this.#queue(async () => {
      this.hand.release();
      this.say(`building ${name}`);
      if (this.#application !== null) await this.engine.dispose(this.#application);
      this.#application = null;
      const { id, bodies } = await this.engine.start(name, detail);
      this.#application = id;
      const look = name !== this.#name;
      [this.#name, this.#detail, this.last] = [name, detail, null];
      [this.frames, this.milliseconds, this.history] = [0, [], []];
      this.#touched.clear();
      this.#show(bodies, look);
      const info = this.all.find((entry) => entry.name === name)!;
      element("summary").textContent = info.summary;
      element("settings").replaceChildren(...settings_elements(info.settings, (key, value) => void this.set(key, value)));
      element("events").replaceChildren();
      element("obj").hidden = !bodies.some((body) => body.name === "pot");
      history.replaceState(null, "", `#${new URLSearchParams({ scene: name, detail: String(detail) })}`);
      this.say("");
      if (this.#mode === "record") this.#begin_recording();
    });
  }

  set(name: string, value: string): Promise<void> {
    if (this.#sharing && !this.#sharing.leads) {
      this.#sharing.set(name, value);
      return Promise.resolve();
    }
    return this.#queue(() => this.#set(name, value));
  }

  async #set(name: string, value: string): Promise<void> {
    if (this.#mode === "record") this.#recording!.settings.push({ frame: this.frames, name, value });
    const bodies = await this.engine.set(this.#application!, name, value);
    if (name !== "order") this.#show(bodies, false);
  }

  /** One frame with these grips: several hands share its time. */
  async frame(grips: readonly Exclude<Grip, null>[]): Promise<Frame> {
    let milliseconds = 0;
    let frame: Frame;
    let k = 0;
    do {
      frame = await this.engine.frame(this.#application!, grips[k] ?? null, frame_time / Math.max(1, grips.length));
      milliseconds += this.engine.milliseconds;
    } while (++k < grips.length);
    this.milliseconds.push(milliseconds);
    if (this.milliseconds.length > 1000) this.milliseconds.shift();
    ++this.frames;
    this.history.push(fingerprint(frame));
    return frame;
  }

  /** Pairs of bodies that share a point now, by the exact discrete test. */
  shared(): Promise<number> {
    return this.#queue(() => this.engine.shared(this.#application!));
  }

  say(text: string, error = false): void {
    element("message").textContent = text;
    element("message").classList.toggle("error", error);
  }

  pause(on = this.#running): void {
    this.#running = !on;
    pressed("pause", on);
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch((error: Error) => {
      this.say(error.message, true);
      this.pause(true);
    });
    return done;
  }

  #show(bodies: Shown[], look: boolean): void {
    this.bodies = bodies;
    this.picture.show(bodies, look);
    if (this.#sharing?.leads) this.#sharing.scene(this.#now());
  }

  #loop(now: number): void {
    requestAnimationFrame((next) => this.#loop(next));
    // Sixty frames a second of the scene at most, whatever the screen has.
    if (now - this.#before > 1000 * frame_time - 2 && this.#running && !this.#busy) {
      this.#before = now;
      this.#next();
    }
    this.picture.render();
  }

  #next(): void {
    if (this.#sharing && !this.#sharing.leads) return this.#sharing.grip(this.hand.grip);
    if (this.#application === null) return;
    this.#busy = true;
    const done = () => (this.#busy = false);
    this.#queue(async () => {
      if (this.#application === null) return;
      const recording = this.#recording;
      if (this.#mode === "replay" && recording) {
        if (this.frames >= recording.frames.length) return this.#end_replay();
        for (const { frame, name, value } of recording.settings)
          if (frame === this.frames) await this.#set(name, value);
      }
      const grips = this.#mode === "replay" ? recording!.frames[this.frames]! : this.#grips();
      if (this.#mode === "record") recording!.frames.push(grips);
      const frame = await this.frame(grips);
      this.receive(frame);
      this.#sharing?.frame(frame);
    }).then(done, done);
  }

  #grips(): Exclude<Grip, null>[] {
    const own = this.hand.grip;
    return [...(own ? [own] : []), ...(this.#sharing?.grips() ?? [])];
  }

  receive(frame: Frame): void {
    this.last = frame;
    this.picture.move(frame);
    this.#plot.add(this.milliseconds.at(-1) ?? 0);
    const rows = Object.entries(frame.numbers).map(([name, value]) => {
      const row = document.createElement("tr");
      const shown = name === "seconds" ? `${(1000 * value).toFixed(2)} ms` : String(Number(value.toPrecision(6)));
      for (const text of [name === "seconds" ? "time" : name, shown]) row.insertCell().textContent = text;
      return row;
    });
    element("numbers").replaceChildren(...rows);
    for (const text of frame.events) this.#event(text);
    this.#listen(frame);
  }

  #event(text: string): void {
    const entry = document.createElement("li");
    entry.textContent = text;
    const list = element("events");
    if (list.firstElementChild?.textContent === text) return;
    list.prepend(entry);
    while (list.childElementCount > 30) list.lastElementChild!.remove();
    this.#sound.click(7);
  }

  /** A click for each pair that touches and did not before. */
  #listen(frame: Frame): void {
    const now = new Set<string>();
    for (let k = 0; k < frame.contacts.length; k += contact_size) now.add(`${frame.contacts[k + 6]} ${frame.contacts[k + 7]}`);
    for (const pair of now) if (!this.#touched.has(pair)) this.#sound.click(Number(pair.split(" ")[1]) * 3);
    this.#touched = now;
  }

  /** The bodies as the last frame left them. */
  #now(): Shown[] {
    const last = this.last;
    return this.bodies.map((body, i) => ({
      ...body,
      pose: last ? ([...last.poses.subarray(7 * i, 7 * i + 7)] as unknown as Shown["pose"]) : body.pose,
      positions: last?.deformed.find((entry) => entry.body === i)?.positions ?? body.positions,
    }));
  }

  #share(on: boolean): void {
    this.#leave_sharing();
    if (!on) return;
    element<HTMLInputElement>("share").checked = true;
    this.#sharing = new Sharing(`${this.#name} ${this.#detail}`, {
      bodies: () => this.#now(),
      show: (bodies) => this.#show(bodies, false),
      frame: (frame) => this.receive(frame),
      set: (name, value) => void this.set(name, value),
    });
  }

  #leave_sharing(): void {
    element<HTMLInputElement>("share").checked = false;
    this.#sharing?.close();
    this.#sharing = null;
  }

  #begin_recording(): void {
    this.#recording = { graze_play: 1, application: this.#name, detail: this.#detail, frames: [], settings: [] };
  }

  /** A recording begins with the scene, so that it can be repeated. */
  async record(): Promise<void> {
    if (this.#mode === "record") {
      this.#mode = "live";
    } else {
      this.#end_replay();
      this.#mode = "record";
      await this.#start(this.#name, this.#detail);
    }
    const on = this.#mode === "record";
    pressed("record", on);
    for (const id of ["replay", "save"]) element<HTMLButtonElement>(id).disabled = on;
  }

  async replay(recording = this.#recording): Promise<void> {
    if (!recording) return;
    if (!this.all.some((info) => info.name === recording.application))
      throw new Error(`the recording is of a scene '${recording.application}' that this page does not have`);
    this.#leave_sharing();
    element<HTMLSelectElement>("scene").value = recording.application;
    this.#recording = recording;
    this.#mode = "replay";
    pressed("replay", true);
    for (const id of ["replay", "save"]) element<HTMLButtonElement>(id).disabled = false;
    await this.#start(recording.application, recording.detail);
    this.pause(false);
  }

  get recording(): Recording | null {
    return this.#recording;
  }
  get mode(): string {
    return this.#mode;
  }

  #end_replay(): void {
    if (this.#mode === "replay") this.#mode = "live";
    pressed("replay", false);
  }

  async #check(): Promise<void> {
    const pairs = await this.shared();
    this.say(pairs === 0 ? "no two bodies share a point" : `${pairs} pairs of bodies share a point`, pairs !== 0);
  }

  #menus(): void {
    element<HTMLSelectElement>("scene").append(...this.all.map((info) => new Option(info.name)));
    for (const id of ["scene", "detail"]) element(id).onchange = () => void this.start();
    element("pause").onclick = () => this.pause();
    element("restart").onclick = () => void this.start();
    element("check").onclick = () => void this.#check();
    element("record").onclick = () => void this.record();
    element("replay").onclick = () => void this.replay();
    element("save").onclick = () => save("graze-play.json", JSON.stringify(this.#recording));
    element("obj").onclick = () =>
      void this.#queue(async () => save("pot.obj", await this.engine.obj(this.#application!, 0)));
    element<HTMLInputElement>("sound").onchange = (event) => {
      this.#sound.on = (event.target as HTMLInputElement).checked;
      this.#sound.click(0);
    };
    element<HTMLInputElement>("share").onchange = (event) => this.#share((event.target as HTMLInputElement).checked);
    element<HTMLInputElement>("open").onchange = async (event) => {
      const input = event.target as HTMLInputElement;
      try {
        if (input.files?.[0]) await this.replay(parse_recording(await input.files[0].text()));
      } catch (error) {
        this.say((error as Error).message, true);
      }
      input.value = "";
    };
    addEventListener("keydown", (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.code === "Space") this.pause();
      else if (event.key === "r") void this.start();
      else if (event.key === "u") document.querySelector<HTMLButtonElement>("[data-setting=undo]")?.click();
      else return;
      event.preventDefault();
    });
  }
}

function fingerprint(frame: Frame): number {
  let all = 0;
  for (const numbers of [frame.poses, ...frame.deformed.map((entry) => entry.positions)])
    for (const bits of new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length)) all = (Math.imul(all, 31) + bits) | 0;
  return all;
}

function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

declare global {
  interface Window {
    /** For the console and the tests. */
    graze_play?: Playground;
  }
}

Engine.load()
  .then(async (engine) => (window.graze_play = new Playground(engine, await engine.list())))
  .catch(failed);

function failed(error: unknown): void {
  const message = element("message");
  message.classList.add("error");
  message.textContent = `The engine could not be loaded: ${(error as Error).message}. It needs WebAssembly with SIMD, and WebGL 2.`;
}
