# SPDX-License-Identifier: MIT
"""graze.distributed with real processes: the same bytes for any number of workers, and after any of them was killed."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import graze
import numpy as np
import pytest

distributed = pytest.importorskip("distributed", reason="needs Debian's python3-distributed")
import graze.distributed as far  # noqa: E402

BOX = graze.Body(graze.make.box())
KNOT = graze.Body(graze.make.torus_knot(triangles=2880))


def random_poses(count, spread, seed=1):
    rng = np.random.default_rng(seed)
    return np.hstack([rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 4))])


@pytest.fixture(scope="module")
def one():
    with far.local_cluster(workers=1) as client:
        yield client


@pytest.fixture(scope="module")
def two():
    with far.local_cluster(workers=2) as client:
        yield client


def test_the_rows_are_those_of_one_process(one, two, tmp_path):
    poses = random_poses(700, 2)
    alone = graze.distance_many(BOX, None, KNOT, poses)
    for client in one, two:
        assert far.distance_many(BOX, None, KNOT, poses, client=client, chunk=64).tobytes() == alone.tobytes()
    graze.save_mesh(KNOT.mesh, str(tmp_path / "knot.obj"))
    np.save(tmp_path / "poses.npy", poses)
    rows = far.collide_many(BOX, None, tmp_path / "knot.obj", tmp_path / "poses.npy", out=tmp_path / "rows.npy", client=two, chunk=99)
    assert rows.tobytes() == graze.collide_many(BOX, None, KNOT, poses).tobytes()
    assert np.load(tmp_path / "rows.npy").dtype == rows.dtype
    assert sorted(os.listdir(tmp_path)) == ["knot.obj", "poses.npy", "rows.npy"]


def test_all_questions(one):
    poses = random_poses(30, 2)
    motions = np.stack([poses, poses[::-1]], axis=1)
    ends = np.random.default_rng(2).uniform(-2, 2, (50, 6))
    same = [
        (far.first_contact_many(KNOT, motions, BOX, None, client=one, chunk=7, motion="screw"),
         graze.first_contact_many(KNOT, motions, BOX, None, motion="screw")),
        (far.first_contact_many(BOX, poses[0], KNOT, motions, client=one), graze.first_contact_many(BOX, poses[0], KNOT, motions)),
        (far.motion_free_many(KNOT, motions, BOX, None, client=one, chunk=7), graze.motion_free_many(KNOT, motions, BOX, None)),
        (far.cast_rays(KNOT, poses[1], ends, client=one, chunk=20), graze.cast_rays(KNOT, poses[1], ends)),
        (far.contains_many(BOX, None, ends[:, :3], client=one), graze.contains_many(BOX, None, ends[:, :3])),
        (far.collide_many(BOX, [graze.Pose(p) for p in poses], BOX, poses, client=one, solid=True),
         graze.collide_many(BOX, poses, BOX, poses, solid=True)),
    ]
    for ours, expected in same:
        assert ours.tobytes() == expected.tobytes()
    assert far.collide_many(BOX, None, BOX, np.zeros((0, 7)), client=one).shape == (0,)


def arm():
    turn = graze.Joint("revolute", axis=[0, 0, 1], limits=(-3, 3))
    links = [graze.Link("upper", joint=turn), graze.Link("lower", "upper", graze.Joint("revolute", origin=graze.Pose([1, 0, 0]), axis=[0, 0, 1]))]
    rod = graze.Body(graze.shape.Box([1, 0.1, 0.1]))
    robot = graze.Robot(graze.RobotModel(links, [graze.RobotPiece(link.name, rod, graze.Pose([0.5, 0, 0])) for link in links]))
    robot.surroundings([(KNOT, graze.Pose([0, 1.5, 0]), "knot")])
    return robot


def test_robots(one, two, tmp_path):
    robot = arm()
    rng = np.random.default_rng(3)
    starts, ends = rng.uniform(-3, 3, (2, 300, 2))
    ways = [graze.Trajectory.through([(0, a), (1, b), (2, c)]) for a, b, c in zip(starts, ends, starts[::-1])]
    for client in one, two:
        for ours, expected in (
            (far.robot_check_many(robot, starts, client=client, chunk=70), robot.check_many(starts)),
            (far.robot_check_trajectories(robot, ways, client=client, chunk=31, clearance=0.01), robot.check_trajectories(ways, clearance=0.01)),
        ):
            assert ours.tobytes() == expected.tobytes()
        edges = far.robot_motion_free_many(robot, starts, ends, client=client, chunk=70)
        assert (edges["status"] == robot.motion_free_many(starts, ends)["status"]).all()
        assert len(far.robot_motion_free_many(robot, starts[0], ends, client=client)) == 300

    def ask(**options):
        return far.robot_check_trajectories(robot, ways, out=tmp_path / "ways.npy", client=one, chunk=50, **options)

    with pytest.raises(Stop):
        ask(progress=stop_after(100))
    reports = []
    assert ask(progress=lambda done, total: reports.append(done)).tobytes() == robot.check_trajectories(ways).tobytes()
    assert reports[0] >= 100
    for wrong in (lambda: far.robot_check_many(BOX, starts, client=one), lambda: far.robot_check_trajectories(robot, [1], client=one),
                  lambda: far.robot_check_many(robot, starts[:, :1], client=one), lambda: far.robot_check_many(robot, starts, client=one, threads=2)):
        with pytest.raises((graze.Error, TypeError)):
            wrong()


def test_what_is_refused(one, tmp_path):
    poses = random_poses(100, 1)
    poses[77, 2] = np.nan
    with pytest.raises(graze.Error) as caught:
        far.collide_many(BOX, None, BOX, poses, client=one, chunk=10)
    assert (caught.value.element, caught.value.id, caught.value.code) == ("row", 77, graze.ErrorCode.not_finite)
    for wrong in (
        lambda: far.collide_many(BOX, None, BOX, None, client=one),
        lambda: far.collide_many(BOX, poses[:3], BOX, poses, client=one),
        lambda: far.collide_many(BOX, None, BOX, poses, client=one, threads=2),
        lambda: far.collide_many(BOX, None, BOX, poses, client=one, method="magic"),
        lambda: far.collide_many(BOX, None, BOX, poses, client=one, chunk=0),
        lambda: far.collide_many("missing.obj", None, BOX, poses, client=one),
        lambda: far.collide_many(BOX, None, BOX, poses, workers=0),
        lambda: far.collide_many(BOX, None, BOX, poses, client="tcp://127.0.0.1:1"),
    ):
        with pytest.raises(graze.Error):
            wrong()
    for inexact in (True, 2**53 + 1):
        with pytest.raises(TypeError, match="exactly"):
            far.collide_many(BOX, None, BOX, [[0.5, 0, 0, 1, 0, 0, inexact]] * 3, client=one)
    (tmp_path / "broken.obj").write_text("v 0 0\nf 1 2 3\n")
    with pytest.raises(graze.Error) as caught:  # found by a worker, reported here with its place
        far.distance_many(tmp_path / "broken.obj", None, BOX, random_poses(5, 1), client=one)
    assert caught.value.file.endswith("broken.obj") and caught.value.line == 1


def test_a_worker_keeps_bodies_and_forgets_them_when_memory_is_short():
    from graze.distributed._rows import source_of
    from graze.distributed._worker import Store, bytes_of

    a, b = source_of(BOX), source_of(KNOT)
    assert source_of(graze.Body(graze.make.box())).key == a.key != b.key
    store = Store()
    for _ in range(3):
        store.get(a, 1 << 30), store.get(b, 1 << 30)
    assert store.built == 2
    store.get(a, bytes_of(BOX))  # the knot goes
    assert store.built == 2
    store.get(b, 1), store.get(b, 1)  # one that is larger than the limit is kept alone
    assert store.built == 3
    store.get(a, 1)
    assert store.built == 4


class Stop(Exception):
    pass


def stop_after(rows):
    def progress(done, total):
        if done >= rows:
            raise Stop

    return progress


def test_a_run_that_was_cut_off_goes_on(one, two, tmp_path):
    poses = random_poses(500, 2)
    out = tmp_path / "rows.npy"
    expected = graze.distance_many(BOX, None, KNOT, poses)

    def ask(client, **options):
        return far.distance_many(BOX, None, KNOT, poses, out=out, client=client, chunk=50, **options)

    with pytest.raises(Stop):
        ask(one, progress=stop_after(200))
    journal = tmp_path / "rows.npy.journal"
    lines = journal.read_text().splitlines()
    assert len(lines) >= 5 and not out.exists()
    journal.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20])  # cut off in the middle of a line
    done = [json.loads(line)["chunk"] for line in lines[1:-1]]
    with open(str(out) + ".part", "r+b") as part:  # and the bytes of a chunk never reached the disk
        part.seek(json.loads(lines[1])["at"])
        part.write(b"\xff" * 100)
    reports = []
    rows = ask(two, progress=lambda now, total: reports.append(now))
    assert rows.tobytes() == expected.tobytes()
    assert reports[0] == 50 * (len(done) - 1) and reports[-1] == 500
    assert out.exists() and not journal.exists()

    with pytest.raises(Stop):
        ask(one, progress=stop_after(100))
    with pytest.raises(graze.Error, match="journal of another run"):
        far.distance_many(BOX, None, KNOT, poses[::-1], out=out, client=one, chunk=50)
    assert ask(one).tobytes() == expected.tobytes()


def test_workers_that_are_killed_change_nothing(tmp_path):
    poses = random_poses(6000, 2)
    expected = graze.distance_many(KNOT, None, KNOT, poses)
    with far.local_cluster(workers=2) as client:
        pids = list(client.run(os.getpid).values())
        killed = []

        def kill(done, total):
            if done >= 1000 * (len(killed) + 1) and len(killed) < 2:
                killed.append(pids[len(killed)])
                os.kill(killed[-1], signal.SIGKILL)

        rows = far.distance_many(KNOT, None, KNOT, poses, client=client, chunk=200, progress=kill)
    assert len(killed) == 2
    assert rows.tobytes() == expected.tobytes()


def test_answers_whose_worker_is_killed_before_they_are_fetched_are_worked_out_again():
    """They were taken for a lost connection, in half of all runs on a busy machine."""
    poses = random_poses(600, 2)
    with far.local_cluster(workers=2) as client:
        pids = list(client.run(os.getpid).values())

        def kill(done, total):
            if pids:
                time.sleep(1)  # now answers lie at both workers
                while pids:
                    os.kill(pids.pop(), signal.SIGKILL)

        rows = far.distance_many(KNOT, None, KNOT, poses, client=client, chunk=50, progress=kill)
    assert not pids and rows.tobytes() == graze.distance_many(KNOT, None, KNOT, poses).tobytes()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def scheduler_and_worker(folder):
    """Processes of their own, as on a real cluster: the address, and the scheduler's process."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    run = lambda *words: subprocess.Popen(  # noqa: E731
        [sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    scheduler = run("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    processes = [scheduler]
    try:
        while scheduler.poll() is None:  # on a busy machine it takes its time
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        processes.append(run("distributed.cli.dask_worker", address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--no-nanny"))
        yield address, scheduler
    finally:
        for process in reversed(processes):
            process.kill(), process.wait()


def killed_in_the_middle(folder, ask, after):
    """Asks until the scheduler is killed, when so many rows are done."""
    with scheduler_and_worker(folder) as (address, scheduler):
        def kill(done, total):
            assert done < total
            if done >= after:
                scheduler.kill()

        with pytest.raises(far.LostConnection, match="call again"):
            ask(address, progress=kill)


def test_a_scheduler_that_is_killed_loses_nothing(tmp_path):
    poses = random_poses(4000, 2)
    expected = graze.distance_many(KNOT, None, KNOT, poses)
    out = tmp_path / "rows.npy"

    def ask(address, **options):
        return far.distance_many(KNOT, None, KNOT, poses, out=out, client=address, chunk=100, **options)

    killed_in_the_middle(tmp_path, ask, 1000)
    assert len((tmp_path / "rows.npy.journal").read_text().splitlines()) > 10
    with scheduler_and_worker(tmp_path) as (address, _):
        assert ask(address).tobytes() == expected.tobytes()


def test_a_scheduler_that_is_killed_during_clash_loses_nothing(tmp_path):
    """The run ends with a clear error, and goes on from its journal: to the same rows, and to the same bytes of the file."""
    from graze.clash import Part, check

    (tmp_path / "parts").mkdir()
    names = [str(tmp_path / "parts" / f"{i}.ply") for i in range(4)]
    for i, name in enumerate(names):
        graze.save_mesh(graze.make.torus_knot(triangles=2000 + 1000 * i), name)
    (tmp_path / "parts" / "broken.obj").write_text("f 1 2 3\n")
    rng = np.random.default_rng(5)
    parts = [Part(f"part {i}", names[i % 4], graze.Pose(rng.uniform(0, 16, 3), rng.normal(size=4))) for i in range(500)]
    parts.insert(77, Part("broken", str(tmp_path / "parts" / "broken.obj")))
    expected = check(parts, clearance=0.1)
    assert len(expected) > 100 and not expected.complete
    expected.save(tmp_path / "expected.csv")
    out = tmp_path / "clashes.csv"

    def ask(address, **options):
        return far.clash(parts, clearance=0.1, out=out, client=address, chunk=5, **options)

    killed_in_the_middle(tmp_path, ask, 200)
    journal = tmp_path / "clashes.csv.journal"
    kept = len(journal.read_text().splitlines()) - 1
    assert kept >= 40 and not out.exists()
    reports = []
    with scheduler_and_worker(tmp_path) as (address, _):
        found = ask(address, progress=lambda done, total: reports.append(done))
    assert reports[0] == 5 * kept and reports[-1] == 500  # what was answered is not asked again
    assert found.rows.tobytes() == expected.rows.tobytes() and len(found.unanswered) == 1
    assert out.read_bytes() == (tmp_path / "expected.csv").read_bytes()
    assert not journal.exists() and sorted(os.listdir(tmp_path)) == ["clashes.csv", "expected.csv", "parts"]


def test_spans_deal_every_chunk_once_whoever_asks():
    from graze.distributed._run import Spans

    for numbers in ([], [5], list(range(10)), [1, 3, 4, 8, 9, 20]):
        for workers in 0, 1, 2, 3, 20:
            for asking in (lambda i: 0, lambda i: i % max(1, workers), lambda i: (i * i) % max(1, workers)):
                spans = Spans(numbers, lambda n: (n, "", ()))
                spans.divide(workers)
                dealt = [spans.next(asking(i)) for i in range(len(numbers) + 3)]
                assert sorted(task[0] for task in dealt[: len(numbers)]) == numbers and dealt[len(numbers) :] == [None] * 3
    spans = Spans(range(8), lambda n: (n, "", ()))
    spans.divide(2)
    assert [spans.next(k)[0] for k in (0, 1, 0, 1, 0, 0, 0, 0)] == [0, 4, 1, 5, 2, 3, 7, 6]


def test_clash_uses_all_threads_of_a_worker():
    from graze.clash import Part, check

    rng = np.random.default_rng(7)
    parts = [Part(f"{i}", (KNOT.mesh, BOX.mesh)[i % 2], graze.Pose(rng.uniform(0, 14, 3), rng.normal(size=4))) for i in range(300)]
    with distributed.LocalCluster(n_workers=1, threads_per_worker=3, processes=False, dashboard_address=":0", silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            assert client.submit(far._worker.threads_here).result() == 3
            assert far.clash(parts, client=client, chunk=7).rows.tobytes() == check(parts).rows.tobytes()


def test_a_cluster_without_workers_is_an_error_and_no_endless_wait(monkeypatch):
    monkeypatch.setattr(far._run, "PATIENCE", 2.0)
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0", silence_logs=50) as cluster:
        with pytest.raises(far.LostConnection, match="no worker"):
            far.distance_many(BOX, None, KNOT, random_poses(100, 2), client=cluster.scheduler_address, chunk=10)


def test_an_interrupt_keeps_what_was_answered(one):
    poses = random_poses(20000, 2)

    def interrupt(done, total):
        if done >= 3000:
            raise KeyboardInterrupt

    with pytest.raises(graze.Interrupted) as caught:
        far.distance_many(KNOT, None, KNOT, poses, client=one, chunk=500, progress=interrupt)
    rows = caught.value.rows
    answered = rows["status"] != graze.Status.undecided
    assert 3000 <= caught.value.answered == answered.sum() < 20000
    for row, expected in zip(rows[answered], graze.distance_many(KNOT, None, KNOT, poses[answered])):
        assert repr(row) == repr(expected)


def test_the_example_of_the_package(tmp_path, monkeypatch):
    import doctest

    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(far).failed == 0
