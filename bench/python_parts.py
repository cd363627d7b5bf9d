# SPDX-License-Identifier: MIT
"""An assembly of files whose clashes are known, as large as one likes: for `scripts/bench python --rows parts,workers`.

As bench/scene/assembly.cpp: cells, in each a ring, a rod through its hole, a second ring linked with the first, and a ball
beside them. In every fifth cell one of the last three is moved so that it cuts the first ring. Here the cells are those of a
tower, whose storeys have meshes of their own: so not all meshes are needed at the same time.
"""
import json
import math
import os
import resource
import subprocess
import time

import graze
import numpy as np
from graze.clash import Part

MAJOR, TUBE, ROD, ROD_LENGTH, BALL, BALL_AT, CELL = 0.3, 0.07, 0.05, 0.8, 0.12, 0.38, 2.0
KINDS = ("ring", "rod", "link", "ball")


def mesh_of(kind, triangles):
    if kind == "rod":
        return graze.make.cylinder(radius=ROD, height=ROD_LENGTH, triangles=triangles)
    if kind == "ball":
        return graze.make.sphere(radius=BALL, triangles=triangles)
    return graze.make.torus(major=MAJOR, minor=TUBE, triangles=triangles)


def place_in_cell(kind, moved):
    quarter = math.sqrt(0.5)
    if kind == "rod":
        return [-MAJOR, 0, 0] if moved else [-0.06, 0.14, 0], [1, 0, 0, 0]
    if kind == "link":
        return [0.0 if moved else MAJOR, 0, 0], [quarter, quarter, 0, 0]
    if kind == "ball":
        return [0, -MAJOR, 0] if moved else [-BALL_AT, BALL_AT, 0], [1, 0, 0, 0]
    return [0, 0, 0], [1, 0, 0, 0]


def times(p, q):
    """The product of two turns."""
    return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]]


class Tower:
    """Parts in files below a folder, of ``meshes`` different meshes with 1,000 to 20,000 triangles, most of them few."""

    def __init__(self, folder, parts, meshes, seed=17):
        rng = np.random.default_rng(seed)
        cells = -(-parts // 4)
        side = max(1, round((cells / 4) ** (1 / 3)))
        storeys = -(-cells // (side * side))
        of_storey = max(1, meshes // (4 * storeys))
        self.triangles, self.files = 0, []
        self.parts, self.clashes = [], []
        for cell in range(cells):
            storey, k = divmod(cell, side * side)
            if k == 0:
                files = self._storey(folder, storey, of_storey)
            turn = rng.normal(size=4)
            turn = (turn / np.linalg.norm(turn)).tolist()
            middle = [CELL * storey, CELL * (k % side), CELL * (k // side)]
            moved = KINDS[1 + int(rng.integers(3))] if cell % 5 == 0 else None
            ring = len(self.parts)
            for kind in KINDS:
                at, own = place_in_cell(kind, kind == moved)
                if kind == moved:
                    self.clashes.append((ring, len(self.parts)))
                where = graze.Pose(middle, turn).apply(at)
                self.parts.append(Part(f"{storey}/{cell}/{kind}", files[kind][int(rng.integers(of_storey))], graze.Pose(where, times(turn, own))))

    def _storey(self, folder, storey, count):
        files = {}
        for j, kind in enumerate(KINDS):
            files[kind] = []
            for i in range(count):
                share = ((storey * count + i) * 0.618034 + 0.25 * j) % 1  # evenly spaced in the logarithm
                mesh = mesh_of(kind, int(1000 * 20**share))
                self.triangles += len(mesh.triangles)
                files[kind].append(os.path.join(folder, f"{storey} {kind} {i}.ply"))
                graze.save_mesh(mesh, files[kind][-1], encoding=graze.Encoding.binary_little_endian)
                self.files.append(files[kind][-1])
        return files

    def list_file(self, path):
        """A list of parts for `graze clash`."""
        rows = [{"name": p.name, "mesh": p.mesh, "pose": [*p.pose.translation, *p.pose.rotation]} for p in self.parts]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "parts": rows}, file)

    def check(self, pairs):
        """Are these the clashes, and no others?"""
        assert sorted(map(tuple, pairs)) == self.clashes, f"{len(pairs)} clashes, {len(self.clashes)} are known"


def most_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_command(command, tower, folder, memory):
    """Seconds and the most memory of `graze clash`, with an upper bound of what it keeps of meshes and trees."""
    listed, report = os.path.join(folder, "parts.json"), os.path.join(folder, "report.json")
    tower.list_file(listed)
    start = time.perf_counter()
    with subprocess.Popen([command, "clash", listed, "--memory", str(memory), "-o", report], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    assert process.returncode == 0
    with open(report, encoding="utf-8") as file:
        tower.check([(c["a"], c["b"]) for c in json.load(file)["clashes"]])
    return seconds, usage.ru_maxrss * 1024
