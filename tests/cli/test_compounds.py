# SPDX-License-Identifier: MIT
import json
import unittest

from harness import CommandTest


class Compounds(CommandTest):
    def file(self, name, content):
        return self.write(name, json.dumps(content))

    def lamp(self):
        self.graze("make", "cone", "-o", "shade.obj")
        return "compound:" + self.file("lamp.json", {"pieces": [
            {"shape": "cylinder:0.3,0.1", "name": "foot"},
            {"shape": "capsule:0.05,1", "pose": [0, 0, 0.5, 1, 0, 0, 0], "name": "stand"},
            {"pieces": [{"mesh": "shade.obj"}], "pose": [0, 0, 1.2, 1, 0, 0, 0], "name": "shade"}]})

    def test_answers_name_the_pieces(self):
        lamp = self.lamp()
        answer = self.json("distance", lamp, "sphere:0.2", "--pose-b", "2 0 1.2 1 0 0 0")
        self.assertEqual(answer["pieces"], {"a": 2, "name_a": "shade"})
        answer = self.json("collide", "box:1,1,1", lamp, "--all")
        self.assertEqual(answer["pieces"]["name_b"], "foot")
        self.assertEqual([c["b"] for c in answer["piece_contacts"]], [0, 1])
        answer = self.json("first-contact", lamp, "sphere:0.2", "--b-from", "2 0 0.2 1 0 0 0", "--b-to", "-2 0 0.2 1 0 0 0")
        self.assertEqual(answer["status"], "contact")
        self.assertEqual(answer["pieces"]["name_a"], "foot")
        text = self.graze("collide", lamp, lamp, "--pose-b", "0.05 0 0 1 0 0 0").stdout
        self.assertIn("1 (stand) of A, 2 (shade) of B", text)  # where surfaces cross comes first

    def test_all_contacts_and_the_least_clearance(self):
        self.graze("make", "box", "-o", "box.obj")
        blocks = "compound:" + self.file("blocks.json", {"pieces": [
            {"mesh": "box.obj", "name": "low"}, {"mesh": "box.obj", "pose": [0, 3, 0, 1, 0, 0, 0], "name": "high"}]})
        way = ("--a-from", "-4 0.25 1.2 1 0 0 0", "--a-to", "4 0.25 0.7 1 0 0 0")
        answer = self.json("first-contact", blocks, blocks, *way, "--all-contacts")
        self.assertEqual(answer["status"], "contact")
        self.assertEqual({(c["pieces"]["name_a"], c["pieces"]["name_b"]) for c in answer["contacts"]},
                         {("low", "low"), ("high", "high")})
        self.assertIn("pieces 0 (low) of A, 0 (low) of B", self.graze("first-contact", blocks, blocks, *way, "--all-contacts").stdout)
        past = self.json("first-contact", blocks, "sphere:0.5", *way, "--b-from", "0 0.25 3 1 0 0 0", "--clearance")
        self.assertEqual(past["status"], "free")
        self.assertAlmostEqual(past["clearance"]["lower"], past["clearance"]["upper"], delta=2e-3)
        kept = self.json("first-contact", blocks, "sphere:0.5", *way, "--b-from", "0 0.25 3 1 0 0 0", "--min-separation", "2")
        self.assertEqual(kept["status"], "contact")
        self.refused("first-contact", self.lamp(), blocks, *way, "--all-contacts", says=["curved pieces"])

    def test_triangles_are_those_of_the_piece(self):
        answer = self.json("collide", self.lamp(), "box:0.1,0.1,0.1", "--pose-b", "0.28 0 1.1 1 0 0 0", "--all")
        self.assertEqual(answer["status"], "contact")
        self.assertEqual({p["piece_a"] for p in answer["pairs"]}, {2})

    def test_a_scene_of_compounds(self):
        self.lamp()
        scene = self.file("scene.json", {"version": 1, "bodies": [
            {"name": "floor", "shape": "halfspace"},
            {"name": "table", "pose": [0, 0, 0.5, 1, 0, 0, 0], "pieces": [
                {"shape": "box:1,1,0.1", "name": "top"},
                {"make": "cylinder", "scale": 0.2, "pose": [0, 0, -0.3, 1, 0, 0, 0], "name": "leg"}]},
            {"name": "ball", "shape": "sphere:0.2", "pose": [0, 0, 0.7, 1, 0, 0, 0]}]})
        lines = self.graze("world", scene, "--frames", "2", "--json", "--record", "run.txt").stdout.splitlines()
        events = {(e["a"], e["b"]): e for e in json.loads(lines[0])["events"]}
        self.assertEqual(events[("table", "ball")]["pieces"], [0, 0])
        self.assertEqual(events[("table", "ball")]["piece_names"], ["top", ""])
        self.assertIn("table (top) and ball begin to touch", self.graze("world", scene, "--frames", "1").stdout)
        self.graze("replay", "run.txt")

    def test_links_of_several_pieces(self):
        robot = self.file("robot.json", {"links": [
            {"name": "base", "joint": {"type": "fixed"}, "mesh": "box:1,1,0.1"},
            {"name": "arm", "parent": "base", "joint": {"type": "revolute", "origin": [0, 0, 1, 1, 0, 0, 0],
                                                        "axis": [0, 1, 0]},
             "pieces": [{"mesh": "capsule:0.05,0.5", "pose": [0, 0, 0.3, 1, 0, 0, 0], "name": "bone"},
                        {"mesh": "sphere:0.2", "pose": [0, 0, 0.8, 1, 0, 0, 0], "name": "hand"}]}],
            "from": [0], "to": [3.1]})
        answer = self.json("chain", robot, "--neighbours")
        self.assertEqual(answer["status"], "contact")
        self.assertEqual(answer["pieces"], {"b": 1, "name_b": "hand"})

    def test_what_is_refused(self):
        for pieces, part in (([], "at least one piece"),
                             ([{"shape": "halfspace"}], "half-space"),
                             ([{"shape": "sphere:-1"}], "shape"),
                             ([{"name": "x"}], "mesh"),
                             ([{"shape": "sphere:1", "posse": [0]}], "posse")):
            with self.subTest(pieces=pieces):
                name = self.file("bad.json", {"pieces": pieces})
                result = self.graze("collide", "compound:" + name, "sphere:1", status=2)
                self.assertIn(part, result.stderr)
        self.assertEqual(self.json("penetration", self.lamp(), "sphere:1")["status"], "contact")
        self.assertEqual(self.json("penetration", "halfspace", self.lamp())["status"], "contact")

    def test_height_fields(self):
        ground = self.write("ground.txt", "0 0 0\n0 1 x\n0 0 0\n")
        answer = self.json("distance", "heights:" + ground, "sphere:0.5", "--pose-b", "0 0 3 1 0 0 0")
        self.assertAlmostEqual(answer["distance"], 1.5, places=9)
        answer = self.json("distance", f"heights:2,2,{ground}", "sphere:0.5", "--pose-b", "-2 -2 -3 1 0 0 0")
        self.assertAlmostEqual(answer["distance"], 2.5, places=9)
        scene = self.file("hills.json", {"version": 1, "bodies": [
            {"name": "ground", "heights": "ground.txt", "spacing": [2, 2]},
            {"name": "ball", "shape": "sphere:0.5", "pose": [0, 0, 1.2, 1, 0, 0, 0]}]})
        lines = self.graze("world", scene, "--frames", "1", "--json").stdout.splitlines()
        self.assertEqual(len(json.loads(lines[0])["events"]), 1)
        bad = self.write("bad.txt", "0 0\n0 0 0\n")
        self.assertIn("bad.txt:2", self.graze("collide", "heights:" + bad, "sphere:1", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
