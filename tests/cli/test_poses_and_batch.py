# SPDX-License-Identifier: MIT
import json
import unittest

from harness import CommandTest, pose

STILL = "0,0,0,1,0,0,0"


class Poses(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()
        self.files = ("collide", "cube.obj", "cube.obj")

    def test_negative_numbers_and_commas(self):
        answer = self.json(*self.files, "--pose-a", "-5 -1 -0.5 1 0 0 0", "--pose-b=+1,2,3, 2,0,0,0")
        self.assertEqual(answer["pose_a"], [-5, -1, -0.5, 1, 0, 0, 0])
        self.assertEqual(answer["pose_b"], [1, 2, 3, 2, 0, 0, 0])  # kept as given: it stands for q / |q|

    def test_a_matrix_is_converted_and_the_quaternion_printed(self):
        half_turn = "-1 0 0 5  0 -1 0 6  0 0 1 7  0 0 0 1"
        answer = self.json(*self.files, "--pose-b", half_turn)
        self.assertEqual(answer["pose_b"][:3], [5, 6, 7])
        w, x, y, z = answer["pose_b"][3:]
        self.assertEqual((w, x, y), (0, 0, 0))
        self.assertNotEqual(z, 0)
        text = self.graze(*self.files, "--pose-b", half_turn).stdout
        self.assertIn("\n  pose of B   5 6 7 ", text)
        again = text.split("pose of B")[1].split("\n")[0].strip()
        self.assertEqual(self.json(*self.files, "--pose-b", again)["pose_b"], answer["pose_b"])

    def test_bad_poses_name_the_option(self):
        for bad, says in (("nan 0 0 1 0 0 0", []), ("0 0 inf 1 0 0 0", []), ("0 0 0 0 0 0 0", []),
                          ("0 0 0", ["7 numbers", "this has 3"]), ("0 0 zero 1 0 0 0", ["'zero'"]),
                          ("1e999 0 0 1 0 0 0", ["'1e999'"]), (" ", ["this has 0"]),
                          ("2 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1", []), ("-1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1", []),
                          ("1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 2", []), ("1 0 0 0  0 1 0 0  0 0 nan 0  0 0 0 1", [])):
            with self.subTest(pose=bad):
                self.refused(*self.files, "--pose-a", bad, says=["option --pose-a: ", *says])
        self.refused(*self.files, "--pose-b", "", says=["--pose-b"])


class Batch(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube()
        self.files = ("collide", "cube.obj", "cube.obj")

    def batch(self, text, *args, status=0, command="collide"):
        self.write("poses.csv", text)
        done = self.graze(command, "cube.obj", "cube.obj", "--batch", "poses.csv", *args, status=status)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_one_line_a_row(self):
        answers, stderr = self.batch(f"{STILL},3,0,0,1,0,0,0\n{STILL}, 0.5,0.5,0.5,1,0,0,0\r\n\n{STILL},1,0,0,1,0,0,0")
        self.assertEqual([answer["row"] for answer in answers], [1, 2, 3])
        self.assertEqual([answer["status"] for answer in answers], ["free", "contact", "contact"])
        self.assertEqual([answer["kind"] for answer in answers], [None, "crossing", "touching"])
        self.assertTrue(all(answer["seconds"] > 0 and answer["version"] == 1 for answer in answers))
        self.assertEqual(stderr, "")  # the bar is for terminals

    def test_a_header_is_no_row(self):
        header = "ax,ay,az,aqw,aqx,aqy,aqz,bx,by,bz,bqw,bqx,bqy,bqz"
        answers, _ = self.batch(f"\ufeff{header}\n{STILL},3,0,0,1,0,0,0\n")
        self.assertEqual([answer["row"] for answer in answers], [1])

    def test_a_number_too_small_for_a_double_is_zero(self):
        answers, _ = self.batch(f"{STILL},1,1e-400,-0.0e-999,1,0,0,0\n")
        self.assertEqual(answers[0]["kind"], "touching")
        _, stderr = self.batch(f"{STILL},1e400,0,0,1,0,0,0\n", status=2)
        self.assertIn("field 8 is '1e400'", stderr)

    def test_a_row_answers_like_a_single_query(self):
        answers, _ = self.batch(f"{STILL},0.5,0.25,0.125,1,0,0,0.1\n", "--all")
        single = self.json(*self.files, "--pose-b", pose(0.5, 0.25, 0.125, (1, 0, 0, 0.1)), "--all")
        for key in ("status", "kind", "pairs", "features", "points", "normal", "counters"):
            self.assertEqual(answers[0][key], single[key])

    def test_a_bad_row_is_named_and_those_before_it_answered(self):
        good = f"{STILL},3,0,0,1,0,0,0\n"
        for bad, says in ((f"{STILL},3,0,0,1,0,0\n", "13 fields"), (f"{STILL},3,0,0,1,0,0,x\n", "field 14 is 'x'"),
                          (f"{STILL},nan,0,0,1,0,0,0\n", "pose of B"), ("0,0,0,0,0,0,0,0,0,0,1,0,0,0\n", "pose of A")):
            with self.subTest(row=bad):
                answers, stderr = self.batch("header\n" + good + good + bad + good, status=2)
                self.assertEqual([answer["row"] for answer in answers], [1, 2])
                self.assertIn("poses.csv:4: row 3: ", stderr)
                self.assertIn(says, stderr)

    def test_exit_status_of_all_rows(self):
        free, hit = f"{STILL},3,0,0,1,0,0,0\n", f"{STILL},1,0,0,1,0,0,0\n"
        self.batch(free + free, "--exit-code")
        self.batch(free + hit + free, "--exit-code", status=1)
        self.batch(free + hit + free, "--method", "precheck_only", status=3)

    def test_an_impossible_question_is_refused(self):
        self.cube("cube.obj", faces=range(5))
        answers, stderr = self.batch(f"{STILL},3,0,0,1,0,0,0\n" * 2, "--solid", status=2)
        self.assertEqual([answer["status"] for answer in answers], ["invalid_request"])
        self.assertIn("poses.csv:1: row 1: ", stderr)

    def test_distance_too(self):
        answers, _ = self.batch(f"{STILL},3,0,0,1,0,0,0\n{STILL},4,0,0,1,0,0,0\n", command="distance")
        for answer, truth in zip(answers, (2, 3)):
            self.assertAlmostEqual(answer["distance"], truth, delta=truth * 1e-9)
        answers, _ = self.batch(f"{STILL},3,0,0,1,0,0,0\n{STILL},4,0,0,1,0,0,0\n", "--within", "2.5", command="distance")
        self.assertEqual([answer["status"] for answer in answers], ["contact", "free"])

    def test_bad_files_and_mixed_options(self):
        self.refused(*self.files, "--batch", "no.csv", says=["no.csv"])
        self.write("empty.csv", "only,a,header\n")
        self.refused(*self.files, "--batch", "empty.csv", says=["empty.csv", "no row"])
        self.refused(*self.files, "--batch", "empty.csv", "--pose-a", pose(), says=["--batch"])
        self.refused(*self.files, "--batch", ".", says=["."])

    def test_a_terminal_gets_a_progress_bar(self):
        self.write("poses.csv", f"{STILL},3,0,0,1,0,0,0\n" * 5)
        rows, shown = self.on_terminal(*self.files, "--batch", "poses.csv")
        self.assertEqual(len(rows), 5)
        self.assertIn("100%  5/5 rows", shown)
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))


if __name__ == "__main__":
    unittest.main()
