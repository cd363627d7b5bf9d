# SPDX-License-Identifier: MIT
import unittest

from harness import CommandTest, cube_obj, pose

ANSWER_KEYS = {"version", "status", "method", "kind", "contained", "pair_count", "pairs", "features", "points", "normal",
               "counters", "seconds", "pose_a", "pose_b"}


class Collide(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()

    def collide(self, b_at, *args, status=0):
        return self.json("collide", "cube.obj", "cube.obj", "--pose-b", b_at, *args, status=status)

    def test_crossing_has_a_witness_pair_and_edge_face_features(self):
        answer = self.collide(pose(0.5, 0.25, 0.125))
        self.assertEqual(set(answer), ANSWER_KEYS)
        self.assertEqual((answer["status"], answer["kind"], answer["contained"]), ("contact", "crossing", "none"))
        self.assertEqual((answer["pair_count"], len(answer["pairs"])), (1, 1))
        pair = answer["pairs"][0]
        self.assertEqual(pair["polygon_a"], pair["a"] // 2)  # quads: two triangles a polygon
        self.assertEqual(pair["polygon_b"], pair["b"] // 2)
        self.assertTrue(answer["features"])
        for feature in answer["features"]:
            self.assertIn(feature["kind"], ("ef", "fe"))
            edge, face = ("a", "b") if feature["kind"] == "ef" else ("b", "a")
            self.assertEqual(len(feature[edge]), 2)
            self.assertLess(feature[edge][0], feature[edge][1])
            self.assertIsInstance(feature[face], int)
        self.assertIsNone(answer["normal"])
        self.assertEqual(len(answer["points"]), 2)
        self.assertGreater(answer["seconds"], 0)
        self.assertGreater(answer["counters"]["triangle_tests"], 0)

    def test_counters_are_those_that_are_not_zero(self):
        there = pose(0.9, 0.1, 0.2)
        for method, own in (("tree", None), ("brute", "precheck_face_box"), ("box_tree", "precheck_edge_face_box")):
            counters = self.collide(there, "--method", method, "--all")["counters"]
            self.assertNotIn(0, counters.values())
            self.assertGreater(len(counters), 1)
            if own:
                self.assertIn(own, counters)
            text = self.graze("collide", "cube.obj", "cube.obj", "--pose-b", there, "--method", method, "--all").stdout
            for name in counters:
                self.assertIn(name, text)

    def test_corner_in_corner_touches_at_one_point(self):
        answer = self.collide(pose(1, 1, 1))
        self.assertEqual((answer["status"], answer["kind"]), ("contact", "touching"))
        self.assertEqual(answer["points"], [[1, 1, 1], [1, 1, 1]])

    def test_vertex_on_face(self):
        # The tip of a tetrahedron stands on the cube's +x face.
        self.write("tip.obj", "v 0 0 0\nv 1 1 0\nv 1 -1 1\nv 1 -1 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
        answer = self.json("collide", "cube.obj", "tip.obj", "--pose-b", pose(1, 0.5, 0.25), "--all")
        self.assertEqual((answer["status"], answer["kind"]), ("contact", "touching"))
        self.assertEqual(answer["features"], [{"kind": "fv", "a": 3, "b": 0}])
        self.assertEqual(answer["points"], [[1, 0.5, 0.25]] * 2)
        self.assertEqual(answer["normal"], [1, 0, 0])

    def test_edge_on_edge(self):
        # A tetrahedron whose edge 0-1 lies along x - z and crosses the cube's vertical edge 2-6 in its middle.
        self.write("tetra.obj", "v -1 1 0\nv 1 -1 0\nv 2 2 1\nv 2 2 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
        answer = self.json("collide", "cube.obj", "tetra.obj", "--pose-b", pose(1, 1, 0.5), "--all")
        self.assertEqual((answer["status"], answer["kind"]), ("contact", "touching"))
        self.assertEqual(answer["features"], [{"kind": "ee", "a": [2, 6], "b": [0, 1]}])
        self.assertEqual(answer["points"], [[1, 1, 0.5]] * 2)

    def test_free(self):
        answer = self.collide(pose(3))
        self.assertEqual((answer["status"], answer["kind"], answer["pair_count"]), ("free", None, 0))
        self.assertEqual((answer["pairs"], answer["features"]), ([], []))
        self.assertEqual((answer["points"], answer["normal"]), (None, None))

    def test_all_lists_every_pair_once_and_sorted(self):
        answer = self.collide(pose(1), "--all")  # a whole face on a whole face
        pairs = [(pair["a"], pair["b"]) for pair in answer["pairs"]]
        self.assertEqual(answer["pair_count"], len(pairs))
        self.assertGreater(len(pairs), 4)
        self.assertEqual(pairs, sorted(set(pairs)))

    def test_threads_do_not_change_an_answer(self):
        one = self.collide(pose(0.5, 0.5, 0.5), "--all", "--threads", 1)
        two = self.collide(pose(0.5, 0.5, 0.5), "--all", "--threads", 2)
        one.pop("seconds"), two.pop("seconds")
        self.assertEqual(one, two)

    def test_exit_codes(self):
        self.collide(pose(3), "--exit-code", status=0)
        self.collide(pose(1), "--exit-code", status=1)
        self.collide(pose(1), status=0)
        undecided = self.collide(pose(1), "--method", "precheck_only", status=3)
        self.assertEqual(undecided["status"], "undecided")

    def test_every_method_answers_or_says_why_not(self):
        table = self.graze("collide", "--list-methods").stdout.splitlines()
        methods = [line.split()[0] for line in table[1:]]
        self.assertIn("brute", methods)
        self.assertNotIn("automatic", methods)
        for method in methods:
            for at, truth in ((0.5, "contact"), (3, "free")):
                with self.subTest(method=method, at=at):
                    answer = self.json("collide", "cube.obj", "cube.obj", "--pose-b", pose(at), "--solid",
                                       "--method", method, status=(0, 3))
                    self.assertIn(answer["status"], (truth, "undecided"))

    def test_text_for_people(self):
        text = self.graze("collide", "cube.obj", "cube.obj", "--pose-b", pose(0.5, 0.5, 0.5)).stdout
        self.assertTrue(text.startswith("contact: the surfaces cross\n"), text)
        for label in ("triangles", "features", "point on A", "method", "time", "work"):
            self.assertIn(f"\n  {label}", text)
        self.assertNotIn("\033", text)  # no colour: this is no terminal


class Solid(CommandTest):
    def test_containment_counts_only_when_asked_for(self):
        self.cube("small.obj")
        self.cube("large.obj", size=9.0, origin=(-4.0, -4.0, -4.0))
        self.assertEqual(self.json("collide", "small.obj", "large.obj")["status"], "free")
        inside = self.json("collide", "small.obj", "large.obj", "--solid")
        self.assertEqual((inside["status"], inside["contained"]), ("contact", "a_in_b"))
        around = self.json("collide", "large.obj", "small.obj", "--solid")
        self.assertEqual((around["status"], around["contained"]), ("contact", "b_in_a"))
        self.assertEqual(around["kind"], "overlap")

    def test_solids_that_touch_overlap_or_not(self):
        self.cube()
        self.cube("large.obj", size=3.0)
        for b, shift, kind in (("cube.obj", (0, 0, 0), "overlap"), ("cube.obj", (1, 0, 0), "touching"),
                               ("large.obj", (-1, 0, -1), "overlap"), ("large.obj", (1, 0, 0), "touching"),
                               ("cube.obj", (0.5, 0.25, 0.75), "crossing")):
            answer = self.json("collide", "cube.obj", b, "--solid", "--pose-b", pose(*shift))
            self.assertEqual((answer["status"], answer["kind"]), ("contact", kind), (b, shift))
        text = self.graze("collide", "cube.obj", "cube.obj", "--solid").stdout
        self.assertTrue(text.startswith("contact: the bodies overlap\n"), text)
        self.assertEqual(self.json("collide", "cube.obj", "cube.obj")["kind"], "touching")  # surfaces

    def test_an_open_body_is_refused_with_the_reason(self):
        self.cube()
        self.cube("open.obj", faces=range(5))
        done = self.graze("collide", "open.obj", "cube.obj", "--solid", "--json", status=2)
        self.assertIn('"status":"invalid_request"', done.stdout)
        self.assertIn('"error":', done.stdout)
        self.assertIn("body A", done.stderr)
        self.refused("collide", "open.obj", "cube.obj", "--solid", says=["body A", "edge 0 3", "boundary"])


class Self(CommandTest):
    def test_a_cube_does_not_meet_itself(self):
        self.cube()
        answer = self.json("collide", "cube.obj", "--self", "--all")
        self.assertEqual(answer["status"], "free")
        self.assertEqual(answer["pair_count"], {"apart": 0, "shared_vertex": 0, "shared_edge": 0, "same_face": 0})

    def test_classes_of_pairs(self):
        self.write("x.off", "OFF\n9 4 0\n0 0 0\n4 0 0\n0 4 0\n1 1 -1\n1 1 1\n9 9 0\n0 1 1\n1 0 1\n7 7 7\n"
                            "3 0 1 2\n3 3 4 5\n3 0 1 2\n3 5 6 7\n")
        answer = self.json("collide", "x.off", "--self", "--all")
        self.assertEqual((answer["status"], answer["kind"]), ("contact", "crossing"))
        self.assertEqual(answer["pair_count"]["same_face"], 1)
        self.assertGreaterEqual(answer["pair_count"]["apart"], 2)
        self.assertEqual(sum(answer["pair_count"].values()), len(answer["pairs"]))
        self.assertIn({"a": 0, "b": 2, "polygon_a": 0, "polygon_b": 2, "neighbourhood": "same_face"}, answer["pairs"])
        one = self.json("collide", "x.off", "--self")  # lists a witness, but counts all
        self.assertEqual((len(one["pairs"]), one["pair_count"]), (1, answer["pair_count"]))
        self.assertIn("1 the same face", self.graze("collide", "x.off", "--self").stdout)

    def test_weld_joins_the_corners_of_a_soup(self):
        self.write("cube.obj", cube_obj())
        soup = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 1 0 0", "v 0 1 0", "v 1 1 1", "f 1 2 3", "f 4 6 5"]
        self.write("soup.obj", "\n".join(soup) + "\n")
        self.assertEqual(self.json("collide", "soup.obj", "--self")["status"], "contact")
        self.assertEqual(self.json("collide", "soup.obj", "--self", "--weld")["status"], "free")

    def test_exit_code_and_text(self):
        self.write("x.off", "OFF\n6 2 0\n0 0 0\n4 0 0\n0 4 0\n1 1 -1\n1 1 1\n9 9 0\n3 0 1 2\n3 3 4 5\n")
        self.graze("collide", "x.off", "--self", "--exit-code", status=1)
        text = self.graze("collide", "x.off", "--self", "--all").stdout
        self.assertTrue(text.startswith("contact: the mesh crosses itself\n"), text)
        self.assertIn("1 apart", text)


if __name__ == "__main__":
    unittest.main()
