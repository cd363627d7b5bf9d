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
                    '{"pieces": [{"pieces": []}]}'):
            self.write("bad.json", bad)
            self.assertEqual(self.verify("proof.txt", "compound:lamp.json", "compound:bad.json").returncode, 2, bad)

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
