# SPDX-License-Identifier: MIT
import json
import math
import unittest

from harness import CommandTest, pose


def joint(kind, at=(0, 0, 0), **more):
    return {"type": kind, "origin": [*at, 1, 0, 0, 0], **more}


class ChainTest(CommandTest):
    """A turntable that carries a slide along x at height 5: cubes [0, 1]^3, the slide's at x = 2 + q."""

    def setUp(self):
        super().setUp()
        self.cube()
        self.robot = {"links": [
            {"name": "table", "mesh": "cube.obj", "parent": None, "joint": joint("revolute")},
            {"name": "post", "parent": "table", "joint": joint("fixed", (0, 0, 5))},
            {"name": "slide", "mesh": "cube.obj", "parent": "post", "joint": joint("prismatic", (2, 0, 0), axis=[1, 0, 0])}],
            "from": [0, 0], "to": [0, 6]}
        self.save()

    def save(self, **changes):
        self.write("robot.json", json.dumps({**self.robot, **changes}))

    def ask(self, *args, status=0):
        return self.json("chain", "robot.json", *args, status=status)


class Answers(ChainTest):
    def test_a_link_meets_the_environment(self):
        answer = self.ask("--environment", "cube.obj", "--environment-pose", pose(5, 0.25, 5.25))
        self.assertEqual((answer["status"], answer["links"]), ("contact", ["slide", None]))
        safe, touch = answer["time"]  # from x = 2 + 1 to 5 at 6 metres per unit of time
        self.assertLessEqual(safe, 1 / 3)
        self.assertLessEqual(touch, 1 / 3)
        self.assertAlmostEqual((1 / 3 - touch) * 6, answer["gap"], delta=1e-12)
        self.assertLessEqual(answer["gap"], answer["tolerance"])
        self.assertTrue(answer["features"])
        self.assertAlmostEqual(answer["normal"][0], 1, delta=1e-6)
        self.assertEqual([pair["links"] for pair in answer["link_pairs"]],
                         [["table", None], ["slide", None], ["table", "slide"]])
        self.assertEqual([pair["status"] for pair in answer["link_pairs"]], ["free", "contact", "free"])
        self.assertEqual((answer["from"], answer["to"]), ([0, 0], [0, 6]))
        self.assertEqual(answer["environment_pose"], [5, 0.25, 5.25, 1, 0, 0, 0])

    def test_links_meet_each_other_and_the_place_is_in_the_world(self):
        """A half turn of the table while the slide comes in at the table's height: it is met behind."""
        self.robot["links"][1]["joint"] = joint("fixed", (0, 0.25, 0.25))
        self.save(**{"from": [0, 2], "to": [math.pi, -6]})
        answer = self.ask()
        self.assertEqual((answer["status"], answer["links"]), ("contact", ["table", "slide"]))
        truth = 3 / 8  # from 4 to 1 at 8 per unit of time
        self.assertAlmostEqual(answer["time"][1], truth, delta=1e-6)
        turn = math.pi * truth
        for value, wanted in zip(answer["normal"], (math.cos(turn), math.sin(turn), 0)):
            self.assertAlmostEqual(value, wanted, delta=1e-5)
        x, y, _ = answer["points"][0]
        self.assertAlmostEqual(x * math.cos(turn) + y * math.sin(turn), 1, delta=1e-5)

    def test_free_and_undecided(self):
        free = self.ask()
        self.assertEqual((free["status"], free["time"], free["links"], free["gap"]), ("free", [1, None], None, None))
        hit = ("--environment", "cube.obj", "--environment-pose", pose(5, 0.25, 5.25))
        answer = self.ask(*hit, "--work", 1, status=3)
        self.assertEqual(answer["status"], "undecided")
        self.assertLess(answer["time"][0], 1 / 3)
        self.assertIsNone(answer["time"][1])

    def test_neighbours_and_ignored_pairs(self):
        def asked(*args):
            return [pair["links"] for pair in self.ask("--environment", "cube.obj", "--environment-pose", pose(50),
                                                       *args)["link_pairs"]]
        self.assertIn(["table", "slide"], asked())
        self.save(ignore=[["slide", "table"]])
        self.assertEqual(asked(), [["table", None], ["slide", None]])
        self.robot["links"][1]["mesh"] = "cube.obj"
        self.save()
        self.assertEqual(asked(), [["table", None], ["post", None], ["slide", None], ["table", "slide"]])
        self.assertEqual(asked("--neighbours")[3:], [["table", "post"], ["table", "slide"], ["post", "slide"]])

    def test_touching_at_start(self):
        answer = self.ask("--environment", "cube.obj")
        self.assertEqual((answer["status"], answer["links"], answer["time"]), ("touching_at_start", ["table", None], [0, 0]))
        self.graze("chain", "robot.json", "--environment", "cube.obj", "--exit-code", status=1)

    def test_options(self):
        hit = ("--environment", "cube.obj", "--environment-pose", pose(5, 0.25, 5.25))
        answer = self.ask(*hit, "--tolerance", "1e-4", "--method", "brute", "--all-contacts", "--clearance", "--threads", 2)
        self.assertEqual((answer["tolerance"], answer["method"]), (1e-4, "brute"))
        self.assertIsInstance(answer["contacts"], list)
        for contact in answer["contacts"]:
            self.assertIn(contact["links"], [["slide", None], ["table", None], ["table", "slide"]])
        self.assertEqual(self.ask("--from", "0 0", "--to", "1 1")["to"], [1, 1])
        for method in ("brute", "best_first"):
            self.assertIn(method, self.graze("chain", "--list-methods").stdout)

    def test_text_for_people(self):
        text = self.graze("chain", "robot.json", "--environment", "cube.obj", "--environment-pose",
                          pose(5, 0.25, 5.25)).stdout
        self.assertTrue(text.startswith("contact at t = 0.33333"), text)
        self.assertIn("\n  links       A is link slide, B is the environment\n", text)
        self.assertIn("3 asked, 1 come", text)
        self.assertTrue(self.graze("chain", "robot.json").stdout.startswith("free"))


class Replay(ChainTest):
    def test_the_same_answer_again(self):
        asked = self.ask("--environment", "cube.obj", "--environment-pose", pose(5, 0.25, 5.25), "--to", "0.125 5",
                         "--neighbours", "--tolerance", "1e-4", "--dump", "question.json")
        again = self.json("replay", "question.json")
        for answer in (asked, again):
            answer.pop("seconds")
            for pair in answer["link_pairs"]:
                pair.pop("seconds")
        self.assertEqual(asked, again)

    def test_bad_question(self):
        self.graze("chain", "robot.json", "--dump", "question.json")
        good = json.loads((self.dir / "question.json").read_text())
        for change, says in (({"robot": None}, '"robot"'), ({"to": [1]}, "2 joints"), ({"to": "1"}, '"to"'),
                             ({"form": [1, 2]}, '"form"')):
            self.write("bad.json", json.dumps({**good, **change}))
            self.refused("replay", "bad.json", says=[says])


class Batch(ChainTest):
    def batch(self, text, *args, status=0):
        self.write("moves.csv", text)
        done = self.graze("chain", "robot.json", "--environment", "cube.obj", "--environment-pose", pose(5, 0.25, 5.25),
                          "--batch", "moves.csv", *args, status=status)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_rows(self):
        answers, _ = self.batch("q1,q2,q1,q2\n0,0,0,6\n0,0,0,1\n0,6,0,0\n")
        self.assertEqual([answer["status"] for answer in answers], ["contact", "free", "contact"])
        self.assertEqual([answer["row"] for answer in answers], [1, 2, 3])
        self.assertEqual(answers[0]["time"], self.ask("--environment", "cube.obj", "--environment-pose",
                                                      pose(5, 0.25, 5.25))["time"])

    def test_bad_rows(self):
        for bad, says in (("0,0,0\n", "3 fields; a row is 4 numbers"), ("0,0,0,x\n", "field 4"), ("0,0,0,nan\n", ""),
                          ("0,0,1e9,0\n", "")):
            with self.subTest(row=bad):
                answers, stderr = self.batch("0,0,0,1\n" + bad, status=2)
                self.assertEqual(len(answers), 1)
                self.assertIn("moves.csv:2: row 2: ", stderr)
                self.assertIn(says, stderr)
        self.write("moves.csv", "0,0,0,1\n")
        self.refused("chain", "robot.json", "--batch", "moves.csv", "--to", "0 0", says=["--batch", "--to"])


class BadRobots(ChainTest):
    def test_usage(self):
        self.refused("chain", says=["robot file"])
        self.refused("chain", "nowhere.json", says=["nowhere.json"])
        self.refused("chain", "robot.json", "--environment", "nowhere.obj", says=["nowhere.obj"])
        self.refused("chain", "robot.json", "--environment-pose", pose(), says=["--environment-pose", "--environment"])
        self.refused("chain", "robot.json", "--from", "1", says=["--from", "1 numbers", "2 joints"])
        self.refused("chain", "robot.json", "--to", "0 far", says=["--to", "'far'"])
        self.refused("chain", "robot.json", "--to", "0 inf", says=["--to", "finite"])
        self.refused("chain", "robot.json", "--method", "guess", says=["'guess'"])
        self.save(**{"from": None})
        self.refused("chain", "robot.json", says=["--from", "neither"])
        self.assertEqual(self.ask("--from", "0 0")["status"], "free")

    def test_files(self):
        table, post, slide = self.robot["links"]
        links = lambda *links: {"links": list(links)}
        for change, says in ((links(), ['"links"']), ({"links": 5}, ['"links"', "objects"]), (links(5), ['"links"']),
                             (links({"name": "x"}), ['"links[0].joint"', "missing"]),
                             (links({"joint": joint("fixed")}), ['"links[0].name"']),
                             (links(table, {**post, "joint": joint("ball")}), ['"links[1].joint.type"', "'ball'", "revolute"]),
                             (links({**table, "joint": {"type": "fixed", "origin": [1, 2]}}), ['"links[0].joint.origin"', "7"]),
                             (links({**table, "joint": {**joint("revolute"), "axis": [1, 2]}}), ['"links[0].joint.axis"']),
                             (links({**table, "joint": {**joint("revolute"), "axle": 1}}), ['"links[0].joint.axle"']),
                             (links({**table, "colour": "red"}), ['"links[0].colour"']),
                             (links({**table, "mesh": "nowhere.obj"}, post, slide), ["nowhere.obj"]),
                             (links(table, table), ["robot.json"]), (links(post), ["robot.json"]),
                             (links({**table, "parent": "slide"}, post, slide), ["robot.json"]),
                             (links({**table, "joint": joint("revolute", axis=[0, 0, 0])}, post, slide), ["robot.json"]),
                             ({"from": [1]}, ['"from"', "2 numbers"]), ({"to": [1, "x"]}, ['"to"', "numbers"]),
                             ({"ignore": [["table"]]}, ['"ignore"', "pairs"]),
                             ({"ignore": [["table", "leg"]]}, ['"ignore"', "'leg'"]),
                             ({"colour": "red"}, ['"colour"'])):
            with self.subTest(change=change):
                self.save(**change)
                self.refused("chain", "robot.json", says=says)
        self.save(**links(table), **{"from": [0], "to": [1]})
        self.refused("chain", "robot.json", says=["no pair"])
        self.save(**links({key: value for key, value in table.items() if key != "mesh"}), **{"from": [0], "to": [1]})
        self.refused("chain", "robot.json", "--environment", "cube.obj", says=["no link with a mesh"])
        self.write("robot.json", '{"links": [\n{"name": }]}')
        self.refused("chain", "robot.json", says=["robot.json:2: "])

    def test_meshes_are_relative_to_the_file(self):
        (self.dir / "robots").mkdir()
        (self.dir / "robot.json").rename(self.dir / "robots" / "robot.json")
        self.refused("chain", "robots/robot.json", says=["robots/cube.obj"])
        self.cube("robots/cube.obj")
        self.assertEqual(self.json("chain", "robots/robot.json")["status"], "free")


if __name__ == "__main__":
    unittest.main()
