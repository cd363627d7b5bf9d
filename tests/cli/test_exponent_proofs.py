# SPDX-License-Identifier: MIT
"""Proofs of flights whose sizes, places, speeds, turns and arms have magnitudes of their own, each up to 2^1000, are
verified by the independent checker."""
import math
import os
import pathlib
import random
import subprocess

import certificates
from harness import CHILD_SECONDS, GRAZE, CommandTest, cube_obj

VERIFY = pathlib.Path(os.environ.get("GRAZE_VERIFY", GRAZE.parent / "graze-verify")).resolve()
FLIGHTS = int(os.environ.get("GRAZE_FLIGHTS", 0)) or (10 if "asan" in str(GRAZE) or "tsan" in str(GRAZE) else 60)
add = certificates.add
STEPS = (0, 0, 0, 1, 7, 20, 30, 40, 52, 64, 75, 100, 130, 300, 900)


class ExponentProofs(CommandTest):
    def verified(self, *args):
        done = subprocess.run([VERIFY, *args], cwd=self.dir, capture_output=True, text=True, timeout=CHILD_SECONDS)
        return done.returncode == 0, done.stdout + done.stderr

    def exponent(self, numbers, common):
        step = numbers.choice(STEPS) * numbers.choice((-1, 1))
        return max(-1000, min(1000, common + step))

    def vector(self, numbers, exponent):
        return [numbers.randint(-4, 4) * 2.0 ** (exponent - 2) for _ in range(3)]

    def flight(self, numbers, index):
        """The arguments of one question, and its numbers in words."""
        common = 0 if numbers.random() < 0.5 else numbers.randint(-20, 20) * 50
        sizes = [self.exponent(numbers, common) for _ in range(2)]
        for name, size in zip("ab", sizes):
            self.write(f"{name}.obj", cube_obj(2.0 ** size, origin=[-(2.0 ** (size - 1))] * 3))
        place, speed, arm = (self.exponent(numbers, common) for _ in range(3))
        turn = numbers.randint(-60, 18)
        start, v, w = self.vector(numbers, place), self.vector(numbers, speed), self.vector(numbers, turn)
        reference, t = self.vector(numbers, arm), 2.0 ** -numbers.randint(0, 12)
        # B stands beside the place of A's centre at some time, or on it.
        angle = t * math.hypot(*w)
        axis = [x / math.hypot(*w) for x in w] if angle > 0 else (1, 0, 0)
        there = add(add(add(start, reference), v, t), certificates.turn(axis, angle, [-x for x in reference]))
        aside = self.vector(numbers, max(sizes) - numbers.randint(0, 2))
        words = f"flight {index}: sizes 2^{sizes}, place 2^{place}, speed 2^{speed}, arm 2^{arm}, turn 2^{turn}"
        plain = lambda values: " ".join(repr(float(x)) for x in values)
        args = ["first-contact", "a.obj", "b.obj", "--a-from", plain(start + [1, 0, 0, 0]), "--a-velocity", plain(v + w),
                "--a-reference", plain(reference), "--b-from", plain(list(add(there, aside)) + [1, 0.5, 0.25, 0]),
                "--certificate", "proof.txt", "--work", "2000"]
        return args, words

    def test_flights(self):
        """A free answer that rested on an overflow once came with a proof that the checker rejected."""
        self.assertTrue(VERIFY.is_file(), f"no checker at {VERIFY}: set GRAZE_VERIFY to the built graze-verify")
        numbers = random.Random(int(os.environ.get("GRAZE_SEED", 1300)))
        proofs = free = 0
        for i in range(FLIGHTS):
            args, words = self.flight(numbers, i)
            (self.dir / "proof.txt").unlink(missing_ok=True)
            done = self.graze(*args, "--json", status=(0, 1, 2, 3))
            if not (self.dir / "proof.txt").is_file():
                continue
            proofs += 1
            free += '"free"' in done.stdout
            good, said = self.verified("proof.txt", "a.obj", "b.obj")
            self.assertTrue(good, f"{words}: {' '.join(args)}\n{done.stdout}\n{said}")
        self.assertGreater(proofs, FLIGHTS // 4)
        self.assertGreater(free, FLIGHTS // 8)

    def test_far_axis(self):
        """speed * speed overflowed single precision: best_first said free, with a proof that the checker rejected."""
        self.graze("make", "box", "-o", "unit.obj")
        self.cube("big.obj", size=1e9, origin=(-5e8, -5e8, -5e8))
        answer = self.json("first-contact", "unit.obj", "big.obj", "--a-velocity", "0 0 0 0 0 1e6", "--a-reference",
                           "0 2e13 0", "--b-from", "-5e9 0 0 1 0 0 0", "--certificate", "proof.txt")
        self.assertEqual(answer["status"], "contact")
        good, said = self.verified("proof.txt", "unit.obj", "big.obj")
        self.assertTrue(good, said)
