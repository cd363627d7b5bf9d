// SPDX-License-Identifier: MIT
import type { Frame, Grip, Shown } from "./types.js";

type Message =
  | { kind: "who"; tab: string }
  | { kind: "scene"; bodies: Shown[] }
  | { kind: "frame"; frame: Frame }
  | { kind: "grip"; tab: string; grip: Grip }
  | { kind: "set"; name: string; value: string };

export interface Shared {
  /** The bodies as they stand now, for a tab that has just come. */
  bodies(): Shown[];
  /** Another tab computes the scene: show what it sends. */
  show(bodies: Shown[]): void;
  frame(frame: Frame): void;
  set(name: string, value: string): void;
}

/** Two tabs on one scene: the one that came first computes it, all the others show it, and every hand counts. */
export class Sharing {
  leads = false;
  readonly #channel: BroadcastChannel;
  readonly #tab = `${Date.now()}-${Math.random()}`;
  readonly #grips = new Map<string, Grip>();
  readonly #end = new AbortController();

  constructor(scene: string, readonly shared: Shared) {
    this.#channel = new BroadcastChannel(`graze-play ${scene}`);
    this.#channel.onmessage = ({ data }) => this.#receive(data as Message);
    // Whoever has the lock computes; when that tab closes, the next one has it.
    const { signal } = this.#end;
    const lead = () => {
      this.leads = true;
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    };
    navigator.locks.request(`graze-play ${scene}`, { signal }, lead).catch(() => {}); // it was closed while it waited
    this.#send({ kind: "who", tab: this.#tab });
  }

  close(): void {
    this.#send({ kind: "grip", tab: this.#tab, grip: null });
    this.#channel.close();
    this.#end.abort();
  }

  /** Of the one that leads: what the other tabs hold. */
  grips(): Exclude<Grip, null>[] {
    return [...this.#grips.values()].filter((grip) => grip !== null);
  }

  /** Of the one that leads. */
  scene(bodies: Shown[]): void {
    this.#send({ kind: "scene", bodies });
  }
  frame(frame: Frame): void {
    this.#send({ kind: "frame", frame });
  }

  /** Of the others. */
  grip(grip: Grip): void {
    this.#send({ kind: "grip", tab: this.#tab, grip });
  }
  set(name: string, value: string): void {
    this.#send({ kind: "set", name, value });
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }

  #receive(message: Message): void {
    if (this.leads) {
      if (message.kind === "who") this.scene(this.shared.bodies());
      else if (message.kind === "grip") this.#grips.set(message.tab, message.grip);
      else if (message.kind === "set") this.shared.set(message.name, message.value);
    } else if (message.kind === "scene") {
      this.shared.show(message.bodies);
    } else if (message.kind === "frame") {
      this.shared.frame(message.frame);
    }
  }
}
