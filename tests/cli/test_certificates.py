# SPDX-License-Identifier: MIT
"""Every proof that graze hands out is verified by the independent checker: a hundred turning flights of knots."""
import json
import math
import os
import pathlib
import random
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE, CommandTest

VERIFY = pathlib.Path(os.environ.get("GRAZE_VERIFY", GRAZE.parent / "graze-verify")).resolve()
# Sanitized programs are some ten times slower, and say the same about proofs.
FLIGHTS = 6 if "asan" in str(GRAZE) or "tsan" in str(GRAZE) else 100


def direction(numbers):
    while True:
        v = [numbers.gauss(0, 1) for _ in range(3)]
        size = math.sqrt(sum(x * x for x in v))
        if size > 0.1:
            return [x / size for x in v]


def flight(numbers):
    """Past the other knot, or into it, turning on the way: two poses."""
    way, aside = direction(numbers), direction(numbers)
    far = numbers.uniform(0, 3)
    poses = []
    for side in (-5, 5):
        place = [far * a + side * w for a, w in zip(aside, way)]
        poses.append(" ".join(repr(x) for x in place + [numbers.gauss(0, 1) for _ in range(4)]))
    return poses


class Certificates(CommandTest):
    def verify(self, *args):
        return subprocess.run([VERIFY, *args], cwd=self.dir, capture_output=True, text=True, timeout=CHILD_SECONDS)

    def test_turning_knots(self):
        self.assertTrue(VERIFY.is_file(), f"no checker at {VERIFY}: set GRAZE_VERIFY to the built graze-verify")
        self.graze("make", "torus_knot", "--triangles", 2880, "-o", "knot.obj")
        numbers = random.Random(7)
        free = 0
        for i in range(FLIGHTS):
            start, end = flight(numbers)
            motion = ("velocity", "screw", "velocity", "linear")[i % 4]
            answer = self.json("first-contact", "knot.obj", "knot.obj", "--a-from", start, "--a-to", end, "--motion",
                               motion, "--certificate", "proof.txt")
            if answer["status"] == "touching_at_start":
                continue
            free += answer["status"] == "free"
            done = self.verify("proof.txt", "knot.obj", "knot.obj")
            self.assertEqual(done.returncode, 0, f"flight {i}: {start} to {end}: {done.stdout}{done.stderr}")
        self.assertGreater(free, FLIGHTS // 8)

    def test_directions_that_turn_with_a_needle(self):
        """Their proofs (version 2) are verified, and are rejected with the direction turned, or with the other body."""
        (self.dir / "needle.obj").write_text("v 1000 0.5 0.5\nv 0.5 -0.5 -0.5\nv -0.5 0.5 -0.5\nv -0.5 -0.5 0.5\n"
                                             "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")
        self.graze("make", "box", "-o", "box.obj")
        turn = f"0.3 0.2 1.2 {math.cos(0.75)!r} 0 0 {math.sin(0.75)!r}"
        for a, b in (("a", "b"), ("b", "a")):
            files = ["needle.obj", "box.obj"] if a == "a" else ["box.obj", "needle.obj"]
            self.json("first-contact", *files, f"--{a}-from", "0 0 1.2 1 0 0 0", f"--{a}-to", turn, f"--{b}-from",
                      "0 0 0 1 0 0 0", f"--{b}-to", "0 0.1 0 1 0.1 0.2 0", "--certificate", "proof.txt")
            text = (self.dir / "proof.txt").read_text()
            self.assertTrue(text.startswith("graze-certificate 2\n"), text[:40])
            self.assertIn(f"\nT {a} ", text)
            done = self.verify("proof.txt", *files)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for before, after in ((f"\nT {a} ", f"\nT {b} "), (f"\nT {a} ", "\nS "), ("certificate 2", "certificate 1"),
                                  (f"\nT {a} ", f"\nT {a} -")):
                wrong = text.replace(before, after).replace("--", "")
                (self.dir / "wrong.txt").write_text(wrong)
                self.assertEqual(self.verify("wrong.txt", *files).returncode, 1, f"{before!r} to {after!r}")

    def test_half_turns_and_gimbal_lock_of_linear_parameters(self):
        """The checker once could not tell which way such motions turn, and rejected true proofs."""
        self.graze("make", "box", "-o", "box.obj")
        turns = ["1 0 0 0", "0 1 0 0", "1 0 1 0", "1 0 -1 0", "0 0 0 1", "1 0.5 1 -0.5", "1e-17 1 0 0", "1 1e-12 1 0"]
        for first in turns:
            for last in turns:
                self.graze("first-contact", "box.obj", "box.obj", "--a-from", "-3 0.1 0 " + first, "--a-to",
                           "3 3.2 0 " + last, "--motion", "linear", "--certificate", "proof.txt")
                done = self.verify("proof.txt", "box.obj", "box.obj")
                self.assertEqual(done.returncode, 0, f"{first} to {last}: {done.stdout}{done.stderr}")

    def test_bodies_of_every_size(self):
        """Asked in another size, the proof is still one of the bodies as they are."""
        for power in (-1000, -600, 600, 1000):
            unit = 2.0 ** power
            self.cube(size=unit)
            for end in (f"{3 * unit!r} 0 0 1 0.5 0.2 0.1", f"{3 * unit!r} {6 * unit!r} 0 1 0.5 0.2 0.1"):
                for motion in ("velocity", "screw", "linear"):
                    self.graze("first-contact", "cube.obj", "cube.obj", "--a-from", f"{-3 * unit!r} 0 0 1 0 0 0", "--a-to",
                               end, "--motion", motion, "--certificate", "proof.txt")
                    done = self.verify("proof.txt", "cube.obj", "cube.obj")
                    self.assertEqual(done.returncode, 0, f"2^{power} {motion}: {done.stdout}{done.stderr}")

    def test_atoms_far_from_the_origin(self):
        """A point passes a plate of a picometre, a millimetre away from the origin: the checker once placed both in the
        world, whose digits end before the proof's."""
        self.write("point.obj", "v 0 0 0\nf 1 1 1\n")
        corners = "".join(f"v {x}e-12 {y}e-12 0\n" for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
        self.write("plate.obj", corners + "f 1 2 3 4\n")
        poses = {"--a-from": "0.0010000000006286016 0.00099999999756584 0.001 1 -1.3e-07 0 1.1e-10",
                 "--a-to": "0.0010000000018051106 0.000999999998258112 0.001000000001 -0.17 -0.32 0.07 -1.34",
                 "--b-from": "0.0010000000018276362 0.0010000000010941196 0.001000000001 0 1 1 0",
                 "--b-to": "0.0010000000021779336 0.000999999998 0.0009999999999744172 1 0 0 0"}
        for motion in ("velocity", "screw", "linear"):
            question = [word for option in poses.items() for word in option] + ["--motion", motion]
            self.graze("first-contact", "point.obj", "plate.obj", *question, "--certificate", "proof.txt")
            done = self.verify("proof.txt", "point.obj", "plate.obj")
            self.assertEqual(done.returncode, 0, f"{motion}: {done.stdout}{done.stderr}")

    def test_arms_of_several_joints(self):
        """Three joints that move, of all kinds, against a knot and against each other; then a joint elsewhere."""
        self.graze("make", "torus_knot", "--triangles", 500, "-o", "knot.obj")
        self.graze("make", "box", "-o", "box.obj")
        origin = lambda *at: [*at, 1, 0.2, 0, 0.1]
        links = [{"name": "base", "mesh": "box.obj", "joint": {"type": "revolute", "origin": origin(0, 0, -4)}},
                 {"name": "upper", "parent": "base", "mesh": "box.obj",
                  "joint": {"type": "screw", "pitch": 0.2, "origin": origin(3, 0, 0), "axis": [0, 1, 0.5]}},
                 {"name": "hand", "parent": "upper", "mesh": "box.obj",
                  "joint": {"type": "prismatic", "origin": origin(2, 0.5, 0), "axis": [1, 0, 1]}}]
        (self.dir / "robot.json").write_text(json.dumps({"links": links}))
        (self.dir / "proofs").mkdir()
        numbers, until = random.Random(8), []
        for _ in range(6):
            poses = [" ".join(str(numbers.uniform(-1.5, 1.5)) for _ in range(3)) for _ in range(2)]
            answer = self.json("chain", "robot.json", "--environment", "knot.obj", "--from", poses[0], "--to", poses[1],
                               "--certificates", "proofs")
            self.assertTrue(answer["certificates"])
            for proof in answer["certificates"]:
                other = "box.obj" if proof["links"][1] else "knot.obj"
                done = self.verify(proof["file"], "box.obj", other)
                self.assertEqual(done.returncode, 0, f"{poses}: {proof}: {done.stdout}{done.stderr}")
                until.append(proof["until"])
        self.assertIn(1, until)
        text = (self.dir / "proofs/2-environment.txt").read_text()
        words = text.split("\n")[1].split()
        self.assertEqual(words[2], "chain")
        at = words.index("prismatic")
        words[at + 1:at + 3] = [(0.0).hex(), (-30.0).hex()]  # now it flies through everything
        (self.dir / "broken.txt").write_text("\n".join([text.split("\n")[0], " ".join(words), *text.split("\n")[2:]]))
        self.assertEqual(self.verify("broken.txt", "box.obj", "knot.obj").returncode, 1)

    def test_a_proof_of_another_motion_is_rejected(self):
        self.graze("make", "torus_knot", "--triangles", 500, "-o", "knot.obj")
        self.json("first-contact", "knot.obj", "knot.obj", "--a-from", "-3 1.5 0 1 0 0 0", "--a-to", "3 1.5 0 1 1 0 0",
                  "--certificate", "proof.txt")
        self.assertEqual(self.verify("proof.txt", "knot.obj", "knot.obj").returncode, 0)
        proof = (self.dir / "proof.txt").read_text().splitlines()
        at = next(i for i, line in enumerate(proof) if line.startswith("motion b"))
        # B two further up: A flies right through it.
        words = proof[at].split()
        words[4] = (1.5).hex()
        proof[at] = " ".join(words)
        (self.dir / "proof.txt").write_text("\n".join(proof) + "\n")
        self.assertEqual(self.verify("proof.txt", "knot.obj", "knot.obj").returncode, 1)


if __name__ == "__main__":
    unittest.main()
