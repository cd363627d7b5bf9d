# SPDX-License-Identifier: MIT
"""Pages and pictures: what the page contains is read back; what it shows is tested in web/viewer/test."""

import base64
import gzip
import json
import os
import pathlib
import struct
import subprocess
import unittest
import zlib

from harness import GRAZE, CommandTest, pose

TEMPLATE = "<html><script id=document>{{document}}</script></html>"
HOSTILE = "</script><img src=x onerror=hacked()>{{document}}"


def pixels(path):
    """Width, height and the rows of a PNG as graze writes it."""
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG")
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] != zlib.crc32(kind + body):
            raise ValueError("a chunk's checksum is wrong")
        chunks[kind] = body
        at += 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    raw = zlib.decompress(chunks[b"IDAT"])
    rows = [raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)] for y in range(height)]
    return width, height, [[tuple(row[3 * x:3 * x + 3]) for x in range(width)] for row in rows]


class Pages(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()
        self.cube("b.obj", origin=(3, 0, 0))
        self.write("page.html", TEMPLATE)

    def document(self, *args, status=0):
        self.graze("report", *args, "-o", "out.html", "--template", "page.html", status=status)
        text = (self.dir / "out.html").read_text()
        before, after = TEMPLATE.split("{{document}}")
        self.assertTrue(text.startswith(before) and text.endswith(after), text[:200])
        packed = text[len(before):-len(after)]
        self.assertRegex(packed, r"^[A-Za-z0-9+/]+=*$")
        view = json.loads(gzip.decompress(base64.b64decode(packed)))
        self.assertEqual(view["graze_view"], 1)
        return view

    @staticmethod
    def doubles(text):
        data = base64.b64decode(text)
        return struct.unpack(f"<{len(data) // 8}d", data)

    def test_a_question_with_its_bodies_motion_and_answer(self):
        motion = ("--a-from", pose(0, 0, 0), "--a-to", pose(4, 0, 0))
        view = self.document("first-contact", "cube.obj", "b.obj", *motion)
        self.assertEqual([body["name"] for body in view["bodies"]], ["cube.obj", "b.obj"])
        self.assertEqual(view["bodies"][0]["motion"]["to"], [4, 0, 0, 1, 0, 0, 0])
        self.assertNotIn("motion", view["bodies"][1])
        self.assertEqual(view["answers"][0]["time"], self.json("first-contact", "cube.obj", "b.obj", *motion)["time"])
        self.assertEqual(view["title"], "first-contact cube.obj b.obj")
        self.assertIn("'4 0 0 1 0 0 0'", view["command"])
        positions = self.doubles(view["meshes"][1]["positions"])
        self.assertEqual((min(positions[::3]), max(positions[::3])), (3, 4))
        # Six quads: polygons are kept as they are.
        self.assertEqual(len(base64.b64decode(view["meshes"][0]["first"])), 4 * 7)

    def test_poses_and_a_mesh_that_both_share(self):
        view = self.document("collide", "cube.obj", "cube.obj", "--pose-b", pose(0.5))
        self.assertEqual(view["bodies"][1]["pose"], [0.5, 0, 0, 1, 0, 0, 0])
        self.assertEqual(len(view["meshes"]), 1)
        self.assertEqual(view["answers"][0]["status"], "contact")

    def test_the_exit_status_is_that_of_the_question(self):
        self.document("collide", "cube.obj", "cube.obj", "--exit-code", status=1)
        self.refused("report", "collide", "cube.obj", "none.obj", "-o", "o.html", "--template", "page.html", says=["none.obj"])

    def test_shapes_compounds_and_certificates(self):
        self.write("lamp.json", '{"pieces": [{"shape": "sphere:1"}, {"shape": "box:1,1,1"}]}')
        view = self.document("first-contact", "sphere:0.5+0.1", "compound:lamp.json", "--a-from", pose(9), "--a-to",
                             pose(9, 9), "--certificate", "proof.txt")
        self.assertEqual(view["bodies"][0]["shape"], "sphere:0.5+0.1")
        self.assertTrue(view["bodies"][1]["picture_only"])
        self.assertEqual(view["answers"][0]["certificate"]["text"], (self.dir / "proof.txt").read_text())
        for p in zip(*[iter(self.doubles(view["meshes"][0]["positions"]))] * 3):
            self.assertAlmostEqual(sum(c * c for c in p), 0.36)

    def test_pictures_of_shapes_lie_on_them(self):
        for shape in ("sphere:1", "capsule:1,2", "box:1,2,3+0.1", "cylinder:1,2", "cone:1,2", "ellipsoid:1,2,3",
                      "cylinder:1,2+0.25", "cone:1,2+0.5"):
            with self.subTest(shape=shape):
                view = self.document(shape)
                points = list(zip(*[iter(self.doubles(view["meshes"][0]["positions"]))] * 3))
                for p in points[::97]:
                    inner, outer = ([c * f for c in p] for f in (1 - 1e-6, 1 + 1e-6))
                    on = [self.json("distance", "sphere:0", shape, "--pose-a", pose(*q))["distance"] for q in (inner, outer)]
                    self.assertEqual(on[0], 0)
                    self.assertGreater(on[1], 0)

    def test_a_scene_a_robot_and_frames(self):
        self.write("scene.json", json.dumps({"version": 1, "bodies": [
            {"name": HOSTILE, "make": "box"},
            {"name": "b", "make": "box", "pose": [3, 0, 0, 1, 0, 0, 0], "motion": {"velocity": [-1, 0, 0]}}]}))
        view = self.document("world", "scene.json", "--frames", "4")
        self.assertEqual(view["bodies"][0]["name"], HOSTILE)
        self.assertEqual(self.doubles(view["bodies"][1]["track"])[::7], (3, 2, 1, 0))
        self.assertEqual(len(view["answers"]), 5)
        self.assertEqual(self.document("scene.json")["frames"], 1)
        self.write("robot.json", json.dumps({"version": 1, "from": [0], "to": [1], "links": [
            {"name": "base", "joint": {"type": "fixed"}, "mesh": "cube.obj"},
            {"name": "arm", "parent": "base", "joint": {"type": "prismatic", "axis": [1, 0, 0]}, "mesh": "cube.obj"}]}))
        view = self.document("robot.json")
        self.assertEqual(self.doubles(view["bodies"][1]["track"])[-7], 1)
        self.assertEqual(view["times"][-1], 1)
        view = self.document("chain", "robot.json", "--neighbours")
        self.assertEqual([body["name"] for body in view["bodies"]], ["base", "arm"])
        self.cube("s1.obj")
        self.cube("s2.obj", origin=(0, 0, 1))
        for view in (self.document("s2.obj", "s1.obj"), self.document("deform", "s1.obj", "s2.obj")):
            self.assertEqual(len(view["bodies"]), 1)
            self.assertEqual([min(self.doubles(frame)[2::3]) for frame in view["bodies"][0]["frames"]], [0, 1])

    def test_a_recording_and_a_step_with_its_contacts(self):
        self.graze("cage", "--bodies", "5", "--frames", "7", "--record", "cage.txt")
        view = self.document("cage.txt")
        self.assertEqual((view["frames"], len(view["bodies"]), len(view["answers"])), (7, 5, 7))
        self.write("s1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 1\nv 0.4 0.2 1\nv 0.2 0.4 1\nf 1 2 3\nf 4 5 6\n")
        self.write("s2.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.4 0.2 -1\nv 0.2 0.4 -1\nf 1 2 3\nf 4 5 6\n")
        self.assertEqual(len(self.document("deform", "s1.obj", "s2.obj")["answers"][0]["contacts"]), 3)

    def test_a_robot_on_a_path_on_edges_and_in_a_state(self):
        self.write("arm.json", json.dumps({"version": 1, "links": [
            {"name": "upper", "mesh": "box:0.8,0.1,0.1", "joint": {"type": "revolute", "name": "shoulder"}},
            {"name": "hand", "mesh": "cube.obj", "parent": "upper", "joint": {"type": "prismatic", "axis": [1, 0, 0], "origin": [1, 0, 0, 1, 0, 0, 0]}}]}))
        self.write("path.csv", "10,0,0\n12,0,0.5\n20,0,4\n")
        post = ("--environment", "box:1,1,1", "--environment-pose", pose(4, 0.5, 0.5))
        view = self.document("robot", "arm.json", *post, "--attach", "hand sphere:0.1 0 0 2 1 0 0 0", "--path", "path.csv")
        self.assertEqual([body["name"] for body in view["bodies"]], ["upper", "hand", "sphere:0.1", "environment"])
        answer = view["answers"][0]
        self.assertEqual((answer["parts"], answer["links"]), ([1, 3], ["hand", "environment"]))
        self.assertEqual((view["times"][0], view["times"][-1]), (10, 20))
        # Where it touches is a frame, in which the joint is where the time says.
        track = self.doubles(view["bodies"][1]["track"])
        touch = view["times"].index(answer["when"][1])
        self.assertAlmostEqual(track[7 * touch], 2.5, places=5)
        self.assertEqual(track[-7], 5)
        self.assertEqual(self.doubles(view["bodies"][2]["track"])[-7:-4], (5, 0, 2))
        self.assertEqual(view["bodies"][3]["pose"][:3], [4, 0.5, 0.5])
        self.write("edges.csv", "0,0,0,1\n0,0,0,4\n")
        # A file of a robot and a table: the robot on this path; with no robot it is a table.
        alone = self.document("path.csv", "arm.json")
        self.assertEqual([body["name"] for body in alone["bodies"]], ["upper", "hand"])
        self.assertEqual((alone["times"][0], alone["times"][-1], alone["tables"]), (10, 20, []))
        self.assertEqual(self.doubles(alone["bodies"][1]["track"])[-7], 5)
        self.assertEqual(len(self.document("cube.obj", "path.csv")["tables"]), 1)
        self.write("wide.csv", "1,2,3,4,5,6,7,8,9\n")
        self.refused("report", "arm.json", "wide.csv", "-o", "o.html", "--template", "page.html", says=["wide.csv"])
        edges = self.document("robot", "arm.json", *post, "--edges", "edges.csv")
        self.assertEqual([answer["status"] for answer in edges["answers"]], ["free", "contact"])
        self.assertEqual((edges["times"][0], edges["times"][-1]), (0, 2))
        self.assertEqual(self.document("robot", "arm.json", *post, "--state", "0 2")["frames"], 1)
        self.graze("view", "robot", "arm.json", *post, "--path", "path.csv", "--png", "p.png", "--size", "60x40")
        self.refused("report", "robot", "arm.json", "--list", "-o", "o.html", "--template", "page.html", says=["--list"])

    def test_what_one_frame_a_path_and_a_profile_are_about(self):
        near = self.document("deform", "cube.obj", "--near", "2", "--self")
        self.assertEqual((len(near["bodies"]), "pairs" in near["answers"][0]), (1, True))
        self.write("poses.csv", "-9,0,0,1,0,0,0\n-5,0,0,1,0,0,0\n5,0,0,1,0,0,0\n")
        path = self.document("first-contact", "cube.obj", "b.obj", "--a-path", "poses.csv")
        self.assertEqual(path["answers"][0]["segment"], 1)
        self.assertEqual([path["bodies"][0]["motion"][key][0] for key in ("from", "to")], [-5, 5])
        profile = self.document("first-contact", "cube.obj", "b.obj", "--a-to", pose(1), "--profile", "2")
        self.assertEqual(profile["bodies"][0]["motion"]["to"][0], 1)
        self.assertEqual(len(profile["answers"][0]["profile"]), 3)

    def test_a_deforming_scene(self):
        for frame, z in enumerate((2, 0.5)):
            self.write(f"s{frame}.obj", f"v 0.2 0.2 {z}\nv 0.8 0.2 {z}\nv 0.2 0.8 {z}\nf 1 2 3\n")
        self.write("scene.json", json.dumps({"version": 1, "options": {"frames_to_run": 2}, "bodies": [
            {"name": "sheet", "mesh": "s0.obj", "deform": {"meshes": ["s1.obj"], "loop": False}}, {"name": "cube", "mesh": "cube.obj"}]}))
        for more in ((), ("--step-size",)):
            view = self.document("deform", "scene.json", *more)
            self.assertEqual((view["frames"], [body["name"] for body in view["bodies"]]), (2, ["sheet", "cube"]))
            self.assertEqual((len(view["answers"]), view["answers"][0]["status"]), (1, "contact"))

    def test_a_clash_check_and_its_list(self):
        self.write("parts.json", json.dumps({"version": 1, "parts": [
            {"name": HOSTILE, "mesh": "cube.obj"}, {"name": "two", "mesh": "cube.obj", "pose": [0.5, 0, 0, 1, 0, 0, 0]},
            {"name": "far", "mesh": "b.obj"}]}))
        view = self.document("clash", "parts.json")
        self.assertEqual([body["name"] for body in view["bodies"]], [HOSTILE, "two", "far"])
        self.assertEqual((len(view["meshes"]), len(view["answers"][0]["clashes"])), (2, 1))
        self.graze("clash", "parts.json", "-o", "clashes.json")
        again = self.document("clashes.json")
        self.assertEqual((again["bodies"], again["meshes"]), (view["bodies"], view["meshes"]))
        self.cube(size=9, origin=(50, 0, 0))  # not what the list is about
        self.refused("report", "clashes.json", "-o", "o.html", "--template", "page.html", says=["clashes.json", "point_a"])

    def test_hostile_answers(self):
        self.write("deep.json", "[" * 200000)
        self.refused("report", "cube.obj", "deep.json", "-o", "o.html", "--template", "page.html", says=["deep.json", "nested"])
        for text in ('{"status": "contact", "pairs": [{"a": 1e300}, {"a": -1, "b": 2}, 7, {"b": "x"}], "points": [1, [2], null]}',
                     '{"status": 3, "time": [1], "certificate": {"file": 5}, "events": "x"}',
                     '{"status": "contact", "time": ["a", "b"], "pairs": {"a": 1}, "points": {"x": 1}}'):
            self.write("answer.json", text)
            self.graze("view", "cube.obj", "b.obj", "answer.json", "--png", "p.png", "--size", "30x20")

    def test_what_a_command_printed_with_its_meshes(self):
        answer = self.graze("collide", "cube.obj", "b.obj", "--pose-b", pose(-2.5), "--json").stdout
        self.write("answer.json", answer)
        view = self.document("cube.obj", "b.obj", "answer.json")
        self.assertEqual(view["answers"], [json.loads(answer)])
        self.assertEqual(view["bodies"][1]["pose"][0], -2.5)
        self.write("t.csv", "a,b\n1,2\n")
        self.assertEqual(self.document("t.csv")["tables"], [{"name": "t.csv", "csv": "a,b\n1,2\n"}])

    def test_hostile_names_stay_in_their_place(self):
        view = self.document("cube.obj", "--title", HOSTILE)
        self.assertEqual(view["title"], HOSTILE)
        os.rename(self.dir / "b.obj", bytes(self.dir) + b"/b\xff'.obj")  # no UTF-8
        done = subprocess.run([GRAZE, "report", "cube.obj", b"b\xff'.obj", "-o", "o.html", "--template", "page.html"],
                              cwd=self.dir, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_refusals(self):
        page = ("-o", "o.html", "--template", "page.html")
        self.refused("report", "cube.obj", says=["-o", "OUT.html"])
        self.refused("report", *page, says=["WHAT"])
        self.refused("view", "cube.obj", "--template", "none.html", says=["none.html"])
        self.write("other.html", "<html></html>")
        self.refused("report", "cube.obj", "-o", "o.html", "--template", "other.html", says=["other.html", "{{document}}"])
        self.write("twice.html", "{{document}}{{document}}")
        self.refused("report", "cube.obj", "-o", "o.html", "--template", "twice.html", says=["twice.html"])
        self.refused("report", "cube.obj", "-o", "no/folder.html", "--template", "page.html", says=["no/folder.html"])
        self.refused("report", "cube.obj", "--frob", *page, says=["--frob"])
        self.refused("report", "collide", "cube.obj", "--frob", *page, says=["--frob"])
        self.refused("report", "collide", "cube.obj", *page, says=["second mesh"])
        self.refused("report", "collide", "cube.obj", "b.obj", "--batch", "x.csv", *page, says=["--batch"])
        self.refused("report", "info", "cube.obj", *page, says=["info", "first-contact"])
        self.refused("report", "verify", "a", "b", "c", *page, says=["verify"])
        self.refused("view", "cube.obj", "--png", "p.png", "--size", "3", says=["--size", "960x640"])
        self.refused("view", "cube.obj", "--png", "p.png", "--size", "0x3", says=["--size"])
        for name, text in (("answer.json", '{"status": "free"}'), ("list.json", "[1]"), ("words.json", "hello"), ("x.json", "{}")):
            self.write(name, text)
            self.refused("report", name, *page, says=["WHAT" if name == "answer.json" else name])
        self.assertFalse((self.dir / "o.html").exists())


class Playground(CommandTest):
    PAGE = '<html data-start="{{start}}">'

    def test_the_page_as_it_is_or_with_a_scene(self):
        self.write("play.html", self.PAGE)
        self.assertIn("play.html", self.graze("play", "--template", "play.html").stdout)
        self.graze("play", "potter", "--detail", "0.25", "-o", "pot.html", "--template", "play.html")
        self.assertEqual((self.dir / "pot.html").read_text(), '<html data-start="scene=potter&detail=0.25">')
        written = self.graze("play", "door", "--template", "play.html").stdout.split(":")[0]
        self.assertIn("scene=door&detail=1", pathlib.Path(written).read_text())
        os.remove(written)

    def test_refusals(self):
        self.write("play.html", self.PAGE)
        self.refused("play", "pottery", "--template", "play.html", says=["potter"])
        self.refused("play", "potter", "--detail", "2", "--template", "play.html", says=["--detail"])
        self.refused("play", "--template", "none.html", "-o", "o.html", says=["none.html"])
        self.write("other.html", "<html></html>")
        self.refused("play", "car", "--template", "other.html", "-o", "o.html", says=["other.html", "scripts/web"])
        self.refused("play", "-o", "no/folder.html", "--template", "play.html", says=["no/folder.html"])
        self.assertFalse((self.dir / "o.html").exists())


class Pictures(CommandTest):
    def test_a_still_without_a_browser(self):
        self.cube()
        self.graze("view", "first-contact", "cube.obj", "cube.obj", "--a-from", pose(-4), "--a-to", pose(4), "--png", "p.png",
                   "--size", "300x200")
        width, height, rows = pixels(self.dir / "p.png")
        self.assertEqual((width, height), (300, 200))
        colours = {colour for row in rows for colour in row}
        is_red = lambda c: c[0] > 180 and c[1] < 90 and c[2] < 90
        self.assertTrue(any(map(is_red, colours)), "the contact is not marked")
        self.assertTrue(any(b > r + 40 for r, _, b in colours), "the first body is not blue")
        self.assertTrue(any(r > b + 60 and g > 60 for r, g, b in colours), "the second body is not orange")

    def test_the_time_of_the_picture(self):
        self.cube()
        question = ("first-contact", "cube.obj", "sphere:0.5", "--a-from", pose(-9), "--a-to", pose(-5))
        for time in ("0", "1"):
            self.graze("view", *question, "--png", f"{time}.png", "--size", "120x80", "--time", time)
        self.assertNotEqual((self.dir / "0.png").read_bytes(), (self.dir / "1.png").read_bytes())
        self.graze("view", *question, "--png", "again.png", "--size", "120x80", "--time", "1")
        self.assertEqual((self.dir / "1.png").read_bytes(), (self.dir / "again.png").read_bytes())

    def test_bodies_without_extent_far_away_and_behind(self):
        self.write("flat.obj", "v 1e9 0 0\nv 1e9 0 0\nv 1e9 0 0\nf 1 2 3\n")
        self.write("huge.obj", "v 1e300 0 0\nv 0 1e300 0\nv 0 0 1e300\nf 1 2 3\n")
        self.write("edge.obj", "v 1.7e308 0 0\nv 0 -1.7e308 0\nv 0 0 1.7e308\nf 1 2 3\n")
        for name in ("flat.obj", "huge.obj", "edge.obj", "halfspace"):
            with self.subTest(name=name):
                self.graze("view", name, "--png", "p.png", "--size", "60x40")
                self.assertEqual(pixels(self.dir / "p.png")[:2], (60, 40))


if __name__ == "__main__":
    unittest.main()
