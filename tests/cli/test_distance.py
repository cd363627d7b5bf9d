# SPDX-License-Identifier: MIT
import json
import math
import unittest

from harness import CommandTest, pose


class Distance(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()

    def test_apart(self):
        answer = self.json("distance", "cube.obj", "cube.obj", "--pose-b", pose(3, 4, 0))
        self.assertEqual(answer["status"], "free")
        self.assertTrue(math.isclose(answer["distance"], math.hypot(2, 3), rel_tol=1e-9))
        a, b = answer["points"]
        self.assertTrue(math.isclose(math.dist(a, b), answer["distance"], rel_tol=1e-9))
        self.assertEqual(len(answer["pairs"]), 1)
        self.assertEqual(len(answer["features"]), 1)
        self.assertTrue(math.isclose(answer["normal"][0], 2 / math.hypot(2, 3), rel_tol=1e-9))

    def test_touching_is_zero_with_a_witness(self):
        answer = self.json("distance", "cube.obj", "cube.obj", "--pose-b", pose(1), "--exit-code", status=1)
        self.assertEqual((answer["status"], answer["distance"]), ("contact", 0))
        self.assertEqual(len(answer["pairs"]), 1)

    def test_brute_and_tree_agree(self):
        far = ("distance", "cube.obj", "cube.obj", "--pose-b", pose(3, 4, 5, (1, 0.5, 0.25, 0)))
        tree, brute = (self.json(*far, "--method", method) for method in ("tree", "brute"))
        self.assertTrue(math.isclose(tree["distance"], brute["distance"], rel_tol=1e-9))

    def test_doubles_round_trip(self):
        gap = 0.1 + 0.2
        done = self.graze("distance", "cube.obj", "cube.obj", "--pose-b", pose(repr(1 + gap)), "--json")
        self.assertIn(f'"pose_b":[{1 + gap!r},', done.stdout)
        self.assertTrue(math.isclose(json.loads(done.stdout)["distance"], gap, rel_tol=1e-9))

    def test_within_is_exact(self):
        apart = ("distance", "cube.obj", "cube.obj", "--pose-b", pose(3), "--within")
        self.assertEqual(self.json(*apart, "2")["status"], "contact")
        self.assertEqual(self.json(*apart, repr(math.nextafter(2, 0)))["status"], "free")
        self.assertEqual(self.json(*apart, "2")["within"], 2)
        self.graze(*apart, "2", "--exit-code", status=1)
        self.assertTrue(self.graze(*apart, "1").stdout.startswith("free: farther apart than 1\n"))

    def test_bad_options(self):
        files = ("distance", "cube.obj", "cube.obj")
        self.refused(*files, "--within", "-1", says=[])
        self.refused(*files, "--within", "nan", says=[])
        self.refused(*files, "--within", "near", says=["--within", "near"])
        self.refused(*files, "--relative-error", "0", says=[])
        self.refused(*files, "--relative-error", "2", says=[])
        self.refused(*files, "--method", "guess", says=["guess"])

    def test_text_for_people(self):
        text = self.graze("distance", "cube.obj", "cube.obj", "--pose-b", pose(3)).stdout
        self.assertTrue(text.startswith("distance 2"), text)
        for label in ("point on A", "point on B", "triangles", "features", "normal", "time"):
            self.assertIn(f"\n  {label}", text)


if __name__ == "__main__":
    unittest.main()
