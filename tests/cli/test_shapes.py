# SPDX-License-Identifier: MIT
import math
import unittest

from harness import CommandTest


class Shapes(CommandTest):
    def test_a_shape_stands_where_a_file_may(self):
        for text in ("sphere:0.5", "capsule:0.3,1", "box:1,1,1", "cylinder:0.5,1", "cone:0.5,1", "ellipsoid:0.5,0.4,0.3",
                     "halfspace", "box:0.5,0.5,0.5+0.2"):
            with self.subTest(shape=text):
                near = self.json("collide", text, "box:1,1,1", "--pose-b", "0.2 0 0.1 1 0 0 0")
                self.assertEqual(near["status"], "contact")
                self.assertNotIn("certain", near)
                far = self.json("distance", text, "box:1,1,1", "--pose-b", "0 0 9 1 0 0 0")
                self.assertEqual(far["status"], "free")
                self.assertGreater(far["distance"], 7)

    def test_distances_as_closed_forms(self):
        answer = self.json("distance", "sphere:1", "sphere:0.5", "--pose-b", "3 4 0 1 0 0 0")
        self.assertAlmostEqual(answer["distance"], 3.5, places=12)
        for floor, level in (("halfspace", 0), ("halfspace+0.25", 0.25), ("halfspace+25e-2", 0.25)):
            answer = self.json("distance", "capsule:0.5,2", floor, "--pose-a", "0 0 3 1 0 0 0")
            self.assertAlmostEqual(answer["distance"], 1.5 - level, places=12)

    def test_touching_is_contact_that_is_not_certain(self):
        answer = self.json("collide", "sphere:1", "sphere:0.5", "--pose-b", "1.5 0 0 1 0 0 0")
        self.assertEqual((answer["status"], answer["kind"], answer["certain"]), ("contact", "touching", False))
        self.assertEqual(answer["features"][0]["kind"], "ss")

    def test_a_mesh_and_a_shape(self):
        self.graze("make", "torus", "--triangles", "800", "-o", "torus.obj")
        answer = self.json("collide", "torus.obj", "sphere:0.2", "--pose-b", "1.3 0 0 1 0 0 0", "--all")
        self.assertEqual(answer["status"], "contact")
        self.assertGreater(answer["pair_count"], 1)
        answer = self.json("first-contact", "sphere:0.2", "torus.obj", "--a-from", "5 0 0 1 0 0 0", "--a-to",
                           "0 0 0 1 0 0 0")
        self.assertEqual(answer["status"], "contact")
        self.assertTrue(0 < answer["time"][0] <= answer["time"][1] < 1)
        self.assertTrue(math.isfinite(answer["gap"]))

    def test_the_hull_of_a_file(self):
        self.graze("make", "torus", "--triangles", "800", "-o", "torus.obj")
        self.assertEqual(self.json("collide", "torus.obj", "sphere:0.05")["status"], "free")
        self.assertEqual(self.json("collide", "hull:torus.obj", "sphere:0.05")["status"], "contact")

    def test_a_rounded_hull(self):
        self.graze("make", "box", "-o", "cube+1.obj")
        apart = ["--pose-b", "2 0 0 1 0 0 0"]
        bare = self.json("distance", "hull:cube+1.obj", "sphere:0", *apart)["distance"]
        rounded = self.json("distance", "hull:cube+1.obj+2.5e-1", "sphere:0", *apart)["distance"]
        self.assertAlmostEqual(bare - rounded, 0.25, delta=1e-9)
        self.refused("distance", "hull:cube+1.obj+x", "sphere:0", says=["hull:FILE+R"])

    def test_depths(self):
        answer = self.json("penetration", "sphere:1", "box:2,2,2", "--pose-b", "1.5 0 0 1 0 0 0")
        self.assertAlmostEqual(answer["upper"], 0.5, places=9)
        self.assertLessEqual(answer["lower"], answer["upper"])
        self.assertAlmostEqual(answer["translation"][0], 0.5, places=9)
        self.assertEqual(self.json("penetration", "sphere:1", "sphere:1", "--pose-b", "3 0 0 1 0 0 0")["status"], "free")
        self.graze("make", "torus", "--triangles", "100", "-o", "torus.obj")
        ring = self.json("penetration", "torus.obj", "sphere:0.5", "--pose-b", "0.8 0 0 1 0 0 0")
        self.assertEqual((ring["status"], ring["lower"]), ("contact", 0))
        self.assertGreater(ring["upper"], 0)
        self.assertEqual(len(ring["patches"][0]["translation"]), 3)
        self.assertTrue(ring["patches"][0]["triangles_a"])
        x, y, z = ring["translation"]
        self.assertEqual(self.json("collide", "torus.obj", "sphere:0.5", "--pose-b", f"{0.8 + x} {y} {z} 1 0 0 0")["status"],
                         "free")

    def test_any_contact_of_a_motion(self):
        way = ("--a-from", "5 0 0 1 0 0 0", "--a-to", "0 0 0 1 0 0 0")
        answer = self.json("first-contact", "sphere:0.2", "box:1,1,1", *way, "--any")
        self.assertEqual((answer["status"], answer["time"], answer["probes"]), ("contact", 1, 1))
        answer = self.json("first-contact", "sphere:0.2", "box:1,1,1", *way, "--b-from", "0 3 0 1 0 0 0", "--any")
        self.assertEqual((answer["status"], answer["time"]), ("free", None))

    def test_a_clearance_profile(self):
        way = ("--a-from", "-4 2 0 1 0 0 0", "--a-to", "4 2 0 1 0 0 0")
        for a, b in (("sphere:0.5", "sphere:0.5"), ("sphere:0.5", "capsule:0.5,1")):
            answer = self.json("first-contact", a, b, *way, "--profile", 16)
            self.assertEqual((answer["status"], len(answer["profile"])), ("free", 17))
            for i, sample in enumerate(answer["profile"]):
                self.assertEqual(sample["time"], i / 16)
                exact = math.hypot(i / 2 - 4, 2) - 1
                self.assertLessEqual(sample["lower"], exact + 1e-9)
                self.assertGreaterEqual(sample["upper"], exact - 1e-9)
                self.assertLessEqual(sample["lower_until_next"], sample["lower"])
                self.assertGreater(sample["lower_until_next"], 0)
        text = self.graze("first-contact", "sphere:0.5", "sphere:0.5", *way, "--profile", 16).stdout
        self.assertIn("free", text)
        self.assertEqual(len(text.splitlines()), 19)
        for wrong in (("--any",), ("--profile", 0), ("--clearance",), ("--certificate", "proof.txt")):
            self.refused("first-contact", "sphere:0.5", "sphere:0.5", *way, "--profile", 2, *wrong, says=["--profile"])

    def test_bad_shapes_say_what_is_wrong(self):
        for text, words in (("sphere:", "sphere:R"), ("sphere:x", "no number"), ("box:1,2", "box:X,Y,Z"),
                            ("sphere:-1", "negative"), ("cone:1,2+", "no number")):
            with self.subTest(shape=text):
                self.assertIn(words, self.graze("collide", text, "box:1,1,1", status=2).stderr)

    def test_scene_with_shapes_is_recorded_and_replayed(self):
        self.write("scene.json", """{"version": 1, "bodies": [
          {"name": "floor", "shape": "halfspace"},
          {"name": "ball", "shape": "sphere:0.5", "pose": [0, 0, 3, 1, 0, 0, 0], "motion": {"velocity": [0, 0, -1]}},
          {"name": "crate", "shape": "box:1,1,1", "pose": [4, 0, 3, 1, 0, 0, 0], "motion": {"velocity": [0, 0, -1]}}]}""")
        text = self.graze("world", "scene.json", "--frames", "5", "--record", "run.txt").stdout
        self.assertIn("floor and ball begin to touch", text)
        self.assertIn("floor and crate begin to touch", text)
        self.graze("replay", "run.txt")


if __name__ == "__main__":
    unittest.main()
