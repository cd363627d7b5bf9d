// SPDX-License-Identifier: MIT
// The page: what is shown now, the slider, the lists, the keys.
import type { Point } from "graze";
import { Questions, type Asked } from "./ask.js";
import { contacts_of, headline, type Contact } from "./contacts.js";
import { empty_document, type Answer, type ViewDocument } from "./document.js";
import { Engine, type DrawnMesh } from "./engine.js";
import { Hand } from "./hand.js";
import { numbers_elements, time_text } from "./numbers.js";
import { connect_files, type NamedFile } from "./files.js";
import { opened } from "./open.js";
import * as panel from "./panel.js";
import { element } from "./panel.js";
import { Picture, type Style } from "./picture.js";
import { Planes } from "./planes.js";
import { Cancelled } from "./engine.js";
import { Trees, type TreeStyle } from "./trees.js";
import { parse_proof, type Proof } from "./proof.js";
import { has_clock, Places, range_of } from "./timeline.js";
import { table_elements } from "./tables.js";

export class Viewer {
  readonly picture = new Picture(element<HTMLCanvasElement>("picture"));
  readonly hand = new Hand(this.picture);
  readonly questions: Questions;
  view: ViewDocument = empty_document();
  contacts: Contact[] = [];
  chosen: number | null = null;
  time = 0;
  /** The certificate of the answer that is shown, and the bodies that it is about. */
  proof: { text: Proof; bodies: [number, number] } | null = null;
  #places: Places;
  #planes: Planes;
  #trees: Trees;
  #tree_serial = 0;
  #playing = false;
  #last_tick = 0;

  constructor(readonly engine: Engine) {
    this.questions = new Questions(engine, this.picture);
    this.#places = new Places(engine, this.picture);
    this.#planes = new Planes(this.picture);
    this.#trees = new Trees(this.picture);
    engine.on_progress = (text) => this.#progress(text);
    this.#connect();
    this.say("");
  }

  /** Null: nothing yet. */
  async show(view: ViewDocument | null): Promise<void> {
    this.pause(true);
    this.hand.hold(null);
    this.#places.stop();
    this.questions.restart();
    ++this.#tree_serial;
    this.#trees.clear();
    const wanted = view ?? empty_document();
    const meshes = new Map<number, DrawnMesh>();
    for (const { mesh } of wanted.bodies)
      if (!meshes.has(mesh)) meshes.set(mesh, await this.engine.split(wanted.meshes[mesh]!));
    this.view = { ...wanted, answers: [...wanted.answers] };
    this.picture.show(wanted.bodies.map((body) => meshes.get(body.mesh)!));
    document.title = wanted.title ? `${wanted.title} - graze` : "graze";
    element("title").textContent = wanted.title || "graze";
    element("command").textContent = wanted.command;
    element("command").hidden = wanted.command === "";
    element("empty").hidden = wanted.bodies.length > 0 || wanted.tables.length > 0;
    element("tables").replaceChildren(...wanted.tables.flatMap(table_elements));
    element("tables").hidden = wanted.tables.length === 0;
    document.body.classList.toggle("tables", wanted.tables.length > 0);
    const bodies = wanted.bodies.map((body) => ({ name: body.name, triangles: meshes.get(body.mesh)!.triangles.length / 3 }));
    panel.show_bodies(bodies, (i) => this.look_at(i), (i, style) => this.picture.style(i, style));
    panel.body_choices(wanted.bodies.map((body) => body.name));
    element<HTMLSelectElement>("style").value = "solid";
    element<HTMLSelectElement>("tree").value = "";
    element("tree_count").textContent = "";
    element("tree_part").hidden = !wanted.bodies.some((_, i) => this.#has_tree(i));
    this.#end();
    await this.set_time(-Infinity);
    const middle = this.picture.bodies.find((body) => body.there);
    if (middle) this.picture.centre(middle.mesh.position.clone().add(this.picture.origin).toArray());
    await this.set_time(-Infinity);
    this.#answers();
    if (this.contacts.length > 0) await this.choose(0, false);
    this.picture.look();
    this.say("");
  }

  async open(files: readonly NamedFile[]): Promise<void> {
    this.say(`reading ${files.map((file) => file.name).join(", ")}`);
    const cancel = element<HTMLButtonElement>("stop");
    cancel.hidden = false;
    try {
      await this.show(await opened(files, this.engine, this.view));
    } catch (error) {
      this.say((error as Error).message, !(error instanceof Cancelled));
    } finally {
      cancel.hidden = true;
    }
  }

  async #open_all(reading: Promise<NamedFile[]>): Promise<void> {
    try {
      const files = await reading;
      if (files.length > 0) await this.open(files);
    } catch (error) {
      this.say((error as Error).message, true);
    }
  }

  /** Moves everything to a time of the slider. */
  async set_time(time: number): Promise<void> {
    const [start, end] = range_of(this.view);
    this.time = Math.min(Math.max(start, time), end);
    element<HTMLInputElement>("time").value = String(this.time);
    element("now").textContent = has_clock(this.view) ? `t = ${this.time.toFixed(4)}` : `${this.time.toFixed(2)} of ${end}`;
    if (await this.#places.place(this.view, this.time)) this.#show_planes();
    // Vertices that moved take what lights up with them.
    if (this.view.bodies.some((body) => body.frames)) {
      this.#mark();
      if (element<HTMLSelectElement>("tree").value !== "") void this.#show_trees();
    }
  }

  pause(on = this.#playing): void {
    this.#playing = !on;
    element("play").textContent = on ? "▶" : "⏸";
    if (on) return;
    if (this.time >= range_of(this.view)[1]) this.time = range_of(this.view)[0];
    this.#last_tick = performance.now();
    const tick = async (now: number) => {
      if (!this.#playing) return;
      const [start, end] = range_of(this.view);
      const rate = has_clock(this.view) ? (end - start) / 4 : 10; // of time, or frames, a second
      const time = this.time + (rate * (now - this.#last_tick)) / 1000;
      this.#last_tick = now;
      await this.set_time(time);
      if (this.time >= end) return this.pause(true);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Lights up a contact, moves time there and flies there. */
  async choose(i: number | null, fly = true): Promise<void> {
    this.chosen = i;
    panel.choose_contact(i);
    const contact = i === null ? null : (this.contacts[i] ?? null);
    if (contact && contact.time !== null && this.#moves) {
      this.pause(true);
      await this.set_time(contact.time);
    }
    this.#mark();
    const place = contact && this.#place_of(contact);
    if (place && fly) this.picture.fly(place, 0.9 * this.picture.size);
  }

  look_at(body: number): void {
    const drawn = this.picture.bodies[body];
    if (!drawn) return;
    this.hand.hold(body);
    const at = drawn.mesh.position.clone().add(this.picture.origin);
    this.picture.fly(at.toArray(), 3.2 * drawn.radius);
  }

  style(style: Style): void {
    element<HTMLSelectElement>("style").value = style;
    panel.select_styles(style);
    this.picture.bodies.forEach((_, i) => this.picture.style(i, style));
  }

  /** Asks what the panel says, about the bodies where they are. */
  async ask(asked: Asked = this.#asked()): Promise<void> {
    if (asked.question !== "self-collide" && asked.a === asked.b) return this.say("choose two different bodies", true);
    const moves = [asked.a, asked.b].some((i) => this.questions.home.has(i) || this.view.bodies[i]!.motion);
    if (asked.question === "first-contact" && !moves)
      return this.say("nothing moves: take a body by a click and drag it, then ask what it meets on the way", true);
    this.say("");
    element<HTMLButtonElement>("ask").disabled = true;
    element<HTMLButtonElement>("cancel").disabled = false;
    const start = performance.now();
    const clock = setInterval(() => this.#progress(null, performance.now() - start), 100);
    try {
      const answer = await this.questions.ask(this.view, asked, this.time);
      if (answer) await this.#answered(asked, answer);
      this.#progress(answer ? `answered in ${time_text((performance.now() - start) / 1000)}` : "cancelled");
    } catch (error) {
      this.say((error as Error).message, true);
      this.#progress("");
    } finally {
      clearInterval(clock);
      element<HTMLButtonElement>("ask").disabled = false;
      element<HTMLButtonElement>("cancel").disabled = true;
    }
  }

  say(text: string, error = false): void {
    element("message").textContent = text;
    element("message").classList.toggle("error", error);
  }

  #doing = "";
  #progress(text: string | null, milliseconds?: number): void {
    if (text !== null) this.#doing = text;
    const clock = milliseconds === undefined ? "" : `, ${(milliseconds / 1000).toFixed(1)} s`;
    element("progress").textContent = this.#doing + (this.#doing ? clock : "");
  }

  #asked(): Asked {
    const chosen = (id: string) => Number(element<HTMLSelectElement>(id).value);
    return { question: element<HTMLSelectElement>("question").value, a: chosen("ask_a"), b: chosen("ask_b") };
  }

  /** A first contact moves the bodies along the way that was asked about. The answer's A and B are the view's first two. */
  async #answered(asked: Asked, answer: Answer): Promise<void> {
    const { bodies } = this.view;
    if (asked.question === "first-contact")
      for (const i of [asked.a, asked.b]) {
        const home = this.questions.home.get(i);
        if (home) bodies[i] = { ...bodies[i]!, motion: { from: home, to: this.picture.pose(i) } };
      }
    this.questions.home.clear();
    const order = asked.question === "self-collide" ? [asked.a, asked.a] : [asked.a, asked.b];
    this.view.answers = [answer];
    this.#answers(order);
    this.#end();
    await this.choose(this.contacts.length > 0 ? 0 : null, false);
  }

  #answers(order: readonly number[] = []): void {
    const { answers } = this.view;
    this.contacts = answers.flatMap((answer, step) => contacts_of(this.view, answer, step));
    if (order.length > 0)
      for (const contact of this.contacts) for (const mark of contact.marks) mark.body = order[mark.body] ?? mark.body;
    panel.show_contacts(this.contacts, (i) => void this.choose(i));
    const one = answers.length === 1 ? answers[0]! : null;
    element("headline").textContent = one ? headline(one) : answers.length > 1 ? `${answers.length} answers, ${this.contacts.length} contacts` : "";
    element("headline").classList.toggle("contact", this.contacts.length > 0 && one?.["status"] === "contact");
    this.#find_proof(one, order);
    const numbers = one ? numbers_elements(one) : [];
    element("numbers").replaceChildren(...numbers);
    element("numbers_part").hidden = numbers.length === 0;
  }

  /** The certificate of the answer, if it has one that can be drawn. */
  #find_proof(answer: Answer | null, order: readonly number[]): void {
    const text = (answer?.["certificate"] as { text?: string } | null | undefined)?.text;
    const found = text && this.view.bodies.length > 1 ? parse_proof(text) : null;
    this.proof = found ? { text: found, bodies: [order[0] ?? 0, order[1] ?? 1] } : null;
    element("overlays_part").hidden = !this.proof;
    this.#show_planes();
  }

  #show_planes(): void {
    const wanted = this.proof && element<HTMLInputElement>("planes").checked;
    const count = wanted ? this.#planes.show(this.proof!.text, this.time, this.proof!.bodies) : (this.#planes.clear(), null);
    element("plane_count").textContent = count === null ? "" : this.time > this.proof!.text.until ? "nothing is proved at this time"
      : `${count} separations of ${this.proof!.text.separations.length} hold at this time`;
  }

  get #moves(): boolean {
    const [start, end] = range_of(this.view);
    return end > start;
  }

  /** The trees of the bodies that are asked about, as far as the page has these bodies. */
  async #show_trees(): Promise<void> {
    const serial = ++this.#tree_serial;
    const style = element<HTMLSelectElement>("tree").value as TreeStyle | "";
    const level = Number(element<HTMLInputElement>("level").value);
    const told = element("tree_count");
    if (style === "") {
      this.#trees.clear();
      told.textContent = "";
      return;
    }
    try {
      const { a, b } = this.#asked();
      const wanted = [...new Set([a, b])].filter((i) => this.#has_tree(i));
      const found = await Promise.all(wanted.map((i) => this.questions.tree(this.view, i, this.time, level)));
      if (serial !== this.#tree_serial) return;
      this.#trees.clear();
      if (!this.questions.busy) this.#progress("");
      let drawn = 0, all = 0;
      found.forEach((nodes, k) => {
        drawn += this.#trees.show(wanted[k]!, nodes, style);
        all += nodes.length;
      });
      told.textContent = wanted.length === 0 ? "these bodies have no tree of triangles"
        : `${drawn < all ? `${drawn} of ` : ""}${all} nodes${style === "cones" ? "; three axes: normals in all directions" : ""}`;
    } catch (error) {
      if (!(error instanceof Cancelled)) this.say((error as Error).message, true);
    }
  }

  #has_tree(body: number): boolean {
    const of = this.view.bodies[body];
    return of !== undefined && !of.shape && !of.picture_only;
  }

  #end(): void {
    const [start, end] = range_of(this.view);
    element("timebar").hidden = !this.#moves;
    element<HTMLInputElement>("time").min = String(start);
    element<HTMLInputElement>("time").max = String(end);
  }

  #mark(): void {
    this.picture.mark(this.chosen === null ? null : (this.contacts[this.chosen] ?? null));
  }

  #place_of(contact: Contact): Point | null {
    if (contact.points) return contact.points[0];
    const mark = contact.marks.find((one) => this.picture.bodies[one.body]);
    return mark ? this.picture.place_of(mark) : null;
  }

  #held(body: number | null): void {
    panel.hold_body(body);
    if (body === null) return;
    const [a, b] = [element<HTMLSelectElement>("ask_a"), element<HTMLSelectElement>("ask_b")];
    if (b.value === String(body)) b.value = a.value;
    a.value = String(body);
    if (element<HTMLSelectElement>("tree").value !== "") void this.#show_trees();
  }

  #dragged(body: number): void {
    this.#places.stop();
    if (!this.questions.home.has(body)) this.questions.home.set(body, this.#before_drag!);
    if (this.chosen !== null) void this.choose(null, false);
    const asked = this.#asked();
    if (asked.a === asked.b) return;
    const tell = (distance: number, points: [Point, Point] | null) => {
      element("hint").textContent = distance > 0 ? `${Number(distance.toPrecision(4))} apart` : "in contact";
      this.picture.link(points);
    };
    void this.questions.follow(this.view, asked, this.time, tell).catch((error: Error) => this.say(error.message, true));
  }
  #before_drag: ReturnType<Picture["pose"]> | null = null;

  #connect(): void {
    const { hand } = this;
    hand.on_hold = (body) => {
      this.#held(body);
      element("hint").textContent = "";
      if (body !== null) this.#before_drag = this.picture.pose(body);
    };
    hand.on_move = (body) => this.#dragged(body);
    hand.on_drop = (body) => (this.#before_drag = this.picture.pose(body));
    element<HTMLInputElement>("time").oninput = (event) => {
      this.pause(true);
      void this.set_time(Number((event.target as HTMLInputElement).value));
    };
    element("play").onclick = () => this.pause();
    element("fit").onclick = () => this.picture.look();
    element("still").onclick = () => panel.save("graze.png", this.picture.canvas.toDataURL("image/png"));
    element<HTMLSelectElement>("style").onchange = (event) => this.style((event.target as HTMLSelectElement).value as Style);
    element("ask").onclick = () => void this.ask();
    element("cancel").onclick = () => this.questions.cancel();
    element("stop").onclick = () => this.questions.cancel();
    element("planes").onchange = () => this.#show_planes();
    for (const id of ["tree", "ask_a", "ask_b"]) element(id).onchange = () => void this.#show_trees();
    element("level").oninput = () => void this.#show_trees();
    element("theme").onclick = () => this.#theme();
    connect_files((reading) => void this.#open_all(reading));
    this.#theme(matchMedia("(prefers-color-scheme: dark)").matches);
    addEventListener("keydown", (event) => this.#key(event));
  }

  #theme(dark = document.documentElement.dataset["theme"] !== "dark"): void {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  }

  #key(event: KeyboardEvent): void {
    const { target } = event;
    const in_form = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "range");
    if (in_form || event.ctrlKey || event.metaKey || event.altKey) return;
    const [start, end] = range_of(this.view);
    const step = (event.shiftKey ? 0.1 : 0.01) * (has_clock(this.view) ? end - start : 100);
    const styles: Style[] = ["solid", "translucent", "wire"];
    const next = (by: number) =>
      this.contacts.length > 0 && void this.choose((((this.chosen ?? (by > 0 ? -1 : 0)) + by) % this.contacts.length + this.contacts.length) % this.contacts.length);
    const keys: { [key: string]: () => void } = {
      " ": () => this.#moves && this.pause(),
      ArrowRight: () => void this.set_time(this.time + step),
      ArrowLeft: () => void this.set_time(this.time - step),
      n: () => next(1), p: () => next(-1), f: () => this.picture.look(), d: () => this.#theme(),
      w: () => this.style(styles[(styles.indexOf(element<HTMLSelectElement>("style").value as Style) + 1) % 3]!),
      Escape: () => this.hand.hold(null),
    };
    const work = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!work || (event.key === " " && target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    work();
  }
}
