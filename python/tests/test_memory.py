# SPDX-License-Identifier: MIT
"""References are given back, memory does not grow, and threads may share everything."""
import gc
import subprocess
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
LOCKED, LOCKED_FACES = VERTICES.copy(), FACES.astype(np.uint32)
LOCKED.setflags(write=False)
LOCKED_FACES.setflags(write=False)
ROWS = np.tile([0.25, 0, 0, 1, 0.5, 0, 0], (64, 1))


def fails(ask):
    with pytest.raises((graze.Error, TypeError)):
        ask()


X0 = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
X1 = np.asfortranarray(np.vstack([X0[:3] - [0, 0, 2], X0[3:]]).astype(np.float32))
CLOTH = graze.Deformable(graze.Mesh(X0, [[0, 1, 2], [3, 4, 5]]))
ARM = [graze.Link("arm", joint=graze.Joint("revolute", limits=(-1, 1)))]
ROBOT = graze.Robot(graze.RobotModel(ARM, [graze.RobotPiece("arm", BOX, POSE)]))
ROBOT.surroundings([(BOX, POSE, "other")])


def world():
    w = graze.World()
    a, b = w.add(BOX), w.add(KNOT, MATRIX, frame=w.add_frame())
    robot = w.add(graze.Chain(ARM), [("arm", BOX)], [0.5], POSE)
    w.on_contact(lambda event, w=w: w.pose(event.b), a)
    w.check(details=graze.ContactDetails(all_pairs=True, manifold=True))
    w.move(robot, [0.25])
    return w, a, b


def refused_predicate():
    CLOTH.set_filter(graze.DeformFilter(may_touch=lambda a, b: 1 // 0))
    with pytest.raises(ZeroDivisionError):
        CLOTH.contacts(X1)
    CLOTH.set_filter(None)


CALLS = {
    "collide": lambda: graze.collide(BOX, None, KNOT, POSE, all=True).features,
    "matrix": lambda: graze.collide(BOX, MATRIX, KNOT, POSE).points,
    "text": lambda: repr(graze.collide(BOX, None, KNOT, POSE)),
    "counters": lambda: graze.distance(BOX, None, KNOT, MATRIX).counters,
    "shared mesh": lambda: graze.Body(graze.Mesh(LOCKED, LOCKED_FACES)).mesh.triangles,
    "mesh": lambda: graze.Body(graze.Mesh(VERTICES, FACES)).mesh.vertices,
    "motion": lambda: graze.first_contact(BOX, graze.Velocity(POSE, MATRIX), BOX, None, work=5).time,
    "batch": lambda: graze.collide_many(BOX, None, KNOT, ROWS, threads=2, progress=lambda done, rows: None),
    "error": lambda: fails(lambda: graze.Mesh(VERTICES, FACES + 10)),
    "bad pose": lambda: fails(lambda: graze.collide(BOX, MATRIX * 2, BOX, None)),
    "wrong type": lambda: fails(lambda: graze.collide(BOX, "x", BOX, None)),
    "shape": lambda: graze.Body(graze.shape.Sphere(1)).shape.kind,
    "compound": lambda: graze.compound([(BOX, POSE, "a"), KNOT]).pieces,
    "step": lambda: (CLOTH.contacts(X1).contacts["time"], CLOTH.step_size(X1).first, CLOTH.near(1.5, X0).pairs["weights"]),
    "derivatives": lambda: graze.squared_distances(CLOTH.near(1.5).pairs, X0, hessians=True),
    "filter": refused_predicate,
    "scene": lambda: graze.DeformScene().add_rigid(BOX, POSE),
    "world": lambda: (lambda w, a, b: (w.sweep(), w.near(1.0), w.ray([-9, 0, 0], X0[1]), w.pose(b), w.nearest([0, 0, 0], 2)))(*world()),
    "robot": lambda: (ROBOT.check([0.5]), ROBOT.check_motion([0], [1]), ROBOT.distance([0.0]), ROBOT.model.links, repr(ROBOT)),
    "robot batch": lambda: ROBOT.check_many(np.zeros((8, 1)), threads=2),
    "chain": lambda: graze.Chain(ARM).link_motion("arm", [0], [1]).at(0.5),
    "first contacts": lambda: graze.first_contacts([(BOX, POSE), (BOX, MATRIX)], interest=lambda a, b: True).earliest,
    "manager": lambda: graze.CollisionManager().add_object("a", BOX, MATRIX),
}
ARGUMENTS = (LOCKED, LOCKED_FACES, X0, X1, CLOTH, ROBOT, BOX, KNOT, POSE, MATRIX, VERTICES, FACES, ROWS, None, graze.Status.contact, graze.ContactKind.crossing, graze.Error)


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
    times = 100 if name in ("batch", "robot batch", "bad pose", "error", "wrong type", "filter", "world", "robot") else 1000
    for _ in range(times):
        call()
    gc.collect()
    before = memory()
    for _ in range(2 * times):
        call()
    gc.collect()
    assert memory() - before < 4e6


PEAK = """
import resource, sys
import numpy as np, graze
graze.Body(graze.make.box())
side = 1000
grid = np.arange(side * side).reshape(side, side)
faces = np.concatenate([np.stack([grid[:-1, :-1], grid[1:, :-1], grid[:-1, 1:]], -1).reshape(-1, 3),
                        np.stack([grid[1:, 1:], grid[:-1, 1:], grid[1:, :-1]], -1).reshape(-1, 3)])
vertices = np.zeros((side * side, 3), dtype=sys.argv[1])
vertices[:, 0], vertices[:, 1] = grid.ravel() % side, grid.ravel() // side
faces = faces.astype(sys.argv[2])
if sys.argv[3] == "locked":
    vertices.setflags(write=False), faces.setflags(write=False)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
mesh = graze.Mesh(vertices, faces)
assert mesh.triangle_count == len(faces)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("vertices, faces, locked", [
    ("float64", "uint32", "locked"), ("float64", "int32", "locked"), ("float64", "int64", "open"), ("float32", "int64", "open"), ("float32", "uint32", "open")])
def test_meshes_from_arrays_take_the_engines_own_memory_and_no_more(vertices, faces, locked):
    """A million vertices, two million triangles. Whatever its type, an array is converted straight into the engine's memory."""
    done = subprocess.run([sys.executable, "-c", PEAK, vertices, faces, locked], capture_output=True, text=True, check=True)
    own = 0 if locked == "locked" else 1000 * 1000 * 24 + 2 * 999 * 999 * 16  # positions; corners and where each polygon begins
    assert int(done.stdout) < own + 8e6


def test_what_is_dropped_without_the_interpreter_is_given_back():
    """Bodies around a robot are replaced while other Python threads run."""
    link = graze.Link("arm", joint=graze.Joint("revolute"))
    robot = graze.Robot(graze.RobotModel([link], [graze.RobotPiece("arm", BOX)]))
    before = sys.getrefcount(LOCKED)
    for _ in range(100):  # more than can wait for the interpreter at a time
        robot.surroundings([graze.Body(graze.Mesh(LOCKED, LOCKED_FACES)) for _ in range(5)])
    robot.surroundings([])
    assert graze.Mesh(LOCKED, LOCKED_FACES).vertex_count == 50
    assert sys.getrefcount(LOCKED) == before


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


def test_threads_share_a_mesh_and_a_robot():
    """They take turns with a Deformable; a robot answers several at a time."""
    expected = CLOTH.contacts(X1).contacts
    rows = ROBOT.check_many(np.linspace(-1, 1, 50)[:, None])
    problems = []

    def work():
        try:
            for k in range(50):
                assert np.array_equal(CLOTH.contacts(X1).contacts, expected)
                assert ROBOT.check([np.linspace(-1, 1, 50)[k]]).status == rows["status"][k]
                w, _, _ = world()
                assert len(w.sweep().contacts) >= 0
        except BaseException as problem:  # pylint: disable=broad-except
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
