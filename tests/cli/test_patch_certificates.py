# SPDX-License-Identifier: MIT
"""Patches in certificates of steps: triangles that never overlap along a direction. False ones are rejected."""
import math
import random
import unittest

from harness import GRAZE
from step_certificates import StepCertificateTest, obj, sheets

CASES = 30 if "asan" in str(GRAZE) else 150


def sheet(n, place):
    """n x n squares of two triangles each; `place(x, y)` for 0 <= x, y <= 1."""
    vertices = [place(i / n, j / n) for j in range(n + 1) for i in range(n + 1)]
    triangles = []
    for j in range(n):
        for i in range(n):
            a = j * (n + 1) + i
            triangles += [(a, a + 1, a + n + 1), (a + 1, a + n + 2, a + n + 1)]
    return vertices, triangles


def ring(corners, turns, inner, outer, height=lambda angle: 0.0, closed=True):
    """A strip around the z axis, all of whose triangles face upwards."""
    vertices, triangles = [], []
    count = corners if closed else corners + 1
    for i in range(count):
        a = 2 * math.pi * turns * i / corners
        for r in (inner(a), outer(a)):
            vertices.append((r * math.cos(a), r * math.sin(a), height(a)))
    for i in range(corners):
        a, b = 2 * i, 2 * ((i + 1) % count)
        triangles += [(a, a + 1, b + 1), (a, b + 1, b)]
    return vertices, triangles


class PatchCertificates(StepCertificateTest):
    def claim(self, start, end, triangles, *lines, head=("pairs all",), version=3, name="forged.txt"):
        """A certificate with these steps, and what the checker says."""
        self.write("start.obj", obj(start, triangles))
        self.write("end.obj", obj(end, triangles))
        text = [f"graze-step-certificate {version}", *head, f"triangles {len(triangles)}"]
        text += [f"{p} {a} {b} {c}" for p, (a, b, c) in enumerate(triangles)]
        self.write(name, "\n".join(text + ["proof", *lines, "end"]) + "\n")
        return self.verify(name)

    def rejected(self, start, end, triangles, *lines, says, **rest):
        answer = self.claim(start, end, triangles, *lines, **rest)
        self.assertFalse(answer["verified"])
        self.assertIn(says, answer["reason"])

    def test_one_patch_stands_for_all_pairs(self):
        flat, triangles = sheet(10, lambda x, y: (x, y, 0.0))
        wave, _ = sheet(10, lambda x, y: (x + 0.02 * math.sin(9 * y), y, 0.2 * math.sin(6 * x) * math.cos(5 * y) - 1))
        self.assertEqual(self.prove(flat, wave, triangles, "--self")["status"], "free")
        answer = self.verify()
        self.assertEqual((answer["verified"], answer["patches"], answer["features"], answer["separations"]), (True, 1, 0, 0))
        for along in ("0 0 1", "0.1 -0.05 2", "1e-9 0 1e-3"):
            self.assertTrue(self.claim(flat, wave, triangles, "M " + along)["verified"], along)
        for along, says in (("0 0 -1", "face"), ("1 0 0", "face"), ("1 0 0.1", "face"), ("0 0 0", "no direction"),
                            ("0 nan 1", "finite number"), ("0 1", "finite number")):
            self.rejected(flat, wave, triangles, "M " + along, says=says)
        # Not in older versions, and no proof of a distance.
        self.rejected(flat, wave, triangles, "M 0 0 1", version=2, says="expected P")
        self.rejected(flat, wave, triangles, "M 0 0 1", head=("pairs all", "separation 1e-9"), says="near")
        # Two ranges that together are a patch.
        half = len(triangles) // 2
        cut = f"P 2 {half} {half}"
        self.assertTrue(self.claim(flat, wave, triangles, cut, *3 * ["M 0 0 1"])["verified"])
        self.rejected(flat, wave, triangles, cut, "M 0 0 1", "M 0 0 1", says="expected")
        self.rejected(flat, wave, triangles, cut, "M 0 0 1", "M 0 0 1", "M 0 1 0", says="face")

    def test_all_kinds_of_boundaries(self):
        one = lambda a: 1.0
        two = lambda a: 2.0
        flat, triangles = ring(12, 1, one, two)
        self.assertTrue(self.claim(flat, flat, triangles, "M 0 0 1")["verified"])  # a hole
        self.rejected(flat, flat, [t[::-1] for t in triangles], "M 0 0 1", says="face")
        # A smaller disc in the hole, as a second part; where it overlaps the ring; and above the ring, all within.
        for x, size, free in ((0.0, 0.4, True), (0.7, 0.4, False), (1.5, 0.2, False), (5.0, 1.0, True)):
            disc = [(x + size * math.cos(a), size * math.sin(a), 0.3) for a in (0, 2, 4)]
            answer = self.claim(flat + disc, flat + disc, triangles + [(24, 25, 26)], "M 0 0 1")
            self.assertEqual(answer["verified"], free, (x, size, answer))
        # A ramp of two turns: an annulus-like strip that lies over itself, and crosses itself where its height says so.
        for height in (lambda a: a, lambda a: 0.1 * math.sin(a / 2)):
            ramp, strip = ring(24, 2, one, two, height, closed=False)
            self.rejected(ramp, ramp, strip, "M 0 0 1", says="meet")
        # A closed strip that winds twice around the hole: every triangle faces upwards, and it passes through itself.
        double, strip = ring(23, 2, lambda a: 1 + 0.3 * math.cos(a / 2), lambda a: 2 + 0.3 * math.cos(a / 2))
        self.rejected(double, double, strip, "M 0 0 1", says="meet")
        # The same as a fan around its middle: no loop but one, twice around.
        fan = [(0.0, 0.0, 0.0)] + [(math.cos(a) * (2 + math.cos(a / 2)), math.sin(a) * (2 + math.cos(a / 2)), math.sin(a / 2))
                                   for a in (4 * math.pi * i / 17 for i in range(17))]
        self.rejected(fan, fan, [(0, 1 + i, 1 + (i + 1) % 17) for i in range(17)], "M 0 0 1", says="meet")
        # Three triangles at one edge, two of them in one direction; a triangle twice; two cones with one tip.
        book = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 1.0, 0.0), (0.5, -1.0, 0.0), (0.5, 1.0, 0.5)]
        self.rejected(book, book, [(0, 1, 2), (1, 0, 3), (0, 1, 4)], "M 0 0 1", says="same direction")
        self.rejected(book, book, [(0, 1, 2), (0, 1, 2)], "M 0 0 1", says="same direction")
        tips = [(0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (1.0, 1.0, 0.0), (-1.0, -0.5, 0.0), (-1.0, -1.0, 0.0)]
        self.rejected(tips, tips, [(0, 1, 2), (0, 3, 4)], "M 0 0 1", says="twice")
        self.rejected(tips, tips, [(0, 1, 2), (0, 1, 1)], "M 0 0 1", says="two corners")
        # A closed surface has no boundary, and does not face one direction.
        tetrahedron = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
        self.rejected(tetrahedron, tetrahedron, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)], "M 1 2 3", says="face")
        # Loops that touch: a vertex on an edge, in the plane and in space.
        touching = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0), (2.0, 0.0, 0.0), (1.0, -2.0, 0.0), (3.0, -2.0, 0.0)]
        self.rejected(touching, touching, [(0, 1, 2), (3, 4, 5)], "M 0 0 1", says="meet")
        clear = touching[:3] + [(x, y - 1e-15, z) for x, y, z in touching[3:]]
        self.assertTrue(self.claim(clear, clear, [(0, 1, 2), (3, 4, 5)], "M 0 0 1")["verified"])

    def test_folded_and_turned_triangles(self):
        # Folded along the middle so far that it passes through itself. All triangles face upwards if those of one half
        # are listed the other way round; then the crease has two triangles in one direction.
        def folded(x, y):
            return (x, y, 0.0) if x <= 0.5 else (1 - x, y, 0.1 - 0.5 * (x - 0.5))
        crossing, triangles = sheet(4, folded)
        self.rejected(crossing, crossing, triangles, "M 0 0 1", says="face")
        turned = [t if all(v % 5 <= 2 for v in t) else t[::-1] for t in triangles]
        self.rejected(crossing, crossing, turned, "M 0 0 1", says="same direction")
        # The same with the crease cut open: then the boundaries coincide.
        apart = {}
        vertices = list(crossing)
        cut = []
        for t in turned:
            if any(v % 5 > 2 for v in t):
                for v in t:
                    if v % 5 == 2 and v not in apart:
                        apart[v] = len(vertices)
                        vertices.append(crossing[v])
                t = tuple(apart.get(v, v) for v in t)
            cut.append(t)
        self.rejected(vertices, vertices, cut, "M 0 0 1", says="meet")

    def test_what_happens_in_between(self):
        # Both ends are flat and free; half-way a triangle is turned over, or has no area at all.
        square = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
        triangles = [(0, 1, 2), (0, 2, 3)]
        half_turn = [(-x, -y, z) for x, y, z in square]
        self.rejected(square, half_turn, triangles, "M 0 0 1", says="face")
        # The area is 0 at an end, or for an instant, and never negative.
        up = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 1.0, 0.0)]
        flat = up[:2] + [(0.5, 0.0, 0.0)]
        far = [(0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (-0.5, -1.0, 0.0)]
        for before, after in ((up, flat), (flat, up), (flat, flat), (up, far)):
            apart = [(x + 5, y, z) for x, y, z in up]
            self.rejected(before + apart, after + apart, [(0, 1, 2), (3, 4, 5)], "M 0 0 1", says="face")
        # Two flaps side by side exchange places: at both ends simple, in between they meet.
        flaps = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 1.0, 0.0), (3.0, 0.0, 0.0), (4.0, 0.0, 0.0), (3.5, 1.0, 0.0)]
        exchanged = flaps[3:] + flaps[:3]
        two = [(0, 1, 2), (3, 4, 5)]
        self.rejected(flaps, exchanged, two, "M 0 0 1", says="meet")
        # One passes the other only after t = 0.25, which an earlier end proves, and a later one does not.
        for until, free in (("0.2", True), ("0.25", True), ("0.34", False), ("0.9", False)):
            answer = self.claim(flaps, exchanged, two, "M 0 0 1", head=("pairs all", "until " + until))
            self.assertEqual(answer["verified"], free, (until, answer))
        for until in ("0", "1", "1.5", "-1", "inf", "until"):
            self.assertFalse(self.claim(flaps, exchanged, two, "M 0 0 1", head=("pairs all", "until " + until))["verified"])
        self.rejected(flaps, exchanged, two, "M 0 0 1", head=("pairs all", "until 0.2"), version=2, says="expected")

    def test_random_patches_against_brute_force(self):
        """A patch that is confirmed never touches itself, whatever the direction and the mesh."""
        numbers = random.Random(415)
        confirmed = contacts = 0
        for case in range(CASES):
            n = numbers.choice((1, 2, 2, 3))
            size = numbers.choice((0.02, 0.15, 0.4, 1.0))
            grid = numbers.random() < 0.3  # touching and flat cases
            def draw(scale):
                x = numbers.uniform(-scale, scale)
                return round(4 * x) / 4 if grid else x
            start, triangles = sheet(n, lambda x, y: (x + draw(size), y + draw(size), draw(size)))
            end = [(x + draw(size), y + draw(size), z + draw(size)) for x, y, z in start]
            # Some vertices are split or joined, and some triangles turned or gone.
            triangles = [t[::-1] if numbers.random() < 0.02 else t for t in triangles if numbers.random() > 0.05] or [(0, 1, 2)]
            along = " ".join(map(repr, (draw(0.5), draw(0.5), 1.0)))
            answer = self.claim(start, end, triangles, "M " + along)
            truth = self.json("deform", "start.obj", "end.obj", "--self", "--method", "brute", "--exact")["status"]
            contacts += truth == "contact"
            if answer["verified"]:
                confirmed += 1
                self.assertEqual(truth, "free", (case, along))
        self.assertGreater(confirmed, CASES // 10)
        self.assertGreater(contacts, CASES // 10)

    def test_altered_proofs_with_patches_are_rejected(self):
        start, triangles = sheet(8, lambda x, y: (x, 0.6 * math.cos(4 * y), 0.6 * math.sin(4 * y)))
        end, _ = sheet(8, lambda x, y: (x, 0.5 * math.cos(4.3 * y), 0.6 * math.sin(4.3 * y) - 0.2))
        self.assertEqual(self.prove(start, end, triangles, "--self")["status"], "free")
        answer = self.verify()
        self.assertTrue(answer["verified"])
        self.assertGreater(answer["patches"], 2)
        lines = (self.dir / "proof.txt").read_text().splitlines()
        body = lines.index("proof") + 1
        numbers = random.Random(3)

        def rejected(changed):
            self.write("broken.txt", "\n".join(changed) + "\n")
            self.assertFalse(self.verify("broken.txt")["verified"], "\n".join(changed[body:]))

        for at in range(body, len(lines)):
            rejected(lines[:at] + lines[at + 1:])
            rejected(lines[:at] + [lines[at]] + lines[at:])
            if lines[at].startswith("M "):
                rejected(lines[:at] + ["M " + " ".join(repr(-float(x)) for x in lines[at].split()[1:])] + lines[at + 1:])
                rejected(lines[:at] + ["S " + lines[at][2:]] + lines[at + 1:])
        for at in numbers.sample(range(3, body - 1), 20):  # corners of the listed triangles
            words = lines[at].split()
            rejected(lines[:at] + [" ".join([words[0], words[1], words[2], str((int(words[3]) + 9) % 81)])] + lines[at + 1:])

    def test_the_time_before_a_contact(self):
        start, triangles = sheets(6, 0.05, 0.0)
        end = [(x, y, z - (1 if k >= len(start) // 2 else 0)) for k, (x, y, z) in enumerate(sheets(6, 0.05, 0.3)[0])]
        for options in ((), ("--self",), ("--min-separation", "0.01")):
            answer = self.prove(start, end, triangles, *options)
            self.assertEqual(answer["status"], "contact")
            until = answer["proved_until"]
            self.assertTrue(0 < until <= answer["time"][0], answer["time"])
            proof = self.verify()
            self.assertEqual((proof["verified"], proof["until"]), (True, until))
            self.assertEqual(proof["question"]["interval"], [0, until])
            # Who expects a step expects all of it.
            kind = "all" if "--self" in options else "pieces"
            self.assertFalse(self.verify("proof.txt", "start.obj", "end.obj", "--expect", kind)["verified"])
            self.assertTrue(self.verify("proof.txt", "start.obj", "end.obj", "--expect", kind, "--expect-until",
                                        repr(until))["verified"])
            self.assertFalse(self.verify("proof.txt", "start.obj", "end.obj", "--expect-until",
                                         repr(until * 1.001))["verified"])
            text = (self.dir / "proof.txt").read_text()
            later = min(1 - 1e-9, answer["time"][1] * 1.01)
            for changed in (text.replace(f"until {until!r}", f"until {later!r}"), text.replace(f"until {until!r}\n", "")):
                self.assertNotEqual(changed, text)
                self.write("later.txt", changed)
                self.assertFalse(self.verify("later.txt")["verified"])
        # What crosses or touches at the start has none.
        crossing = [(x, y, z - (0.31 if k >= len(start) // 2 else 0)) for k, (x, y, z) in enumerate(start)]
        self.assertEqual(self.prove(crossing, end, triangles)["proved_until"], 0)
        self.assertFalse((self.dir / "proof.txt").exists())


if __name__ == "__main__":
    unittest.main()
