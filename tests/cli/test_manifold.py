# SPDX-License-Identifier: MIT
import json
import unittest

from harness import CommandTest


class Manifold(CommandTest):
    def test_a_box_on_a_floor(self):
        answer = self.json("manifold", "halfspace", "box:1,1,1", "--pose-b", "2 0 0.49 1 0 0 0")
        self.assertEqual(answer["status"], "contact")
        (patch,) = answer["patches"]
        self.assertEqual(patch["normal"], [0, 0, 1])
        self.assertEqual(len({p["id"] for p in patch["points"]}), 4)
        corners = sorted(tuple(round(x, 6) for x in p["points"][1]) for p in patch["points"])
        self.assertEqual(corners, [(1.5, -0.5, -0.01), (1.5, 0.5, -0.01), (2.5, -0.5, -0.01), (2.5, 0.5, -0.01)])
        for point in patch["points"]:
            self.assertAlmostEqual(point["depth"], 0.01, places=9)
            self.assertEqual((list(point["feature_a"]), list(point["feature_b"])), (["face"], ["vertex"]))
        # The ids stay when it slides.
        moved = self.json("manifold", "halfspace", "box:1,1,1", "--pose-b", "3 1 0.48 1 0 0 0.1")
        self.assertEqual([p["id"] for p in moved["patches"][0]["points"]], [p["id"] for p in patch["points"]])
        text = self.graze("manifold", "halfspace", "box:1,1,1", "--pose-b", "2 0 0.49 1 0 0 0").stdout
        self.assertIn("contact: 1 patch", text)
        self.assertEqual(text.count("0.01 deep"), 4)

    def test_a_margin(self):
        near = ("manifold", "halfspace", "sphere:0.5", "--pose-b", "0 0 0.51 1 0 0 0")
        self.assertEqual(self.json(*near)["patches"], [])
        answer = self.json(*near, "--margin", "0.02")
        self.assertEqual(answer["status"], "free")
        self.assertAlmostEqual(answer["patches"][0]["points"][0]["depth"], -0.01, places=9)
        self.assertIn("0.01 apart", self.graze(*near, "--margin", "0.02").stdout)

    def test_pieces(self):
        self.write("two.json", json.dumps({"version": 1, "pieces": [
            {"name": "left", "shape": "box:1,1,1", "pose": [-1, 0, 0, 1, 0, 0, 0]},
            {"name": "right", "shape": "box:1,1,1", "pose": [1, 0, 0, 1, 0, 0, 0]}]}))
        answer = self.json("manifold", "halfspace", "compound:two.json", "--pose-b", "0 0 0.49 1 0 0 0")
        self.assertEqual([p["pieces"] for p in answer["patches"]], [[0, 0], [0, 1]])

    def test_refusals(self):
        self.refused("manifold", "halfspace", "halfspace", says=["half-spaces"])
        self.refused("manifold", "sphere:1", "sphere:1", "--margin", "-1", says=["margin"])
        self.refused("manifold", "sphere:1", "sphere:1", "--method", "tree", says=["--method"])

    def test_details_of_a_scene(self):
        bodies = [{"name": "floor", "shape": "halfspace"},
                  {"name": "crate", "shape": "box:1,1,1", "pose": [0, 0, 0.49, 1, 0, 0, 0]},
                  {"name": "ring", "make": "torus", "triangles": 100, "pose": [0, 0, 1, 1, 0, 0, 0]}]
        for mode in ("serial", "concurrent"):
            options = {"details": ["manifold", "depth", "all_pairs"], "margin": 0.02, "mode": mode}
            self.write("scene.json", json.dumps({"version": 1, "options": options, "bodies": bodies}))
            lines = [json.loads(x) for x in self.graze("world", "scene.json", "--json").stdout.splitlines()]
            events = {(e["a"], e["b"]): e for e in lines[0]["events"]}
            event = events["floor", "crate"]
            self.assertEqual(len(event["manifold"]["patches"][0]["points"]), 4)
            self.assertAlmostEqual(event["depth"]["upper"], 0.01, places=9)
            self.assertGreater(len(events["crate", "ring"]["all_pairs"]), 1)
        for options, says in (({"details": ["points"]}, ["details", "manifold"]), ({"margin": 1}, ["margin"]),
                              ({"details": ["manifold"], "margin": -1}, ["margin"])):
            self.write("scene.json", json.dumps({"version": 1, "options": options, "bodies": bodies}))
            self.refused("world", "scene.json", says=says)

    def test_margins_of_bodies_in_a_scene(self):
        bodies = [{"name": "wall", "shape": "box:1,1,1", "margin": 0.25},
                  {"name": "drone", "shape": "sphere:0.5", "pose": [1.5, 0, 0, 1, 0, 0, 0], "margin": 0.5}]
        self.write("scene.json", json.dumps({"version": 1, "bodies": bodies}))
        lines = [json.loads(x) for x in self.graze("world", "scene.json", "--json", "--record", "run.txt").stdout.splitlines()]
        (event,) = lines[0]["events"]
        self.assertEqual((event["event"], event["kind"]), ("began", None))
        self.assertAlmostEqual(event["gap"], 0.5, places=9)
        self.assertIn("apart", self.graze("world", "scene.json").stdout)
        self.graze("replay", "run.txt")
        bodies[0]["margin"] = -1
        self.write("scene.json", json.dumps({"version": 1, "bodies": bodies}))
        self.refused("world", "scene.json", says=["margin"])

    def test_rays_and_casts_of_a_scene(self):
        scene = {"version": 1, "options": {"frames_to_run": 2},
                 "bodies": [{"name": "floor", "shape": "halfspace"},
                            {"name": "crate", "shape": "box:1,1,1", "pose": [0, 0, 0.5, 1, 0, 0, 0],
                             "motion": {"velocity": [4, 0, 0]}}],
                 "rays": [{"name": "laser", "from": [0, 0, 3], "to": [0, 0, -1], "hits": "first"}],
                 "casts": [{"name": "ball", "shape": "sphere:0.5", "from": [0, 0, 3.5, 1, 0, 0, 0],
                            "to": [0, 0, -0.5, 1, 0, 0, 0]}]}
        for mode in ("serial", "concurrent"):
            scene["options"]["mode"] = mode
            self.write("scene.json", json.dumps(scene))
            lines = [json.loads(x) for x in self.graze("world", "scene.json", "--json").stdout.splitlines()]
            for line, body, height in ((lines[0], "crate", 1), (lines[1], "floor", 0)):
                (ray,), (cast,) = line["rays"], line["casts"]
                self.assertEqual([(h["body"], h["point"][2]) for h in ray["hits"]], [(body, height)])
                self.assertEqual((cast["name"], cast["status"], cast["body"]), ("ball", "contact", body))
                self.assertAlmostEqual(cast["time"][1], (3 - height) / 4, places=6)
            self.assertIn("cast ball meets crate", self.graze("world", "scene.json").stdout)
        scene["rays"][0]["hits"] = "none"
        self.write("scene.json", json.dumps(scene))
        self.refused("world", "scene.json", says=["rays[0].hits"])


if __name__ == "__main__":
    unittest.main()
