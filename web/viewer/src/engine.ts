// SPDX-License-Identifier: MIT
import type { Motion, TreeNode } from "graze";
import { unpacked } from "./base64.js";
import type { NamedFile } from "./files.js";
import type { Answer, MeshSource } from "./document.js";
import type { BodyKey, Question } from "./engine_worker.js";

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

/** Thrown to who waits for a question that was cancelled. */
export class Cancelled extends Error {}

export interface DrawnMesh extends MeshSource {
  triangles: Uint32Array;
  /** The first triangle of each polygon, and the end; null: every polygon is a triangle. */
  starts: Uint32Array | null;
}

/** A worker with an engine of its own. */
class Lane {
  #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  /** What the worker is doing. */
  on_progress: (text: string) => void = () => {};
  /** The worker has another engine, which knows no bodies. */
  on_new_engine: () => void = () => {};
  memory = 0;

  constructor(readonly module: WebAssembly.Module) {
    this.#worker = this.#start();
  }

  ask<T>(question: Question): Promise<T> {
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (reply: unknown) => void, reject });
      this.#worker.postMessage({ id, question });
    });
  }

  /** A question runs to its end in its worker: so the worker is ended, and another takes its place. */
  restart(): void {
    this.#worker.terminate();
    this.#end(new Cancelled("cancelled"));
    this.#worker = this.#start();
  }

  /** Its bodies are given up. */
  forget(): void {
    this.#worker.postMessage({ forget: true });
  }

  #start(): Worker {
    const address = URL.createObjectURL(new Blob([text_of("worker")], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      if (data.ready) return URL.revokeObjectURL(address);
      if (data.progress) return this.on_progress(data.progress);
      if (data.new_engine) this.on_new_engine();
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.error !== undefined) return waiting?.reject(new Error(data.error));
      this.memory = data.memory;
      waiting?.resolve(data.reply);
    };
    worker.onerror = (event) => this.#end(new Error(event.message));
    worker.postMessage({ module: this.module });
    return worker;
  }

  #end(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/** Two workers: questions may take long and are cancelled, meshes and places of the picture never wait for them. */
export class Engine {
  readonly #pictures: Lane;
  readonly #questions: Lane;
  readonly #sent = new Set<string>();

  static async load(): Promise<Engine> {
    return new Engine(await WebAssembly.compile(await unpacked(text_of("engine")).arrayBuffer()));
  }

  private constructor(module: WebAssembly.Module) {
    this.#pictures = new Lane(module);
    this.#questions = new Lane(module);
    this.#questions.on_new_engine = () => this.#sent.clear();
  }

  get memory(): number {
    return this.#pictures.memory + this.#questions.memory;
  }
  set on_progress(say: (text: string) => void) {
    this.#questions.on_progress = say;
  }

  /** The bytes of an OBJ, STL, PLY or OFF file. */
  parse(bytes: Uint8Array, name: string): Promise<DrawnMesh> {
    return this.#pictures.ask({ do: "parse", bytes, name });
  }
  /** A mesh file whose vertices are multiplied with three numbers, as OBJ. */
  scaled(bytes: Uint8Array, name: string, scale: readonly number[]): Promise<Uint8Array> {
    return this.#pictures.ask({ do: "scaled", bytes, name, scale });
  }
  /** What `graze view` would show of these files, as JSON. Takes as long as a scene has frames, and can be cancelled. */
  open(files: readonly NamedFile[], shown: readonly string[]): Promise<string> {
    return this.#questions.ask({ do: "open", files, shown });
  }
  /** Polygons as triangles. */
  split(mesh: MeshSource): Promise<DrawnMesh> {
    return this.#pictures.ask({ do: "split", mesh });
  }
  /** Rotations by rows, then translations. */
  placements(motion: Motion, times: number[]): Promise<number[][]> {
    return this.#pictures.ask({ do: "placements", motion, times });
  }
  ask(question: string, a: BodyKey, b: BodyKey | null, options: object = {}): Promise<Answer> {
    const [first, second] = [this.#light(a), b && this.#light(b)];
    return this.#questions.ask({ do: "ask", question, a: first, b: second, options });
  }
  /** Of the body's tree. */
  tree(of: BodyKey, level: number): Promise<TreeNode[]> {
    return this.#questions.ask({ do: "tree", of: this.#light(of), level });
  }
  cancel(): void {
    this.#sent.clear();
    this.#questions.restart();
  }
  forget(): void {
    this.#sent.clear();
    this.#questions.forget();
  }

  /** Without the mesh if the worker has it. */
  #light(body: BodyKey): BodyKey {
    if (this.#sent.has(body.key)) return { ...body, mesh: null };
    this.#sent.add(body.key);
    return body;
  }
}

function text_of(id: string): string {
  return document.getElementById(id)!.textContent!;
}
