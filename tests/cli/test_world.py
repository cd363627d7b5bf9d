# SPDX-License-Identifier: MIT
"""graze world, graze cage, and recordings of both."""

import json
import unittest

from harness import CommandTest

IDENTITY = [0, 0, 0, 1, 0, 0, 0]


class CageTest(CommandTest):
    SMALL = ("--bodies", 60, "--kind", "box", "--kind", "torus", "--triangles", 100)

    def cage(self, *args, seed=3):
        return self.json("cage", *self.SMALL, "--frames", 12, "--seed", seed, *args)

    def test_the_hash_is_the_same_for_every_broad_phase_thread_count_and_mode(self):
        first = self.cage("--broad", "all_pairs")
        self.assertGreater(first["event_count"], 50)
        self.assertEqual(first["event_count"], first["began"] + first["stays"] + first["ended"])
        self.assertGreater(first["seconds_per_frame"], 0)
        self.assertEqual(first["counters"]["bodies_placed"], 60 * 12)
        for args in (["--broad", "grid"], ["--broad", "octree"], ["--broad", "sweep"], ["--broad", "tree"],
                     ["--broad", "automatic"], ["--threads", 3], ["--mode", "parallel"], ["--mode", "concurrent"]):
            other = self.cage(*args)
            self.assertEqual((other["event_count"], other["event_hash"]), (first["event_count"], first["event_hash"]), args)
        self.assertNotEqual(self.cage(seed=4)["event_hash"], first["event_hash"])

    def test_only_what_moves_is_placed(self):
        one = self.cage("--movers", 1)
        self.assertEqual(one["counters"]["bodies_placed"], 60 + 11)

    def test_the_newest_frame_only(self):
        beside = self.cage("--mode", "concurrent", "--newest")
        self.assertGreaterEqual(beside["skipped_frames"], 0)
        self.assertGreater(beside["call_p99_seconds"], 0)

    def test_soak(self):
        answer = self.json("cage", *self.SMALL, "--soak", "--every", 3, "--frames", 30)
        self.assertIsNone(answer["difference"])
        self.assertEqual(answer["compared"], 10)
        self.assertGreater(answer["deformations"] + answer["breaks"] + answer["removes"], 5)

    def test_a_recording_is_replayed_to_the_same_events(self):
        cage = self.cage("--record", "cage.txt")
        again = self.json("replay", "cage.txt")
        self.assertEqual((again["event_count"], again["event_hash"]), (cage["event_count"], cage["event_hash"]))
        self.assertEqual(again["different_lines"], [])
        self.assertIn("every answer is as recorded", self.graze("replay", "cage.txt", "--events").stdout)
        # Another pose, another answer: the line is named.
        lines = (self.dir / "cage.txt").read_text().split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("move "))
        words = lines[at].split(" ")
        words[3:6] = ["1e6", "0", "0"]
        lines[at] = " ".join(words)
        self.write("changed.txt", "\n".join(lines))
        self.assertTrue(self.json("replay", "changed.txt", status=(0, 3))["checks"] == 12)
        self.write("broken.txt", "\n".join(lines[:at] + ["move 0"]))
        self.refused("replay", "broken.txt", says=[f"broken.txt:{at + 1}", "ends too early"])

    def test_refusals(self):
        self.refused("cage", "--kind", "cupcake", says=["cupcake", "make --list"])
        self.refused("cage", "--broad", "none", says=["--broad"])
        self.refused("cage", "--bodies", 0, says=["--bodies"])


class WorldTest(CommandTest):
    def scene(self, **changes):
        scene = {
            "version": 1,
            "options": {"frames_to_run": 8},
            "frames": [{"name": "cart", "motion": {"velocity": [1, 0, 0]}}],
            "bodies": [
                {"name": "wall", "make": "box", "pose": [5, 0, 0, 1, 0, 0, 0]},
                {"name": "load", "make": "box", "frame": "cart", "pose": IDENTITY},
                {"name": "ring", "make": "torus", "triangles": 100, "scale": 0.5, "pose": [0, 9, 0, 1, 0, 0, 0]},
            ],
        }
        scene.update(changes)
        return self.write("scene.json", json.dumps(scene))

    def lines(self, *args, status=0):
        return [json.loads(line) for line in self.graze("world", *args, "--json", status=status).stdout.splitlines()]

    def test_events_frame_by_frame(self):
        lines = self.lines(self.scene())
        self.assertEqual(len(lines), 9)
        events = [(line["frame"], e["event"], e["a"], e["b"]) for line in lines[:-1] for e in line["events"]]
        # The load goes 0, 1, ... and the wall spans 4.5 to 5.5: its near face touches at 4, its far one at 6.
        self.assertEqual(events, [(5, "began", "wall", "load"), (6, "stays", "wall", "load"),
                                  (7, "stays", "wall", "load"), (8, "ended", "wall", "load")])
        self.assertEqual(lines[4]["events"][0]["kind"], "touching")
        self.assertEqual(lines[-1]["event_count"], 4)
        self.assertIn("wall and load begin to touch (touching)", self.graze("world", "scene.json").stdout)

    def test_every_mode_says_the_same(self):
        hashes = set()
        for options in ({}, {"mode": "parallel", "threads": 2}, {"mode": "concurrent"}, {"broad": "grid"}):
            hashes.add(self.lines(self.scene(options={"frames_to_run": 8, **options}))[-1]["event_hash"])
        self.assertEqual(len(hashes), 1)

    def test_interest_tracks_sweeps_and_recordings(self):
        track = [{"pose": [x, 0, 0, 1, 0, 0, 0]} for x in (0, 10, 20)]
        scene = self.scene(
            options={"frames_to_run": 3, "sweep": True}, frames=[],
            bodies=[{"name": "wall", "make": "box", "pose": [5, 0, 0, 1, 0, 0, 0]},
                    {"name": "bullet", "make": "box", "motion": {"track": track}}])
        lines = self.lines(scene, "--record", "run.txt")
        self.assertEqual([line["events"] for line in lines[:-1]], [[], [], []])
        self.assertEqual(lines[1]["sweep"][0]["status"], "contact")
        self.assertAlmostEqual(lines[1]["sweep"][0]["time"][1], 0.4, places=4)
        self.assertEqual(self.json("replay", "run.txt")["different_lines"], [])
        quiet = json.loads((self.dir / "scene.json").read_text())
        quiet["pairs"] = [{"a": "wall", "b": "bullet", "interest": False}]
        self.assertEqual(self.lines(self.write("quiet.json", json.dumps(quiet)))[1]["sweep"], [])

    def test_a_negative_number_of_frames_is_refused(self):  # it was taken for 2^64 - 1, and never ended
        self.refused("world", self.scene(), "--frames", -1, says=["--frames", "-1"])
        self.refused("cage", "--movers", -1, says=["--movers", "-1"])

    def test_a_folder_is_no_scene(self):
        self.refused("world", ".", says=["graze: .: cannot be read; is it a plain file?"])

    def test_mistakes_are_named_with_their_place(self):
        good = json.loads((self.dir / self.scene()).read_text())

        def broken(change):
            scene = json.loads(json.dumps(good))
            change(scene)
            return self.write("broken.json", json.dumps(scene))

        for change, says in [
            (lambda s: s.update(version=2), ["broken.json", '"version"']),
            (lambda s: s["bodies"][1].update(pose=[1, 2]), ['"bodies[1].pose"', "7 numbers"]),
            (lambda s: s["bodies"][1].update(frame="boat"), ['"bodies[1].frame"', "boat"]),
            (lambda s: s["bodies"][1].update(name="wall"), ['"bodies[1].name"', "twice"]),
            (lambda s: s["bodies"][2].update(mesh="x.obj"), ['"bodies[2].mesh"', "either"]),
            (lambda s: s["bodies"][2].update(make="cupcake"), ['"bodies[2].make"', "cupcake"]),
            (lambda s: s["bodies"][2].update(colour="red"), ['"bodies[2].colour"', "not a key"]),
            (lambda s: s["frames"][0].update(motion={"velocity": "fast"}), ['"frames[0].motion.velocity"', "numbers"]),
            (lambda s: s["options"].update(broad="none"), ['"options.broad"', "all_pairs"]),
            (lambda s: s.update(bodies=[]), ['"bodies"', "at least one"]),
            (lambda s: s.update(pairs=[{"a": "wall", "b": "wall"}]), ['"pairs[0].b"', "different"]),
        ]:
            self.refused("world", broken(change), says=says)
        self.refused("world", "nowhere.json", says=["nowhere.json"])


if __name__ == "__main__":
    unittest.main()
