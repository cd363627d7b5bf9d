#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Python adds to the engine: one call, and batches; FCL, asked from Python as python-fcl does it; and two Dask workers beside one. The same questions are asked from C++ in the same process, in
turns, so that a busy machine slows both alike; printed are medians (of one call the least), and of ratios the median of each turn's ratio.
"processor" is the ratio of processor times, which others on the machine disturb least.

usage: scripts/bench python [--turns N] [--poses N] [--csv FILE]
"""
import argparse
import csv
import os
import statistics
import tempfile
import time

import graze
import numpy as np
from graze._graze import _bench


rows_of_table = []


def note(row, task, contestant, times, ratio="", target="", good=None, remark=""):
    """A line of the table, as the other benchmarks write them; times in seconds."""
    times = sorted(times)
    verdict = "-" if good is None else "PASS" if good else "MISS"
    spent = (statistics.mean(times), statistics.median(times), times[min(len(times) - 1, int(0.99 * len(times)))])
    rows_of_table.append((row, task, contestant, *spent, ratio, target, verdict, remark))


def microseconds_of_python(ask, arguments, times):
    start = time.perf_counter()
    for _ in range(times):
        ask(*arguments)
    return (time.perf_counter() - start) / times * 1e6


def calls(turns):
    """The overhead of one call, by how the pose is given."""
    box = graze.Body(graze.make.box())
    knot = graze.Body(graze.make.torus_knot(triangles=2880))
    ball = graze.Body(graze.shape.Sphere(0.5))
    here, far = graze.Pose(), graze.Pose([3, 0.1, 0.2], [1, 0.5, 0, 0])
    rows = [
        ("collide, apart, Pose", graze.collide, _bench.collide, box, knot, far),
        ("collide, crossing, Pose", graze.collide, _bench.collide, box, knot, graze.Pose([0.25, 0, 0], [1, 0.5, 0, 0])),
        ("distance of shapes, Pose", graze.distance, _bench.distance, ball, ball, far),
        ("collide, apart, 4 x 4 array", graze.collide, _bench.collide, box, knot, far.matrix),
        ("collide, apart, array of 7", graze.collide, _bench.collide, box, knot, np.array([3, 0.1, 0.2, 1, 0.5, 0, 0])),
        ("collide, apart, (t, q) tuple", graze.collide, _bench.collide, box, knot, ((3.0, 0.1, 0.2), (1.0, 0.5, 0.0, 0.0))),
    ]
    times = 2000
    # The least of all turns: a call is so short that whatever else runs on the machine only adds to it.
    print(f"{'one call':34} {'C++':>9} {'Python':>9} {'added':>9}   in microseconds; 3 wanted")
    for name, ask, asked_in_cpp, a, b, pose in rows:
        cpp, python = [], []
        for _ in range(turns):
            cpp.append(asked_in_cpp(a, here, b, graze.Pose(pose), times) / times * 1e6)
            python.append(microseconds_of_python(ask, (a, here, b, pose), times))
        added = min(python) - min(cpp)
        print(f"{name:34} {min(cpp):9.3f} {min(python):9.3f} {added:9.3f}")
        note("one call", name, "graze in C++", [t / 1e6 for t in cpp])
        note("one call", name, "graze in Python", [t / 1e6 for t in python], 3 / added if added > 0 else "", 1,
             added <= 3, f"adds {added:.2f} microseconds to the least time; 3 wanted")


def batches(turns, count):
    """Rows a second of collide_many, beside C++'s."""
    rng = np.random.default_rng(1)
    knot = graze.Body(graze.make.torus_knot(triangles=2880))
    box = graze.Body(graze.make.box())
    print(
        f"\n{'collide_many':34} {'C++':>9} {'Python':>9} {'ratio':>9} {'processor':>9}"
        f"   in thousand poses a second; {count} poses"
    )
    for name, a, b, spread in (("box and knot", box, knot, 1.5), ("knot and knot", knot, knot, 2.0)):
        poses = np.hstack([rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 4))])
        in_cpp = _bench.CollideMany(poses)
        in_cpp.seconds(a, b, 1)  # warm
        speeds = {}
        for threads in (1, 2):
            cpp, python, processor = [], [], []
            for _ in range(turns):
                before = time.process_time()
                cpp.append(in_cpp.seconds(a, b, threads))
                between, start = time.process_time(), time.perf_counter()
                graze.collide_many(a, None, b, poses, threads=threads)
                python.append(time.perf_counter() - start)
                processor.append((between - before) / (time.process_time() - between))
            speeds[threads] = python
            ratio = statistics.median(c / p for c, p in zip(cpp, python))
            thousand = count / 1000
            print(
                f"{name + f', {threads} thread' + ('s' if threads > 1 else ''):34} {thousand / statistics.median(cpp):9.1f} "
                f"{thousand / statistics.median(python):9.1f} {ratio:9.3f} {statistics.median(processor):9.3f}"
            )
            note("collide_many", f"{name}, {threads} threads", "graze in C++", cpp)
            note("collide_many", f"{name}, {threads} threads", "graze in Python", python, ratio)
        twice = statistics.median(one / two for one, two in zip(speeds[1], speeds[2]))
        print(f"{name + ', 2 threads by 1, Python':34} {'':9} {'':9} {twice:9.3f}")


def peers(turns, count):
    """One Python call a pose, as python-fcl asks FCL, beside graze's single questions and its batch."""
    try:
        import graze_bench_fcl  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("\nFCL is not installed (scripts/setup bench): no comparison with it")
        return
    knot = graze.Body(graze.make.torus_knot(triangles=2880))
    box = graze.Body(graze.make.box())
    rng = np.random.default_rng(2)
    here = graze.Pose()
    print(f"\n{'one Python call a pose':34} {'FCL':>9} {'graze':>9} {'batch':>9} {'ratio':>9}   in thousand poses a second; {count} poses")
    for name, a, b, spread in (("box and knot", box, knot, 1.5), ("knot and knot", knot, knot, 2.0)):
        poses = np.hstack([rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 4))])
        pair = graze_bench_fcl.Pair(a.mesh.vertices, a.mesh.triangles, b.mesh.vertices, b.mesh.triangles)
        times = {"fcl": [], "single": [], "batch": []}
        for _ in range(turns):
            start = time.perf_counter()
            theirs = [pair.collide(pose) for pose in poses]
            first = time.perf_counter()
            ours = [graze.collide(a, here, b, pose).status == graze.Status.contact for pose in poses]
            second = time.perf_counter()
            rows = graze.collide_many(a, None, b, poses)
            third = time.perf_counter()
            for key, seconds in zip(times, (first - start, second - first, third - second)):
                times[key].append(seconds)
        assert ours == (rows["status"] == graze.Status.contact).tolist()
        different = sum(x != y for x, y in zip(theirs, ours))
        ratio = statistics.median(f / s for f, s in zip(times["fcl"], times["single"]))
        speeds = [count / 1000 / statistics.median(t) for t in times.values()]
        print(f"{name:34} {speeds[0]:9.1f} {speeds[1]:9.1f} {speeds[2]:9.1f} {ratio:9.2f}   {different} answers differ")
        note("one Python call a pose", name, "FCL", times["fcl"], ratio, remark=f"{count} poses; {different} answers differ")
        note("one Python call a pose", name, "graze", times["single"])
        note("one Python call a pose", name, "graze, one batch", times["batch"])


def workers(turns, count, parts):
    """Two Dask workers beside one: rows of a batch, and the clashes of an assembly of files. Both clusters wait all the
    time, and are asked in turns."""
    try:
        import graze.distributed as far  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("\nDask is not installed (scripts/setup python): no comparison of workers")
        return
    from graze.clash import Part  # pylint: disable=import-outside-toplevel

    knot = graze.Body(graze.make.torus_knot(triangles=2880))
    rng = np.random.default_rng(3)
    poses = np.hstack([rng.uniform(-2, 2, (count, 3)), rng.normal(size=(count, 4))])
    print(f"\n{'two Dask workers':34} {'one':>9} {'two':>9} {'ratio':>9}   in seconds; {count} rows, {parts} parts")
    with tempfile.TemporaryDirectory() as folder, far.local_cluster(workers=1) as one, far.local_cluster(workers=2) as two:
        files = []
        for i in range(20):
            files.append(os.path.join(folder, f"{i}.ply"))
            mesh = graze.make.torus_knot(triangles=1000 + 1000 * i)
            graze.save_mesh(mesh, files[-1], encoding=graze.Encoding.binary_little_endian)
        size = 3.0 * parts ** (1 / 3)
        assembly = [Part(f"part {i}", files[i % 20], graze.Pose(rng.uniform(0, size, 3), rng.normal(size=4))) for i in range(parts)]
        questions = {
            "distance_many": lambda client: far.distance_many(knot, None, knot, poses, client=client, chunk=max(1, count // 64)),
            "clash": lambda client: far.clash(assembly, clearance=0.05, client=client, chunk=max(1, parts // 64)).rows,
        }
        for name, ask in questions.items():
            answers = [ask(one), ask(two)]  # warm
            times = [[], []]
            for _ in range(turns):
                for client, spent in ((one, times[0]), (two, times[1])):
                    start = time.perf_counter()
                    answers.append(ask(client))
                    spent.append(time.perf_counter() - start)
            assert all(rows.tobytes() == answers[0].tobytes() for rows in answers)
            ratio = statistics.median(a / b for a, b in zip(*times))
            for contestant, spent in zip(("graze, one worker", "graze, two workers"), times):
                note("Dask workers", name, contestant, spent, ratio if spent is times[1] else "")
            print(f"{name:34} {statistics.median(times[0]):9.2f} {statistics.median(times[1]):9.2f} {ratio:9.3f}   {len(answers[0])} rows")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench python", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--turns", type=int, default=15, help="how often C++ and Python take turns")
    parser.add_argument("--poses", type=int, default=100000, help="of a batch")
    parser.add_argument("--csv", help="also write a table here")
    arguments = parser.parse_args()
    calls(arguments.turns)
    batches(max(3, arguments.turns // 3), arguments.poses)
    peers(max(3, arguments.turns // 3), arguments.poses // 20)
    workers(max(3, arguments.turns // 3), 4 * arguments.poses, arguments.poses // 10)
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow("row,task,contestant,mean_s,median_s,p99_s,ratio,target,verdict,note".split(","))
            table.writerows(rows_of_table)


if __name__ == "__main__":
    main()
