# SPDX-License-Identifier: MIT
"""The proof checker: true certificates are verified, and whatever makes one false or incomplete is rejected."""

import copy
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

from certificates import (Certificate, Motion, Prover, add, box, quaternion, replay, tetrahedron, u_shape)
from harness import CHILD_SECONDS

BESIDE = pathlib.Path(os.environ.get("GRAZE", "build/bin/graze")).parent / "graze-verify"
VERIFY = pathlib.Path(os.environ.get("GRAZE_VERIFY", BESIDE)).resolve()

ONE = (1, 0, 0, 0)
STILL = Motion("still", (0, 0, 0), ONE)
SCENES = {
    "passing": ((box(), tetrahedron(0.5)), (Motion("velocity", (-4, 0, 1.2), ONE, (4, 0, 1.2), ONE, (0, 0, 0)), STILL)),
    "tumbling": ((box(), box(2, 1, 0.5)),
                 (Motion("velocity", (-4, 0.2, 1.3), ONE, (4, 0.1, 1.3), quaternion((1, 2, 3), 2.8), (0.1, 0.2, 0)), STILL)),
    "screw": ((box(), tetrahedron(0.6)),
              (Motion("screw", (-3, 0.2, 2.2), quaternion((1, 0, 0.3), 0.5), (3, -0.1, 2.3), quaternion((1, 0.5, 0.1), -1.9)),
               Motion("linear", (0, 0, 0), (0, 0, 0), (0, 0, -0.5), (0.5, 1, 2)))),
    "through": ((box(0.5, 0.5, 0.5), u_shape()), (Motion("speeds", (0, 1, -3), ONE, (0, 0, 6), (1, 2, 3), (0, 0, 0)), STILL)),
    "into": ((tetrahedron(0.45), u_shape()), (Motion("linear", (0, 3, 0), (0, 0, 0), (0, 0, 0), (2, 1, 4)),
                                             Motion("still", (0, 0, 0), quaternion((0, 0, 1), 0.01)))),
    "angles": ((box(), tetrahedron(0.6)),
               (Motion("linear_poses", (-3, 0.2, 2.2), quaternion((1, 0, 0.3), 2.5), (3, -0.1, 2.3), quaternion((0.2, 0.5, 1), -2.9)),
                STILL)),
    "arm": ((box(2, 0.5, 0.5), tetrahedron(0.5)),
            (Motion.chain(Motion("velocity", (0, 0, 2), ONE, (0.5, 0, 2), quaternion((0, 0, 1), 0.7), (0, 0, 0)),
                          ("revolute", -0.4, 1.1, (0, 0.1, 2)), ("place", (1.5, 0, 0), quaternion((1, 1, 0), 0.6)),
                          ("screw", 0.2, -1.5, (1, 0, 0.5), 0.3), ("prismatic", 0, 1.2, (0, 1, 1))), STILL)),
    "trajectory": ((box(2, 0.5, 0.5), tetrahedron(0.5)),
                   (Motion.chain(Motion("still", (0, 0, 2), ONE),
                                 ("cubic", 0, 2, -0.4, 0.3, 1.1, -0.5, 1, 0, 1, 0, (0, 0.1, 2)),
                                 ("place", (1.5, 0, 0), quaternion((1, 1, 0), 0.6)),
                                 ("quintic", 1, 1.5, 0.2, 1, 3, -0.9, 0, -2, -0.5, 0.1, 1, 0.3, (1, 0, 0.5)),
                                 ("spline", 0, 0, 1, 2, 4, 4, 0, 1.2, 0.3, 0.9, 1, 0, 0, 1, (0, 1, 1))), STILL)),
}
PROOFS = {}


def proof(name):
    if name not in PROOFS:
        PROOFS[name] = Prover(*SCENES[name]).prove()
    return copy.deepcopy(PROOFS[name])


class VerifyTest(unittest.TestCase):
    def setUp(self):
        self.assertTrue(VERIFY.is_file(), f"no checker at {VERIFY}: set GRAZE_VERIFY to the built graze-verify")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def run_verify(self, *arguments):
        return subprocess.run([VERIFY, *arguments], cwd=self.dir, capture_output=True, text=True, timeout=CHILD_SECONDS)

    def check(self, certificate, shapes, *options):
        """The checker's run on a certificate (or its text) and two shapes."""
        text = certificate if isinstance(certificate, str) else certificate.text()
        (self.dir / "proof.txt").write_text(text)
        for name, shape in zip("ab", shapes):
            (self.dir / f"{name}.obj").write_text(shape.obj())
        return self.run_verify(*options, "proof.txt", "a.obj", "b.obj")

    def verified(self, certificate, shapes):
        done = self.check(certificate, shapes)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertTrue(done.stdout.startswith("verified: no contact before T="), done.stdout)

    def rejected(self, certificate, shapes, says=""):
        done = self.check(certificate, shapes)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertTrue(done.stdout.startswith("rejected: ") and "token" in done.stdout, done.stdout)
        self.assertIn(says, done.stdout)


class TrueProofs(VerifyTest):
    def test_scenes(self):
        for name, (shapes, _) in SCENES.items():
            with self.subTest(scene=name):
                self.verified(proof(name), shapes)
        self.assertGreater(len(proof("through").steps), 50)  # or the scenes have become too simple to be worth mutating

    def test_json(self):
        answer = json.loads(self.check(proof("into"), SCENES["into"][0], "--json").stdout)
        separations = sum(step[0] == "S" for step in proof("into").steps)
        self.assertEqual((answer["version"], answer["verified"], answer["until"], answer["separations"]),
                         (1, True, 1, separations))
        self.assertTrue(answer["motions"][0].startswith("linear 0 3 0"))
        answer = json.loads(self.check("nonsense", SCENES["into"][0], "--json").stdout)
        self.assertEqual((answer["version"], answer["verified"]), (1, False))
        self.assertIn("token 1", answer["reason"])

    def test_the_question_is_said_and_compared(self):
        """Motions and the end stand in the certificate, where anybody can alter them: the checker says what they are, and
        rejects others than those that it is told to expect."""
        shapes, _ = SCENES["into"]
        certificate = proof("into")
        lines = certificate.text().splitlines()
        a, b = (line.split(" ", 2)[2] for line in lines[1:3])
        answer = json.loads(self.check(certificate, shapes, "--json").stdout)
        self.assertEqual((answer["question"]["kind"], answer["question"]["interval"], answer["compared"]),
                         ("moving_bodies", [0, 1], []))
        self.assertFalse(answer["question"]["solid"])
        right = ("--expect-motion-a", a.replace(" 3 ", " 3.0e0 "), "--expect-motion-b", b, "--expect-until", "1")
        answer = json.loads(self.check(certificate, shapes, "--json", *right).stdout)
        self.assertEqual((answer["verified"], answer["compared"]), (True, ["motion a", "motion b", "until"]))
        for wrong in (("--expect-motion-a", b), ("--expect-motion-b", b + " 0"), ("--expect-until", "1.0000001"),
                      ("--expect", "all"), ("--expect-separation", "0.1")):
            done = self.check(certificate, shapes, *wrong)
            self.assertEqual((done.returncode, done.stderr), (1, ""), wrong)
            self.assertIn("another question", done.stdout)
        plain = self.check(certificate, shapes).stdout
        for words in (f"motion {a.split()[0]} 0 3 0", "0 <= t <= 1", "not whether one is inside", "compared with what"):
            self.assertIn(words, plain)

    def test_solid(self):
        """A proof covers surfaces; whether one body starts inside the other is checked on request."""
        small, large = tetrahedron(0.3), tetrahedron(3)
        motions = (Motion("still", (0.1, 0.2, 0.3), quaternion((1, 2, 3), 0.7)), Motion("still", (0, 0, 0), ONE))
        for shapes, inside in (((small, large), "body a"), ((large, small), "body b"), ((small, small), None)):
            moved = motions if inside != "body b" else motions[::-1]
            if not inside:
                moved = (Motion("still", (3, 0, 0), quaternion((1, 2, 3), 0.7)), motions[1])
            certificate = Prover(shapes, moved).prove()
            self.assertFalse(json.loads(self.check(certificate, shapes, "--json").stdout)["question"]["solid"])
            done = self.check(certificate, shapes, "--json", "--expect-solid")
            answer = json.loads(done.stdout)
            self.assertEqual(answer["verified"], inside is None, answer)
            if inside:
                self.assertIn(inside, answer["reason"])
            else:
                self.assertEqual((answer["question"]["solid"], answer["compared"]), (True, ["solid"]))
        shapes, _ = SCENES["passing"]
        self.assertEqual(self.check(proof("passing"), shapes, "--expect-solid").returncode, 0)
        open_box = copy.deepcopy(shapes[0])
        open_box.polygons.pop()
        certificate = Prover((open_box, shapes[1]), SCENES["passing"][1]).prove()
        self.assertEqual(self.check(certificate, (open_box, shapes[1])).returncode, 0)
        done = self.check(certificate, (open_box, shapes[1]), "--expect-solid")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not closed", done.stdout)

    def test_nothing_is_proved_by_nothing(self):
        shapes, motions = SCENES["passing"]
        self.verified(Certificate(motions, 0.0, [s.triangles() for s in shapes], []), shapes)
        self.rejected(Certificate(motions, 5e-324, [s.triangles() for s in shapes], []), shapes)
        nothing = Certificate(motions, 0.0, [s.triangles() for s in shapes], [])
        self.assertIn("nothing is proved", self.check(nothing, shapes).stdout)
        self.assertEqual(self.check(nothing, shapes, "--expect-separation", "0").returncode, 1)

    def single(self, shapes, motions, n, end=1.0):
        """A proof of one separation."""
        return Certificate(list(motions), end, [s.triangles() for s in shapes], [("S", n, end)])

    def test_sharp_for_every_motion(self):
        """Random motions towards B: a separation is verified up to a hair before it fails, and rejected a hair after."""
        seed = int(os.environ.get("GRAZE_SEED", 7))
        chance = random.Random(seed)
        shapes = (tetrahedron(0.5), box(0.7, 0.8, 0.9))
        for kind in ("velocity", "speeds", "screw", "linear", "linear_poses", "chain", "trajectory"):
            tried = 0
            while tried < 5:
                motions = (self.random_motion(chance, kind, (0, 0, 0)),
                           self.random_motion(chance, chance.choice(["still", "speeds", "screw", "linear"]), (3, 0, 0)))
                prover, n = Prover(shapes, motions), (1, chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3))
                gap = lambda t: prover.gap(n, (0, 4), (0, 12), t)
                low, high = 0.0, next((k / 400 for k in range(401) if gap(k / 400) <= 0), 0)
                if not 0.01 < high < 1:
                    continue
                low = high - 1 / 400
                for _ in range(60):
                    middle = (low + high) / 2
                    low, high = (middle, high) if gap(middle) > 0 else (low, middle)
                tried += 1
                with self.subTest(seed=seed, motions=[m.text() for m in motions], n=n, end=low):
                    self.verified(self.single(shapes, motions, n, low - 1e-11), shapes)
                    self.rejected(self.single(shapes, motions, n, high + 1e-11), shapes, "a separation that is false")

    def random_motion(self, chance, kind, base):
        vector = lambda size: tuple(chance.uniform(-size, size) for _ in range(3))
        first = [chance.gauss(0, 1) for _ in range(4)]
        near = 10 ** chance.uniform(-12, 0)
        second = [-2 * (v + near * chance.gauss(0, 1)) for v in first]
        start, end = add(base, vector(0.5)), add(base, vector(2.5))
        return {"still": lambda: Motion(kind, start, first),
                "velocity": lambda: Motion(kind, start, first, end, second, vector(1)),
                "speeds": lambda: Motion(kind, start, first, vector(2), vector(chance.choice([1, 30])), vector(1)),
                "screw": lambda: Motion(kind, start, first, end, second),
                "linear": lambda: Motion(kind, start, vector(3), end, vector(chance.choice([1, 30]))),
                "linear_poses": lambda: Motion(kind, start, first, end, [chance.gauss(0, 1) for _ in range(4)]),
                "trajectory": lambda: Motion.chain(
                    self.random_motion(chance, chance.choice(["still", "velocity"]), base),
                    ("cubic", 1, 1 + chance.uniform(0.1, 3), *vector(2), chance.uniform(-1, 1), 1, 0, 1, 0, vector(1)),
                    ("place", vector(0.3), first),
                    ("quintic", -1, chance.uniform(0, 1), *vector(1), *vector(1), 0.5, 0.1, 1, 0.2, vector(1)),
                    ("spline", *sorted(chance.uniform(0, 3) for _ in range(6)), *vector(1), 0.5, -1, 0, 0, 1, vector(1))),
                "chain": lambda: Motion.chain(
                    self.random_motion(chance, chance.choice(["still", "velocity", "screw", "linear"]), base),
                    ("revolute", *vector(2)[:2], vector(1)), ("place", vector(0.3), first),
                    ("screw", *vector(2)[:2], vector(1), 0.2), ("prismatic", *vector(1)[:2], vector(1)))}[kind]()

    def test_polynomials_that_are_none(self):
        shapes = (box(), box())
        def motion(*part):
            return Motion.chain(STILL, (*part, 1, 0, 0, 1, (0, 0, 1)))
        def certificate(*part):
            return self.single(shapes, (motion(*part), Motion("still", (0, 0, 9), ONE)), (0, 0, 1))
        good = certificate("cubic", 0, 1, 0, 1, 2, -1)
        self.verified(good, shapes)
        for bad in (("cubic", 1, 1, 0, 1, 2, -1), ("quintic", 1, 0, 0, 0, 0, 1, 0, 0), ("spline", 0, 0, 1, 1, 2, 2, 0, 1, 2, 3),
                    ("spline", 0, 0, 1, 2, 1, 3, 0, 1, 2, 3), ("cubic", 0, 1, 0, 100, 2, -1)):
            self.rejected(certificate(*bad), shapes)
        for version in ("1", "2", "3"):
            text = good.text().replace("graze-certificate 4", f"graze-certificate {version}")
            self.assertIn("cubic", text)
            (self.dir / "old.txt").write_text(text if version == "3" else text.replace("separation 0\n", ""))
            (self.dir / "a.obj").write_text(shapes[0].obj())
            self.assertEqual(self.run_verify("old.txt", "a.obj", "a.obj").returncode, 1)

    def test_a_wheel_beside_a_wall(self):
        """A hundred thousand radians at a millionth from the wall: only the wheel's reach can tell in reasonable time."""
        shapes = (box(2, 2, 0.5), box(1, 9, 9))
        spin = Motion("speeds", (0, 0, 0), ONE, (0, 0, 0), (0, 0, 1e5), (0, 0, 0))
        for gap in (1e-6, 1e-14, -1e-6):
            wall = Motion("still", (math.sqrt(2) + 0.5 + gap, 0, 0), ONE)
            certificate = self.single(shapes, (spin, wall), (1, 0, 0))
            self.verified(certificate, shapes) if gap > 0 else self.rejected(certificate, shapes)

    def test_a_door_about_its_hinge(self):
        """A screw whose axis is beside the body, at 1e-9 from a wall that it reaches in the middle of its turn."""
        shapes = (box(1, 0.1, 2), box(1, 9, 9))
        hinge = (0.5, 0.05, 0)
        turned = [tuple(a - b for a, b in zip((0, 0, 0), Motion("still", (0, 0, 0), q).at(0, hinge)))
                  for q in (quaternion((0, 0, 1), -2), quaternion((0, 0, 1), -4))]
        door = Motion("screw", turned[0], quaternion((0, 0, 1), -2), turned[1], quaternion((0, 0, 1), -4))
        for gap in (1e-9, -1e-9):
            wall = Motion("still", (math.hypot(1, 0.1) + 0.5 + gap, 0, 0), ONE)
            certificate = self.single(shapes, (door, wall), (1, 0, 0))
            self.verified(certificate, shapes) if gap > 0 else self.rejected(certificate, shapes)

    def test_half_turns(self):
        """An arm along +x turns by half a turn over +y or -y; the rule says which, and a sliver decides otherwise."""
        arm = box(1, 0.1, 0.1)
        arm.vertices = [(x + 1, y, z) for x, y, z in arm.vertices]
        shapes = (arm, box(9, 0.5, 9))
        for kind in ("velocity", "screw"):
            for to, side in (((0, 0, 0, 1), 1), ((0, 0, 0, -5), 1), ((1e-20, 0, 0, -1), -1), ((-1e-20, 0, 0, -1), 1),
                             ((1e-300, 0, 0, 1e-280), 1), ((-1e-300, 0, 0, 1e-280), -1)):
                move = Motion(kind, (0, 0, 0), ONE, (0, 0, 0), to, *([0, 0, 0] if kind == "velocity" else []))
                for wall in (1, -1):
                    with self.subTest(kind=kind, to=to, wall=wall):
                        motions = (move, Motion("still", (0, wall * 0.5, 0), ONE))
                        certificate = self.single(shapes, motions, (0, wall, 0))
                        self.verified(certificate, shapes) if wall != side else self.rejected(certificate, shapes)

    def test_hardly_any_turn(self):
        shapes = (box(), box())
        for tiny in (0, 5e-324, 1e-300, 1e-17, 1e-9):
            for kind in ("velocity", "screw"):
                move = Motion(kind, (0, 0, 0), ONE, (0, 4, 0), (1, tiny, tiny, 0), *([0, 0, 0] if kind == "velocity" else []))
                motions = (move, Motion("still", (1 + 1e-8, 0, 0), ONE))
                self.verified(self.single(shapes, motions, (1, 0, 0)), shapes)

    def test_sizes_and_places(self):
        for scale, far in ((1e-200, 0), (1e200, 0), (1, 1e7), (1e-3, 1e3)):
            shapes = (box(scale, scale, scale), box(scale, scale, scale))
            turn = quaternion((1, 1, 1), 1.5)
            motions = (Motion("velocity", (far, 0, 0), ONE, (far, scale, 0), turn, (0, 0, 0)),
                       Motion("screw", (far + 2 * scale, 0, 0), ONE, (far + 2 * scale, -scale, 0), turn))
            self.verified(self.single(shapes, motions, (scale, 0, 0)), shapes)
            self.rejected(self.single(shapes, (motions[0], motions[0]), (scale, 0, 0)), shapes)


class Mutations(VerifyTest):
    """A proof may lose nothing, and hold nothing that is not so."""

    def test_steps_that_finish(self):
        for name in ("passing", "into", "through"):
            original, shapes = proof(name), SCENES[name][0]
            finishing = [i for i, step in enumerate(original.steps) if step[0] == "S" and step[2] == original.until]
            for i in finishing[:: max(1, len(finishing) // 8)]:
                n, end = original.steps[i][1:]
                for what, steps in {"dropped": [], "shortened": [("S", n, 0.99 * end)], "flipped": [("S", [-v for v in n], end)],
                                    "twice": [("S", n, end)] * 2, "no direction": [("S", (0, 0, 0), end)],
                                    "too long": [("S", n, 1.5)], "no time": [("S", n, 0.0)]}.items():
                    with self.subTest(scene=name, step=i, what=what):
                        mutant = proof(name)
                        mutant.steps[i : i + 1] = steps
                        self.rejected(mutant, shapes)

    def test_cuts(self):
        original, shapes = proof("into"), SCENES["into"][0]
        cuts = [i for i, step in enumerate(original.steps) if step[0] != "S"]
        for i in cuts[:6]:
            which, counts = original.steps[i]
            mutants = [[c + (k == j) * d for k, c in enumerate(counts)] for j in range(len(counts)) for d in (1, -1)]
            mutants += [counts[1:], counts[:-1], counts + [1], [0] + counts, [sum(counts)], [], [2**32 - 1, 3]]
            for counts in mutants:
                with self.subTest(step=i, counts=counts):
                    mutant = proof("into")
                    mutant.steps[i] = (which, counts)
                    self.rejected(mutant, shapes)
            for swapped in ("A" if which == "B" else "B", "C", "s", "end"):
                mutant = proof("into")
                mutant.steps[i] = (swapped, mutant.steps[i][1])
                self.rejected(mutant, shapes)

    def test_triangles(self):
        shapes = SCENES["into"][0]
        for body in (0, 1):
            listed = proof("into").triangles[body]
            polygon, i, j, k = listed[2]
            other = next(t for t in listed if t[0] != polygon)
            for what, triangles in {
                    "dropped": listed[:2] + listed[3:], "twice": listed[:3] + listed[2:], "another's": listed[:2] + [other] + listed[3:],
                    "replaced": [listed[0]] + [listed[0]] + listed[2:], "a vertex": listed[:2] + [(polygon, i, j, j)] + listed[3:],
                    "out of range": listed[:2] + [(polygon, i, j, 99)] + listed[3:], "wrong polygon": [(99, *listed[0][1:])] + listed[1:],
                    "none": []}.items():
                with self.subTest(body=body, what=what):
                    mutant = proof("into")
                    mutant.triangles[body] = triangles
                    self.rejected(mutant, shapes)
        turned = proof("into")  # which way around a triangle is walked does not change the surface
        turned.triangles = [[(p, *{0: (i, j, k), 1: (k, j, i)}[p % 2]) for p, i, j, k in t] for t in turned.triangles]
        self.verified(turned, shapes)

    def test_triangulations(self):
        """Of a polygon with a spike and of one that is concave: what spans it is taken, what leaves a part open is not."""
        a = box()
        a.vertices += [(2, 0, 0), (3, 0, 0), (2, 1, 0), (2.2, 0.2, 0)]
        a.polygons = [(8, 9, 8, 10), (8, 9, 11, 10)]
        shapes = (a, box())
        motions = (STILL, Motion("still", (9, 0, 0), ONE))
        for good, triangles in ((True, [(0, 8, 9, 8), (0, 8, 8, 10), (1, 8, 9, 11), (1, 8, 11, 10)]),
                                (True, [(1, 9, 11, 10), (0, 8, 9, 8), (0, 8, 10, 8), (1, 8, 9, 10)]),
                                (False, [(0, 8, 8, 8), (0, 8, 8, 10), (1, 8, 9, 11), (1, 8, 11, 10)]),
                                (False, [(0, 8, 9, 8), (0, 8, 8, 10), (1, 8, 9, 11), (1, 8, 9, 11)]),
                                (False, [(0, 8, 9, 8), (0, 8, 8, 10), (1, 8, 9, 11), (1, 8, 10, 11)])):
            certificate = Certificate(motions, 1.0, [triangles, shapes[1].triangles()], [("S", (1, 0, 0), 1.0)])
            self.verified(certificate, shapes) if good else self.rejected(certificate, shapes, "not a triangulation")

    def test_motions_and_meshes(self):
        for name in ("passing", "into", "through", "screw"):
            shapes = SCENES[name][0]
            for body, vertex in ((0, (0, -30, -30)), (1, (0, 30, 30))):
                pushed = copy.deepcopy(SCENES[name][0])
                pushed[body].vertices[0] = vertex
                self.rejected(proof(name), pushed)
            self.rejected(proof(name), shapes[::-1])
            mutant = proof(name)
            mutant.motions.reverse()
            self.rejected(mutant, shapes)
        mutant = proof("passing")
        mutant.motions[0].numbers[9] = 0.0
        self.rejected(mutant, SCENES["passing"][0], "a separation that is false")
        mutant = proof("through")
        mutant.motions[0].numbers[8] = -1.5
        self.rejected(mutant, SCENES["through"][0], "a separation that is false")
        mutant.motions[0].numbers[3:7] = [0.0] * 4
        self.rejected(mutant, SCENES["through"][0], "quaternion")

    def test_longer(self):
        for name in ("passing", "into"):
            short = Prover(*SCENES[name], until=0.5).prove()
            self.verified(short, SCENES[name][0])
            for until in (0.75, 1.0, 2.0, -1.0, math.nextafter(0.5, 1)):
                short.until = until
                self.rejected(short, SCENES[name][0])

    def test_every_truncation(self):
        text, shapes = proof("passing").text(), SCENES["passing"][0]
        words = text.split()
        for count in range(len(words)):
            self.rejected(" ".join(words[:count]), shapes)
        self.verified(" ".join(words), shapes)

    def test_every_word_made_nonsense(self):
        words, shapes = proof("passing").text().split(), SCENES["passing"][0]
        nonsense = ("-inf", "1e999", "0x", "99999999999999999999x", "1.5.2", "\0", "é")
        for i in range(len(words)):
            for word in ("nan", nonsense[i % len(nonsense)]):
                self.rejected(" ".join(words[:i] + [word] + words[i + 1 :]), shapes)

    def test_text(self):
        text, shapes = proof("passing").text(), SCENES["passing"][0]
        for old, new in (("graze-certificate 1", "graze-certificate 3"), ("motion a", "motion b"), ("velocity", "speeds"),
                         ("still", "sleeping"), ("end\n", "end end\n"), ("end\n", "end\n0"), ("proof", "proof proof"),
                         ("triangles a 12", "triangles a 4294967295"), ("triangles a 12", "triangles a -12"), (text, "")):
            with self.subTest(old=old, new=new):
                self.assertIn(old, text)
                self.rejected(text.replace(old, new), shapes)

    def test_random_mutations_against_sampling(self):
        seed = int(os.environ.get("GRAZE_SEED", 3))
        chance = random.Random(seed)
        kinds = {"broken": 0, "false": 0, "true": 0, "close": 0}
        for round_ in range(150):
            name = chance.choice(["into", "through", "tumbling"])
            mutant = proof(name)
            for _ in range(chance.choice([1, 1, 2])):
                self.mutate(mutant, chance)
            worth = replay(mutant, SCENES[name][0])
            kinds[worth] += 1
            with self.subTest(seed=seed, round=round_, scene=name, worth=worth):
                if worth == "true":
                    self.verified(mutant, SCENES[name][0])
                elif worth != "close":
                    self.rejected(mutant, SCENES[name][0])
        self.assertGreater(min(kinds["broken"], kinds["false"], kinds["true"]), 5, kinds)

    def mutate(self, certificate, chance):
        steps = certificate.steps
        if not steps:
            return
        i = chance.randrange(len(steps))
        step = steps[i]
        choice = chance.randrange(6)
        if choice == 0:
            del steps[i]
        elif choice == 1:
            steps.insert(i, chance.choice(steps))
        elif choice == 2:
            motion = certificate.motions[0]
            k = chance.randrange(len(motion.numbers))
            motion.numbers[k] += chance.gauss(0, chance.choice([0.01, 1]))
        elif step[0] == "S" and choice == 3:
            steps[i] = ("S", tuple(v + chance.gauss(0, chance.choice([0.001, 0.3])) for v in step[1]), step[2])
        elif step[0] == "S":
            steps[i] = ("S", step[1], min(1.0, max(0.0, step[2] + chance.gauss(0, 0.1))))
        else:
            counts = list(step[1])
            counts[chance.randrange(len(counts))] += chance.choice([-1, 1])
            steps[i] = (step[0], counts)


class Files(VerifyTest):
    def setUp(self):
        super().setUp()
        self.shape = box()
        (self.dir / "b.obj").write_text(self.shape.obj())

    def proves(self, name, content, triangles=None, status=0):
        """The box in another file is the same box, 1.5 away from itself."""
        (self.dir / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        triangles = triangles or self.shape.triangles()
        for x, expected in ((1.001, status), (0.999, status or 1)):
            motions = (STILL, Motion("still", (x, 0, 0), ONE))
            text = Certificate(motions, 1.0, [triangles, self.shape.triangles()], [("S", (1, 0, 0), 1.0)]).text()
            (self.dir / "proof.txt").write_text(text)
            done = self.run_verify("proof.txt", name, "b.obj")
            self.assertEqual(done.returncode, expected, (name, done))
            self.assertEqual(done.stderr.startswith(f"graze-verify: {name}: "), status == 2, done)

    def test_obj(self):
        corners = ["v " + " ".join(map(str, v)) for v in self.shape.vertices]
        faces = ["f " + " ".join(f"{v - 8}/1/2" for v in p) for p in self.shape.polygons]
        self.proves("c.OBJ", "\r\n".join(["# a box", "o box", *corners, "vn 0 0 1", *faces, ""]))
        self.proves("d.obj", "\n".join([*corners, *(f.replace(" ", " \\\n", 2) for f in faces)]))
        for bad in ("f 1 2 9", "f 1 2", "f 0 1 2", "f -9 1 2", "f 1 2 x", "v 1 2", "v 1 2 nan", "call other.obj", "surf 0 1"):
            self.proves("e.obj", "\n".join([*corners, *faces, bad]), status=2)

    def test_off(self):
        lines = ["OFF # a box", "8 6 12", *(" ".join(map(str, v)) for v in self.shape.vertices)]
        lines += [" ".join(map(str, [4, *p])) for p in self.shape.polygons]
        self.proves("c.off", "\n".join(lines))
        self.proves("c.off", "\n".join([lines[0], "", *lines[1:-1], lines[-1] + " 255 0 0"]))
        self.proves("d.off", "\n".join(lines[:-1]), status=2)
        self.proves("d.off", "\n".join(lines[1:]), status=2)
        self.proves("d.off", "\n".join(lines + ["3 0 1 2"]), status=2)
        self.proves("d.off", "\n".join(lines[:-1] + ["4 0 1 2 8"]), status=2)

    def test_stl(self):
        facets = [[self.shape.vertices[v] for v in t[1:]] for t in self.shape.triangles()]
        triangles = [(i, 3 * i, 3 * i + 1, 3 * i + 2) for i in range(12)]
        text = "".join("facet normal 0 0 0\n outer loop\n" + "".join(f"  vertex {x} {y} {z}\n" for x, y, z in f) +
                       " endloop\nendfacet\n" for f in facets)
        self.proves("c.stl", f"solid box\n{text}endsolid box\n", triangles)
        self.proves("d.stl", f"solid box\n{text}", triangles, status=2)
        self.proves("d.stl", f"solid box\n{text}endfacet\nendsolid", triangles, status=2)
        binary = bytes(80) + struct.pack("<I", 12) + b"".join(struct.pack("<12fH", 0, 0, 0, *f[0], *f[1], *f[2], 0) for f in facets)
        self.proves("e.stl", binary, triangles)
        self.proves("e.stl", binary[:-1], triangles, status=2)

    def test_ply(self):
        points, faces = self.shape.vertices, self.shape.polygons
        header = (f"ply\nformat {{}} 1.0\ncomment a box\nelement vertex {len(points)}\nproperty uchar red\nproperty double x\n"
                  "property float y\nproperty double z\nelement strange 1\nproperty list uchar short what\n"
                  f"element face {len(faces)}\nproperty list uchar int vertex_indices\nproperty int flags\nend_header\n")
        text = header.format("ascii") + "".join(f"7 {x} {y} {z}\n" for x, y, z in points) + "2 -5 6\n"
        text += "".join(" ".join(map(str, (len(f), *f, 9))) + "\n" for f in faces)
        self.proves("a.ply", text)
        self.proves("a.ply", text.replace("\n", "\r\n").encode())
        self.proves("b.ply", text + "1\n", status=2)
        self.proves("b.ply", text.rstrip("\n")[:-1], status=2)
        self.proves("b.ply", text.replace("property double z", "property double zz"), status=2)
        self.proves("b.ply", text.replace("element face", "element farce"), status=2)
        self.proves("b.ply", text.replace("1.0", "2.0"), status=2)
        for order, name in (("<", "binary_little_endian"), (">", "binary_big_endian")):
            binary = header.format(name).encode()
            binary += b"".join(struct.pack(order + "Bdfd", 7, *p) for p in points) + struct.pack(order + "Bhh", 2, -5, 6)
            binary += b"".join(struct.pack(f"{order}B{len(f)}ii", len(f), *f, 9) for f in faces)
            self.proves("c.ply", binary)
            self.proves("c.ply", binary[:-1], status=2)
            self.proves("c.ply", binary + b"0", status=2)

    def test_usage(self):
        (self.dir / "proof.txt").write_text("graze-certificate 1")
        for arguments in ((), ("proof.txt",), ("proof.txt", "b.obj"), ("proof.txt", "b.obj", "b.obj", "b.obj"),
                          ("--fast", "proof.txt", "b.obj", "b.obj"), ("no.txt", "b.obj", "b.obj"), (".", "b.obj", "b.obj"),
                          ("proof.txt", "no.obj", "b.obj"), ("proof.txt", "proof.txt", "b.obj")):
            done = self.run_verify(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done)
            self.assertTrue(done.stderr.startswith("graze-verify: "), done.stderr)
        done = self.run_verify("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("graze-verify proof.txt knot.obj board.obj", done.stdout)


if __name__ == "__main__":
    unittest.main()
