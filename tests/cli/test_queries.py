# SPDX-License-Identifier: MIT
import fractions
import gzip
import os
import pathlib
import unittest

from harness import CommandTest

# A vertex that falls through the face z = 0 at half time, one that stays above it, and one that reaches it at the end.
FACE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
THROUGH = ([(0.25, 0.25, 1), *FACE], [(0.25, 0.25, -1), *FACE], 1)
ABOVE = ([(0.25, 0.25, 1), *FACE], [(0.25, 0.25, 0.5), *FACE], 0)
REACHES = ([(0.25, 0.25, 1), *FACE], [(0.25, 0.25, 0), *FACE], 1)
# An edge that comes down on another one; one that passes beside its end.
EDGE = [(-1, 0, 0), (1, 0, 0)]
CROSSES = ([*EDGE, (0, -1, 1), (0, 1, 1)], [*EDGE, (0, -1, -1), (0, 1, -1)], 1)
BESIDE = ([*EDGE, (1.5, -1, 1), (1.5, 1, 1)], [*EDGE, (1.5, -1, -1), (1.5, 1, -1)], 0)

CERTIFIED = ("advancement", "interval", "exact")
ALL = (*CERTIFIED, "cubic")

DEFAULT_DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
DATA = pathlib.Path(os.environ.get("GRAZE_SHARED_DATA", DEFAULT_DATA)) / "queries"


def row(point, truth):
    numbers = []
    for x in point:
        numbers += list(fractions.Fraction(x).as_integer_ratio())
    return ",".join(map(str, [*numbers, truth]))


def rows(*queries):
    return "".join(row(p, truth) + "\n" for start, end, truth in queries for p in (*start, *end))


class Queries(CommandTest):
    def test_known_answers_by_every_method(self):
        self.write("vf.csv", rows(THROUGH, ABOVE, REACHES))
        self.write("ee.csv", rows(CROSSES, BESIDE))
        for method in ALL:
            for kind, file, n in (("vf", "vf.csv", 3), ("ee", "ee.csv", 2)):
                with self.subTest(method=method, kind=kind):
                    answer = self.json("queries", file, "--kind", kind, "--method", method)
                    self.assertEqual((answer["kind"], answer["method"], answer["queries"]), (kind, method, n))
                    self.assertEqual((answer["false_negatives"], answer["false_positives"]), (0, 0))
                    self.assertEqual(answer["undecided"], 0)
                    self.assertGreaterEqual(answer["seconds"], 0)
                    self.assertEqual(answer["files"][0]["file"], file)

    def test_wrong_truth_is_counted(self):
        self.write("a.csv", rows((*THROUGH[:2], 0), ABOVE))
        self.write("b.csv", rows(THROUGH, (*ABOVE[:2], 1), (*ABOVE[:2], 1)))
        answer = self.json("queries", "a.csv", "b.csv", "--kind", "vf")
        self.assertEqual((answer["queries"], answer["false_negatives"], answer["false_positives"]), (5, 2, 1))
        a, b = answer["files"]
        self.assertEqual((a["queries"], a["false_negatives"], a["false_positives"]), (2, 0, 1))
        self.assertEqual((b["queries"], b["false_negatives"], b["false_positives"]), (3, 2, 0))

    def test_tolerance_and_exact(self):
        self.write("near.csv", rows(ABOVE))
        near = ("queries", "near.csv", "--kind", "vf", "--tolerance", "0.625")
        answer = self.json(*near)  # contact or free are both right: it comes within the tolerance but never touches
        self.assertEqual((answer["tolerance"], answer["exact"], answer["false_negatives"]), (0.625, False, 0))
        answer = self.json(*near, "--exact")
        self.assertEqual((answer["exact"], answer["false_positives"], answer["false_negatives"]), (True, 0, 0))
        self.assertIsNone(self.json("queries", "near.csv", "--kind", "vf")["tolerance"])

    def test_threads_change_nothing(self):
        self.write("many.csv", rows(*[THROUGH, ABOVE, REACHES] * 700))
        one, two = (self.json("queries", "many.csv", "--kind", "vf", "--threads", n) for n in (1, 2))
        for key in ("queries", "contacts", "false_negatives", "false_positives"):
            self.assertEqual(one[key], two[key])
        self.assertEqual(one["contacts"], 1400)

    def test_header_line_ends_blanks_and_gzip(self):
        text = "xn,xd,yn,yd,zn,zd,truth\r\n" + rows(THROUGH).replace(",", " , ").replace("\n", "\r\n") + "\n"
        self.write("windows.csv", text)
        (self.dir / "packed.csv.gz").write_bytes(gzip.compress(rows(ABOVE).encode()))
        answer = self.json("queries", "windows.csv", "packed.csv.gz", "--kind", "vf")
        self.assertEqual((answer["queries"], answer["contacts"], answer["false_negatives"]), (2, 1, 0))

    def test_fractions_are_read_exactly(self):
        # The last vertex is off the plane by the smallest double; 2^1074 has 324 digits.
        tiny = 5e-324
        self.write("tiny.csv", rows(([(0.25, 0.25, 1), *FACE], [(0.25, 0.25, tiny), *FACE], 0), REACHES))
        answer = self.json("queries", "tiny.csv", "--kind", "vf", "--method", "exact")
        self.assertEqual((answer["contacts"], answer["false_negatives"], answer["false_positives"]), (1, 0, 0))
        # Fractions need not be reduced.
        self.write("unreduced.csv", rows(THROUGH).replace("1,4,1,4,", f"30,120,+000{3 * 10**20},{12 * 10**20},"))
        self.assertEqual(self.json("queries", "unreduced.csv", "--kind", "vf")["contacts"], 1)

    def test_bad_files(self):
        good = rows(THROUGH)
        lines = good.splitlines()

        def refused(text, line, *says):
            self.write("bad.csv", text)
            self.refused("queries", "bad.csv", "--kind", "vf", says=[f"bad.csv:{line}:" if line else "bad.csv", *says])

        refused("", 1, "no queries")
        refused("\n".join(lines[:5]), 5, "5 of its 8 rows")
        refused(good.replace("1,4,", "1,3,", 1), 1, "not exactly a double")
        refused(good.replace("1,4,", "36028797018963969,4,", 1), 1, "not exactly a double")
        refused(good.replace("1,4,", f"1,{2**1075},", 1), 1, "not exactly a double")
        refused(good.replace("1,4,", f"{2**1024},1,", 1), 1, "not exactly a double")
        refused(good.replace("1,4,", "1,0,", 1), 1, "denominator", "not positive")
        refused(good.replace("1,4,", "1,-4,", 1), 1, "not positive")
        refused(good.replace("1,4,", "nan,4,", 1), 1, "'nan' is not an integer")
        refused(good.replace("1,4,", "0.25,4,", 1), 1, "'0.25' is not an integer")
        refused(good.replace("1,4,", ",4,", 1), 1, "'' is not an integer")
        refused(good.replace("1,4,", "9" * 1001 + ",4,", 1), 1, "more than 1000 digits")
        refused(good.replace("1,4,", "", 1), 1, "7 numbers", "here are 5")
        refused(good + lines[0] + ",1\n", 9, "7 numbers", "here are 8")
        refused("\n".join([*lines[:3], lines[3][:-1] + "0", *lines[4:]]), 4, "truth differs")
        refused("\n".join([*lines[:7], lines[7][:-1] + "2"]), 8, "0 or 1", "'2'")
        refused("v\n" + "v\n", 2, "7 numbers")
        self.refused("queries", "missing.csv", "--kind", "vf", says=["missing.csv"])
        (self.dir / "cut.csv.gz").write_bytes(gzip.compress(good.encode())[:-12])
        self.refused("queries", "cut.csv.gz", "--kind", "vf", says=["cut.csv.gz"])

    def test_bad_options(self):
        self.write("vf.csv", rows(THROUGH))
        self.refused("queries", "vf.csv", says=["--kind"])
        self.refused("queries", "--kind", "vf", says=["FILES"])
        self.refused("queries", "vf.csv", "--kind", "fv", says=["fv"])
        self.refused("queries", "vf.csv", "--kind", "vf", "--method", "guess", says=["guess", "advancement", "exact"])
        for tolerance in ("0", "-1", "nan", "inf", "small"):
            self.refused("queries", "vf.csv", "--kind", "vf", "--tolerance", tolerance, says=["--tolerance"])

    def test_text_for_people(self):
        self.write("a.csv", rows(THROUGH))
        self.write("b.csv", rows(ABOVE))
        text = self.graze("queries", "a.csv", "b.csv", "--kind", "vf").stdout
        self.assertTrue(text.startswith("2 queries, 1 contacts: 0 false negatives, 0 false positives\n"), text)
        for label in ("method", "time", "file"):
            self.assertIn(f"\n  {label}", text)

    @unittest.skipUnless(DATA.is_dir(), "needs the shared data: set GRAZE_SHARED_DATA")
    def test_no_false_negative_on_the_shared_queries(self):
        for kind, folder in (("vf", "vertex-face"), ("ee", "edge-edge")):
            files = sorted(DATA.glob(f"*/{folder}/*.csv"))
            self.assertGreater(len(files), 0)
            for method in CERTIFIED:
                with self.subTest(method=method, kind=kind):
                    answer = self.json("queries", *files, "--kind", kind, "--method", method)
                    self.assertEqual((answer["false_negatives"], answer["undecided"]), (0, 0))
                    if method == "exact":
                        self.assertEqual(answer["false_positives"], 0)
            default = self.json("queries", *files, "--kind", kind)
            self.assertLessEqual(default["false_positives"], {"vf": 85, "ee": 137}[kind])
            exact = self.json("queries", *files, "--kind", kind, "--exact")
            self.assertEqual((exact["false_negatives"], exact["false_positives"]), (0, 0))


if __name__ == "__main__":
    unittest.main()
