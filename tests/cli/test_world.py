# SPDX-License-Identifier: MIT
"""graze world, graze cage, and recordings of both."""

import json
import pathlib
import re
import unittest

from harness import CommandTest
from schema import mistakes

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
SCHEMA = json.loads((DOCS / "scene.schema.json").read_text())

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
                     ["--broad", "automatic"], ["--broad", "grid", "--boxes", "tilted"], ["--boxes", "cubes"], ["--threads", 3], ["--mode", "parallel"], ["--mode", "concurrent"]):
            other = self.cage(*args)
            self.assertEqual((other["event_count"], other["event_hash"]), (first["event_count"], first["event_hash"]), args)
        self.assertNotEqual(self.cage(seed=4)["event_hash"], first["event_hash"])

    def test_only_what_moves_is_placed(self):
        one = self.cage("--movers", 1)
        self.assertEqual(one["counters"]["bodies_placed"], 60 + 11)
        self.assertNotIn(0, list(one["counters"].values()) + list(one["broad_counters"].values()))

    def test_the_newest_frame_only(self):
        beside = self.cage("--mode", "concurrent", "--newest")
        self.assertGreaterEqual(beside["skipped_frames"], 0)
        self.assertGreater(beside["call_p99_seconds"], 0)
        self.assertGreater(beside["longest_check_seconds"], 0)

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

    def test_nobody_moves(self):  # no movers was taken for all of them
        still = self.cage("--movers", 0)
        self.assertEqual((still["movers"], still["counters"]["bodies_placed"]), (0, 60))
        beside = self.cage("--movers", 0, "--mode", "concurrent")
        self.assertEqual(beside["event_hash"], still["event_hash"])

    def test_options_that_would_do_nothing(self):
        self.refused("cage", "--newest", says=["--newest", "concurrent"])
        self.refused("cage", "--every", 3, says=["--every", "--soak"])
        self.refused("cage", "--soak", "--mode", "concurrent", says=["--mode", "serial"])

    def test_a_recording_gives_the_same_events_on_any_threads_and_broad_phase(self):
        self.json("cage", *self.SMALL, "--soak", "--frames", 40, "--record", "soak.txt")
        lines = (self.dir / "soak.txt").read_text().split("\n")
        hashes = set()
        for options in ('"automatic" 3 0 4096 "aligned"', '"octree" 1 0 0 "cubes"', '"grid" 2 0 4096 "tilted"'):
            self.write("other.txt", "\n".join([lines[0], "options " + options] + lines[2:]))
            again = self.json("replay", "other.txt")
            self.assertEqual(again["different_lines"], [], options)
            hashes.add(again["event_hash"])
        self.assertEqual(len(hashes), 1)

    def test_an_old_recording_that_names_automatic_is_read(self):
        self.write("old.txt", "\n".join([
            "graze-world 3", 'options "automatic" 1 0 4096 "aligned"', "mesh 3 0 0 0 1 0 0 0 1 0 1 3 0 1 2",
            'add 0 0 0 0 1 0 0 0 "a" 0 1 1 4294967295', 'add 0 9 0 0 1 0 0 0 "b" 0 1 1 4294967295',
            'set_pair 0 0 1 0 0 "automatic" 0', ""]))
        self.assertEqual(self.json("replay", "old.txt")["calls"], 3)

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
        self.assertEqual(mistakes(json.loads((self.dir / args[0]).read_text()), SCHEMA), [])
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
        zone = json.loads((self.dir / "scene.json").read_text())
        zone["bodies"][0]["trigger"] = True
        lines = self.lines(self.write("zone.json", json.dumps(zone)))
        self.assertEqual(lines[1]["sweep"], [])
        self.assertAlmostEqual(lines[1]["triggers"][0]["time"][1], 0.4, places=4)

    def test_a_negative_number_of_frames_is_refused(self):  # it was taken for 2^64 - 1, and never ended
        self.refused("world", self.scene(), "--frames", -1, says=["--frames", "-1"])
        self.refused("cage", "--movers", -1, says=["--movers", "-1"])

    def test_solids_from_stl_files(self):
        # An STL file repeats its vertices, so its body was open and `solid` refused it.
        for shape in ("box", "tetrahedron"):
            self.graze("make", shape, "-o", f"{shape}.stl")
        bodies = [{"name": "outer", "mesh": "box.stl", "scale": 8}, {"name": "inner", "mesh": "tetrahedron.stl", "scale": 0.25}]
        options = {"solid": True, "frames_to_run": 1}
        self.refused("world", self.scene(options=options, frames=[], bodies=bodies), says=["no inside", "weld"])
        for scene in (self.scene(options={**options, "weld": True}, frames=[], bodies=bodies),
                      self.scene(options=options, frames=[], bodies=[{**b, "weld": True} for b in bodies])):
            events = self.lines(scene)[0]["events"]
            self.assertEqual([(e["event"], e["a"], e["b"]) for e in events], [("began", "outer", "inner")])
        # An entry has the last word, and an articulated body's links inherit its own.
        mixed = [bodies[0], {**bodies[1], "weld": False}]
        self.refused("world", self.scene(options={**options, "weld": True}, frames=[], bodies=mixed), says=["no inside"])
        robot = {"name": "robot", "weld": True, "links": [{"name": "box", "joint": {"type": "fixed"}, "mesh": "box.stl"}]}
        scene = self.scene(options=options, frames=[], bodies=[{**bodies[1], "weld": True}], articulated=[robot])
        self.assertEqual(len(self.lines(scene)[0]["events"]), 1)
        self.refused("world", self.scene(bodies=[{"name": "a", "make": "box", "weld": 1}], frames=[]), says=["bodies[0].weld", "true or false"])

    def test_a_folder_is_no_scene(self):
        self.refused("world", ".", says=["graze: .: cannot be read; is it a plain file?"])
        self.refused("world", self.scene(pairs=[{"a": "wall", "b": "load", "method": "automatic"}]),
                     says=["pairs[0].method", "automatic", "tree"])

    ARM = {
        "name": "robot",
        "base": [0, 0, 0, 1, 0, 0, 0],
        "links": [
            {"name": "upper", "joint": {"type": "revolute"}, "make": "box"},
            {"name": "elbow", "parent": "upper", "joint": {"type": "fixed", "origin": [1, 0, 0, 1, 0, 0, 0]}},
            {"name": "hand", "parent": "elbow", "joint": {"type": "prismatic", "axis": [1, 0, 0]}, "make": "box"},
        ],
        "motion": {"velocity": [0, 0.5]},
    }

    def events(self, lines):
        return [(line["frame"], e["event"], e["a"], e["b"]) for line in lines[:-1] for e in line["events"]]

    def test_articulated_bodies_move_by_their_joints(self):
        wall = {"name": "wall", "make": "box", "pose": [4, 0, 0, 1, 0, 0, 0]}
        scene = self.scene(options={"frames_to_run": 8}, frames=[], bodies=[wall], articulated=[self.ARM])
        lines = self.lines(scene)
        # The hand goes 1, 1.5, 2, ...; it leaves the upper arm's far face at 1 and meets the wall's near one at 3.
        self.assertEqual(self.events(lines), [
            (1, "began", "robot.upper", "robot.hand"), (2, "ended", "robot.upper", "robot.hand"),
            (5, "began", "wall", "robot.hand"), (6, "stays", "wall", "robot.hand"), (7, "stays", "wall", "robot.hand"),
            (8, "stays", "wall", "robot.hand")])
        # As a track, in a file of its own; and a robot file as `graze chain` reads it.
        self.write("joints.csv", "turn,slide\n" + "".join(f"0,{0.5 * i}\n" for i in range(8)))
        tracked = {**self.ARM, "motion": {"track": "joints.csv"}}
        self.assertEqual(self.events(self.lines(self.scene(
            options={"frames_to_run": 8}, frames=[], bodies=[wall], articulated=[tracked]))), self.events(lines))
        self.graze("make", "box", "-o", "box.obj")
        links = [{k: v for k, v in link.items() if k != "make"} | ({"mesh": "box.obj"} if "make" in link else {})
                 for link in self.ARM["links"]]
        self.write("robot.json", json.dumps({"version": 1, "links": links, "ignore": [["upper", "hand"]]}))
        by_file = {"name": "robot", "robot": "robot.json",
                   "motion": {"track": [[0, 0.5 * i] for i in range(8)]}}
        again = self.lines(self.scene(options={"frames_to_run": 8}, frames=[], bodies=[wall], articulated=[by_file]))
        self.assertEqual(self.events(again), self.events(lines)[2:])  # but for the pair that the file ignores
        # Without any other body, on a base that moves, a neighbour pair asked for, and beside the application.
        alone = {**self.ARM, "base_motion": {"velocity": [0, 1, 0]}}
        pairs = [{"a": "robot.upper", "b": "robot.hand", "interest": False}]
        only = json.loads((self.dir / self.scene(options={"mode": "concurrent", "frames_to_run": 3}, frames=[],
                                                 articulated=[alone], pairs=pairs)).read_text())
        del only["bodies"]
        self.assertEqual(self.events(self.lines(self.write("only.json", json.dumps(only)))), [])

    def test_an_articulated_body_in_a_frame(self):
        wall = {"name": "wall", "make": "box", "pose": [4, 0, 0, 1, 0, 0, 0]}
        frames = [{"name": "cart", "motion": {"velocity": [0.5, 0, 0]}}]
        still = {k: v for k, v in self.ARM.items() if k != "motion"} | {"frame": "cart"}
        for mode in ("serial", "concurrent"):
            lines = self.lines(self.scene(options={"frames_to_run": 6, "mode": mode}, frames=frames, bodies=[wall],
                                          articulated=[still]))
            # The hand is at 1 on the cart and goes 1, 1.5, 2, ...: it meets the wall's near face at 3.5.
            self.assertIn((5, "began", "wall", "robot.hand"), self.events(lines))
        self.refused("world", self.scene(frames=frames, articulated=[still | {"frame": "boat"}]),
                     says=['"articulated[0].frame"', "boat"])

    def test_bodies_deform_and_break(self):
        self.graze("make", "box", "-o", "box.obj")
        lines = (self.dir / "box.obj").read_text().splitlines()
        self.write("wide.obj", "\n".join(
            " ".join(["v", str(4 * float(line.split()[1])), *line.split()[2:]]) if line.startswith("v ") else line
            for line in lines))
        bodies = [
            {"name": "wall", "make": "box"},
            {"name": "clay", "mesh": "box.obj", "pose": [2, 0, 0, 1, 0, 0, 0],
             "deform": {"meshes": ["wide.obj"], "loop": True},
             "break": {"frame": 4, "pieces": [{"name": "crumb", "make": "box", "scale": 0.5},
                                              {"name": "lump", "make": "box", "motion": {"velocity": [-1, 0, 0]}}]}},
        ]
        scene = self.scene(options={"frames_to_run": 5}, frames=[], bodies=bodies)
        run = self.lines(scene, "--record", "run.txt")
        self.assertEqual(self.events(run), [
            (2, "began", "wall", "clay"), (3, "ended", "wall", "clay"), (5, "began", "wall", "lump")])
        self.assertEqual(run[1]["counters"]["trees_refitted"], 1)
        self.assertEqual(self.json("replay", "run.txt")["different_lines"], [])
        beside = json.loads((self.dir / scene).read_text())
        beside["options"] = {"frames_to_run": 5, "mode": "concurrent", "sweep": True, "boxes": "tilted", "broad": "grid"}
        in_line = {**beside, "options": {**beside["options"], "mode": "serial"}}
        first, second = (self.lines(self.write(name, json.dumps(s)))
                         for name, s in (("beside.json", beside), ("line.json", in_line)))
        self.assertEqual([l.get("sweep") for l in first], [l.get("sweep") for l in second])
        self.assertEqual(first[-1]["event_hash"], second[-1]["event_hash"])
        self.assertEqual(first[-1]["event_hash"], run[-1]["event_hash"])

    def test_tracks_may_be_files(self):
        self.write("way.csv", "0,0,0,1,0,0,0\n3,0,0,1,0,0,0\n4.5,0,0,1,0,0,0\n")
        bodies = [{"name": "wall", "make": "box", "pose": [5, 0, 0, 1, 0, 0, 0]},
                  {"name": "bullet", "make": "box", "motion": {"track": "way.csv", "loop": True}}]
        lines = self.lines(self.scene(options={"frames_to_run": 4}, frames=[], bodies=bodies))
        self.assertEqual(self.events(lines), [(3, "began", "wall", "bullet"), (4, "ended", "wall", "bullet")])
        self.write("way.csv", "0,0,0,1,0,0,0\n3,0,0,1\n")
        self.refused("world", "scene.json", says=["way.csv:2", "7 numbers"])
        self.write("way.csv", "0,0,0,0,0,0,0\n")
        self.refused("world", "scene.json", says=['"bodies[1].motion.track"', "row 1"])

    def test_quaternions_of_any_length_turn(self):  # squares of 1e-200 and 1e200 left the range of doubles
        bodies = [{"name": "wheel", "make": "box", "pose": [0, 0, 0, 1e-200, 0, 0, 0],
                   "motion": {"turn": [1e200, 0, 0, 1e199]}},
                  {"name": "like", "make": "box", "pose": [0.5, 0, 0, 1, 0, 0, 0],
                   "motion": {"turn": [1, 0, 0, 0.1]}}]
        lines = self.lines(self.scene(options={"frames_to_run": 4}, frames=[], bodies=bodies))
        self.assertEqual(lines[-1]["event_count"], 4)

    def test_who_cannot_move_is_named(self):
        fast = {"name": "rocket", "make": "box", "motion": {"velocity": [1e308, 0, 0]}}
        self.refused("world", self.scene(frames=[], bodies=[fast]), says=["'rocket'", "frame 3", "not finite"])
        carts = [{"name": "cart", "motion": {"velocity": [1e308, 0, 0]}}]
        self.refused("world", self.scene(frames=carts), says=["'cart'", "frame 3"])
        robot = {**self.ARM, "coordinates": [1e9, 0]}
        self.refused("world", self.scene(articulated=[robot]), says=["'robot'", "frame 1", "2^20"])

    def test_two_bodies_of_one_name(self):
        def scene(first, second, whole="vase", other="wall"):
            pieces = [{"name": first, "make": "box"}, {"name": second, "make": "box"}]
            return self.scene(frames=[], bodies=[
                {"name": whole, "make": "box", "break": {"frame": 2, "pieces": pieces}}, {"name": other, "make": "box"}])

        self.lines(scene("vase", "neck"))  # a piece may be called as the whole was
        self.refused("world", scene("neck", "neck"), says=['"bodies[0].break.pieces[1].name"', "twice"])
        self.refused("world", scene("neck", "wall"), says=['"bodies[1].name"', "wall"])

    def test_height_fields_and_compounds_fit_the_schema(self):
        self.write("hills.txt", "0 0 0\n0 1 0\n0 0 0\n")
        lamp = {"name": "lamp", "pose": [0, 0, 9, 1, 0, 0, 0], "pieces": [
            {"shape": "sphere:0.5", "name": "bulb"}, {"make": "box", "scale": 0.5, "pose": [0, 0, 1, 1, 0, 0, 0]},
            {"pieces": [{"shape": "sphere:0.5"}], "pose": [0, 0, 2, 1, 0, 0, 0]}]}
        ground = {"name": "ground", "heights": "hills.txt", "spacing": [2, 2]}
        self.assertEqual(len(self.lines(self.scene(frames=[], bodies=[ground, lamp]))), 9)
        for wrong in ({**ground, "make": "box"}, {**ground, "spacing": [1]}, {**lamp, "pieces": []},
                      {**lamp, "pieces": [{"name": "nothing"}]}):
            scene = self.scene(frames=[], bodies=[wrong])
            self.assertNotEqual(mistakes(json.loads((self.dir / scene).read_text()), SCHEMA), [])
            self.graze("world", scene, status=2)

    def test_the_example_of_the_page_fits_the_schema(self):
        for block in re.findall(r"```json\n(.*?)```", (DOCS / "world.md").read_text(), re.S):
            self.assertEqual(mistakes(json.loads(block), SCHEMA), [])

    def test_mistakes_are_named_with_their_place(self):
        good = json.loads((self.dir / self.scene()).read_text())

        def broken(change):
            scene = json.loads(json.dumps(good))
            change(scene)
            return self.write("broken.json", json.dumps(scene))

        by_schema = 0
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
            (lambda s: s.update(pairs=[{"a": "wall", "b": "load", "method": "magic"}]), ['"pairs[0].method"', "dual"]),
            (lambda s: s.update(pairs=[{"a": "wall", "b": "load", "tolerance": 0}]), ['"pairs[0].tolerance"']),
            (lambda s: s["options"].update(boxes="round"), ['"options.boxes"', "tilted"]),
            (lambda s: s["options"].update(mode="fast"), ['"options.mode"', "concurrent"]),
            (lambda s: s["bodies"][0].update({"break": {"frame": 1, "pieces": []}}), ['"bodies[0].break.frame"']),
            (lambda s: s["bodies"][0].update(deform={"meshes": []}), ['"bodies[0].deform.meshes"', "at least one"]),
            (lambda s: s["bodies"][0].update(deform={"meshes": ["no.obj"]}),
             ['"bodies[0].deform.meshes[0]"', "there is no file", "no.obj"]),
            (lambda s: s["bodies"][0].update(make=None, mesh="no.obj"), ['"bodies[0].mesh"', "there is no file"]),
            (lambda s: s["bodies"][0].update(make=None, mesh=""), ['"bodies[0].mesh"', "there is no file"]),
            (lambda s: s["bodies"][0].update(motion={"track": "no.csv"}), ['"bodies[0].motion.track"', "no.csv"]),
            (lambda s: s.update(articulated=[{"name": "r", "robot": "no.json"}]), ['"articulated[0].robot"', "no.json"]),
            (lambda s: s["frames"].append({"name": "a", "parent": "b"}), ['"frames[1].parent"', "'b' before this"]),
            (lambda s: s["frames"].append({"name": "a", "parent": "a"}), ['"frames[1].parent"', "'a' before this"]),
            (lambda s: s.update(articulated=[{"name": "r"}]), ['"articulated[0].robot"', "either"]),
            (lambda s: s.update(articulated=[{"name": "r", "links": [{"name": "a"}]}]),
             ['"articulated[0].links[0].joint"', "missing"]),
            (lambda s: s.update(articulated=[{"name": "r", "links": [{"name": "a", "joint": {"type": "ball"}}]}]),
             ['"articulated[0].links[0].joint.type"', "revolute"]),
            (lambda s: s.update(articulated=[{"name": "r", "links": [{"name": "a", "joint": {"type": "fixed"}}]}]),
             ['"articulated[0].links"', "no link has a body"]),
            (lambda s: s.update(articulated=[{"name": "r", "links": [{"name": "a", "parent": "b", "make": "box",
                                                                      "joint": {"type": "fixed"}}]}]),
             ['"articulated[0].links"', "b"]),
            (lambda s: s.update(articulated=[{**self.ARM, "coordinates": [1]}]),
             ['"articulated[0].coordinates"', "2 numbers"]),
            (lambda s: s.update(articulated=[{**self.ARM, "motion": {"track": [[0, 0], [1]]}}]),
             ['"articulated[0].motion.track[1]"', "2 numbers"]),
            (lambda s: s.update(articulated=[{**self.ARM, "motion": {"turn": [1, 0, 0, 0]}}]),
             ['"articulated[0].motion.turn"', "not a key"]),
        ]:
            self.refused("world", broken(change), says=says)
            by_schema += bool(mistakes(json.loads((self.dir / "broken.json").read_text()), SCHEMA))
        self.assertGreaterEqual(by_schema, 15)  # the others take names, files or counts to tell
        self.refused("world", "nowhere.json", says=["nowhere.json"])


if __name__ == "__main__":
    unittest.main()
