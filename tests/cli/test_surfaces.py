# SPDX-License-Identifier: MIT
import json
import unittest

from harness import CommandTest


def bowl(bend):
    """z = bend (x^2 + y^2) over [-1, 1]^2: x^2 has the Bernstein coefficients 1, -1, 1."""
    square = [1, -1, 1]
    points = [[i - 1, j - 1, bend * (square[i] + square[j])] for i in range(3) for j in range(3)]
    return {"patches": [{"degree": [2, 2], "points": points}]}


class Surfaces(CommandTest):
    def test_two_tori(self):
        # The centre lines of linked rings are 2 - c apart, the tubes touch at half of the way.
        flight = ["--b-from", "1 0 0 1 1 0 0", "--b-to", "2 0 0 1 1 0 0", "--tolerance", "1e-6"]
        answer = self.json("first-contact", "torus:1,0.25", "torus:1,0.25", *flight)
        self.assertEqual((answer["status"], answer["method"]), ("contact", "interval"))
        self.assertAlmostEqual(answer["time"][1], 0.5, delta=2e-6)
        self.assertLessEqual(answer["gap"], answer["tolerance"])
        self.assertAlmostEqual(abs(answer["normal"][0]), 1, places=4)
        self.assertEqual(answer["direction"], "incoming")
        self.assertTrue(answer["place_a"]["x"][0] <= 0.7501 and answer["place_a"]["x"][1] >= 0.7499)
        text = self.graze("first-contact", "torus:1,0.25", "torus:1,0.25", *flight).stdout
        self.assertIn("contact at t = 0.4999", text)
        self.assertIn("on A", text)

    def test_patches_and_a_mesh_in_either_order(self):
        self.write("upper.json", json.dumps(bowl(1)))
        self.write("lower.json", json.dumps(bowl(-1)))
        fall = ["--a-from", "0.5 0 2 1 0 0 0", "--a-to", "0.5 0 -2 1 0 0 0", "--tolerance", "1e-6"]
        answer = self.json("first-contact", "bezier:upper.json", "bezier:lower.json", *fall)
        self.assertAlmostEqual(answer["time"][1], 2.125 / 4, delta=1e-5)
        self.assertEqual((answer["place_a"]["patch"], answer["place_b"]["patch"]), (0, 0))
        self.assertAlmostEqual(answer["place_a"]["u"][0], 0.375, delta=2e-3)
        self.graze("make", "box", "-o", "box.obj")
        for bodies, meshes in ((["bezier:upper.json", "box.obj"], "place_b"), (["box.obj", "bezier:lower.json"], "place_a")):
            with self.subTest(bodies=bodies):
                answer = self.json("first-contact", *bodies, "--a-from", "0 0 3 1 0 0 0", "--a-to", "0 0 -1 1 0 0 0")
                self.assertEqual(answer["status"], "contact")
                self.assertAlmostEqual(answer["time"][1], 2.5 / 4, delta=1e-5)
                self.assertIn("triangle", answer[meshes])
                self.assertAlmostEqual(answer["normal"][2], -1, places=3)

    def test_limits_and_replay(self):
        flight = ["--a-from", "0 0 4 1 0 0 0", "--a-to", "0 0 0 1 0.5 0 0"]
        cut = self.json("first-contact", "torus:1,0.25", "torus:1,0.25", *flight, "--work", "5", status=3)
        self.assertEqual(cut["status"], "undecided")
        self.assertIsNone(cut["time"][1])
        answer = self.json("first-contact", "torus:1,0.25", "torus:1,0.25", *flight, "--dump", "question.json")
        again = json.loads(self.graze("replay", "question.json", "--json").stdout)
        self.assertEqual(answer["time"], again["time"])

    def test_what_surfaces_do_not_have(self):
        flight = ["--a-from", "0 0 4 1 0 0 0", "--a-to", "0 0 0 1 0.5 0 0"]
        for option in (["--solid"], ["--clearance"], ["--certificate", "p.txt"], ["--any"],
                       ["--profile", "3"], ["--method", "best_first"]):
            with self.subTest(option=option):
                self.refused("first-contact", "torus:1,0.25", "torus:1,0.25", *flight, *option, says=[option[0]])
        self.refused("ray", "torus:1,0.25", "--from", "0 0 5", "--to", "0 0 -5", "--all", says=["SurfaceBody"])
        self.refused("first-contact", "torus:1", "sphere:1", *flight, says=["torus:R,r"])
        self.refused("first-contact", "torus:1,-1", "torus:1,1", *flight, says=["radii"])
        self.refused("first-contact", "torus:1,0.25", "cylinder:1,1", *flight, says=["mesh"])
        self.refused("penetration", "torus:1,0.25", "box:1,1,1", says=["SurfaceBody"])
        self.refused("first-contact", "bezier:none.json", "torus:1,1", *flight, says=["none.json"])
        self.write("bad.json", json.dumps({"patches": [{"degree": [2, 2], "points": [[0, 0, 0]]}]}))
        self.refused("first-contact", "bezier:bad.json", "torus:1,1", *flight, says=["bad.json", "points"])
        self.write("bad.json", json.dumps({"patches": [{"degree": [2, 1.5], "points": [[0, 0, 0]]}]}))
        self.refused("first-contact", "bezier:bad.json", "torus:1,1", *flight, says=["degree"])

    def test_questions_at_one_time(self):
        answer = self.json("collide", "torus:1,0.25", "sphere:0.5")
        self.assertEqual(answer["status"], "free")
        answer = self.json("collide", "torus:1,0.25", "sphere:0.5", "--pose-b", "0.5 0 0 1 0 0 0")
        self.assertEqual((answer["status"], answer["kind"], answer["certain"]), ("contact", "touching", False))
        answer = self.json("distance", "torus:1,0.25", "sphere:0.5")
        self.assertAlmostEqual(answer["distance"], 0.25, delta=1e-4)
        answer = self.json("ray", "torus:1,0.25", "--from", "1 0 5", "--to", "1 0 0")
        self.assertAlmostEqual(answer["hit"]["fraction"], 0.95, delta=1e-6)

    def test_surfaces_in_a_scene(self):
        self.write("scene.json", json.dumps({"version": 1, "bodies": [
            {"name": "ring", "shape": "torus:1,0.25", "pose": [0, 0, 0.25, 1, 0, 0, 0]},
            {"name": "floor", "shape": "halfspace"},
            {"name": "ball", "shape": "sphere:0.5", "pose": [0, 0, 5, 1, 0, 0, 0]}]}))
        first = json.loads(self.graze("world", "scene.json", "--json").stdout.splitlines()[0])
        self.assertEqual([(event["a"], event["b"]) for event in first["events"]], [("ring", "floor")])


if __name__ == "__main__":
    unittest.main()
