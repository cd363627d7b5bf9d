// SPDX-License-Identifier: MIT
// The built package in Chromium: in a page, in a worker of it, and with a compiled module that is posted to the worker. It
// gives the answers that it gives in Node. Without Chromium the test is skipped, and says so.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { errors_of, launch, no_chromium } from "../../chromium.mjs";
import { serve } from "../../serve.mjs";
import { load } from "../dist/graze.js";

const dist = new URL("../dist/", import.meta.url).pathname;

/** Runs in Node, in the page and in the worker. */
const questions = `export function answers(graze, GrazeError) {
  const plain = ({ seconds, counters, ...rest }) => rest;
  const box = graze.body(graze.make("box"));
  const knot = graze.body(graze.make("torus_knot", 2880)), ball = graze.body("sphere:0.5");
  const way = { from: [-5, 0.1, 0, 1, 0, 0, 0], to: [5, 0, 0.2, 0, 1, 0, 0] };
  const world = graze.world();
  const ids = [world.add(box), world.add(ball, { pose: [0.7, 0, 0, 1, 0, 0, 0] })];
  let refused;
  try {
    graze.body("sphere:-1");
  } catch (error) {
    refused = [error instanceof GrazeError, error.code];
  }
  return JSON.parse(JSON.stringify([
    plain(graze.collide(box, undefined, knot, [0.25, 0, 0, 1, 0, 0.5, 0])), plain(graze.distance(knot, [3, 0, 0, 1, 2, 3, 4], ball)),
    plain(graze.firstContact(knot, way, box, undefined, { certificate: true })), Array.from(graze.distanceMany(box, ball, [...Array(30)].flatMap((_, i) => [i / 10, 0, 0, 1, i, 0, 0, 0, 0, 0, 1, 0, 0, 0]))),
    world.check().events, world.touching(), ids, plain(graze.deformable(graze.make("cloth_sheet", 200)).near(0.3)), refused,
  ]));
}`;

describe("the package in Chromium", { skip: no_chromium, concurrency: false, timeout: 300_000 }, () => {
  let browser, server, folder, expected;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "graze-package-"));
    cpSync(dist, join(folder, "graze"), { recursive: true });
    writeFileSync(join(folder, "questions.js"), questions);
    writeFileSync(join(folder, "index.html"), '<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,">');
    writeFileSync(join(folder, "worker.js"), `import { load, GrazeError } from "./graze/graze.js";
      import { answers } from "./questions.js";
      self.onmessage = async ({ data }) => {
        try {
          self.postMessage({ answers: answers(await load(data ?? undefined), GrazeError) });
        } catch (error) {
          self.postMessage({ error: String(error) });
        }
      };
      self.postMessage("ready");`);
    server = await serve(folder, 0);
    browser = await launch();
    const { GrazeError } = await import("../dist/graze.js");
    const { answers } = await import(`data:text/javascript,${encodeURIComponent(questions)}`);
    expected = answers(await load(), GrazeError);
  });
  after(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open() {
    const page = await browser.newPage();
    const errors = errors_of(page);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    page.fine = async () => {
      assert.deepEqual(errors, []);
      await page.close();
    };
    return page;
  }

  it("in a page: graze.wasm is found beside the package", async () => {
    const page = await open();
    const found = await page.evaluate(async () => {
      const { load, GrazeError } = await import("/graze/graze.js");
      const { answers } = await import("/questions.js");
      return answers(await load(), GrazeError);
    });
    assert.deepEqual(found, expected);
    assert.deepEqual([found[0].status, found[2].status], ["contact", "contact"]);
    assert.ok(found[2].certificate.text.length > 100);
    assert.equal(found[5].length, 1);
    assert.ok(found[7].pairs.length > 10);
    assert.deepEqual(found.at(-1), [true, found.at(-1)[1]]);
    await page.fine();
  });

  it("in a page: from an address, from bytes and from a response; a wrong address is an error with advice", async () => {
    const page = await open();
    const found = await page.evaluate(async () => {
      const { load, compile } = await import("/graze/graze.js");
      const bytes = await (await fetch("/graze/graze.wasm")).arrayBuffer();
      const statuses = [];
      for (const source of ["graze.wasm", new URL("/graze/graze.wasm", location.href), fetch("/graze/graze.wasm"), bytes, new Uint8Array(bytes), compile("graze.wasm")]) {
        const graze = await load(await source);
        statuses.push(graze.collide(graze.body("sphere:1"), undefined, graze.body("sphere:1")).status);
      }
      const error = await load("/nowhere.wasm").catch(({ code, advice, file }) => ({ code, advice, file }));
      return { statuses, error };
    });
    assert.deepEqual(found.statuses, Array(6).fill("contact"));
    assert.equal(found.error.code, "file_not_found");
    assert.match(found.error.file, /nowhere\.wasm$/);
    await page.close();
  });

  for (const posted of [false, true])
    it(`in a worker${posted ? ", with a module that the page compiled" : ""}`, async () => {
      const page = await open();
      const found = await page.evaluate(async (is_posted) => {
        const module = is_posted ? await (await import("/graze/graze.js")).compile() : null;
        const worker = new Worker("/worker.js", { type: "module" });
        const next = () => new Promise((done, failed) => {
          worker.onmessage = ({ data }) => done(data);
          worker.onerror = (event) => failed(new Error(event.message));
        });
        await next();
        worker.postMessage(module);
        const reply = await next();
        worker.terminate();
        return reply;
      }, posted);
      assert.equal(found.error, undefined);
      assert.deepEqual(found.answers, expected);
      await page.fine();
    });

  it("a worker that is ended ends its question, and another one answers", async () => {
    const page = await open();
    const seconds = await page.evaluate(async () => {
      const worker = new Worker("/worker.js", { type: "module" });
      await new Promise((done) => (worker.onmessage = done));
      worker.postMessage(null);
      const start = performance.now();
      worker.terminate();
      const { load } = await import("/graze/graze.js");
      const graze = await load();
      graze.collide(graze.body("sphere:1"), undefined, graze.body("sphere:1"));
      return (performance.now() - start) / 1000;
    });
    assert.ok(seconds < 30);
    await page.fine();
  });
});
