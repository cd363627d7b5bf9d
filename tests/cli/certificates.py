# SPDX-License-Identifier: MIT
"""Makes certificates (docs/certificates.md) of small bodies by trying directions and sampling time: slow and simple, and
nothing but a source of true proofs for the checker's tests. Motions are computed in doubles from their definitions."""

import dataclasses
import itertools
import math

SAMPLES = 240  # instants per unit of time


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a, b, s=1.0):
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def multiply(p, q):
    return (p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0])


def turn(axis, angle, x):
    """x turned about an axis of length one."""
    c, s = math.cos(angle), math.sin(angle)
    return add(add(tuple(c * v for v in x), cross(axis, x), s), axis, (1 - c) * dot(axis, x))


def axis_angle(q):
    """The shorter turn of a quaternion."""
    size = math.hypot(*q[1:])
    if size == 0:
        return (1.0, 0.0, 0.0), 0.0
    first = next((v for v in q if v != 0), 1)
    side = math.copysign(1 / size, first)
    return tuple(side * v for v in q[1:]), 2 * math.atan2(size, abs(q[0]))


def quaternion(axis, angle):
    size = math.hypot(*axis)
    return (math.cos(angle / 2), *(math.sin(angle / 2) * v / size for v in axis))


class Motion:
    """kind and numbers as in a certificate; `at(t, x)` is where the local point x is."""

    def __init__(self, kind, *numbers):
        self.kind, self.numbers = kind, [float(v) for n in numbers for v in (n if hasattr(n, "__len__") else (n,))]

    def text(self):
        return " ".join([self.kind, *(v.hex() for v in self.numbers)])

    @staticmethod
    def chain(base, *parts):
        """`base` a motion, each part a kind and its numbers."""
        return ChainMotion(base, [Motion(*part) for part in parts])

    def at(self, t, x):
        return getattr(self, self.kind)(t, x, self.numbers)

    def placed(self, n, x):
        axis, angle = axis_angle(n[3:7])
        return add(turn(axis, angle, x), n)

    def still(self, t, x, n):
        return self.placed(n, x)

    def speeds(self, t, x, n):
        centre, size = self.placed(n, n[13:16]), math.hypot(*n[10:13])
        axis = tuple(v / size for v in n[10:13]) if size else (1.0, 0.0, 0.0)
        return add(add(turn(axis, t * size, add(self.placed(n, x), centre, -1)), centre), n[7:10], t)

    def between(self, n):
        return axis_angle(multiply(n[10:14], (n[3], -n[4], -n[5], -n[6])))

    def velocity(self, t, x, n):
        axis, angle = self.between(n)
        start, end = self.placed(n, n[14:17]), self.placed(n[7:14], n[14:17])
        return add(add(turn(axis, t * angle, add(self.placed(n, x), start, -1)), start), add(end, start, -1), t)

    def screw(self, t, x, n):
        axis, angle = self.between(n)
        way = add(n[7:10], n, -1)
        slide = dot(way, axis)
        across = add(way, axis, -slide)
        if angle > 1e-3:
            pivot = add(n, add(across, cross(axis, across), 1 / math.tan(angle / 2)), 0.5)
            return add(add(turn(axis, t * angle, add(self.placed(n, x), pivot, -1)), pivot), axis, slide * t)
        # The pivot is too far away to compute with: the origin's arc from its chord instead.
        ratio = math.sin(t * angle / 2) / math.sin(angle / 2) if angle > 0 else t
        origin = add(add(n, axis, slide * t), turn(axis, (t - 1) * angle / 2, across), ratio)
        return add(turn(axis, t * angle, add(self.placed(n, x), n, -1)), origin)

    def linear_poses(self, t, x, n):
        def angles(q):
            axis, angle = axis_angle(q)
            column = [turn(axis, angle, tuple(float(i == j) for j in range(3))) for i in range(3)]  # column[i][row]
            return [math.atan2(column[1][2], column[2][2]), math.asin(max(-1, min(1, -column[0][2]))),
                    math.atan2(column[0][1], column[0][0])]
        first, last = angles(n[3:7]), angles(n[10:14])
        for i in (0, 2):
            last[i] = first[i] + math.remainder(last[i] - first[i], 2 * math.pi)
        return self.linear(t, x, [*n[:3], *first, *n[7:10], *last])

    def linear(self, t, x, n):
        value = [a + t * (b - a) for a, b in zip(n[:6], n[6:])]
        for i in range(3):
            x = turn(tuple(float(i == j) for j in range(3)), value[3 + i], x)
        return add(x, value)


def basis(knots, i, degree, x):
    """A B-spline's basis function by its recursion, between the third and the fourth of six knots."""
    if degree == 0:
        return float(i == 2)
    part = lambda k, way, width: way / width * basis(knots, k, degree - 1, x) if width else 0.0
    at = lambda k: knots[min(max(k, 0), 5)]  # beyond the six, knots do not matter
    return (part(i, x - at(i), at(i + degree) - at(i)) + part(i + 1, at(i + degree + 1) - x, at(i + degree + 1) - at(i + 1)))


def course(kind, n, s):
    """The value at the share s of the time, by Hermite's formulas."""
    if kind == "spline":
        x = n[2] + s * (n[3] - n[2])
        return sum(c * basis(n[:6], i - 1, 3, x) for i, c in enumerate(n[6:10]))
    h = n[1] - n[0]
    if kind == "cubic":
        p, v, q, w = n[2], h * n[3], n[4], h * n[5]
        return (2 * s**3 - 3 * s**2 + 1) * p + (s**3 - 2 * s**2 + s) * v + (3 * s**2 - 2 * s**3) * q + (s**3 - s**2) * w
    p, v, x, q, w, y = n[2], h * n[3], h * h * n[4], n[5], h * n[6], h * h * n[7]
    return ((1 - 10 * s**3 + 15 * s**4 - 6 * s**5) * p + (s - 6 * s**3 + 8 * s**4 - 3 * s**5) * v
            + (s**2 - 3 * s**3 + 3 * s**4 - s**5) / 2 * x + (10 * s**3 - 15 * s**4 + 6 * s**5) * q
            + (-4 * s**3 + 7 * s**4 - 3 * s**5) * w + (s**3 - 2 * s**4 + s**5) / 2 * y)


COURSES = ("cubic", "quintic", "spline")


class ChainMotion:
    def __init__(self, base, parts):
        self.base, self.parts = base, parts
        self.numbers = base.numbers

    def text(self):
        return " ".join(["chain", self.base.text(), str(len(self.parts)), *(p.text() for p in self.parts)])

    def at(self, t, x):
        for part in reversed(self.parts):
            n = part.numbers
            if part.kind == "place":
                x = part.placed(n, x)
                continue
            if part.kind in COURSES:
                factor, offset, turns, pitch, *axis = n[-7:]
                q, size = factor * course(part.kind, n, t) + offset, math.hypot(*axis)
                axis = tuple(v / size for v in axis)
                x = add(turn(axis, turns * q, x), axis, pitch * q)
                continue
            q, size = n[0] + t * (n[1] - n[0]), math.hypot(*n[2:5])
            axis = tuple(v / size for v in n[2:5])
            if part.kind != "prismatic":
                x = turn(axis, q, x)
            if part.kind != "revolute":
                x = add(x, axis, n[5] * q if part.kind == "screw" else q)
        return self.base.at(t, x)


@dataclasses.dataclass
class Shape:
    vertices: list
    polygons: list

    def triangles(self):
        return [(p, c[0], c[i], c[i + 1]) for p, c in enumerate(self.polygons) for i in range(1, len(c) - 1)]

    def obj(self):
        lines = ["v " + " ".join(repr(float(v)) for v in x) for x in self.vertices]
        return "\n".join(lines + ["f " + " ".join(str(v + 1) for v in p) for p in self.polygons]) + "\n"


def box(x=1.0, y=1.0, z=1.0):
    """Centred at the origin."""
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    quads = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    return Shape([tuple((c - 0.5) * s for c, s in zip(corner, (x, y, z))) for corner in corners], quads)


def tetrahedron(size=1.0):
    corners = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    return Shape([tuple(size * v for v in c) for c in corners], [(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)])


def u_shape():
    """A channel along z, open towards +y: nothing convex about it, so that proofs have to cut it."""
    outline = [(-2, -2), (2, -2), (2, 2), (1, 2), (1, -1), (-1, -1), (-1, 2), (-2, 2)]
    sides = [(i, (i + 1) % 8, (i + 1) % 8 + 8, i + 8) for i in range(8)]
    caps = [(0, 1, 4, 5), (1, 2, 3, 4), (0, 5, 6, 7)]
    return Shape([(x, y, z) for z in (-2, 2) for x, y in outline],
                 sides + [c[::-1] for c in caps] + [tuple(v + 8 for v in c) for c in caps])


@dataclasses.dataclass
class Certificate:
    motions: list
    until: float
    triangles: list
    steps: list  # ("S", direction, end), ("A", counts) or ("B", counts)

    def text(self):
        curved = any(part.kind in COURSES for motion in self.motions for part in getattr(motion, "parts", []))
        lines = ["graze-certificate 4" if curved else "graze-certificate 1"]
        lines += [f"motion {name} {motion.text()}" for name, motion in zip("ab", self.motions)]
        lines.append(f"until {float(self.until).hex()}")
        if curved:
            lines.append("separation 0")
        for name, triangles in zip("ab", self.triangles):
            lines.append(f"triangles {name} {len(triangles)}")
            lines += [" ".join(map(str, t)) for t in triangles]
        lines.append("proof")
        for step in self.steps:
            if step[0] == "S":
                lines.append(" ".join(["S", *(float(v).hex() for v in step[1]), float(step[2]).hex()]))
            else:
                lines.append(" ".join(map(str, [step[0], len(step[1]), *step[1]])))
        return "\n".join(lines + ["end"]) + "\n"


class Prover:
    """Covers [0, until] for two shapes that stay at least `margin` apart; `margin` also hides what sampling misses."""

    def __init__(self, shapes, motions, until=1.0, margin=2e-3):
        self.shapes, self.motions, self.until, self.margin = shapes, motions, until, margin
        self.triangles = [s.triangles() for s in shapes]
        self.known = {}

    def points(self, body, triangles, t):
        if (body, t) not in self.known:
            self.known[body, t] = [self.motions[body].at(t, x) for x in self.shapes[body].vertices]
        places = self.known[body, t]
        return [places[v] for v in {v for tri in self.triangles[body][slice(*triangles)] for v in tri[1:]}]

    def gap(self, n, a, b, t):
        return min(dot(n, x) for x in self.points(1, b, t)) - max(dot(n, x) for x in self.points(0, a, t))

    def end(self, n, a, b, t):
        """The last sampled instant up to which n separates a from b."""
        last = t
        for k in range(math.floor(t * SAMPLES), math.ceil(self.until * SAMPLES) + 1):
            at = min(max(k / SAMPLES, t), self.until)
            if self.gap(n, a, b, at) <= self.margin:
                break
            last = at
        return last

    def directions(self, a, b, t):
        pa, pb = self.points(0, a, t), self.points(1, b, t)
        middle = [tuple(sum(v) / len(p) for v in zip(*p)) for p in (pa, pb)]
        yield add(middle[1], middle[0], -1)
        yield from (n for n in itertools.product((-1, 0, 1), repeat=3) if any(n))
        edges = [[add(q, p, -1) for p, q in itertools.combinations(points, 2)] for points in (pa, pb)]
        if len(pa) * len(pb) <= 24:
            pairs = itertools.chain(itertools.combinations(edges[0], 2), itertools.combinations(edges[1], 2),
                                    itertools.product(*edges))
            for p, q in pairs:
                n = cross(p, q)
                if any(n):
                    yield n
                    yield tuple(-v for v in n)

    def prove(self):
        self.steps = []
        self.cover((0, len(self.triangles[0])), (0, len(self.triangles[1])), 0.0)
        return Certificate(list(self.motions), self.until, [list(t) for t in self.triangles], self.steps)

    def cover(self, a, b, t):
        while t < self.until:
            units = (tuple(v / math.hypot(*n) for v in n) for n in self.directions(a, b, t) if math.hypot(*n) > 0)
            end, n = max((self.end(n, a, b, t), n) for n in units)
            cuttable = max((a[1] - a[0], 0), (b[1] - b[0], 1))
            if end - t > 0.3 or end == self.until or (cuttable[0] == 1 and end > t):
                self.steps.append(("S", n, end))
                t = end
            elif cuttable[0] > 1:
                return self.cut(a, b, t, cuttable[1])
            else:
                raise ValueError(f"triangles {a[0]} and {b[0]} come too close at {t}")

    def cut(self, a, b, t, which):
        first, last = (a, b)[which]
        parts = min(3 if last - first > 4 else 2, last - first)
        bounds = [first + (last - first) * i // parts for i in range(parts + 1)]
        self.steps.append(("AB"[which], [q - p for p, q in zip(bounds, bounds[1:])]))
        for part in zip(bounds, bounds[1:]):
            self.cover(*((part, b) if which == 0 else (a, part)), t)


def replay(certificate, shapes, margin=1e-3):
    """What a certificate's steps are worth, by sampling: "broken" (not a complete proof), "false", "true", or "close"."""
    prover = Prover(shapes, certificate.motions)
    prover.triangles = certificate.triangles
    steps = iter(certificate.steps)
    claims = [((0, len(certificate.triangles[0])), (0, len(certificate.triangles[1])), 0.0)]
    worst = math.inf
    while claims:
        a, b, t = claims.pop()
        if t >= certificate.until:
            continue
        step = next(steps, None)
        if step is None:
            return "broken"
        if step[0] == "S":
            n, end = step[1:]
            if not any(n) or not t < end <= 1:
                return "broken"
            times = [t + (end - t) * k / 40 for k in range(41)]
            worst = min([worst] + [prover.gap(n, a, b, at) / math.hypot(*n) for at in times])
            claims.append((a, b, end))
        else:
            first, last = (a, b)["AB".index(step[0])]
            if len(step[1]) < 2 or min(step[1]) < 1 or sum(step[1]) != last - first:
                return "broken"
            bounds = list(itertools.accumulate(step[1], initial=first))
            parts = list(zip(bounds, bounds[1:]))
            claims += [(part, b, t) if step[0] == "A" else (a, part, t) for part in reversed(parts)]
    if next(steps, None) is not None:
        return "broken"
    return "false" if worst < -margin else "true" if worst > margin else "close"
