// SPDX-License-Identifier: MIT
// The viewer in Debian's Chromium, opened from files as `graze report` writes them. Without Chromium the tests are
// skipped, and say so.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { errors_of, launch, no_chromium } from "../../chromium.mjs";
import { batch, folder, run } from "../../graze/test/corpus.mjs";

const page_file = new URL("../dist/viewer.html", import.meta.url).pathname;
const file = (name) => join(folder, name);
const bad = `</script><img src=x onerror="window.hacked=1">{{document}}"'&<b>`;

describe("viewer in Chromium", { skip: no_chromium, concurrency: false, timeout: 600_000 }, () => {
  let browser, context;
  before(async () => {
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
    run("make", "torus_knot", "--triangles", "2880", "-o", "knot.obj");
    run("make", "box", "-o", "box.obj");
  });
  after(() => browser?.close());

  const report = (name, ...args) => {
    run("report", ...args, "-o", name, "--template", page_file);
    return file(name);
  };

  /** The page of a file, which must not print an error from here on. */
  async function open(path = page_file) {
    const page = await context.newPage();
    const errors = errors_of(page);
    await page.goto(pathToFileURL(path).href);
    await page.waitForFunction(() => window.graze_view || document.querySelector("#message.error"), null, { timeout: 120_000 });
    page.fine = () => assert.deepEqual(errors, []);
    page.message = () => page.locator("#message").textContent();
    page.pose = (i) => page.evaluate((body) => window.graze_view.picture.pose(body), i);
    page.close_fine = async () => {
      page.fine();
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      await page.close();
    };
    return page;
  }
  /** A place of the canvas where this body is seen. */
  const place_of = (page, body) =>
    page.evaluate((wanted) => {
      const { picture } = window.graze_view;
      for (let ring = 0; ring < 1; ring += 0.02)
        for (let turn = 0; turn < 6.28; turn += 0.2) {
          const [x, y] = [ring * Math.cos(turn), ring * Math.sin(turn)];
          if (picture.pick(x, y)?.body !== wanted) continue;
          const box = picture.canvas.getBoundingClientRect();
          return { x: box.left + ((x + 1) / 2) * box.width, y: box.top + ((1 - y) / 2) * box.height };
        }
      return null;
    }, body);
  const flight = ["first-contact", "knot.obj", "box.obj", "--a-from", "-3 0 0 1 0 0 0", "--a-to", "3 0.5 0 0 0 1 0"];

  it("opens empty, and says what it opens", async () => {
    const page = await open();
    assert.equal(await page.message(), "");
    assert.ok(await page.locator("#empty").isVisible());
    await page.close_fine();
  });

  it("shows a first contact from a file: the list, the slider, the keys", async () => {
    const page = await open(report("contact.html", ...flight));
    const answer = JSON.parse(run(...flight, "--json"));
    assert.equal(await page.locator("#contacts button").count(), 1);
    assert.equal(await page.evaluate(() => window.graze_view.time), answer.time[1]);
    // The slider: at the start, in the middle, at the end.
    for (const [time, pose] of [[0, [-3, 0, 0]], [1, [3, 0.5, 0]], [0.5, [0, 0.25, 0]]]) {
      await page.locator("#time").fill(String(time));
      await page.waitForFunction((t) => window.graze_view.time === t, time);
      await page.waitForFunction((t) => window.graze_view.picture.pose(0).slice(0, 3).every((x, k) => Math.abs(x - t[k]) < 1e-12), pose);
    }
    await page.click("#contacts button");
    await page.waitForFunction((t) => window.graze_view.time === t, answer.time[1]);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((t) => Math.abs(window.graze_view.time - t) < 1e-12, answer.time[1] - 0.01);
    await page.keyboard.press("n");
    await page.waitForFunction((t) => window.graze_view.time === t, answer.time[1]);
    await page.keyboard.press("w");
    assert.equal(await page.evaluate(() => window.graze_view.picture.bodies[0].style), "translucent");
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.keyboard.press("d");
    assert.notEqual(await theme(), before);
    await page.locator("#time").fill("0");
    await page.click("#play");
    await page.waitForFunction(() => window.graze_view.time > 0.05, null, { timeout: 20_000 });
    await page.click("#play");
    await page.close_fine();
  });

  it("answers about a body that is dragged as the command line does", async () => {
    const page = await open(report("pair.html", "collide", "knot.obj", "box.obj", "--pose-b", "4 0 0 1 0 0 0"));
    const at = await place_of(page, 0);
    await page.mouse.click(at.x, at.y);
    assert.equal(await page.evaluate(() => window.graze_view.hand.held), 0);
    const before = await page.pose(0);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let k = 1; k <= 10; ++k) await page.mouse.move(at.x + 4 * k, at.y + 3 * k);
    await page.mouse.up();
    const moved = await page.pose(0);
    assert.notDeepEqual(moved, before);
    await page.waitForFunction(() => /apart|contact/.test(document.querySelector("#hint").textContent), null, { timeout: 20_000 });
    // With Shift it turns about the place where it is held.
    await page.mouse.move(at.x + 40, at.y + 30);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    for (let k = 1; k <= 5; ++k) await page.mouse.move(at.x + 40 + 8 * k, at.y + 30);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const turned = await page.pose(0);
    assert.notDeepEqual(turned.slice(3), moved.slice(3));
    for (const question of ["distance", "collide"]) {
      const answers = await page.evaluate(async (q) => {
        await window.graze_view.ask({ question: q, a: 0, b: 1 });
        return window.graze_view.view.answers;
      }, question);
      const [native] = batch([[...turned, 4, 0, 0, 1, 0, 0, 0]], question, "knot.obj", "box.obj");
      assert.equal(answers.length, 1);
      for (const key of ["status", "distance", "points", "features", "pairs", "normal"]) assert.deepEqual(answers[0][key], native[key], `${question} ${key}`);
    }
    // Asked for the way that it was dragged, the slider shows it.
    await page.evaluate(async (pose) => {
      const { hand, picture, questions, view } = window.graze_view;
      questions.home.set(0, [-4, 0, 0, 1, 0, 0, 0]);
      picture.place(0, [4, 0.1, 0, 1, 0, 0, 0]);
      await window.graze_view.ask({ question: "first-contact", a: 0, b: 1 });
    });
    const [native] = batch([[-4, 0, 0, 1, 0, 0, 0, 4, 0.1, 0, 1, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0]], "first-contact", "knot.obj", "box.obj");
    assert.deepEqual(await page.evaluate(() => window.graze_view.view.answers[0].time), native.time);
    assert.equal(await page.evaluate(() => window.graze_view.time), native.time[1]);
    assert.ok(await page.locator("#timebar").isVisible());
    assert.ok(await page.locator("#overlays_part").isVisible());
    await page.check("#planes");
    await page.locator("#time").fill("0.1");
    await page.waitForFunction(() => /separations/.test(document.querySelector("#plane_count").textContent));
    await page.close_fine();
  });

  it("cancels a question, and answers the next one", async () => {
    run("make", "sphere", "--triangles", "400000", "-o", "large.obj");
    const page = await open(report("large.html", "large.obj"));
    await page.selectOption("#question", "self-collide");
    await page.click("#ask");
    await page.waitForFunction(() => document.querySelector("#progress").textContent !== "", null, { timeout: 20_000 });
    await page.click("#cancel");
    await page.waitForFunction(() => document.querySelector("#progress").textContent === "cancelled", null, { timeout: 5_000 });
    // So large a mesh is picked, and drawn in motion, by a coarse one; at rest it is whole.
    assert.ok(await page.evaluate(() => window.graze_view.picture.bodies[0].coarse.getIndex().count < 3 * 100_000));
    assert.equal(await page.evaluate(() => window.graze_view.picture.pick(0, 0).body), 0);
    await page.evaluate(() => window.graze_view.picture.look());
    await page.waitForFunction(() => window.graze_view.picture.bodies[0].mesh.geometry === window.graze_view.picture.bodies[0].full);
    await page.setInputFiles("#open", [file("box.obj")]);
    await page.waitForFunction(() => window.graze_view.view.bodies[0]?.name === "box.obj");
    await page.selectOption("#question", "self-collide");
    await page.click("#ask");
    await page.waitForFunction(() => /^answered/.test(document.querySelector("#progress").textContent), null, { timeout: 20_000 });
    assert.equal(await page.locator("#headline").textContent(), "free");
    await page.close_fine();
  });

  it("shows hostile names as text", async () => {
    writeFileSync(file("scene.json"), JSON.stringify({
      version: 1, options: { frames_to_run: 3 },
      bodies: [{ name: bad, make: "box" }, { name: `b ${bad}`, make: "torus", pose: [3, 0, 0, 1, 0, 0, 0], motion: { velocity: [-1, 0, 0] } }],
    }));
    const path = report("hostile.html", "world", "scene.json", "--title", bad);
    assert.ok(!readFileSync(path, "utf8").includes("window.hacked"));
    const page = await open(path);
    assert.equal(await page.locator("#title").textContent(), bad);
    assert.equal(await page.locator("#bodies .name").first().evaluate((e) => e.firstChild.textContent.trim()), bad);
    assert.match(await page.locator("#contacts button").first().textContent(), /<img/);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.evaluate(() => document.querySelectorAll("script").length), 4);
    writeFileSync(file("<img src=x onerror=hacked=1>.obj"), readFileSync(file("box.obj")));
    await page.setInputFiles("#open", [file("<img src=x onerror=hacked=1>.obj")]);
    await page.waitForFunction(() => window.graze_view.view.bodies.length === 1);
    assert.equal(await page.locator("img").count(), 0);
    await page.close_fine();
  });

  it("refuses hostile files, and goes on", async () => {
    const page = await open();
    const files = {
      "noise.stl": Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 256)),
      "cut.ply": "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
      "nan.obj": "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "empty.off": "",
      "deep.json": "[".repeat(100000), "number.json": "17", "null.json": "null", "text.json": "hello\n",
      "other.json": '{"graze_view": 99}', "lost.json": '{"graze_view": 1, "bodies": [{"mesh": 7}]}',
      "lonely.json": '{"status": "contact"}', "proof.txt": "graze-certificate 1\nmotion a",
      "strange.json": '{"graze_view": 1, "meshes": [{"positions": "!", "corners": ""}], "bodies": [{"mesh": 0}]}',
    };
    for (const [name, bytes] of Object.entries(files)) {
      await page.evaluate(() => window.graze_view.say(""));
      await page.setInputFiles("#open", [{ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) }]);
      await page.waitForFunction(() => document.querySelector("#message.error")?.textContent, null, { timeout: 20_000 });
      assert.ok((await page.message()).length > 10, name);
    }
    await page.setInputFiles("#open", [file("box.obj")]);
    await page.waitForFunction(() => window.graze_view.view.bodies.length === 1);
    assert.equal(await page.message(), "");
    await page.close_fine();
  });

  it("opens what a command printed, with its meshes", async () => {
    writeFileSync(file("answer.json"), run(...flight, "--json"));
    const page = await open();
    await page.setInputFiles("#open", [file("knot.obj"), file("box.obj"), file("answer.json")]);
    const { time } = JSON.parse(readFileSync(file("answer.json"), "utf8"));
    await page.waitForFunction((touch) => window.graze_view.contacts.length === 1 && window.graze_view.time === touch, time[1]);
    await page.close_fine();
  });

  it("shows frames of a deforming mesh, moved straight between them", async () => {
    const corner = (x, y, z) => `${x} ${y} ${z}`;
    for (let frame = 0; frame < 3; ++frame)
      writeFileSync(file(`sheet_${frame}.ply`), ["ply", "format ascii 1.0", "element vertex 4", "property double x", "property double y", "property double z",
        "element face 2", "property list uchar int vertex_indices", "end_header",
        corner(0, 0, frame), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0), "3 0 1 2", "3 0 2 3", ""].join("\n"));
    const height = (page) => page.evaluate(() => {
      const { mesh, centre } = window.graze_view.picture.bodies[0];
      return mesh.geometry.getAttribute("position").getZ(0) + centre.z;
    });
    const files = [0, 1, 2].map((frame) => file(`sheet_${frame}.ply`));
    for (const page of [await open(report("sheet.html", ...files)), await open()]) {
      if (!(await page.evaluate(() => window.graze_view.view.frames))) {
        await page.setInputFiles("#open", files.toReversed());
        await page.waitForFunction(() => window.graze_view.view.frames === 3);
      }
      for (const time of [0, 1.25, 2]) {
        await page.evaluate((t) => window.graze_view.set_time(t), time);
        assert.ok(Math.abs((await height(page)) - time) < 1e-6);
      }
      await page.close_fine();
    }
  });

  it("shows a robot on its way, and where it touches", async () => {
    writeFileSync(file("robot.json"), JSON.stringify({
      version: 1, from: [0], to: [2],
      links: [{ name: "base", joint: { type: "fixed" }, mesh: "box:1,1,1" },
              { name: "arm", parent: "base", joint: { type: "revolute", origin: [0, 0, 2, 1, 0, 0, 0], axis: [0, 0, 1] }, mesh: "capsule:0.2,3" }], // from 0.3 upward
    }));
    const page = await open(report("robot.html", "chain", "robot.json", "--environment", "box.obj", "--environment-pose", "0 0 9 1 0 0 0"));
    assert.deepEqual(await page.evaluate(() => window.graze_view.view.bodies.map((body) => body.name)), ["base", "arm", "environment"]);
    await page.evaluate(() => window.graze_view.set_time(1));
    const [, , , w, , , z] = await page.pose(1);
    assert.ok(Math.abs(w - Math.cos(1)) < 1e-9 && Math.abs(z - Math.sin(1)) < 1e-9);
    // The arm is a capsule, also for the engine in the page.
    const distance = await page.evaluate(async () => {
      await window.graze_view.ask({ question: "distance", a: 0, b: 1 });
      return window.graze_view.view.answers[0].distance;
    });
    assert.equal(distance, 0);
    await page.close_fine();
  });

  it("shows a robot on its path, in the time of its trajectory", async () => {
    writeFileSync(file("arm.json"), JSON.stringify({ version: 1, links: [
      { name: "upper", mesh: "box:0.8,0.1,0.1", joint: { type: "revolute", name: "shoulder" } },
      { name: "hand", mesh: "box:0.4,0.1,0.1", parent: "upper", joint: { type: "continuous", origin: [1, 0, 0, 1, 0, 0, 0] } }] }));
    writeFileSync(file("path.csv"), "10,0,0\n12,0.5,0\n20,2,0\n");
    const around = ["--environment", "box.obj", "--environment-pose", "0 1.4 0 1 0 0 0"];
    const { when } = JSON.parse(run("robot", "arm.json", ...around, "--path", "path.csv", "--json"));
    const page = await open(report("path.html", "robot", "arm.json", ...around, "--path", "path.csv"));
    assert.deepEqual(await page.evaluate(() => window.graze_view.view.bodies.map((body) => body.name)), ["upper", "hand", "environment"]);
    assert.equal(await page.evaluate(() => window.graze_view.time), when[1]);
    assert.match(await page.locator("#headline").textContent(), /contact/);
    for (const [time, turn] of [[10, 0], [12, 0.5], [16, 1.25], [-5, 0], [99, 2]]) {
      await page.evaluate((t) => window.graze_view.set_time(t), time);
      const [, , , w, , , z] = await page.pose(0);
      assert.ok(Math.abs(w - Math.cos(turn / 2)) < 1e-9 && Math.abs(z - Math.sin(turn / 2)) < 1e-9, `${time}`);
    }
    assert.equal(await page.locator("#time").getAttribute("min"), "10");
    writeFileSync(file("edges.csv"), "0,0,0.5,0\n0,0,2,0\n");
    const edges = await open(report("edges.html", "robot", "arm.json", ...around, "--edges", "edges.csv"));
    assert.equal(await edges.locator("#contacts button").count(), 1);
    assert.ok(await edges.evaluate(() => window.graze_view.time > 1 && window.graze_view.time < 2));
    await edges.close_fine();
    await page.close_fine();
  });

  it("shows a deforming scene, its contacts where and when they are", async () => {
    [2, 1, -0.2].forEach((z, i) => writeFileSync(file(`fall${i}.obj`),
      `v -0.4 -0.3 ${z}\nv 0.4 -0.3 ${z}\nv 0.4 0.3 ${z + 0.1}\nv -0.4 0.3 ${z + 0.1}\nf 1 2 3\nf 1 3 4\n`));
    writeFileSync(file("falls.json"), JSON.stringify({ version: 1, options: { frames_to_run: 3 }, bodies: [
      { name: "sheet", mesh: "fall0.obj", deform: { meshes: ["fall1.obj", "fall2.obj"], loop: false } }, { name: "box", make: "box" }] }));
    const page = await open(report("falls.html", "deform", "falls.json"));
    const answers = run("deform", "falls.json", "--json").trim().split("\n").map((line) => JSON.parse(line));
    const contacts = answers.flatMap((answer) => answer.contacts.map((contact) => answer.frame - 2 + contact.time[1]));
    assert.ok(contacts.length > 0);
    assert.equal(await page.evaluate(() => window.graze_view.contacts.length), contacts.length);
    assert.equal(await page.evaluate(() => window.graze_view.time), contacts[0]);
    await page.close_fine();
  });

  it("shows the boxes of the trees and their normal cones", async () => {
    const page = await open(report("trees.html", "knot.obj", "box.obj"));
    const lines = () => page.evaluate(() => window.graze_view.picture.bodies.map(({ mesh }) =>
      mesh.children.filter((part) => part.isLineSegments).reduce((sum, part) => sum + part.geometry.getAttribute("position").count, 0)));
    const choose = async (style, level) => {
      await page.selectOption("#tree", style);
      await page.locator("#level").fill(String(level));
      await page.waitForFunction(() => /nodes/.test(document.querySelector("#tree_count").textContent));
      await page.waitForTimeout(300);
    };
    await choose("boxes", 0);
    assert.deepEqual(await lines(), [24, 24]); // twelve edges each
    await choose("boxes", 3);
    assert.ok((await lines())[0] > 24 * 60);
    await choose("cones", 3);
    assert.ok((await lines())[0] > 1000);
    await page.selectOption("#tree", "");
    assert.deepEqual(await lines(), [0, 0]);
    await page.close_fine();
  });

  it("shows clashes, and fades what does not clash", async () => {
    writeFileSync(file("parts.json"), JSON.stringify({ version: 1, parts: [0, 0.5, 3, 3.9].map((x, i) => (
      { name: `${bad} ${i}`, mesh: "box.obj", pose: [x, 0, 0, 1, 0, 0, 0] })) }));
    const page = await open(report("clash.html", "clash", "parts.json"));
    assert.equal(await page.locator("#contacts button").count(), 2);
    const opacity = () => page.evaluate(() => window.graze_view.picture.bodies.map(({ mesh }) => mesh.material.opacity));
    assert.deepEqual(await opacity(), [1, 1, 0.12, 0.12]);
    await page.locator("#contacts button").nth(1).click();
    await page.waitForFunction(() => window.graze_view.chosen === 1);
    assert.deepEqual(await opacity(), [0.12, 0.12, 1, 1]);
    // The list that the command wrote, dropped with its meshes; and without them.
    run("clash", "parts.json", "-o", "list.json");
    await page.setInputFiles("#open", [file("list.json"), file("box.obj")]);
    await page.waitForFunction(() => window.graze_view.view.title === "list.json box.obj");
    assert.deepEqual(await page.evaluate(() => [window.graze_view.view.bodies.length, window.graze_view.contacts.length]), [4, 2]);
    assert.equal(await page.evaluate(() => window.graze_view.picture.pose(3)[0]), 3.9);
    await page.setInputFiles("#open", [file("list.json"), file("knot.obj")]);
    await page.waitForFunction(() => /box\.obj/.test(document.querySelector("#message.error")?.textContent));
    assert.equal(await page.locator("img").count(), 0);
    await page.close_fine();
  });

  it("shows tables of the bench with bars and growth", async () => {
    writeFileSync(file("rows.csv"), ["row,task,contestant,mean_s,median_s,p99_s,ratio,target,verdict,note",
      ...[1000, 10000, 100000].flatMap((n) => [`build,"trees of ${n.toLocaleString("en")} triangles",graze,${n * 1e-8},${n * 1e-8},1,,,-,`,
        `build,"trees of ${n.toLocaleString("en")} triangles",${bad.replaceAll('"', "")},${n * 3e-8},${n * 3e-8},1,0.33,0.5,PASS,"a ""note"", here"`])].join("\n"));
    const page = await open(report("table.html", "rows.csv"));
    assert.equal(await page.locator("#tables section").count(), 4);
    assert.equal(await page.locator("#tables svg").count(), 4);
    assert.equal(await page.locator("#tables img").count(), 0);
    assert.match(await page.locator("#tables table").first().textContent(), /a "note", here/);
    await page.close_fine();
  });

  it("gives memory back after a hundred scenes", async () => {
    const page = await open(report("contact.html", ...flight));
    const memory = async () => {
      await page.evaluate(async () => {
        const viewer = window.graze_view;
        const { view } = viewer;
        for (let k = 0; k < 50; ++k) {
          await viewer.show(view);
          await viewer.ask({ question: "distance", a: 0, b: 1 });
        }
        // What is counted below is on the graphics card once it was drawn.
        const { pictures } = viewer.picture;
        viewer.picture.change();
        while (viewer.picture.pictures < pictures + 2) await new Promise((done) => { viewer.picture.change(); requestAnimationFrame(done); });
      });
      return page.evaluate(() => ({ ...window.graze_view.picture.memory, engine: window.graze_view.engine.memory }));
    };
    const [first, second] = [await memory(), await memory()];
    assert.deepEqual(second, first);
    await page.close_fine();
  });

  it("fits a phone", async () => {
    const phone = await browser.newContext({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    const page = await phone.newPage();
    const errors = errors_of(page);
    await page.goto(pathToFileURL(report("contact.html", ...flight)).href);
    await page.waitForFunction(() => window.graze_view);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    for (const id of ["#picture", "#timebar", "#title"]) assert.ok(await page.locator(id).isVisible(), id);
    await page.tap("#play");
    await page.waitForFunction(() => window.graze_view.time > 0, null, { timeout: 20_000 });
    assert.deepEqual(errors, []);
    await phone.close();
  });
});
