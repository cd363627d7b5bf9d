# SPDX-License-Identifier: MIT
import json
import math
import pathlib
import shutil
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE, CommandTest, pose

SIZE = math.sqrt(3)  # the diagonal of a cube's box
TOLERANCE = 1e-6 * SIZE
STILL = "0,0,0,1,0,0,0"
HALF_TURN = (0, 0, 0, 1)  # about z


def without_cost(answer):
    """Threads share what they know when they come to know it: how much work that saves differs from run to run."""
    return {key: value for key, value in answer.items() if key not in ("seconds", "counters")}


class FlightTest(CommandTest):
    """Cubes [0, 1]^3. `through`: A flies along x through B, the faces x = 1 of A and x = 0 of B meet at t = 1/3."""

    def setUp(self):
        super().setUp()
        self.cube()
        self.files = ("first-contact", "cube.obj", "cube.obj")
        self.through = (*self.files, "--a-from", pose(-3, 0.25, 0.125), "--a-to", pose(3, 0.25, 0.125))
        self.past = (*self.files, "--a-from", pose(-3, 2), "--a-to", pose(3, 2))

    def check_bracket(self, answer, truth, speed):
        """Never late, and at touch as near as it says."""
        safe, touch = answer["time"]
        self.assertLessEqual(safe, truth)
        self.assertLessEqual(safe, touch)
        self.assertLessEqual(touch, truth)
        self.assertLessEqual(answer["gap"], answer["tolerance"])
        self.assertAlmostEqual((truth - touch) * speed, answer["gap"], delta=1e-12)


class Statuses(FlightTest):
    def test_contact(self):
        answer = self.json(*self.through)
        self.assertEqual(answer["status"], "contact")
        self.check_bracket(answer, 1 / 3, 6)
        self.assertAlmostEqual(answer["tolerance"], TOLERANCE, delta=1e-15)
        self.assertEqual(answer["direction"], "incoming")
        self.assertAlmostEqual(answer["normal"][0], 1, delta=1e-6)
        a, b = answer["points"]
        self.assertAlmostEqual(math.dist(a, b), answer["gap"], delta=1e-12)
        self.assertTrue(answer["features"])
        for feature in answer["features"]:
            self.assertIn(feature["kind"], ("vf", "fv", "ee"))
        self.assertEqual(set(answer["pairs"][0]), {"a", "b", "polygon_a", "polygon_b"})
        self.assertIsNone(answer["clearance"])
        self.assertIsNone(answer["contacts"])
        self.assertGreater(answer["seconds"], 0)
        self.assertGreater(sum(answer["counters"].values()), 0)
        self.assertNotIn(0, answer["counters"].values())

    def test_free(self):
        answer = self.json(*self.past)
        self.assertEqual((answer["status"], answer["time"]), ("free", [1, None]))
        for key in ("gap", "points", "normal", "direction"):
            self.assertIsNone(answer[key], key)
        self.assertEqual((answer["features"], answer["pairs"]), ([], []))

    def test_touching_at_start(self):
        for start in (0.5, 1):
            answer = self.json(*self.files, "--a-from", pose(start, 0.25), "--a-to", pose(3, 0.25))
            self.assertEqual((answer["status"], answer["time"], answer["gap"]), ("touching_at_start", [0, 0], 0))
            self.assertTrue(answer["features"])

    def test_undecided(self):
        answer = self.json(*self.through, "--work", 1, status=3)
        self.assertEqual(answer["status"], "undecided")
        safe, touch = answer["time"]
        self.assertLessEqual(0, safe)
        self.assertLess(safe, 1 / 3)
        self.assertIsNone(touch)
        self.assertIsNone(answer["gap"])
        self.assertTrue(self.graze(*self.through, "--work", 1, status=3).stdout.startswith("undecided"))

    def test_exit_code(self):
        self.graze(*self.through, "--exit-code", status=1)
        self.graze(*self.files, "--a-to", pose(3), "--exit-code", status=1)  # starts in touch
        self.graze(*self.past, "--exit-code")


class Solid(FlightTest):
    """A body that starts inside a closed one was free, whatever was asked."""

    def setUp(self):
        super().setUp()
        self.cube("large.obj", size=9.0, origin=(-4.0, -4.0, -4.0))
        self.inside = ("first-contact", "cube.obj", "large.obj", "--a-to", pose(1))

    def test_counts_only_when_asked_for(self):
        self.assertEqual(self.json(*self.inside)["status"], "free")
        answer = self.json(*self.inside, "--solid")
        self.assertEqual((answer["status"], answer["contained"], answer["time"]), ("touching_at_start", "a_in_b", [0, 0]))
        around = self.json("first-contact", "large.obj", "cube.obj", "--a-to", pose(1), "--solid")
        self.assertEqual((around["status"], around["contained"]), ("touching_at_start", "b_in_a"))
        self.assertIn("A is inside B", self.graze(*self.inside, "--solid").stdout)
        self.graze(*self.inside, "--solid", "--exit-code", status=1)
        self.assertEqual(self.json(*self.past, "--solid")["contained"], "none")

    def test_an_open_body_is_refused(self):
        self.cube("open.obj", faces=range(5))
        done = self.graze("first-contact", "open.obj", "cube.obj", "--a-to", pose(9), "--solid", "--json", status=2)
        self.assertEqual(json.loads(done.stdout)["status"], "invalid_request")
        self.assertIn("body A", done.stderr)

    def test_the_proof_says_that_it_covers_surfaces(self):
        answer = self.json(*self.past, "--solid", "--certificate", "proof.txt")
        self.assertEqual(answer["certificate"]["covers"], "surfaces")
        text = self.graze(*self.past, "--solid", "--certificate", "proof.txt").stdout
        self.assertIn("neither starts inside", text)
        self.assertIn("not whether one is inside", self.graze("verify", "proof.txt", "cube.obj", "cube.obj").stdout)
        self.graze("verify", "--expect-solid", "proof.txt", "cube.obj", "cube.obj")
        self.json(*self.inside, "--certificate", "proof.txt")  # a proof about the surfaces, which are apart
        self.assertIn("verified", self.graze("verify", "proof.txt", "cube.obj", "large.obj").stdout)
        done = self.graze("verify", "--expect-solid", "proof.txt", "cube.obj", "large.obj", status=1)
        self.assertIn("starts inside", done.stdout)


class Ways(FlightTest):
    def test_b_alone_moves(self):
        answer = self.json(*self.files, "--b-from", pose(3, 0.25), "--b-to", pose(-3, 0.25))
        self.check_bracket(answer, 1 / 3, 6)
        self.assertAlmostEqual(answer["normal"][0], 1, delta=1e-6)

    def test_both_move_and_the_answer_says_how(self):
        answer = self.json(*self.files, "--a-from", pose(-3, 0.25), "--a-to", pose(0, 0.25), "--b-to", pose(-3))
        self.check_bracket(answer, 1 / 3, 6)
        self.assertEqual(answer["a_from"], [-3, 0.25, 0, 1, 0, 0, 0])
        self.assertEqual(answer["a_to"], [0, 0.25, 0, 1, 0, 0, 0])
        self.assertEqual(answer["b_from"], [0, 0, 0, 1, 0, 0, 0])
        self.assertEqual(answer["b_to"], [-3, 0, 0, 1, 0, 0, 0])
        self.assertEqual(answer["motion"], "velocity")

    def test_b_stands_where_it_is_put(self):
        answer = self.json(*self.through, "--b-from", pose(2))
        self.check_bracket(answer, 2 / 3, 6)

    def test_kinds_of_motion(self):
        """A goes to the other side of B in half a turn: straight, or by the screw in an arc around B."""
        self.cube("small.obj", size=0.125)
        halfway = ("first-contact", "small.obj", "small.obj", "--a-from", pose(2), "--a-to", pose(-2, q=HALF_TURN))
        for kind, status in (("velocity", "contact"), ("linear", "contact"), ("screw", "free")):
            answer = self.json(*halfway, "--motion", kind)
            self.assertEqual((answer["status"], answer["motion"]), (status, kind))
        self.assertEqual(self.json(*halfway)["status"], "contact")

    def test_velocities(self):
        straight = self.json(*self.files, "--a-from", pose(-3, 0.25), "--a-velocity", "6 0 0 0 0 0")
        self.check_bracket(straight, 1 / 3, 6)
        self.assertEqual(straight["a_velocity"], [6, 0, 0, 0, 0, 0])
        # Two turns and a half about z: the corner at (1, 1) reaches sqrt(2) from the axis, not a wall at 1.5.
        turning = ("--a-velocity", f"0 0 0 0 0 {5 * math.pi!r}")
        self.assertEqual(self.json(*self.files, *turning, "--b-from", pose(1.5))["status"], "free")
        self.assertEqual(self.json(*self.files, *turning, "--b-from", pose(1.375, -0.25))["status"], "contact")
        moving_b = self.json(*self.files, "--b-from", pose(3, 0.25), "--b-velocity", "-6 0 0 0 0 0")
        self.check_bracket(moving_b, 1 / 3, 6)

    def test_reference_point(self):
        """About its middle the cube turns within 0.71 of it; about its corner it comes as far as 1.41."""
        beside = (*self.files, "--a-velocity", "0 0 0 0 0 3.2", "--b-from", pose(-1.25))
        self.assertEqual(self.json(*beside)["status"], "contact")
        answer = self.json(*beside, "--a-reference", "0.5 0.5 0")
        self.assertEqual((answer["status"], answer["a_reference"]), ("free", [0.5, 0.5, 0]))
        between_poses = ("--a-to", pose(0, q=HALF_TURN), "--b-from", pose(-1.25))
        self.assertEqual(self.json(*self.files, *between_poses)["status"], "contact")
        self.refused(*self.files, *between_poses, "--a-reference", "0.5 0.5 0", "--motion", "screw",
                     says=["--a-reference", "screw"])

    def test_a_matrix(self):
        matrix = "1 0 0 -3  0 1 0 0.25  0 0 1 0.125  0 0 0 1"
        answer = self.json(*self.files, "--a-from", matrix, "--a-to", pose(3, 0.25, 0.125))
        self.check_bracket(answer, 1 / 3, 6)
        self.assertEqual(answer["a_from"][:3], [-3, 0.25, 0.125])
        text = self.graze(*self.files, "--a-from", matrix, "--a-to", pose(3, 0.25, 0.125)).stdout
        quaternion = " ".join(f"{v:g}" for v in answer["a_from"][3:])
        self.assertIn(f"\n  A           from -3 0.25 0.125 {quaternion} to 3 0.25 0.125 1 0 0 0\n", text)


class Options(FlightTest):
    def methods(self):
        return [line.split()[0] for line in self.graze("first-contact", "--list-methods").stdout.splitlines()[1:]]

    def test_every_method_agrees(self):
        methods = self.methods()
        self.assertIn("brute", methods)
        self.assertEqual(methods[0], self.json(*self.through)["method"])
        turning = (*self.files, "--a-from", pose(-3, 0.25), "--a-to", pose(3, 0.5, 0, (1, 0.5, 0.25, 2)))
        for question in (self.through, self.past, turning):
            brackets = []
            for method in methods:
                with self.subTest(method=method, question=question[-1]):
                    answer = self.json(*question, "--method", method)
                    self.assertEqual(answer["method"], method)
                    brackets.append((answer["status"], round(answer["time"][0], 5)))
            self.assertEqual(len(set(brackets)), 1, brackets)

    def test_tolerance(self):
        for tolerance in (1e-3, 1e-8):
            answer = self.json(*self.through, "--tolerance", tolerance)
            self.assertEqual(answer["tolerance"], tolerance)
            self.check_bracket(answer, 1 / 3, 6)
        for bad in ("0", "-1", "nan", "inf", "small", "1e999"):
            self.refused(*self.through, "--tolerance", bad, says=["--tolerance"])

    def test_all_features(self):
        some = self.json(*self.through)["features"]
        every = self.json(*self.through, "--all-features")["features"]
        for feature in some:
            self.assertIn(feature, every)
        # Two rectangles that overlap at one corner each.
        for feature in ({"kind": "vf", "a": 1, "b": 5}, {"kind": "fv", "a": 3, "b": 7}):
            self.assertIn(feature, every)

    def test_a_profile_takes_no_options_of_the_first_contact(self):
        answer = self.json(*self.past, "--profile", "4")
        self.assertEqual((answer["status"], len(answer["profile"])), ("free", 5))
        for sample in answer["profile"]:
            self.assertGreater(sample["lower_until_next"], 0.85)
        for option in (("--method", "brute"), ("--tolerance", "1e-3"), ("--min-separation", "1"), ("--clearance",), ("--solid",)):
            self.refused(*self.past, "--profile", "4", *option, says=["--profile", option[0]])
        floor = self.json("first-contact", "cube.obj", "halfspace", "--a-from", "0 0 3 1 0 0 0", "--a-to", "0 0 1 1 0 0 0",
                          "--profile", "2")
        self.assertEqual(floor["status"], "free")

    def test_all_contacts_and_clearance(self):
        """The library's own tests say whether they are right; here, that they are asked for and printed."""
        answer = self.json(*self.through, "--all-contacts", "--clearance")
        self.assertIsInstance(answer["contacts"], list)
        for contact in answer["contacts"]:
            self.assertLessEqual({"kind", "a", "b", "time", "gap", "direction", "until"}, set(contact))
            self.assertIn(contact["direction"], ("incoming", "sliding", "outgoing"))
            self.assertLessEqual(contact["time"][0], contact["time"][1])
        past = self.json(*self.past, "--all-contacts", "--clearance")
        self.assertEqual(past["contacts"], [])
        self.assertEqual(answer["clearance"]["lower"], 0)
        self.assertLessEqual(past["clearance"]["lower"], 1)
        self.assertGreaterEqual(past["clearance"]["upper"], 1 - 1e-12)
        self.assertAlmostEqual(past["clearance"]["lower"], 1, delta=1e-3)
        self.assertLessEqual(0, past["clearance"]["time"])
        self.assertIn("clearance", self.graze(*self.past, "--clearance").stdout)

    def test_ignore_start_if_separating(self):
        leaving = (*self.files, "--a-from", pose(1, 0.25), "--a-to", pose(3, 0.25))
        self.assertEqual(self.json(*leaving)["status"], "touching_at_start")
        ignoring = self.json(*leaving, "--ignore-start-if-separating")
        entering = (*self.files, "--a-from", pose(1, 0.25), "--a-to", pose(-3, 0.25))
        self.assertEqual(self.json(*entering, "--ignore-start-if-separating")["status"], "touching_at_start")
        self.assertEqual(ignoring["status"], "free")

    def test_threads_change_nothing(self):
        turning = (*self.files, "--a-from", pose(-3, 0.25), "--a-to", pose(3, 0.5, 0, (1, 0.5, 0.25, 2)))
        answers = [without_cost(self.json(*turning, "--threads", threads)) for threads in (1, 4)]
        self.assertEqual(answers[0], answers[1])

    def test_seconds(self):
        self.assertEqual(self.json(*self.through, "--seconds", "100")["status"], "contact")
        for bad in ("-1", "nan", "soon"):
            self.refused(*self.through, "--seconds", bad, says=["--seconds"])

    def test_text_for_people(self):
        text = self.graze(*self.through).stdout
        self.assertTrue(text.startswith("contact at t = 0.33333"), text)
        for label in ("free before", "gap", "tolerance", "triangles", "features", "point on A", "normal", "direction",
                      "method", "time", "work", "motion", "A", "B"):
            self.assertIn(f"\n  {label} ", text)
        self.assertTrue(self.graze(*self.past).stdout.startswith("free: certified"))
        self.assertTrue(self.graze(*self.files, "--a-to", pose(3)).stdout.startswith("in contact at the start\n"))

    def test_bad_usage(self):
        through = self.through[1:]
        self.refused("first-contact", says=["two mesh files"])
        self.refused("first-contact", "cube.obj", says=["two mesh files"])
        self.refused("first-contact", "nowhere.obj", *through[1:], says=["nowhere.obj"])
        self.refused(*self.files, says=["nothing moves"])
        self.refused(*self.files, "--a-from", pose(1), says=["nothing moves", "--a-to"])
        self.refused(*self.through, "--a-velocity", "1 0 0 0 0 0", says=["--a-velocity", "--a-to"])
        self.refused(*self.files, "--a-velocity", "1 0 0", says=["--a-velocity", "6 numbers", "this has 3"])
        self.refused(*self.files, "--a-velocity", "nan 0 0 0 0 0", says=[])
        self.refused(*self.files, "--a-velocity", "0 0 0 0 0 1e9", says=[])
        self.refused(*self.files, "--b-velocity", "fast", says=["--b-velocity", "'fast'"])
        self.refused(*self.through, "--a-reference", "1 2", says=["--a-reference", "3 numbers"])
        self.refused(*self.through, "--a-reference", "1 2 inf", says=["--a-reference"])
        self.refused(*self.through, "--motion", "crawl", says=["--motion", "'crawl'", "velocity", "screw", "linear"])
        self.refused(*self.through, "--method", "guess", says=["--method", "'guess'", *self.methods()])
        self.refused(*self.files, "--a-to", "1 2 3", says=["option --a-to: ", "7 numbers"])
        self.refused(*self.through, "--b-from", "0 0 0 0 0 0 0", says=["option --b-from: "])
        self.refused(*self.through, "--work", "-1", says=["--work"])


class Batch(FlightTest):
    HIT = "-3,0.25,0.125,1,0,0,0, 3,0.25,0.125,1,0,0,0," + f"{STILL},{STILL}\n"
    MISS = f"-3,2,0,1,0,0,0, 3,2,0,1,0,0,0,{STILL},{STILL}\n"
    START = f"0.5,0,0,1,0,0,0, 3,2,0,1,0,0,0,{STILL},{STILL}\n"

    def batch(self, text, *args, status=0):
        self.write("flights.csv", text)
        done = self.graze(*self.files, "--batch", "flights.csv", *args, status=status)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_one_line_a_row(self):
        answers, stderr = self.batch("from,to\n" + self.HIT + self.MISS + "\n" + self.START)
        self.assertEqual([answer["row"] for answer in answers], [1, 2, 3])
        self.assertEqual([answer["status"] for answer in answers], ["contact", "free", "touching_at_start"])
        self.assertEqual([answer["time"][1] is None for answer in answers], [False, True, False])
        self.assertEqual(stderr, "")
        single = self.json(*self.through)
        for key in single.keys() - {"seconds", "motion", "a_from", "a_to", "b_from"}:
            self.assertEqual(answers[0][key], single[key], key)

    def test_options_hold_for_every_row(self):
        answers, _ = self.batch(self.HIT + self.HIT, "--tolerance", "1e-4", "--motion", "screw", "--method", "brute",
                                "--all-contacts")
        for answer in answers:
            self.assertEqual((answer["tolerance"], answer["method"]), (1e-4, "brute"))
            self.assertIsInstance(answer["contacts"], list)

    def test_a_bad_row_is_named(self):
        for bad, says in ((f"{STILL},{STILL}\n", "14 fields; a row is 28 numbers"),
                          (f"{STILL},{STILL},{STILL},0,0,0,1,0,0,x\n", "field 28 is 'x'"),
                          (f"{STILL},{STILL},nan,0,0,1,0,0,0,{STILL}\n", "pose of B's start"),
                          (f"{STILL},0,0,0,0,0,0,0,{STILL},{STILL}\n", "pose of A's end")):
            with self.subTest(row=bad):
                answers, stderr = self.batch("header\n" + self.MISS + self.HIT + bad + self.MISS, status=2)
                self.assertEqual([answer["row"] for answer in answers], [1, 2])
                self.assertIn("flights.csv:4: row 3: ", stderr)
                self.assertIn(says, stderr)

    def test_exit_status_of_all_rows(self):
        self.batch(self.MISS + self.MISS, "--exit-code")
        self.batch(self.MISS + self.HIT, "--exit-code", status=1)
        self.batch(self.MISS + self.START, "--exit-code", status=1)
        self.batch(self.MISS + self.HIT, "--work", "1", status=3)

    def test_what_cannot_go_with_it(self):
        for option in (("--a-from", pose()), ("--b-to", pose()), ("--a-velocity", "0 0 0 0 0 0"),
                       ("--certificate", "proof.txt"), ("--dump", "question.json")):
            self.write("flights.csv", self.HIT)
            self.refused(*self.files, "--batch", "flights.csv", *option, says=["--batch"])
        self.refused(*self.files, "--batch", "no.csv", says=["no.csv"])
        self.write("empty.csv", "header\n")
        self.refused(*self.files, "--batch", "empty.csv", says=["empty.csv", "28 numbers"])

    def test_a_terminal_gets_a_progress_bar(self):
        self.write("flights.csv", self.HIT * 5)
        rows, shown = self.on_terminal(*self.files, "--batch", "flights.csv")
        self.assertEqual(len(rows), 5)
        self.assertIn("100%  5/5 rows", shown)


class Replay(FlightTest):
    def test_the_same_answer_again(self):
        questions = (self.through, self.past, (*self.through, "--tolerance", "0.0001", "--motion", "screw", "--weld"),
                     (*self.files, "--a-from", pose(-3, 0.1 + 0.2), "--a-velocity", "6 0.1 0 1 2 3",
                      "--a-reference", "0.5 0.25 0", "--b-to", pose(0, 0, 1), "--all-features", "--threads", 2),
                     (*self.through, "--method", "brute", "--all-contacts", "--clearance", "--format", "obj",
                      "--ignore-start-if-separating", "--seconds", "100", "--work", "1000000000"),
                     (*self.through, "--solid"))
        for question in questions:
            with self.subTest(question=question):
                # Threads do not change the answer, but who finds what first changes what it cost.
                without_cost = lambda answer: {key: value for key, value in answer.items() if key not in
                                               ("seconds", *(["counters"] if "--threads" in question else []))}
                asked = self.json(*question, "--dump", "question.json")
                self.assertEqual(json.loads((self.dir / "question.json").read_text())["a"], "cube.obj")
                self.assertEqual(without_cost(self.json("replay", "question.json")), without_cost(asked))
                again = json.loads(self.graze("replay", "question.json").stdout)  # --json was part of the question
                self.assertEqual(without_cost(again), without_cost(asked))

    def test_text_and_exit_status_too(self):
        def text(done):
            return [line for line in done.stdout.splitlines() if not line.startswith("  time ")]
        asked = self.graze(*self.through, "--exit-code", "--dump", "question.json", status=1)
        self.assertEqual(text(self.graze("replay", "question.json", status=1)), text(asked))
        self.graze(*self.through, "--work", 1, "--dump", "question.json", status=3)
        self.graze("replay", "question.json", status=3)

    def test_the_certificate_is_written_again(self):
        self.graze(*self.past, "--certificate", "proof.txt", "--dump", "question.json")
        proof = (self.dir / "proof.txt").read_text()
        (self.dir / "proof.txt").unlink()
        self.graze("replay", "question.json")
        self.assertEqual((self.dir / "proof.txt").read_text(), proof)

    def test_a_written_question_needs_little(self):
        self.write("q.json", '{"version": 1, "question": "first-contact", "a": "cube.obj", "b": "cube.obj",'
                             ' "a_from": [-3, 0.25, 0.125, 1, 0, 0, 0], "a_to": [3, 0.25, 0.125, 1, 0, 0, 0]}')
        self.check_bracket(self.json("replay", "q.json"), 1 / 3, 6)

    def test_bad_questions(self):
        self.refused("replay", says=["FILE"])
        self.refused("replay", "nowhere.json", says=["nowhere.json"])
        self.graze(*self.through, "--dump", "question.json")
        good = json.loads((self.dir / "question.json").read_text())
        for change, says in (({"version": 2}, ['"version"']), ({"question": "why"}, ['"question"', "'why'"]),
                             ({"a": None}, ['"a"', "missing"]), ({"a": 5}, ['"a"', "quotes"]),
                             ({"a": "nowhere.obj"}, ["nowhere.obj"]), ({"tolerence": 1}, ['"tolerence"', "known"]),
                             ({"a_to": [1, 2, 3]}, ['"a_to"', "7 numbers"]), ({"a_to": [0] * 7}, ['"a_to"']),
                             ({"a_velocity": [0] * 6}, ['"a_velocity"', "a_to"]), ({"tolerance": "1"}, ['"tolerance"']),
                             ({"tolerance": -1}, ["--tolerance"]), ({"threads": 0}, ['"threads"']),
                             ({"weld": 1}, ['"weld"', "true or false"]), ({"work": -1}, ['"work"']),
                             ({"method": "guess"}, ["'guess'"]), ({"motion": "crawl"}, ["'crawl'"]),
                             ({"format": "fbx"}, ['"format"', "'fbx'"])):
            with self.subTest(change=change):
                self.write("bad.json", json.dumps({**good, **change}))
                self.refused("replay", "bad.json", says=says)
        self.write("bad.json", '{"version": 1,\n"question": ')
        self.refused("replay", "bad.json", says=["bad.json:2: "])
        self.write("bad.json", "[1]")
        self.refused("replay", "bad.json", says=["bad.json", "object"])
        self.write("bad.json", '{"version": 1, "question": "first-contact", "a": "\xff", "tolerance": 1e999}')
        self.refused("replay", "bad.json", says=["bad.json"])
        self.refused(*self.through, "--dump", "no/such/folder/q.json", says=["q.json", "written"])


class Certificates(FlightTest):
    def test_is_written_and_described(self):
        answer = self.json(*self.past, "--certificate", "proof.txt")
        proof = (self.dir / "proof.txt").read_text()
        self.assertTrue(proof.startswith("graze-certificate 1\n"), proof[:80])
        self.assertEqual(answer["certificate"]["file"], "proof.txt")
        self.assertEqual(answer["certificate"]["until"], 1)
        self.assertEqual(answer["certificate"]["separations"],
                         sum(line.startswith("S ") for line in proof.splitlines()))
        self.assertNotIn("certificate", self.json(*self.past))
        text = self.graze(*self.past, "--certificate", "proof.txt").stdout
        self.assertIn("graze verify proof.txt cube.obj cube.obj\n", text)

    def test_before_a_contact(self):
        answer = self.json(*self.through, "--certificate", "proof.txt")
        self.assertLessEqual(answer["certificate"]["until"], answer["time"][0])
        self.assertGreater(answer["certificate"]["until"], 0)

    def test_an_answer_without_one_leaves_no_older_one(self):
        self.write("proof.txt", "an older one")
        answer = self.json(*self.files, "--a-to", pose(3), "--certificate", "proof.txt")
        self.assertIsNone(answer["certificate"])
        self.assertFalse((self.dir / "proof.txt").exists())
        self.assertIn("none", self.graze(*self.files, "--a-to", pose(3), "--certificate", "proof.txt").stdout)

    def test_errors(self):
        leaving = (*self.files, "--a-from", pose(1, 0.25), "--a-to", pose(3, 0.25), "--ignore-start-if-separating")
        self.write("proof.txt", "an older one")
        done = self.graze(*leaving, "--certificate", "proof.txt", status=2)  # the answer stands
        self.assertTrue(done.stdout.startswith("free"))
        self.assertIn("start in contact", done.stderr)
        self.assertFalse((self.dir / "proof.txt").exists())
        self.refused(*self.past, "--certificate", "no/such/folder/proof.txt", says=["proof.txt", "written"])
        done = self.graze(*self.past, "--certificate", "proof.txt", "--method", "brute", status=2)
        self.assertIn("certificate", done.stderr)
        self.assertFalse((self.dir / "proof.txt").exists())

    def graze_beside(self, checker):
        """`graze verify` from a folder of its own, with a program of ours, or none, as graze-verify."""
        shutil.copy2(GRAZE, self.dir / "graze")
        if checker:
            (self.dir / "graze-verify").write_text(checker)
            (self.dir / "graze-verify").chmod(0o755)
        return subprocess.run([self.dir / "graze", "verify", "--json", "proof.txt", "a b.obj", "-x"], cwd=self.dir,
                              capture_output=True, text=True, timeout=CHILD_SECONDS)

    def test_verify_executes_the_program_beside_graze(self):
        done = self.graze_beside('#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n')
        self.assertEqual((done.returncode, done.stdout), (7, "--json|proof.txt|a b.obj|-x|"), done.stderr)

    def test_verify_without_the_program(self):
        done = self.graze_beside(None)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for text in ("graze: ", "graze-verify", "keep the two together"):
            self.assertIn(text, done.stderr)

    def test_round_trip(self):
        if not (GRAZE.parent / "graze-verify").is_file():
            self.skipTest("no graze-verify beside graze")
        turning = (*self.files, "--a-from", pose(-3, 2.5), "--a-to", pose(3, 2.5, 0, (1, 0.5, 0.25, 2)))
        for question in (self.through, self.past, turning, (*turning, "--motion", "screw"),
                         (*turning, "--motion", "linear"),
                         (*self.files, "--a-from", pose(-3, 3), "--a-velocity", "6 0 0 0 0 20")):
            with self.subTest(question=question):
                answer = self.json(*question, "--certificate", "proof.txt")
                done = self.graze("verify", "proof.txt", "cube.obj", "cube.obj")
                self.assertTrue(done.stdout.startswith("verified"), done.stdout)
                self.assertIn(f"{answer['certificate']['separations']} separations", done.stdout)
        proof = (self.dir / "proof.txt").read_text()
        self.write("broken.txt", proof.replace("\nuntil ", "\nuntil -", 1))
        self.assertEqual(self.graze("verify", "broken.txt", "cube.obj", "cube.obj", status=1).stdout[:8], "rejected")



class Paths(CommandTest):
    """A cube that moves through the poses of a file, and a cube at rest."""

    def setUp(self):
        super().setUp()
        self.cube()

    def ask(self, text, *args):
        self.write("poses.path", text)
        return self.json("first-contact", "cube.obj", "cube.obj", "--a-path", "poses.path", *args)

    def test_segments(self):
        hit = self.ask("-5 0.5 0.25 1 0 0 0\n\n-3 0.5 0.25 1 0 0 0\n1 0.5 0.25 1 0 0 0  # through\n2,0,0,1,0,0,0\n")
        self.assertEqual((hit["status"], hit["segment"], hit["segments"]), ("contact", 1, 3))
        self.assertAlmostEqual(hit["time"][1], 0.5, delta=1e-5)  # from x = -3 to -1 of 1
        free = self.ask("-5 0 0 1 0 0 0\n-3 0 0 1 0 0 0\n-3 5 0 1 0 0 0\n", "--clearance")
        self.assertEqual(free["status"], "free")
        self.assertIn(free["clearance"]["segment"], (0, 1))  # where they meet
        self.assertAlmostEqual(free["clearance"]["upper"], 2, delta=1e-5)
        moved = self.ask("-5 0 0 1 0 0 0\n-3 0 0 1 0 0 0\n", "--b-from", pose(-2.5))
        self.assertEqual(moved["status"], "contact")

    def test_order_of_quaternions(self):
        """Turned by a right angle about z, the cube is at -1 <= x <= 0 and misses the wall; about x it does not."""
        lines = "0 5 0 1 0 0 1\n0.5 5 0 1 0 0 1\n"
        wall = ("--b-from", pose(0.9, 4.5))
        self.assertEqual(self.ask(lines, *wall)["status"], "free")
        self.assertEqual(self.ask(lines, *wall, "--quaternion", "wxyz")["status"], "free")
        self.assertEqual(self.ask(lines, *wall, "--quaternion", "xyzw")["status"], "touching_at_start")

    def test_mistakes(self):
        for text, says in (("0 0 0 1 0 0 0\n", "poses.path: has 1 poses"), ("0 0 0 1\n", "poses.path:1: has 4 numbers"),
                           ("0 0 0 1 0 0 0\n\n0 0 x 1 0 0 0\n", "poses.path:3"), ("0 0 0 0 0 0 0\n", "poses.path:1")):
            self.write("poses.path", text)
            self.refused("first-contact", "cube.obj", "cube.obj", "--a-path", "poses.path", says=[says])
        self.write("poses.path", "-5 0 0 1 0 0 0\n-3 0 0 1 0 0 0\n")
        path = ("first-contact", "cube.obj", "cube.obj", "--a-path", "poses.path")
        self.refused(*path, "--a-to", pose(), says=["--a-path", "--a-"])
        self.refused(*path, "--any", says=["--a-path", "--any"])
        self.refused(*path, "--quaternion", "zyxw", says=["'zyxw'"])
        self.refused("first-contact", "cube.obj", "cube.obj", "--a-to", pose(), "--quaternion", "xyzw", says=["--a-path"])

    def test_centred(self):
        """The poses are those of the mean of the vertices: a cube from 4 to 5 turns in its place."""
        self.cube("far.obj", origin=(4, 4, 4))
        self.write("poses.path", "0 0 0 1 0 0 0\n0 0 0 0 0 0 1\n3 0 0 0 0 0 1\n")
        path = ("first-contact", "far.obj", "cube.obj", "--a-path", "poses.path", "--b-from", pose(2, -0.5, -0.5))
        self.assertEqual(self.json(*path)["status"], "free")
        centred = self.json(*path, "--a-centred")
        self.assertEqual((centred["status"], centred["segment"]), ("contact", 1))
        self.assertAlmostEqual(centred["time"][1], 0.5, delta=1e-5)
        self.refused("first-contact", "cube.obj", "cube.obj", "--a-to", pose(), "--a-centred", says=["--a-path"])
        self.refused("first-contact", "sphere:1", "cube.obj", "--a-path", "poses.path", "--a-centred", says=["mesh"])

    def test_recorded_plans(self):
        """Paths of OMPL.app, which places bodies by the mean of their vertices: free so, and in contact if their files'
        own origins are placed there. The files are DAE."""
        data = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "planning"
        if not data.is_dir():
            self.skipTest("no ../shared/data/planning here")
        for name in ("Easy", "Twistycool", "cubicles"):
            question = ("first-contact", data / f"{name}_robot.dae", data / f"{name}_env.dae", "--a-path",
                        data / f"{name}.path", "--quaternion", "xyzw", "--json")
            for centred, status in ((("--a-centred",), "free"), ((), "contact")):
                done = self.graze(*question, *centred, status=(0, 2))
                if done.returncode == 2:
                    self.assertIn("GRAZE_WITH_ASSIMP=ON", done.stderr)
                    self.skipTest("this graze was built without assimp")
                answer = json.loads(done.stdout)
                self.assertEqual(answer["status"], status)
                self.assertLess(answer["segment"], answer["segments"])


if __name__ == "__main__":
    unittest.main()
