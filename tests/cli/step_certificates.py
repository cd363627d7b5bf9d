# SPDX-License-Identifier: MIT
"""What the tests of certificates of steps share."""
import json
import math
import os
import pathlib
import subprocess

from harness import CHILD_SECONDS, GRAZE, CommandTest

VERIFY = pathlib.Path(os.environ.get("GRAZE_VERIFY", GRAZE.parent / "graze-verify")).resolve()


def obj(vertices, triangles):
    lines = ["v " + " ".join(map(repr, v)) for v in vertices]
    return "\n".join(lines + ["f " + " ".join(str(i + 1) for i in t) for t in triangles]) + "\n"


def sheets(n, swing, phase, gap=0.3):
    """Two waving sheets, one above the other."""
    vertices, triangles = [], []
    for layer in range(2):
        first = len(vertices)
        for j in range(n + 1):
            for i in range(n + 1):
                x, y = i / n, j / n
                z = swing * math.sin(9 * x + phase + layer) * math.cos(7 * y) + layer * gap
                vertices.append((x + 0.3 * swing * math.sin(5 * y + phase), y, z))
        for j in range(n):
            for i in range(n):
                a = first + j * (n + 1) + i
                triangles += [(a, a + 1, a + n + 1), (a + 1, a + n + 2, a + n + 1)]
    return vertices, triangles


class StepCertificateTest(CommandTest):
    def verify(self, proof="proof.txt", start="start.obj", end="end.obj", *options):
        done = subprocess.run([VERIFY, "--json", *options, proof, start, end], cwd=self.dir, capture_output=True, text=True,
                              timeout=CHILD_SECONDS)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["verified"], done.returncode == 0)
        return answer

    def prove(self, start, end, triangles, *options):
        self.write("start.obj", obj(start, triangles))
        self.write("end.obj", obj(end, triangles))
        return self.json("deform", "start.obj", "end.obj", "--certificate", "proof.txt", *options)
