#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Python adds to the engine: one call, and batches; FCL, asked from Python as python-fcl does it; two Dask workers beside
one; and an assembly of very many parts. The same questions are asked from C++ in the same process, in turns, so that a busy
machine slows both alike; printed are medians (of one call the least), and of ratios the median of each turn's ratio.
"processor" is the ratio of processor times, which others on the machine disturb least.

usage: scripts/bench python [--turns N] [--poses N] [--parts N] [--memory MIB] [--rows R,...] [--csv FILE]
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
from python_parts import Tower, most_memory, run_command


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


def in_turns(name, turns, one, two, ask):
    """The times of both clusters and the ratio, warm; all answers have the same bytes. "processor" is the ratio of processor
    times, those of the workers divided among them and that of this process, where the scheduler is: what the division costs,
    also on a busy machine."""
    answers = [ask(one), ask(two)]
    times, busy = [[], []], [[], []]
    for _ in range(turns):
        for k, client in enumerate((one, two)):
            before, start = client.run(time.process_time), time.perf_counter()
            here = time.process_time()
            answers.append(ask(client))
            times[k].append(time.perf_counter() - start)
            here = time.process_time() - here
            spent = [after - before[worker] for worker, after in client.run(time.process_time).items()]
            busy[k].append(here + sum(spent) / len(spent))
    assert all(rows.tobytes() == answers[0].tobytes() for rows in answers)
    ratio, processor = (statistics.median(a / b for a, b in zip(*both)) for both in (times, busy))
    for contestant, spent in zip(("graze, one worker", "graze, two workers"), times):
        note("Dask workers", name, contestant, spent, ratio if spent is times[1] else "")
    return f"{statistics.median(times[0]):9.2f} {statistics.median(times[1]):9.2f} {ratio:9.3f} {processor:9.3f}   {len(answers[0])} rows"


def workers(turns, count, parts):
    """Two Dask workers beside one: rows of a batch, and the clashes of an assembly of files. Both clusters wait all the
    time, as a cluster of a user does, and are asked in turns."""
    try:
        import graze.distributed as far  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("\nDask is not installed (scripts/setup python): no comparison of workers")
        return
    knot = graze.Body(graze.make.torus_knot(triangles=2880))
    rng = np.random.default_rng(3)
    poses = np.hstack([rng.uniform(-2, 2, (count, 3)), rng.normal(size=(count, 4))])
    print(f"\n{'two Dask workers':34} {'one':>9} {'two':>9} {'ratio':>9} {'processor':>9}   in seconds; {count} rows, {parts} parts")
    with tempfile.TemporaryDirectory() as folder, far.local_cluster(workers=1) as one, far.local_cluster(workers=2) as two:
        ask_rows = lambda client: far.distance_many(knot, None, knot, poses, client=client, chunk=max(1, count // 64))  # noqa: E731
        print(f"{'distance_many':34} {in_turns('distance_many', turns, one, two, ask_rows)}")
        tower = Tower(folder, parts, max(4, parts // 50))
        ask_parts = lambda client: far.clash(tower.parts, client=client).rows  # noqa: E731
        print(f"{'clash, ' + str(len(tower.files)) + ' files':34} {in_turns('clash', turns, one, two, ask_parts)}")


def many_parts(parts, memory):
    """Very many parts, of whose meshes only some are in memory at a time."""
    command = os.environ.get("GRAZE_COMMAND", "build/bin/graze")
    with tempfile.TemporaryDirectory() as folder:
        tower = Tower(folder, parts, max(4, parts // 100))
        print(f"\n{'many parts':34} {'seconds':>9} {'MiB':>9}   {len(tower.parts)} parts, {len(tower.clashes)} clashes, all found and none wrong; "
              f"{len(tower.files)} files, {tower.triangles} triangles, of which {memory >> 20} MiB may be kept")
        seconds, most = run_command(command, tower, folder, memory)
        print(f"{'graze clash --memory':34} {seconds:9.1f} {most / 2**20:9.0f}")
        note("many parts", f"{parts} parts", "graze clash --memory", [seconds], remark=f"{most / 2**20:.0f} MiB")
        try:
            import graze.distributed as far  # pylint: disable=import-outside-toplevel
        except ImportError:
            return
        with far.local_cluster(workers=2) as client:
            start = time.perf_counter()
            found = far.clash(tower.parts, client=client, memory=memory, out=os.path.join(folder, "clashes.csv"))
            seconds = time.perf_counter() - start
            tower.check(found.rows[["a", "b"]].tolist())
            most = max(client.run(most_memory).values())
            kept = found.counts["most_bytes"]
        print(f"{'graze.distributed.clash, 2 workers':34} {seconds:9.1f} {most / 2**20:9.0f}   of the larger worker; {kept / 2**20:.0f} MiB of meshes and trees, "
              f"{most_memory() / 2**20:.0f} MiB here; {found.counts['built']} trees built")
        note("many parts", f"{parts} parts", "graze.distributed, two workers", [seconds], remark=f"{most / 2**20:.0f} MiB")


ROWS = ("calls", "batches", "peers", "workers", "parts")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench python", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--turns", type=int, default=15, help="how often C++ and Python take turns")
    parser.add_argument("--poses", type=int, default=100000, help="of a batch")
    parser.add_argument("--parts", type=int, default=100000, help="of an assembly")
    parser.add_argument("--memory", type=int, default=128, help="MiB of meshes and trees that are kept in the row parts")
    parser.add_argument("--rows", default=",".join(ROWS), help=f"some of {', '.join(ROWS)}")
    parser.add_argument("--csv", help="also write a table here")
    arguments = parser.parse_args()
    wanted, few = arguments.rows.split(","), max(3, arguments.turns // 3)
    if unknown := set(wanted) - set(ROWS):
        parser.error(f"unknown rows {', '.join(sorted(unknown))}; there are {', '.join(ROWS)}")
    ask = {
        "calls": lambda: calls(arguments.turns),
        "batches": lambda: batches(few, arguments.poses),
        "peers": lambda: peers(few, arguments.poses // 20),
        "workers": lambda: workers(few, arguments.poses, arguments.parts),
        "parts": lambda: many_parts(arguments.parts, arguments.memory << 20),
    }
    for row in ROWS:
        if row in wanted:
            ask[row]()
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow("row,task,contestant,mean_s,median_s,p99_s,ratio,target,verdict,note".split(","))
            table.writerows(rows_of_table)


if __name__ == "__main__":
    main()
