# SPDX-License-Identifier: MIT
"""Proofs of free steps of deforming meshes: confirmed by the independent checker, and rejected when they are broken."""
import gzip
import math
import os
import pathlib
import random
import struct
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE
from step_certificates import VERIFY, StepCertificateTest, obj, sheets

DEFAULT_DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
DATA = pathlib.Path(os.environ.get("GRAZE_SHARED_DATA", DEFAULT_DATA)) / "deform" / "armadillo-rollers"
SLOW = "asan" in str(GRAZE) or "tsan" in str(GRAZE)
REGION = 1000 if SLOW else 6000  # triangles of the recorded step


def read_ply(file):
    """Binary, little-endian, doubles and triangles, as the recorded frames are."""
    data = file.read_bytes()
    at = data.index(b"end_header") + len(b"end_header\n")
    words = data[:at].decode().split()
    count = {kind: int(words[words.index(kind) + 1]) for kind in ("vertex", "face")}
    vertices = [struct.unpack_from("<3d", data, at + 24 * i) for i in range(count["vertex"])]
    at += 24 * count["vertex"]
    return vertices, [struct.unpack_from("<3i", data, at + 13 * i + 1) for i in range(count["face"])]


class StepCertificates(StepCertificateTest):
    def free_sheets(self, n=8):
        start, triangles = sheets(n, 0.12, 0.0)
        end, _ = sheets(n, 0.1, 0.6)
        self.assertEqual(self.prove(start, end, triangles, "--self")["status"], "free")
        return start, end, triangles

    def test_free_steps_are_verified(self):
        for n in (1, 2, 5, 16):
            self.free_sheets(n)
            answer = self.verify()
            self.assertTrue(answer["verified"], answer)
            self.assertEqual(answer["pairs"], "all")
            self.assertGreater(answer["separations"] + answer["features"], 0)
        start, triangles = sheets(6, 0.12, 0.0)
        self.prove(start, sheets(6, 0.1, 0.6)[0], triangles)
        answer = self.verify()
        self.assertEqual((answer["verified"], answer["pairs"]), (True, "pieces"))
        # One piece: nothing to prove, and it says so.
        self.prove(start[:49], start[:49], triangles[:72])
        self.assertEqual(self.verify()["separations"], 0)

    def test_turning_and_far_away(self):
        # Half a revolution within a step, around a far point: features turn, and digits are lost.
        start, triangles = sheets(5, 0.12, 0.0)
        for far in (0.0, 1e6):
            begin = [(x + far, y, z) for x, y, z in start]
            end = [(far - 0.9 * y, 0.9 * x + 0.1 * y, z) for x, y, z in start]
            answer = self.prove(begin, end, triangles)
            self.assertEqual(answer["status"], "free")
            self.assertTrue(self.verify()["verified"])

    def test_what_crosses_has_no_proof(self):
        self.write("proof.txt", "of something else")
        start, triangles = sheets(5, 0.12, 0.0)
        # Already crossing, and nothing moves: no events, yet a contact.
        crossing = [(x, y, z - (0.31 if k >= len(start) // 2 else 0)) for k, (x, y, z) in enumerate(start)]
        self.assertEqual(self.prove(crossing, crossing, triangles, "--self")["status"], "contact")
        self.assertFalse((self.dir / "proof.txt").exists())

    def test_broken_proofs_are_rejected(self):
        self.free_sheets(3)
        lines = (self.dir / "proof.txt").read_text().splitlines()
        body = lines.index("proof") + 1

        def rejected(changed):
            self.write("broken.txt", "\n".join(changed) + "\n")
            self.assertFalse(self.verify("broken.txt")["verified"], "\n".join(changed[:40]))

        numbers = random.Random(7)
        for at in sorted(numbers.sample(range(len(lines)), 40)):
            rejected(lines[:at] + lines[at + 1:])  # a line left out
            rejected(lines[:at])                   # the end left out
        for at in [i for i in range(body, len(lines)) if lines[i].startswith("S ")][:10]:
            turned = ["S"] + [repr(-float(x)) for x in lines[at].split()[1:]]
            rejected(lines[:at] + [" ".join(turned)] + lines[at + 1:])
        for at in [i for i in range(body, len(lines)) if lines[i][:2] in ("V ", "E ")][:20]:
            words = lines[at].split()
            rejected(lines[:at] + [" ".join(words[:-1] + ["0.5"])] + lines[at + 1:])  # stops half-way
            if words[5] == "D" and len(words) == 10:
                turned = words[:6] + [repr(-float(x)) for x in words[6:9]] + words[9:]
                rejected(lines[:at] + [" ".join(turned)] + lines[at + 1:])
        for at in [i for i in range(body, len(lines)) if lines[i][:2] in ("P ", "A ", "B ")][:5]:
            words = lines[at].split()
            rejected(lines[:at] + [" ".join(words[:-1] + [str(int(words[-1]) + 1)])] + lines[at + 1:])
        rejected(lines[:body] + ["O", "end"])  # within a piece counts
        rejected(lines[:body] + ["S 0 0 1", "end"])
        rejected(lines + ["end"])
        rejected(lines[:3] + lines[4:5] + lines[4:])  # a triangle twice, another not at all

    def test_another_step_is_not_proved(self):
        start, end, triangles = self.free_sheets(4)
        numbers = random.Random(11)
        half = len(start) // 2
        for _ in range(20):
            # Some vertex of one sheet goes through the other one.
            other, k = list(end), numbers.randrange(half)
            x, y, z = other[k]
            other[k] = (x, y, z + numbers.uniform(0.6, 2))
            self.write("other.obj", obj(other, triangles))
            if self.json("deform", "start.obj", "other.obj", "--self", "--method", "brute")["status"] == "contact":
                self.assertFalse(self.verify(end="other.obj")["verified"])
                self.assertFalse(self.verify(start="other.obj")["verified"])
        self.write("fewer.obj", obj(end, triangles[1:]))
        self.assertFalse(self.verify(end="fewer.obj")["verified"])

    def test_minimum_separation(self):
        # One sheet falls from 0.3 above the other to 0.1; and while it waves, they are tested feature by feature.
        for swing, levels in ((0.0, (0.09999, 0.1, 0.2)), (0.05, (0.02, None, 0.28))):
            start, triangles = sheets(4, swing, 0.0)
            end, _ = sheets(4, swing, 0.6, gap=0.1 if swing == 0 else 0.3)
            for level, free in zip(levels, (True, False, False)):
                if level is None:
                    continue
                answer = self.prove(start, end, triangles, "--min-separation", repr(level))
                self.assertEqual(answer["status"], "free" if free else "contact", (swing, level))
                if not free:
                    self.assertTrue(answer["proved_until"] == 0 or self.verify()["until"] < 1)
                    continue
                answer = self.verify()
                self.assertEqual((answer["verified"], answer["separation"]), (True, level), answer)
                lines = (self.dir / "proof.txt").read_text().splitlines()
                self.assertEqual(lines[2], f"separation {level}")
                for other in ("0", "-1", "inf", "0.3"):
                    self.write("broken.txt", "\n".join(lines[:2] + [f"separation {other}"] + lines[3:]) + "\n")
                    self.assertFalse(self.verify("broken.txt")["verified"], other)
                self.write("less.txt", "\n".join(lines[:2] + lines[3:]) + "\n")
                self.assertEqual(self.verify("less.txt")["separation"], 0)
        # Two triangles so that no single direction will do, and one of the points turns around the other.
        triangles = [(0, 1, 2), (3, 4, 5)]
        start = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (-1, -1, -1), (-1, -1, 2), (-2, -2, 0)]
        end = start[:3] + [(5, -1, -1), (5, -1, 2), (6, -2, 0)]
        for level, free in ((0.9, True), (1.0, False)):
            self.assertEqual(self.prove(start, end, triangles, "--min-separation", repr(level))["status"],
                             "free" if free else "contact", level)
            if free:
                self.assertTrue(self.verify()["verified"])

    def test_a_separation_that_is_only_just_kept(self):
        # The least distance of two turning triangles is a little more than the separation: a direction that follows the
        # closest parts (N) proves it. Forged parts, a later end, a larger separation and other frames are rejected.
        triangles = [(0, 1, 2), (3, 4, 5)]
        start = [(1.8, 1.8, -1.8), (-1.7, 1.3, 0.9), (0.7, -0.8, 0.4), (0.4, 0.3, 2.6), (-0.3, -0.4, 4.9), (2.0, 1.8, 4.2)]
        end = [(-0.2, -0.9, -1.9), (-1.9, -0.1, -0.7), (-0.5, 1.6, 0.1), (0.2, -1.1, 2.1), (-0.7, -1.5, 4.0), (2.0, 0.7, 2.7)]
        low, high = 0.01, 4.0
        for _ in range(36):
            level = (low + high) / 2
            free = self.prove(start, end, triangles, "--min-separation", repr(level))["status"] == "free"
            low, high = (level, high) if free else (low, level)
        for level in (low * (1 - 1e-5), low * (1 - 1e-9), low):
            self.assertEqual(self.prove(start, end, triangles, "--min-separation", repr(level))["status"], "free")
            self.assertTrue(self.verify()["verified"])
        text = (self.dir / "proof.txt").read_text()
        words = text.split()
        self.assertEqual(words[1], "2")
        at = [i for i, word in enumerate(words) if word == "N"]
        self.assertTrue(at)
        self.write("truth.txt", text)
        for i in at:
            for parts in ("0", "1", "7", "15", "16", "31", "9999999999"):
                if parts == words[i + 1]:
                    continue
                self.write("broken.txt", " ".join(words[:i + 1] + [parts] + words[i + 2:]))
                answer = self.verify("broken.txt")
                self.assertFalse(answer["verified"], parts)
            self.write("broken.txt", " ".join(words[:i] + words[i + 3:]))
            self.assertFalse(self.verify("broken.txt")["verified"])
        self.write("broken.txt", text.replace("graze-step-certificate 2", "graze-step-certificate 1"))
        self.assertFalse(self.verify("broken.txt")["verified"])
        self.write("broken.txt", text.replace(f"separation {words[words.index('separation') + 1]}", f"separation {high}"))
        self.assertFalse(self.verify("broken.txt")["verified"])
        nearer = [(x, y, z - 0.01 if k >= 3 else z) for k, (x, y, z) in enumerate(end)]
        self.write("nearer.obj", obj(nearer, triangles))
        self.assertFalse(self.verify("truth.txt", "start.obj", "nearer.obj")["verified"])

    def test_bodies(self):
        # Two sheets, of which the lower has a triangle beside it that falls through it: those two are one body.
        start, triangles = sheets(3, 0.02, 0.0)
        end, _ = sheets(3, 0.02, 0.6)
        spike = lambda z: [(0.5, 0.5, z), (0.52, 0.5, z + 0.05), (0.5, 0.52, z + 0.05)]
        lower = len(start) // 2
        faces = [tuple(v + 3 for v in t) for t in triangles]
        before, after = spike(0.1) + start, spike(-0.2) + end
        cut = str(1 + len(triangles) // 2)
        self.assertEqual(self.prove(before, after, [(0, 1, 2)] + faces)["status"], "contact")
        self.assertEqual(self.prove(before, after, [(0, 1, 2)] + faces, "--bodies", "0," + cut)["status"], "free")
        answer = self.verify()
        self.assertEqual((answer["verified"], answer["pairs"]), (True, "bodies"), answer)
        lines = (self.dir / "proof.txt").read_text().splitlines()
        for changed in (lines[:2] + ["1"] + lines[3:],  # the triangle is of the other body, or of its own, or of none
                        lines[:2] + ["2"] + lines[3:], lines[:2] + lines[3:],
                        lines[:3] + ["1"] + lines[4:],  # a body's vertex is another's, too
                        lines[:1] + ["pairs pieces"] + lines[2 + len(faces) + 1:],
                        lines[:1] + ["pairs all"] + lines[2 + len(faces) + 1:]):
            self.write("broken.txt", "\n".join(changed) + "\n")
            self.assertFalse(self.verify("broken.txt")["verified"])
        # The same as two files.
        half = len(triangles) // 2
        for name, points in (("0", before), ("1", after)):
            self.write(f"low{name}.obj", obj(points[:3 + lower], [(0, 1, 2)] + faces[:half]))
            self.write(f"high{name}.obj", obj(points[3 + lower:], [tuple(v - 3 - lower for v in t) for t in faces[half:]]))
        frames = ("low0.obj+high0.obj", "low1.obj+high1.obj")
        self.assertEqual(self.json("deform", *frames, "--certificate", "proof.txt")["status"], "free")
        self.assertTrue(self.verify("proof.txt", *frames)["verified"])
        self.assertFalse(self.verify("proof.txt", frames[0], "high1.obj+low1.obj")["verified"])

    def test_an_altered_question_is_noticed(self):
        # A certificate whose question was altered so that all polygons are one body was verified without a word.
        # Pinned: the checker is told the question and rejects another one, and says which question it verified.
        start, triangles = sheets(3, 0.12, 0.0)
        end, _ = sheets(3, 0.1, 0.6)
        through = [(x, y, z - (1 if k >= len(start) // 2 else 0)) for k, (x, y, z) in enumerate(end)]
        self.assertEqual(self.prove(start, through, triangles)["status"], "contact")
        header = ["graze-step-certificate 1", "pairs bodies"] + ["0"] * len(triangles)
        listed = [f"triangles {len(triangles)}"] + [f"{p} {a} {b} {c}" for p, (a, b, c) in enumerate(triangles)]
        self.write("altered.txt", "\n".join(header + listed + ["proof", "O", "end"]) + "\n")
        answer = self.verify("altered.txt")
        self.assertEqual((answer["verified"], answer["question"]["groups"], answer["compared"]), (True, 1, []))
        cut = "bodies=0," + str(len(triangles) // 2)
        for expected in ("all", "pieces", cut):
            answer = self.verify("altered.txt", "start.obj", "end.obj", "--expect", expected)
            self.assertFalse(answer["verified"], expected)
            self.assertIn("another question", answer["reason"])
        plain = subprocess.run([VERIFY, "altered.txt", "start.obj", "end.obj"], cwd=self.dir, capture_output=True,
                               text=True, timeout=CHILD_SECONDS).stdout
        for words in ("of which there are 1: nothing had to be proved", "compared with what was expected: nothing"):
            self.assertIn(words, plain)

    def test_the_expected_question(self):
        start, triangles = sheets(3, 0.12, 0.0)
        end, _ = sheets(3, 0.1, 0.6)
        half = len(triangles) // 2
        self.write("of.txt", " ".join(["7"] * half + ["3"] * half))  # the same bodies by other numbers
        self.write("others.txt", " ".join(["7"] * (half - 1) + ["3"] * (half + 1)))
        self.write("few.txt", "0 1")
        kinds = {"all": ("--self",), "pieces": (), f"bodies=0,{half}": ("--bodies", f"0,{half}")}
        for asked, options in kinds.items():
            self.assertEqual(self.prove(start, end, triangles, *options)["status"], "free")
            for expected in (*kinds, "bodies=of.txt", "bodies=others.txt", f"bodies=0,{half - 1}"):
                same = asked == expected or (expected == "bodies=of.txt" and asked.startswith("bodies"))
                answer = self.verify("proof.txt", "start.obj", "end.obj", "--expect", expected)
                self.assertEqual(answer["verified"], same, (asked, expected, answer))
                if same:
                    self.assertEqual(answer["compared"], ["pairs"])
        self.assertTrue(self.verify("proof.txt", "start.obj", "end.obj", "--expect=bodies=of.txt")["verified"])
        for wrong in (("--expect", "some"), ("--expect", "bodies=few.txt"), ("--expect", "bodies=none.txt"),
                      ("--expect", "bodies=0,1000"), ("--expect", "bodies=1,2"), ("--expect-separation", "-1"),
                      ("--expect-nothing", "1"), ("--expect",)):
            done = subprocess.run([VERIFY, "proof.txt", "start.obj", "end.obj", *wrong], cwd=self.dir,
                                  capture_output=True, text=True, timeout=CHILD_SECONDS)
            self.assertEqual((done.returncode, done.stdout), (2, ""), (wrong, done.stderr))
        # A separation: more than expected is enough, less is not; and a step is no question about motions.
        self.assertEqual(self.prove(start, end, triangles, "--min-separation", "0.01")["status"], "free")
        for expected, right in (("0.001", True), ("0.01", True), ("0.011", False)):
            answer = self.verify("proof.txt", "start.obj", "end.obj", "--expect-separation", expected)
            self.assertEqual(answer["verified"], right, answer)
        self.assertFalse(self.verify("proof.txt", "start.obj", "end.obj", "--expect-motion-a", "still")["verified"])
        self.assertTrue(self.verify("proof.txt", "start.obj", "end.obj", "--expect-until", "1")["verified"])
        self.assertEqual(self.verify()["question"]["separation"], 0.01)

    def test_the_files_of_a_frame_are_its_bodies(self):
        start, triangles = sheets(2, 0.02, 0.0)
        end, _ = sheets(2, 0.02, 0.6)
        count, half = len(start) // 2, len(triangles) // 2
        for name, points in (("0", start), ("1", end)):
            self.write(f"low{name}.obj", obj(points[:count], triangles[:half]))
            self.write(f"high{name}.obj", obj(points[count:], [tuple(v - count for v in t) for t in triangles[half:]]))
        frames = ("low0.obj+high0.obj", "low1.obj+high1.obj")
        self.assertEqual(self.json("deform", *frames, "--certificate", "proof.txt")["status"], "free")
        self.assertTrue(self.verify("proof.txt", *frames, "--expect", "files")["verified"])
        self.assertFalse(self.verify("proof.txt", *frames, "--expect", "bodies=0,1")["verified"])
        lines = (self.dir / "proof.txt").read_text().splitlines()
        self.write("one.txt", "\n".join(lines[:2] + ["0"] * len(triangles) + lines[2 + len(triangles):]) + "\n")
        self.assertFalse(self.verify("one.txt", *frames, "--expect", "files")["verified"])

    def test_options_that_ask_something_else(self):
        self.free_sheets(2)
        proof = ("deform", "start.obj", "end.obj", "--certificate", "p.txt")
        self.refused(*proof, "--no-start", says=["--certificate", "--no-start"])
        self.refused(*proof, "--method", "tree", says=["--certificate"])
        self.refused("deform", "start.obj", "end.obj", "start.obj", "--certificate", "p.txt", says=["two frames"])

    @unittest.skipUnless(DATA.is_dir(), "needs the shared data: set GRAZE_SHARED_DATA")
    def test_the_recorded_step_without_its_contacts(self):
        start, triangles = read_ply(DATA / "frame0.ply")
        end, _ = read_ply(DATA / "frame1.ply")
        touching = set()  # one side of every contact
        for name, firsts in (("truth_vf.csv.gz", 1), ("truth_ee.csv.gz", 2)):
            with gzip.open(DATA / name, "rt") as rows:
                next(rows)
                for row in rows:
                    touching.update(map(int, row.split(",")[:firsts]))
        kept = [t for t in triangles if not touching.intersection(t)]
        self.assertGreater(len(kept), REGION)
        self.assertEqual(self.prove(start, end, kept[:REGION], "--self")["status"], "free")
        answer = self.verify()
        self.assertTrue(answer["verified"], answer)
        self.assertGreater(answer["features"], REGION)


if __name__ == "__main__":
    unittest.main()
