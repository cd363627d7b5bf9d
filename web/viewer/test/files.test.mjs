// SPDX-License-Identifier: MIT
// Files that refer to others, opened on the page: scenes, recordings, robots, lists of clashes. They are shown as
// `graze view` shows them. Without Chromium the tests are skipped, and say so.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { errors_of, launch, no_chromium } from "../../chromium.mjs";
import { folder, run } from "../../graze/test/corpus.mjs";

const page_file = new URL("../dist/viewer.html", import.meta.url).pathname;
const file = (name) => join(folder, name);
const write = (name, content) => writeFileSync(file(name), typeof content === "string" ? content : JSON.stringify(content));
const bad = `</script><img src=x onerror="window.hacked=1">{{document}}"'&<b>`;
const still = [0, 0, 0, 1, 0, 0, 0];

describe("files opened in the viewer", { skip: no_chromium, concurrency: false, timeout: 600_000 }, () => {
  let browser, context;
  before(async () => {
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1000, height: 640 } });
    mkdirSync(file("meshes"), { recursive: true });
    run("make", "torus_knot", "--triangles", "480", "-o", "meshes/knot.obj");
    run("make", "box", "-o", "meshes/box.obj");
    run("make", "box", "-o", "meshes/box.stl");
    write("scene.json", { version: 1, options: { frames_to_run: 5 }, bodies: [
      { name: `knot ${bad}`, mesh: "meshes/knot.obj", motion: { velocity: [0.25, 0, 0], turn: [0.9, 0, 0, 0.1] } },
      { name: "box", mesh: "meshes/box.obj", motion: { track: "way.csv" } },
      { name: "lamp", pieces: [{ mesh: "meshes/box.obj", pose: [0, 0, 2, 1, 0, 0, 0] }, { shape: "sphere:0.5" }], pose: [4, 0, 0, 1, 0, 0, 0] },
      { name: "ball", shape: "sphere:0.5", pose: [-4, 0, 0, 1, 0, 0, 0] }] });
    write("way.csv", [0, 1, 2, 3, 4].map((i) => `${3 - i / 2},0.1,0,1,0,0,0.1`).join("\n") + "\n");
  });
  after(() => browser?.close());

  async function open_page(path = page_file) {
    const page = await context.newPage();
    const errors = errors_of(page);
    await page.goto(pathToFileURL(path).href);
    await page.waitForFunction(() => window.graze_view, null, { timeout: 120_000 });
    page.close_fine = async () => {
      assert.deepEqual(errors, []);
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(await page.locator("img").count(), 0);
      await page.close();
    };
    return page;
  }
  /** What the page shows, numbers and all. */
  const shown = (page) => page.evaluate(() => {
    const { bodies, meshes, frames, times, answers } = window.graze_view.view;
    const plain = (value) => JSON.parse(JSON.stringify(value, (key, x) => (ArrayBuffer.isView(x) ? Array.from(x, String) : x)));
    return plain({ bodies, meshes, frames, times, answers });
  });
  async function chosen(page, ...names) {
    await page.evaluate(() => window.graze_view.say("not yet"));
    await page.setInputFiles("#open", names.map((name) => file(name)));
    await page.waitForFunction(() => {
      const message = document.querySelector("#message");
      return message.textContent === "" || message.classList.contains("error");
    }, null, { timeout: 60_000 });
    return page.locator("#message").textContent();
  }
  /** The page shows of these files what `graze report` shows of the first ones. */
  async function same_as_report(page, names, others = []) {
    run("report", ...names, "-o", "report.html", "--template", page_file);
    const report = await open_page(file("report.html"));
    assert.equal(await chosen(page, ...others, ...names), "");
    const [mine, native] = [await shown(page), await shown(report)];
    // Pictures of curved shapes are drawn with sines, which C libraries round differently.
    for (const view of [mine, native])
      view.meshes = view.meshes.map(({ positions, ...rest }) => ({ ...rest, positions: positions.map((x) => (Math.round(x * 1e12) / 1e12 || 0)) }));
    assert.deepEqual(mine, native);
    await report.close_fine();
  }

  it("shows a scene with the files that it names", async () => {
    const page = await open_page();
    await same_as_report(page, ["scene.json"], ["meshes/knot.obj", "meshes/box.obj", "way.csv"]);
    assert.deepEqual(await page.evaluate(() => [window.graze_view.view.frames, window.graze_view.view.bodies.length]), [5, 4]);
    await page.locator("#time").fill("2");
    await page.waitForFunction(() => window.graze_view.picture.pose(0)[0] === 0.5);
    // The shapes of a scene can be asked about.
    const distance = await page.evaluate(async () => {
      await window.graze_view.ask({ question: "distance", a: 1, b: 3 });
      return window.graze_view.view.answers.at(-1).distance;
    });
    assert.ok(distance > 4 && distance < 6, distance);
    await page.close_fine();
  });

  it("names the files that a scene lacks", async () => {
    const page = await open_page();
    assert.match(await chosen(page, "scene.json"), /knot\.obj.*drop it together/s);
    assert.match(await chosen(page, "scene.json", "meshes/knot.obj", "meshes/box.obj"), /way\.csv/);
    assert.equal(await chosen(page, "scene.json", "meshes/knot.obj", "meshes/box.obj", "way.csv"), "");
    await page.close_fine();
  });

  it("takes a whole folder that is dropped, with two files of one name in it", async () => {
    for (const [part, x] of [["left", -3], ["right", 3]]) {
      mkdirSync(file(`drop/${part}`), { recursive: true });
      write(`drop/${part}/part.obj`, `v ${x} 0 0\nv ${x + 1} 0 0\nv ${x} 1 0\nf 1 2 3\n`);
    }
    write("drop/scene.json", { version: 1, bodies: [{ name: "l", mesh: "left/part.obj" }, { name: "r", mesh: "./right/part.obj" }] });
    const page = await open_page();
    const session = await context.newCDPSession(page);
    const data = { items: [], files: [file("drop")], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    await page.waitForFunction(() => window.graze_view.view.bodies.length === 2 || document.querySelector("#message.error"), null, { timeout: 30_000 });
    assert.equal(await page.locator("#message").textContent(), "");
    assert.deepEqual(await page.evaluate(() => window.graze_view.view.meshes.map(({ positions }) => positions[0])), [-3, 3]);
    await page.close_fine();
  });

  it("shows a recording, its events in the list", async () => {
    run("world", "scene.json", "--record", "calls.txt");
    const page = await open_page();
    await same_as_report(page, ["calls.txt"]);
    assert.ok(await page.evaluate(() => window.graze_view.view.frames >= 5 && window.graze_view.view.answers.length >= 5));
    await page.close_fine();
  });

  it("shows a deforming scene", async () => {
    [0, 1, 2].forEach((z) => write(`sheet_${z}.obj`, `v 0 0 ${z}\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n`));
    write("sheet.json", { version: 1, options: { frames_to_run: 3 }, bodies: [{ name: "sheet", mesh: "sheet_0.obj", deform: { meshes: ["sheet_1.obj", "sheet_2.obj"], loop: false } }] });
    const page = await open_page();
    await same_as_report(page, ["sheet.json"], ["sheet_0.obj", "sheet_1.obj", "sheet_2.obj"]);
    assert.equal(await page.evaluate(() => window.graze_view.view.bodies[0].frames.length), 3);
    await page.close_fine();
  });

  it("shows a robot, and on its path if a table comes with it", async () => {
    write("arm.json", { version: 1, from: [0, 0], to: [1, 2], links: [
      { name: "upper", mesh: "meshes/box.obj", joint: { type: "revolute", name: "shoulder" } },
      { name: "hand", mesh: "capsule:0.1,0.4", parent: "upper", joint: { type: "continuous", origin: [1, 0, 0, 1, 0, 0, 0] } }] });
    write("path.csv", "10,0,0\n12,0.5,0\n20,2,0\n");
    const page = await open_page();
    await same_as_report(page, ["arm.json"], ["meshes/box.obj"]);
    await same_as_report(page, ["arm.json", "path.csv"], ["meshes/box.obj"]);
    for (const [time, turn] of [[10, 0], [12, 0.5], [16, 1.25]]) {
      await page.evaluate((t) => window.graze_view.set_time(t), time);
      const [, , , w, , , z] = await page.evaluate(() => window.graze_view.picture.pose(0));
      assert.ok(Math.abs(w - Math.cos(turn / 2)) < 1e-9 && Math.abs(z - Math.sin(turn / 2)) < 1e-9, `${time}`);
    }
    assert.match(await chosen(page, "arm.json", "path.csv"), /box\.obj/);
    write("short.csv", "10,0\n12\n");
    assert.match(await chosen(page, "arm.json", "meshes/box.obj", "short.csv"), /short\.csv/);
    await page.close_fine();
  });

  const urdf = `<?xml version="1.0"?><robot name="crane"><link name="tower"><collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.2" length="2"/></geometry></collision>
      <collision><geometry><mesh filename="package://crane/meshes/box.stl" scale="1 -2 0.5"/></geometry></collision></link>
    <joint name="turn" type="revolute"><parent link="tower"/><child link="boom"/><origin xyz="0 0 2" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
    <link name="boom"><collision><origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><geometry><box size="0.1 0.2 2"/></geometry></collision></link>
    <joint name="lift" type="prismatic"><parent link="boom"/><child link="hook"/><origin xyz="2 0 0"/><axis xyz="0 0 -1"/><limit lower="0" upper="2" effort="1" velocity="1"/><mimic joint="turn" multiplier="0.5" offset="0.25"/></joint>
    <link name="hook"><collision><geometry><sphere radius="0.15"/></geometry></collision></link></robot>`;

  it("shows a URDF on its path, each part where the command puts it", async (t) => {
    write("crane.urdf", urdf);
    write("turns.csv", "0,0\n1,1.5\n3,-2\n");
    const page = await open_page();
    assert.equal(await chosen(page, "crane.urdf", "meshes/box.stl", "turns.csv"), "");
    assert.deepEqual(await page.evaluate(() => window.graze_view.view.bodies.map(({ name }) => name)),
      ["tower body", "tower body 2", "boom body", "hook body"]);
    // Where the hook is: the tower, the boom's origin, the turn, and down by half the turn and a quarter.
    const hook = (turn) => {
      const [r, p, w] = [0.1, 0.2, 0.3], x = 2 * Math.cos(turn), y = 2 * Math.sin(turn), z = -(0.5 * turn + 0.25);
      const [cr, sr, cp, sp, cw, sw] = [Math.cos(r), Math.sin(r), Math.cos(p), Math.sin(p), Math.cos(w), Math.sin(w)];
      return [cw * cp * x + (cw * sp * sr - sw * cr) * y + (cw * sp * cr + sw * sr) * z,
              sw * cp * x + (sw * sp * sr + cw * cr) * y + (sw * sp * cr - cw * sr) * z, 2 - sp * x + cp * sr * y + cp * cr * z];
    };
    for (const [time, turn] of [[0, 0], [1, 1.5], [3, -2]]) {
      await page.evaluate((at) => window.graze_view.set_time(at), time);
      const pose = await page.evaluate(() => window.graze_view.picture.pose(3));
      hook(turn).forEach((x, k) => assert.ok(Math.abs(pose[k] - x) < 1e-9, `${time} ${pose} ${hook(turn)}`));
    }
    // The scaled mesh.
    const range = await page.evaluate(() => {
      const { positions } = window.graze_view.view.meshes[window.graze_view.view.bodies[1].mesh];
      return [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)) - Math.min(...positions.filter((_, i) => i % 3 === k)));
    });
    assert.deepEqual(range, [1, 2, 0.5].map((s) => s * range[0]));
    assert.match(await chosen(page, "crane.urdf"), /box\.stl/);
    // The same bodies in the same places as on the command line, if it was built with URDF.
    try {
      run("report", "robot", "crane.urdf", "--package", `crane=${folder}`, "--path", "turns.csv", "-o", "crane.html", "--template", page_file);
    } catch (error) {
      t.diagnostic("the command was built without URDF");
      return page.close_fine();
    }
    const report = await open_page(file("crane.html"));
    assert.equal(await chosen(page, "crane.urdf", "meshes/box.stl", "turns.csv"), "");
    const [mine, native] = [await shown(page), await shown(report)];
    assert.deepEqual(mine.times, native.times);
    mine.bodies.forEach((body, i) => body.track.forEach((x, k) => {
      const other = native.bodies[i].track[k];
      assert.ok(Math.abs(x - other) < 1e-12, `${body.name}: ${x} ${other}`);
    }));
    await report.close_fine();
    await page.close_fine();
  });

  it("refuses hostile robots and scenes, and goes on", async () => {
    const page = await open_page();
    const link = (name, more = "") => `<link name="${name}">${more}</link>`;
    const joint = (parent, child) => `<joint name="${child} joint" type="fixed"><parent link="${parent}"/><child link="${child}"/></joint>`;
    const files = {
      "empty.urdf": "", "no.urdf": "<robot", "other.urdf": "<html/>", "cycle.urdf": `<robot>${link("a")}${link("b")}${joint("a", "b")}${joint("b", "a")}</robot>`,
      "lost.urdf": `<robot>${link("a")}${joint("nobody", "a")}</robot>`, "twice.urdf": `<robot>${link("a")}${link("a")}</robot>`,
      "macro.urdf": `<robot><xacro:include filename="x"/></robot>`, "bare.urdf": `<robot>${link("a", "<collision/>")}</robot>`,
      "laugh.urdf": `<!DOCTYPE robot [<!ENTITY a "ha"><!ENTITY b "${"&a;".repeat(50)}"><!ENTITY c "${"&b;".repeat(50)}"><!ENTITY d "${"&c;".repeat(50)}"><!ENTITY e "${"&d;".repeat(50)}"><!ENTITY f "${"&e;".repeat(50)}">]><robot name="&f;"/>`,
      "nan.urdf": `<robot>${link("a", '<collision><geometry><sphere radius="nan"/></geometry></collision>')}</robot>`,
      "dae.urdf": `<robot>${link("a", '<collision><geometry><mesh filename="a.dae"/></geometry></collision>')}</robot>`,
      "frames.urdf": `<robot>${link("a")}</robot>`,
      [`${"x".repeat(30)}<img src=x onerror=hacked=1>.urdf`]: `<robot>${link("<![CDATA[")}</robot>`,
      "null.json": '{"bodies": null}', "no_bodies.json": '{"version": 1, "bodies": [{"name": 7}]}', "escape.json": '{"version": 1, "bodies": [{"name": "a", "mesh": "../../../etc/passwd"}]}',
      "self.json": '{"version": 1, "bodies": [{"name": "a", "mesh": "self.json"}]}', "loop.json": '{"version":1,"links":[{"name":"a","parent":"a","joint":{"type":"fixed"}}]}',
      "record.txt": "graze-world 1\nnonsense\n", "record2.txt": "graze-world 99\n", "clash.json": '{"report":"clash","parts":[{"name":"a","file":"/home/somebody/gone.obj","pose":[0,0,0,1,0,0,0],"geometry":0}],"clashes":[]}',
    };
    for (const [name, bytes] of Object.entries(files)) {
      await page.evaluate(() => window.graze_view.say(""));
      await page.setInputFiles("#open", [{ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) }]);
      await page.waitForFunction(() => document.querySelector("#message.error")?.textContent, null, { timeout: 30_000 }).catch(() => assert.fail(`${name} was not refused`));
      const message = await page.locator("#message").textContent();
      assert.ok(message.length > 10 && !/worker failed|undefined|\[object/.test(message), `${name}: ${message}`);
    }
    assert.equal(await chosen(page, "meshes/box.obj"), "");
    await page.close_fine();
  });

  it("stops reading a scene of many frames", async () => {
    write("long.json", { version: 1, options: { frames_to_run: 5_000_000 }, bodies: [{ name: "a", shape: "sphere:1", motion: { velocity: [1e-6, 0, 0] } }] });
    const page = await open_page();
    await page.setInputFiles("#open", [file("long.json")]);
    await page.locator("#stop").click({ timeout: 20_000 });
    await page.waitForFunction(() => document.querySelector("#message").textContent === "cancelled");
    assert.equal(await chosen(page, "meshes/box.obj"), "");
    await page.close_fine();
  });

  it("shows what 99 of 100 frames took in a table of the bench", async () => {
    write("play.csv", "row,task,contestant,mean_s,median_s,p99_s,ratio,target,verdict,note\ndoor,a frame,\"graze, native\",0.0001,0.00009,0.004,1.25,1,PASS,\n");
    const page = await open_page();
    assert.equal(await chosen(page, "play.csv"), "");
    assert.match(await page.locator("#tables svg").textContent(), /99 of 100 within 4.00 ms/);
    assert.match(await page.locator("#tables table").textContent(), /PASS/);
    await page.close_fine();
  });

  it("opens what any command prints with --json, beside the files that it was asked about", async () => {
    const page = await open_page();
    const knot = "meshes/knot.obj", box = "meshes/box.obj", pair = [knot, box], at = ["--pose-b", "0.5 0 0 1 0 0 0"];
    const way = ["--a-from", "-3 0 0 1 0 0 0", "--a-to", "3 0 0 1 0 0 0"];
    write("rows.csv", [[0, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 1, 0, 0, 0]].map((row) => row.join(",")).join("\n") + "\n");
    run("make", "cloth_sheet", "--triangles", "200", "-o", "sheet1.obj");
    writeFileSync(file("sheet2.obj"), readFileSync(file("sheet1.obj"), "utf8").replace(/^v (\S+) (\S+) (\S+)/gm, (_, x, y, z) => `v ${x} ${y} ${-2 * z + 0.1 * x}`));
    write("parts.json", { version: 1, parts: [0, 0.5].map((x, i) => ({ name: `part ${i}`, mesh: box, pose: [x, 0, 0, 1, 0, 0, 0] })) });
    write("arm.json", { version: 1, from: [0], to: [1], links: [{ name: "base", mesh: box, joint: { type: "fixed" } }, { name: "arm", mesh: knot, parent: "base", joint: { type: "revolute" } }] });
    const commands = {
      collide: [...pair, ...at], distance: [...pair, "--pose-b", "5 0 0 1 0 0 0"], penetration: ["sphere:1", "box:1,1,1"], manifold: [box, box, ...at], ray: [knot, "--from", "-5 0.4 0", "--to", "5 0.4 0"],
      "first-contact": [...pair, ...way], deform: ["sheet1.obj", "sheet2.obj", "--self"], clash: ["parts.json"], world: ["scene.json"], chain: ["arm.json", "--neighbours"], robot: ["arm.json", "--state", "0.5"], info: [knot],
    };
    const beside = { penetration: [], manifold: [box], ray: [knot], deform: ["sheet1.obj", "sheet2.obj"], clash: [box], world: ["scene.json", "way.csv", ...pair], chain: ["arm.json", ...pair], robot: ["arm.json", ...pair], info: [knot] };
    const printed = (command, ...more) => {
      try {
        return run(command, ...commands[command], "--json", ...more);
      } catch (error) {
        if (error.status === 2) throw error;
        return error.stdout; // a state in contact, say
      }
    };
    const seen = {};
    for (const command of Object.keys(commands)) {
      write("printed.json", printed(command));
      if (command === "penetration") continue; // of shapes: without files there is nothing to draw
      seen[command] = await chosen(page, ...(beside[command] ?? pair), "printed.json");
      assert.equal(seen[command], "", command);
      assert.ok(await page.evaluate(() => window.graze_view.view.bodies.length > 0 && window.graze_view.view.answers.length > 0), command);
      if (!["info"].includes(command)) assert.notEqual(await page.locator("#headline").textContent(), "", command);
    }
    write("printed.json", run("collide", ...pair, "--batch", "rows.csv"));
    assert.equal(await chosen(page, ...pair, "printed.json"), "");
    assert.equal(await page.evaluate(() => window.graze_view.view.answers.length), 2);
    await page.close_fine();
  });

  it("opens gzipped files, and refuses those that are cut off", async () => {
    writeFileSync(file("knot.obj.gz"), gzipSync(readFileSync(file("meshes/knot.obj"))));
    writeFileSync(file("cut.obj.gz"), gzipSync(readFileSync(file("meshes/knot.obj"))).subarray(0, 300));
    const page = await open_page();
    assert.equal(await chosen(page, "knot.obj.gz"), "");
    assert.equal(await page.evaluate(() => window.graze_view.view.meshes[0].corners.length), 1440);
    assert.match(await chosen(page, "cut.obj.gz"), /cut\.obj\.gz.*cut off/);
    await page.close_fine();
  });
});
