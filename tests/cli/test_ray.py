# SPDX-License-Identifier: MIT
import json
import math
import unittest

from harness import CommandTest, pose


class RayCommand(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()

    def test_first_hit(self):
        answer = self.json("ray", "cube.obj", "--pose", pose(1), "--from", "5 0.1 0.2", "--to", "-3 0.1 0.2")
        hit = answer["hit"]
        self.assertEqual(answer["status"], "contact")
        self.assertEqual(hit["fraction"], 3 / 8)
        self.assertTrue(math.dist(hit["point"], [2, 0.1, 0.2]) < 1e-12)
        self.assertEqual(hit["normal"], [1, 0, 0])
        self.assertTrue(math.isclose(sum(hit["weights"]), 1))
        self.assertIn("face", hit["feature"])

    def test_all_and_any(self):
        ray = ("ray", "cube.obj", "--from", "5 0.1 0.2", "--to", "-3 0.1 0.2")
        answer = self.json(*ray, "--all")
        self.assertEqual([hit["normal"][0] for hit in answer["all"]], [1, -1])
        self.assertEqual(answer["all"][0], answer["hit"])
        self.assertEqual(self.json(*ray, "--any")["status"], "contact")
        self.refused(*ray, "--all", "--any", says=["--any"])

    def test_features(self):
        corner = self.json("ray", "cube.obj", "--from", "2 2 2", "--to", "0.5 0.5 0.5")
        self.assertIn("vertex", corner["hit"]["feature"])
        edge = self.json("ray", "cube.obj", "--from", "2 2 0.25", "--to", "0.5 0.5 0.25")
        self.assertIn("edge", edge["hit"]["feature"])

    def test_shapes(self):
        answer = self.json("ray", "sphere:1", "--from", "0 0 5", "--to", "0 0 0")
        self.assertTrue(math.isclose(answer["hit"]["fraction"], 0.8, rel_tol=1e-9))
        self.assertEqual(answer["hit"]["feature"], "surface")
        self.assertTrue(math.dist(answer["hit"]["normal"], [0, 0, 1]) < 1e-9)

    def test_miss_text_and_exit_code(self):
        miss = self.graze("ray", "cube.obj", "--from", "5 5 5", "--to", "6 6 6", "--exit-code")
        self.assertTrue(miss.stdout.startswith("free"))
        hit = self.graze("ray", "cube.obj", "--from", "5 0.2 0.1", "--to", "0.5 0.2 0.1", "--exit-code", status=1)
        for label in ("point", "normal", "triangle", "weights"):
            self.assertIn(label, hit.stdout)

    def test_batch(self):
        self.write("rays.csv", "x,y,z,u,v,w\n5,0.2,0.1,-5,0.2,0.1\n5,5,5,6,6,6\n")
        done = self.graze("ray", "cube.obj", "--batch", "rays.csv")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["status"] for line in lines], ["contact", "free"])

    def test_bad_usage(self):
        self.refused("ray", "cube.obj", says=["--from"])
        self.refused("ray", "cube.obj", "--from", "1 2", "--to", "1 2 3", says=["--from", "three"])
        self.refused("ray", "cube.obj", "--from", "1 2 nan", "--to", "1 2 3", says=["finite"])


class MinSeparation(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()

    def flight(self, *more, **keywords):
        return self.json("first-contact", "cube.obj", "cube.obj", "--a-from", pose(5, 0.1, 0.2), "--a-to", pose(0, 0.1, 0.2), *more, **keywords)

    def test_contact_at_a_distance(self):
        answer = self.flight("--min-separation", "0.5")
        self.assertEqual(answer["status"], "contact")
        self.assertEqual(answer["min_separation"], 0.5)
        self.assertTrue(abs(answer["gap"] - 0.5) < 1e-5)
        self.assertEqual(self.flight("--min-separation", "4.5")["status"], "touching_at_start")

    def test_refused(self):
        flight = ("first-contact", "cube.obj", "cube.obj", "--a-from", pose(5, 0.1, 0.2), "--a-to", pose(0, 0.1, 0.2))
        self.refused(*flight, "--min-separation", "-1", says=["--min-separation"])
        self.refused(*flight, "--min-separation", "1", "--ignore-start-if-separating", says=["ignore_start_if_separating"])
        answer = self.flight("--min-separation", "0.5", "--clearance", "--all-contacts")
        self.assertLess(answer["clearance"]["upper"], 0.5)
        self.assertTrue(answer["contacts"])


if __name__ == "__main__":
    unittest.main()
