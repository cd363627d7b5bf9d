# SPDX-License-Identifier: MIT
"""References are given back, memory does not grow, and threads may share everything."""
import gc
import sys
import threading

import graze
import numpy as np
import pytest

BOX = graze.Body(graze.make.box())
KNOT = graze.Body(graze.make.torus_knot(triangles=2880))
POSE = graze.Pose([0.25, 0, 0], [1, 0.5, 0, 0])
MATRIX = np.array(POSE.matrix)
VERTICES = np.random.default_rng(1).random((50, 3))
FACES = np.arange(48).reshape(-1, 3)
ROWS = np.tile([0.25, 0, 0, 1, 0.5, 0, 0], (64, 1))


def fails(ask):
    with pytest.raises((graze.Error, TypeError)):
        ask()


CALLS = {
    "collide": lambda: graze.collide(BOX, None, KNOT, POSE, all=True).features,
    "matrix": lambda: graze.collide(BOX, MATRIX, KNOT, POSE).points,
    "text": lambda: repr(graze.collide(BOX, None, KNOT, POSE)),
    "counters": lambda: graze.distance(BOX, None, KNOT, MATRIX).counters,
    "mesh": lambda: graze.Body(graze.Mesh(VERTICES, FACES)).mesh.vertices,
    "motion": lambda: graze.first_contact(BOX, graze.Velocity(POSE, MATRIX), BOX, None, work=5).time,
    "batch": lambda: graze.collide_many(BOX, None, KNOT, ROWS, threads=2, progress=lambda done, rows: None),
    "error": lambda: fails(lambda: graze.Mesh(VERTICES, FACES + 10)),
    "bad pose": lambda: fails(lambda: graze.collide(BOX, MATRIX * 2, BOX, None)),
    "wrong type": lambda: fails(lambda: graze.collide(BOX, "x", BOX, None)),
    "shape": lambda: graze.Body(graze.shape.Sphere(1)).shape.kind,
    "compound": lambda: graze.compound([(BOX, POSE, "a"), KNOT]).pieces,
    "manager": lambda: graze.CollisionManager().add_object("a", BOX, MATRIX),
}
ARGUMENTS = (BOX, KNOT, POSE, MATRIX, VERTICES, FACES, ROWS, None, graze.Status.contact, graze.ContactKind.crossing, graze.Error)


def memory():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.parametrize("name", CALLS)
def test_references(name):
    call = CALLS[name]
    for _ in range(5):
        call()
    gc.collect()
    before = [sys.getrefcount(argument) for argument in ARGUMENTS]
    objects = len(gc.get_objects())
    for _ in range(200):
        call()
    gc.collect()
    after = [sys.getrefcount(argument) for argument in ARGUMENTS]
    for was, now in zip(before, after):
        assert abs(now - was) < 20  # some come and go with the interpreter's own caches; a leak is 200
    assert len(gc.get_objects()) - objects < 100


@pytest.mark.parametrize("name", CALLS)
def test_memory_does_not_grow(name):
    call = CALLS[name]
    times = 100 if name in ("batch", "bad pose", "error", "wrong type") else 1000
    for _ in range(times):
        call()
    gc.collect()
    before = memory()
    for _ in range(2 * times):
        call()
    gc.collect()
    assert memory() - before < 4e6


def test_threads_share_bodies():
    poses = [graze.Pose([0.02 * i, 0.1, 0], [1, 0.01 * i, 0, 0]) for i in range(60)]
    expected = [str(graze.collide(KNOT, None, BOX, pose, all=True).pairs.tolist()) for pose in poses]
    rows = graze.collide_many(KNOT, None, BOX, poses)
    problems = []

    def work(seed):
        try:
            for k in np.random.default_rng(seed).permutation(len(poses)):
                assert str(graze.collide(KNOT, None, BOX, poses[k], all=True).pairs.tolist()) == expected[k]
                if k % 20 == 0:
                    assert graze.collide_many(KNOT, None, BOX, poses, threads=2).tobytes() == rows.tobytes()
                    body = graze.Body(graze.make.box())  # made and dropped while others ask
                    assert graze.contains(body, None, [0, 0, 0]).location == graze.Location.inside
        except BaseException as problem:  # pylint: disable=broad-except
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
