# SPDX-License-Identifier: MIT
"""graze deform: contacts of a deforming mesh between frames."""
import csv
import json
import os
import pathlib
import unittest

from harness import CommandTest


def quad(z, other=None):
    """A square at height z over a fixed square at 0, in one file: two pieces of two triangles each."""
    lines = ["v 0 0 0", "v 2 0 0", "v 2 2 0", "v 0 2 0"]
    lines += [f"v {x} {y} {z}" for x, y in [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]]
    lines += ["f 1 2 3", "f 1 3 4", "f 5 6 7", other or "f 5 7 8"]
    return "\n".join(lines) + "\n"


class Deform(CommandTest):
    def test_a_square_falls_through_another(self):
        a, b = self.write("a.obj", quad(1)), self.write("b.obj", quad(-1))
        pairs = str(self.dir / "pairs.csv")
        for options in [[], ["--exact"], ["--threads", "2"], ["--self"]]:
            done = self.graze("deform", a, b, "--json", "--pairs", pairs, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            self.assertEqual(answer["status"], "contact")
            self.assertAlmostEqual(answer["time"][1], 0.5, places=9)
            self.assertLessEqual(answer["time"][0], 0.5)
            self.assertEqual(answer["crossing_at_start"], [])
            self.assertGreaterEqual(answer["vf"], 4)
            self.assertIn("total", answer["seconds"])
            with open(pairs, newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), answer["vf"] + answer["ee"])
            self.assertEqual(list(rows[0]), ["kind", "a", "b", "c", "d", "t_safe", "t_touch"])

    def test_several_frames_and_the_earliest_only(self):
        frames = [self.write(f"{i}.obj", quad(z)) for i, z in enumerate([3, 2, 1, -1])]
        done = self.graze("deform", *frames, "--json", "--first")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["status"] for line in lines], ["free", "free", "contact"])
        self.assertEqual(lines[2]["vf"] + lines[2]["ee"], 1)
        self.assertEqual(lines[0]["time"], [1, None])

    def test_crossing_at_the_start_is_a_field_of_its_own(self):
        text = quad(1).replace("v 0.5 0.5 1", "v 0.5 0.5 -1")
        a = self.write("a.obj", text)
        answer = json.loads(self.graze("deform", a, a, "--json").stdout)
        self.assertEqual(answer["status"], "contact")
        self.assertTrue(answer["crossing_at_start"])
        self.assertEqual(json.loads(self.graze("deform", a, a, "--json", "--no-start").stdout)["crossing_at_start"], [])

    def test_another_topology_is_named(self):
        a, b = self.write("a.obj", quad(1)), self.write("b.obj", quad(-1, "f 5 7 6"))
        self.refused("deform", a, b, says=["polygon 3", "b.obj"])

    def test_the_shared_steps(self):
        data = pathlib.Path(os.environ.get("GRAZE_SHARED_DATA", pathlib.Path(__file__).parents[3] / "shared/data"))
        step = data / "deform" / "armadillo-rollers"
        if not step.is_dir():
            self.skipTest(f"{step} is not there; set GRAZE_SHARED_DATA")
        done = self.graze("deform", str(step / "frame0.ply"), str(step / "frame1.ply"), "--self", "--json", "--no-start")
        answer = json.loads(done.stdout)
        self.assertEqual((answer["vf"], answer["ee"]), (4650, 19308))
        self.assertLessEqual(answer["time"][0], 3.98581929897e-05)


if __name__ == "__main__":
    unittest.main()
