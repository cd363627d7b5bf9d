# SPDX-License-Identifier: MIT
"""Proofs about shapes, compounds and safety distances: written by the command, verified by the checker, and rejected if
the shape, its radius, the separation, a piece or the motion is another."""
import json
import os
import pathlib
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE, CommandTest

VERIFY = pathlib.Path(os.environ.get("GRAZE_VERIFY", GRAZE.parent / "graze-verify")).resolve()
PAST = ("--a-from", "-4 1 0 1 0 0 0", "--a-to", "4 1 0 1 0.5 0 1")


class ShapeCertificates(CommandTest):
    def verify(self, *args):
        return subprocess.run([VERIFY, *args], cwd=self.dir, capture_output=True, text=True, timeout=CHILD_SECONDS)

    def proved(self, a, b, *options):
        """The status of a flight past B, after its proof was verified; the proof is in proof.txt."""
        answer = self.json("first-contact", a, b, *PAST, "--certificate", "proof.txt", *options)
        done = self.verify("proof.txt", a, b)
        self.assertEqual(done.returncode, 0, f"{a} {b}: {done.stdout}{done.stderr}")
        return answer["status"]

    def rejected(self, *args, says=""):
        done = self.verify(*args)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(says, done.stdout)

    def altered(self, old, new):
        text = (self.dir / "proof.txt").read_text()
        self.assertIn(old, text)
        self.write("forged.txt", text.replace(old, new, 1))
        return "forged.txt"

    def test_every_kind(self):
        self.graze("make", "torus", "--triangles", 100, "-o", "torus.obj")
        kinds = ("sphere:0.5", "capsule:0.2,0.6", "box:0.5,0.4,0.3", "cylinder:0.3,0.6", "cone:0.3,0.8",
                 "ellipsoid:0.5,0.2,0.3", "hull:torus.obj", "box:0.3,0.3,0.3+0.1", "torus.obj")
        seen = set()
        for i, a in enumerate(kinds):
            b = kinds[(i * 4 + 3) % len(kinds)]
            with self.subTest(a=a, b=b):
                seen.add(self.proved(a, b, *(("--b-from", "0 1 0 1 0 0 0") if i % 2 else ())))
        self.assertEqual(seen, {"free", "contact"})

    def test_a_half_space_is_no_piece(self):
        pose = "0 0 0 0.7071067811865476 0.7071067811865476 0 0"
        self.write("h.json", json.dumps({"pieces": [{"shape": "halfspace", "pose": [float(x) for x in pose.split()]}]}))
        self.write("proof.txt", "graze-certificate 3\nmotion a still 0 0 0 1 0 0 0\nmotion b still 0 5 5 1 0 0 0\n"
                   f"until 1\nseparation 0\npieces a 1\npose {pose}\nshape a halfspace 0\nshape b sphere 0.5 0\nproof\n"
                   "T a 0 0 1 1\nend\n")
        self.assertEqual(self.verify("proof.txt", "compound:h.json", "sphere:0.5").returncode, 2)

    def test_bounds_that_overflow_prove_nothing(self):
        """The intervals of so many joints are no numbers at the end, and they once counted as positive."""
        for joints in (22000, 23000):
            chain = f"{joints}" + " revolute 0 3.14159265358979 1 1 1" * joints
            self.write("proof.txt", "graze-certificate 3\nmotion a chain velocity -5 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 "
                       f"{chain}\nmotion b still 0 0 0 1 0 0 0\nuntil 1\nseparation 0\nshape a sphere 0.5 0\n"
                       "shape b sphere 0.5 0\nproof\nS 1 0 0 1\nend\n")
            self.rejected("proof.txt", "sphere:0.5", "sphere:0.5")

    def test_forged_shapes(self):
        self.assertEqual(self.proved("sphere:0.5", "cylinder:0.25,2"), "free")
        self.rejected("proof.txt", "sphere:0.75", "cylinder:0.25,2", says="another shape")
        self.rejected("proof.txt", "sphere:0.5", "cylinder:0.25,2+0.25", says="another shape")
        self.rejected("proof.txt", "sphere:0.5", "cone:0.25,2", says="another shape")
        self.rejected("proof.txt", "cylinder:0.25,2", "sphere:0.5")
        self.rejected(self.altered("sphere 0x1p-1 ", "sphere 0x1.8p-1 "), "sphere:0.5", "cylinder:0.25,2",
                      says="another shape")
        self.rejected(self.altered("sphere 0x1p-1 ", "sphere 0x1.8p-1 "), "sphere:0.75", "cylinder:0.25,2")
        self.rejected(self.altered("0x1p+0 0x0p+0", "0x0p+0 0x0p+0"), "sphere:0.5", "cylinder:0.25,2")
        self.assertEqual(self.verify("proof.txt", "sphere:x", "cylinder:0.25,2").returncode, 2)

    def test_a_safety_distance(self):
        self.graze("make", "box", "-o", "box.obj")
        for a, b in (("sphere:0.25", "cylinder:0.25,2"), ("box.obj", "box.obj"), ("box.obj", "sphere:0.1")):
            way = ("--b-from", "0 -1.5 0 1 0 0 0")
            self.assertEqual(self.proved(a, b, "--min-separation", "0.125", *way), "free")
            done = self.verify("proof.txt", a, b, "--expect-separation", "0.125", "--json")
            answer = json.loads(done.stdout)
            self.assertEqual((answer["question"]["separation"], answer["compared"]), (0.125, ["separation"]))
            self.assertIn("farther apart than 0.125", self.verify("proof.txt", a, b).stdout)
            self.rejected("proof.txt", a, b, "--expect-separation", "0.25", says="another question")
            self.rejected(self.altered("separation 0x1p-3", "separation 0x1p+3"), a, b)
        self.assertEqual(self.proved("box.obj", "box.obj", "--b-from", "0 -1.5 0 1 0 0 0"), "free")
        self.rejected("proof.txt", "box.obj", "box.obj", "--expect-separation", "0.125", says="another question")

    def test_a_compound(self):
        self.graze("make", "box", "-o", "box.obj")
        lamp = """{"pieces": [{"shape": "cylinder:0.3,0.1", "name": "foot"},
          {"shape": "capsule:0.05,1", "pose": [0, 0, 0.5, 1, 0, 0, 0], "name": "stand"},
          {"mesh": "box.obj", "pose": [0, 0, 1.5, 1, 1, 0, 0], "name": "shade"}]}"""
        self.write("lamp.json", lamp)
        self.assertEqual(self.proved("sphere:0.25", "compound:lamp.json"), "free")
        self.assertEqual(self.proved("sphere:0.25", "compound:lamp.json", "--b-from", "0 1 0 1 0 0 0"), "contact")
        self.assertEqual(self.proved("compound:lamp.json", "compound:lamp.json", "--b-from", "0 -1 0 1 0 0 0"), "free")
        self.assertIn("3 pieces", self.verify("proof.txt", "compound:lamp.json", "compound:lamp.json").stdout)
        for old, new, says in (("0, 0, 0.5", "0, 0, 0.75", "another pose"), ("capsule:0.05", "capsule:0.5", "another shape"),
                               ('{"shape": "cylinder:0.3,0.1", "name": "foot"},', "", "number of pieces")):
            self.write("other.json", lamp.replace(old, new))
            self.rejected("proof.txt", "compound:lamp.json", "compound:other.json", says=says)
        for bad in ("{", '{"pieces": []}', '{"pieces": [{"shape": "sphere:1", "colour": "red"}]}', lamp + "x",
                    '{"pieces": [{"pieces": []}]}', '{"pieces": [{"pieces": [{"shape": "sphere:1"}], "shape": "sphere:1"}]}',
                    '{"pieces": [{"pieces": [{"shape": "halfspace"}]}]}', '{"pieces":[' * 200):
            self.write("bad.json", bad)
            self.assertEqual(self.verify("proof.txt", "compound:lamp.json", "compound:bad.json").returncode, 2, bad)

    def test_a_compound_of_compounds(self):
        """Pieces within pieces are stated one by one, and each is checked at the product of its poses."""
        self.graze("make", "box", "-o", "box.obj")
        hand = """{"pieces": [{"pieces": [{"pieces": [{"shape": "capsule:0.05,0.5", "pose": [0.3, 0, 0, 1, 0.3, 0.1, 0]},
            {"mesh": "box.obj", "pose": [0, 0, 1.5, 1, 1, 0, 0]}], "pose": [0.1, 0.7, 0, 1, 0, 0.2, 0.1], "name": "thumb"},
            {"shape": "sphere:0.1"}], "pose": [0, -0.3, 0.1, 0.7, 0.1, 0.7, 0], "name": "hand"},
            {"shape": "cylinder:0.2,0.3", "name": "wrist"}]}"""
        self.write("hand.json", hand)
        self.assertEqual(self.proved("sphere:0.25", "compound:hand.json", "--b-from", "0 -2 0 1 0 0 0"), "free")
        self.assertEqual(self.proved("sphere:0.25", "compound:hand.json", "--b-from", "0 1 0 1 0 0 0"), "contact")
        self.assertEqual(self.proved("compound:hand.json", "compound:hand.json", "--b-from", "0 -2 0 1 0 0 0",
                                     "--min-separation", "0.0625"), "free")
        self.assertIn("4 pieces", self.verify("proof.txt", "compound:hand.json", "compound:hand.json").stdout)
        for old, new, says in (("0.1, 0.7, 0, 1", "0.1, 0.70001, 0, 1", "another pose"),
                               ("0, 0.2, 0.1", "0, 0.2, 0.10001", "another pose"),
                               ("0, -0.3, 0.1", "0, -0.30001, 0.1", "another pose"),
                               ("capsule:0.05", "capsule:0.5", "another shape"),
                               ('{"shape": "sphere:0.1"}', '{"shape": "sphere:0.1"}, {"shape": "sphere:0.1"}', "number of pieces")):
            self.assertIn(old, hand)
            self.write("other.json", hand.replace(old, new))
            self.rejected("proof.txt", "compound:hand.json", "compound:other.json", says=says)

    def test_a_turning_half_space(self):
        """Only along its own normal it ends, and that turns."""
        self.graze("make", "torus", "--triangles", 100, "-o", "torus.obj")
        self.write("lamp.json", '{"pieces": [{"shape": "sphere:0.5"}, {"shape": "cone:0.3,0.6", "pose": [0, 0, 0.8, 1, 1, 0, 0]}]}')
        turns = {"free": ("--b-from", "0 0 0 1 0 0 0", "--b-to", "0.3 0.2 -0.5 1 0.2 0.3 0.5"),
                 "contact": ("--b-from", "0 0 0 1 0 0 0", "--b-to", "0.3 0.2 -0.5 1 1.5 0.3 0")}
        for body in ("sphere:0.5", "cylinder:0.4,1", "torus.obj", "compound:lamp.json", "box:0.4,0.3,0.6+0.1"):
            for motion in ("velocity", "screw", "linear"):
                for status, way in turns.items():
                    with self.subTest(body=body, motion=motion, status=status):
                        answer = self.json("first-contact", body, "halfspace+0.25", "--a-from", "0 0.5 2.5 1 0 0 0", "--a-to",
                                           "1 0.5 2.5 1 0.5 0 0", "--motion", motion, *way, "--certificate", "proof.txt")
                        self.assertEqual(answer["status"], status)
                        self.assertGreater(answer["certificate"]["separations"], 0)
                        self.assertGreaterEqual(answer["certificate"]["until"], 0.999 * answer["time"][0])
                        done = self.verify("proof.txt", body, "halfspace+0.25")
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                        self.rejected("proof.txt", body, "halfspace+1", says="another shape")
                        forged = self.altered("halfspace 0x1p-2", "halfspace 0x1p+2")
                        self.rejected(forged, body, "halfspace+4", says="a separation that is false")
        # The half-space first, with a safety distance; then forged: another direction, or one that does not turn.
        answer = self.json("first-contact", "halfspace", "sphere:0.5", "--b-from", "0 0.5 2.5 1 0 0 0", "--a-to",
                           "0.3 0.2 -0.5 1 0.2 0.3 0.5", "--min-separation", "0.125", "--certificate", "proof.txt")
        self.assertEqual(answer["status"], "free")
        done = self.verify("proof.txt", "halfspace", "sphere:0.5", "--expect-separation", "0.125")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for old, new in (("T a", "T b"), ("T a", "S"), ("0x1p+0 0x1p+0\nend", "0x1p+1 0x1p+0\nend"), ("T a -0x0p+0", "T a 0x1p-40")):
            text = (self.dir / "proof.txt").read_text()
            if old in text and "p+1 " not in new:
                self.rejected(self.altered(old, new), "halfspace", "sphere:0.5")

    def test_the_command_says_what_it_covers_and_how_to_check_it(self):
        self.graze("make", "box", "-o", "box.obj")
        self.write("both.json", '{"pieces": [{"shape": "sphere:0.1"}, {"mesh": "box.obj"}]}')
        for a, b, covers in (("sphere:0.1", "cone:0.1,1", "solids"), ("sphere:0.1", "box.obj", "surfaces and solids"),
                             ("sphere:0.1", "compound:both.json", "surfaces and solids"), ("box.obj", "box.obj", "surfaces")):
            answer = self.json("first-contact", a, b, "--a-from", "-4 3 0 1 0 0 0", "--a-to", "4 3 0 1 0 0 0", "--certificate",
                               "proof.txt")
            self.assertEqual(answer["certificate"]["covers"], covers)
        text = self.graze("first-contact", "sphere:0.1", "box.obj", "--a-from", "-4 3 0 1 0 0 0", "--a-to", "4 3 0 1 0 0 0",
                          "--min-separation", "0.125", "--certificate", "proof.txt").stdout
        self.assertIn("graze verify proof.txt sphere:0.1 box.obj --expect-separation 0.125", text)

    def test_a_limit_of_work(self):
        self.assertEqual(self.proved("sphere:0.5", "cylinder:0.25,2"), "free")
        self.rejected("proof.txt", "sphere:0.5", "cylinder:0.25,2", "--most-instants", "1", says="--most-instants=1")
        used = json.loads(self.verify("proof.txt", "sphere:0.5", "cylinder:0.25,2", "--json").stdout)["instants"]
        for most, code in ((used, 0), (used - 1, 1)):
            done = self.verify("proof.txt", "sphere:0.5", "cylinder:0.25,2", f"--most-instants={most}")
            self.assertEqual(done.returncode, code, done.stdout)
        for bad in ("0", "-1", "x", "1.5"):
            done = self.verify("proof.txt", "sphere:0.5", "cylinder:0.25,2", "--most-instants", bad)
            self.assertEqual(done.returncode, 2, done.stdout)

    def test_polygons_with_holes(self):
        """`fh` lines: the checker reads them, and the triangles must leave out the holes and nothing else."""
        plate = "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nv -1 -1 0\nv 0 -1 0\nv 0 1 0\nv -1 1 0\nv 1 1 0\nv 1.5 1 0\nv 1 1.5 0\n"
        for outline, holes in (("f 1 2 3 4", "fh 5 6 7 8\nfh 9 10 11"), ("f 4 3 2 1", "fh 5 6 7 8"), ("f 1 2 3 4", "fh 8 7 6 5")):
            self.write("plate.obj", plate + outline + "\n" + holes + "\n")
            # Through the hole, all the time.
            answer = self.json("first-contact", "sphere:0.25", "plate.obj", "--a-from", "-0.5 0 1 1 0 0 0", "--a-to",
                               "-0.5 0 -1 1 0 0 0", "--certificate", "proof.txt")
            self.assertEqual(answer["status"], "free")
            done = self.verify("proof.txt", "sphere:0.25", "plate.obj")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.write("filled.obj", plate + outline + "\n")
            self.rejected("proof.txt", "sphere:0.25", "filled.obj", says="not a triangulation")
            self.write("moved.obj", plate + outline + "\n" + holes.replace("5 6 7 8", "5 6 7").replace("8 7 6 5", "7 6 5") + "\n")
            self.rejected("proof.txt", "sphere:0.25", "moved.obj", says="not a triangulation")
        lines = (self.dir / "proof.txt").read_text().splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("triangles b"))
        lines[at + 1] = lines[at + 2]  # one triangle twice, another one left out
        self.write("forged.txt", "\n".join(lines) + "\n")
        self.rejected("forged.txt", "sphere:0.25", "plate.obj", says="not a triangulation")
        for bad in ("fh 5 6 7 8\nf 1 2 3 4", "f 1 2 3 4\nfh 5 6", "f 1 2 3 4\nfh 5 6 99"):
            self.write("bad.obj", plate + bad + "\n")
            self.assertEqual(self.verify("proof.txt", "sphere:0.25", "bad.obj").returncode, 2, bad)

    def test_a_floor(self):
        self.graze("make", "box", "-o", "box.obj")
        for body in ("sphere:0.5", "box.obj", "cone:0.5,1"):
            for down, status in ((2, "free"), (4, "contact")):
                way = ("--a-from", "0 0 3 1 0 0 0", "--a-to", f"1 0 {3 - down / 2} 1 0.5 0 0" if down < 3 else "1 0 0 1 0.5 0 0")
                answer = self.json("first-contact", body, "halfspace", *way, "--certificate", "proof.txt")
                self.assertEqual(answer["status"], status)
                done = self.verify("proof.txt", body, "halfspace")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.rejected("proof.txt", body, "halfspace+2", says="another shape")

    def test_inside_a_mesh(self):
        """A shape inside a closed mesh is apart from its surface; --expect-solid knows the difference."""
        self.graze("make", "box", "-o", "box.obj")
        answer = self.json("first-contact", "sphere:0.1", "box.obj", "--a-to", "0.1 0 0 1 0 0 0", "--certificate", "proof.txt")
        self.assertEqual(answer["status"], "free")
        self.assertEqual(self.verify("proof.txt", "sphere:0.1", "box.obj").returncode, 0)
        self.rejected("proof.txt", "sphere:0.1", "box.obj", "--expect-solid", says="inside")
        self.assertEqual(self.proved("sphere:0.1", "box.obj"), "free")
        self.assertEqual(self.verify("proof.txt", "sphere:0.1", "box.obj", "--expect-solid").returncode, 0)


if __name__ == "__main__":
    unittest.main()
