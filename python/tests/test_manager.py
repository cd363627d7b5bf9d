# SPDX-License-Identifier: MIT
"""graze.CollisionManager: the methods and return values of trimesh.collision.CollisionManager, compared with closed forms,
with every pair asked by itself, and with Debian's FCL."""
import math
import os
import subprocess
import types

import graze
import numpy as np
import pytest

BOX = graze.make.box()
TRIMESH = types.SimpleNamespace(vertices=np.array(BOX.vertices), faces=np.array(BOX.triangles, dtype=np.int64))  # its shape


def translation(x, y=0.0, z=0.0):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def three():
    manager = graze.CollisionManager()
    manager.add_object("a", TRIMESH)
    manager.add_object("b", TRIMESH, transform=translation(0.5, 0.25, 0.125))
    manager.add_object("c", TRIMESH, translation(3))
    return manager


def test_internal():
    manager = three()
    assert repr(manager) == "CollisionManager(3 objects)"
    assert manager.in_collision_internal() is True
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})
    hit, contacts = manager.in_collision_internal(return_data=True)
    assert hit is True and contacts and all(c.names == {"a", "b"} for c in contacts)
    assert {tuple((c.index("a"), c.index("b"))) for c in contacts} == {
        tuple(pair) for pair in graze.collide(graze.Body(BOX), None, graze.Body(BOX), translation(0.5, 0.25, 0.125), all=True).pairs.tolist()}
    for contact in contacts:  # on both surfaces
        for name, centre in (("a", [0, 0, 0]), ("b", [0.5, 0.25, 0.125])):
            assert abs(np.abs(contact.point - centre).max() - 0.5) < 1e-12
        assert abs(np.linalg.norm(contact.normal) - 1) < 1e-12 and contact.normal[0] > 0.99
        assert abs(contact.depth - 0.5) < 1e-6
    hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
    assert (hit, names, len(contacts) > 0) == (True, {("a", "b")}, True)
    with pytest.raises(KeyError):
        contacts[0].index("c")
    manager.set_transform("b", translation(0, 9))
    assert manager.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])


def test_single():
    manager = three()
    assert manager.in_collision_single(TRIMESH, translation(3.5), return_names=True) == (True, {"c"})
    assert manager.in_collision_single(TRIMESH, translation(1.75)) is False  # between b and c
    hit, data = manager.in_collision_single(TRIMESH, translation(3.5, 0.1, 0.2), return_data=True)
    assert hit and data[0].names == {"__external", "c"} and data[0].index("__external") >= 0
    assert manager.min_distance_single(TRIMESH, translation(10)) == pytest.approx(6)
    distance, name, data = manager.min_distance_single(TRIMESH, translation(10), return_name=True, return_data=True)
    assert (distance, name, data.distance, data.names) == (6, "c", 6, {"__external", "c"})
    assert data.point("c")[0] == 3.5 and data.point("__external")[0] == 9.5 and data.index("c") >= 0


def test_other():
    manager, other = three(), graze.CollisionManager()
    other.add_object("x", BOX, translation(3.25, 0.1, 0.1))
    other.add_object("y", BOX, translation(-5))
    assert manager.in_collision_other(other, return_names=True) == (True, {("c", "x")})
    assert manager.min_distance_other(other) == 0
    other.remove_object("x")
    assert manager.in_collision_other(other, return_names=True, return_data=True) == (False, set(), [])
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert (distance, names) == (4, ("a", "y")) and data.names == {"a", "y"}


def test_distance_internal():
    manager = three()
    assert manager.min_distance_internal(return_names=True)[0] == 0
    manager.remove_object("b")
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert (distance, names, data.distance) == (2, ("a", "c"), 2)
    manager.remove_object("a")
    assert manager.min_distance_internal(return_names=True) == (math.inf, None)
    assert "c" in manager and "a" not in manager and len(manager) == 1 and list(manager) == ["c"]


def test_names_that_are_not_there():
    manager = three()
    for call in (lambda: manager.remove_object("z"), lambda: manager.set_transform("z", np.eye(4)), lambda: manager.sweep({"z": None})):
        with pytest.raises(ValueError, match="not in collision manager"):
            call()
    with pytest.raises(graze.Error):
        manager.set_transform("a", np.eye(4) * 2)
    manager.add_object("a", BOX, translation(0, 20))  # replaces
    assert manager.in_collision_internal() is False


def test_touching_is_a_collision_and_a_nudge_decides():
    manager = graze.CollisionManager()
    manager.add_object("a", BOX)
    for x, expected in ((1, True), (np.nextafter(1, 2), False), (np.nextafter(1, 0), True)):
        manager.add_object("b", BOX, graze.Pose([x, 0, 0]))
        assert manager.in_collision_internal() is expected
        assert (manager.min_distance_internal() == 0) is expected


def test_filters():
    manager = three()
    manager.ignore_pair("a", "?")
    assert manager.in_collision_internal() is False
    assert manager.min_distance_internal(return_names=True)[1] == ("b", "c")
    manager.watch_pair("?", "a")
    assert manager.in_collision_internal() is True
    chosen = graze.CollisionManager(filter=lambda a, b: "c" in (a, b))
    for name, x in ("a", 0), ("b", 0.5), ("c", 0.75):
        chosen.add_object(name, BOX, translation(x))
    assert chosen.in_collision_internal(return_names=True) == (True, {("a", "c"), ("b", "c")})


@pytest.mark.parametrize("solid", [None, False, True])
def test_solid(solid):
    small = graze.make.box(size=(0.25, 0.25, 0.25))
    found = solid is not False
    manager = graze.CollisionManager(solid=solid)
    manager.add_object("outer", BOX)
    manager.add_object("inner", small, translation(0.1))
    assert manager.in_collision_internal(return_names=True) == (found, {("inner", "outer")} if found else set())
    hit, contacts = manager.in_collision_internal(return_data=True)
    assert len(contacts) == int(hit) == int(found)
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert names == ("inner", "outer") and distance == data.distance == (0 if found else pytest.approx(0.275))
    if found:
        assert (np.abs(contacts[0].point - [0.1, 0, 0]) < 0.126).all() and contacts[0].depth > 0.4
        assert abs(np.linalg.norm(contacts[0].normal) - 1) < 1e-12
        assert (data.point("inner") == data.point("outer")).all()
    assert manager.in_collision_single(small, return_names=True) == (True, {"inner", "outer"} if found else {"inner"})
    other = graze.CollisionManager(solid=solid)
    other.add_object("far", small, translation(9))
    other.add_object("within", small, translation(-0.2))
    assert manager.in_collision_other(other, return_names=True) == (found, {("outer", "within")} if found else set())
    assert (manager.min_distance_other(other) == 0) is found
    moved = manager.sweep({"inner": translation(0.2)})
    assert moved.status == (graze.Status.touching_at_start if found else graze.Status.free)


def test_convex_objects_are_solid_as_in_trimesh():
    """There a convex mesh becomes a solid of FCL, and every other mesh is a surface."""
    manager = graze.CollisionManager()
    ring = graze.make.torus(triangles=800)
    ball = graze.make.sphere(triangles=168)
    low, high = ring.box
    radius = (high[0] + low[0]) / 2 + (high[0] - low[0]) / 2
    manager.add_object("ring", ring)  # closed, but not convex
    manager.add_object("grain", graze.Mesh(BOX.vertices * 1e-3, BOX.triangles), translation(radius - (high[2] - low[2]) / 2))
    assert graze.contains(graze.Body(ring), None, [radius - (high[2] - low[2]) / 2, 0, 0]).location == graze.Location.inside
    assert manager.in_collision_internal() is False
    sheet = types.SimpleNamespace(vertices=np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [9, 9, 9], [9.1, 9, 9], [9, 9.1, 9]]),
                                  faces=np.array([[0, 1, 2], [3, 4, 5]]))
    manager = graze.CollisionManager()
    manager.add_object("sheet", sheet)  # open, in two pieces, of which one is in the ball
    manager.add_object("ball", ball)
    assert manager.in_collision_internal(return_names=True) == (True, {("ball", "sheet")})
    assert manager.min_distance_internal() == 0
    surface = types.SimpleNamespace(vertices=np.array(ball.vertices), faces=np.array(ball.triangles), is_convex=np.bool_(False))
    manager.add_object("ball", surface)  # what the object says of itself counts
    assert manager.in_collision_internal() is False


@pytest.mark.parametrize("seed", range(5))
def test_rounding_does_not_make_a_mesh_concave(seed):
    rng = np.random.default_rng(seed)
    turn = graze.Pose(rng.normal(size=3), rng.normal(size=4))
    for mesh in BOX, graze.make.cylinder(), graze.make.sphere(triangles=168):
        turned = graze.Mesh([turn.apply(v) for v in mesh.vertices], mesh.triangles)
        manager = graze.CollisionManager()
        manager.add_object("around", turned)
        grain = graze.Mesh(BOX.vertices * 1e-2 + turned.vertices.mean(axis=0), BOX.triangles)
        assert manager.in_collision_single(grain) is True
    for mesh in graze.make.chair(), graze.make.torus(triangles=800), graze.make.cloth_sheet():
        assert graze._objects.is_convex(mesh) is False


def test_scenes():
    """What trimesh.collision.scene_to_collision does, for an object like a trimesh.Scene."""
    class Graph(dict):
        nodes_geometry = ["left", "right", "far"]

    graph = Graph(left=(np.eye(4), "cube"), right=(translation(0.75), "cube"), far=(translation(9), "other"))
    scene = types.SimpleNamespace(graph=graph, geometry={"cube": TRIMESH, "other": BOX})
    manager, objects = graze.scene_to_collision(scene)
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "right")})
    assert sorted(objects) == ["far", "left", "right"]


def test_the_signatures_are_those_of_trimesh():
    """Its documentation, version 4: names of arguments, their order and defaults."""
    import inspect

    theirs = {
        "add_object": "name, mesh, transform=None", "remove_object": "name", "set_transform": "name, transform",
        "in_collision_single": "mesh, transform=None, return_names=False, return_data=False",
        "in_collision_internal": "return_names=False, return_data=False",
        "in_collision_other": "other_manager, return_names=False, return_data=False",
        "min_distance_single": "mesh, transform=None, return_name=False, return_data=False",
        "min_distance_internal": "name=None, return_names=False, return_data=False",
        "min_distance_other": "other_manager, return_names=False, return_data=False",
    }
    for method, arguments in theirs.items():
        ours = list(inspect.signature(getattr(graze.CollisionManager, method)).parameters.values())[1:]
        assert ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default}" for p in ours) == arguments
    for data, members in (graze.ContactData, "names normal point depth index"), (graze.DistanceData, "names distance index point"):
        for member in members.split():
            assert hasattr(data, member) or member in ("names", "distance")


def test_distances_from_one_object():
    manager = three()
    manager.add_object("d", TRIMESH, translation(7))
    assert manager.min_distance_internal("d", return_names=True) == (3, ("c", "d"))
    assert manager.min_distance_internal(name="c", return_names=True)[1] == ("b", "c")
    assert manager.min_distance_internal(True)[1] == ("a", "b")  # as older versions of trimesh were called
    assert manager.min_distance_internal(True, True)[2].names == {"a", "b"}
    with pytest.raises(ValueError, match="not in collision manager"):
        manager.min_distance_internal("z")


def test_rotations_in_single_precision_are_taken():
    rng = np.random.default_rng(4)
    manager = three()
    for _ in range(50):
        matrix = graze.Pose(rng.normal(size=3) * 9, rng.normal(size=4)).matrix.astype(np.float32)
        manager.set_transform("a", matrix)
        manager.add_object("e", TRIMESH, matrix.astype(np.float64))


def test_shapes_and_half_spaces():
    manager = graze.CollisionManager()
    manager.add_object("floor", graze.Body(graze.shape.HalfSpace()))
    manager.add_object("ball", graze.shape.Sphere(1), translation(0, 0, 1.5))
    assert manager.in_collision_internal() is False and manager.min_distance_internal() == pytest.approx(0.5, rel=1e-9)
    result = manager.sweep({"ball": translation(5, 0, -1)})
    assert result.names == ("ball", "floor") and result.time.safe == pytest.approx(0.2, abs=1e-4)
    manager.set_transform("ball", translation(0, 0, 0.5))
    hit, contacts = manager.in_collision_internal(return_data=True)
    assert hit and contacts[0].depth == pytest.approx(0.5, rel=1e-5)


def test_sweep():
    manager = three()
    assert manager.sweep({"c": translation(3, 9)}).status == graze.Status.free
    met = manager.sweep({"c": translation(-9)})
    assert met.names == ("b", "c") and [names for names, _ in met.contacts] == [("b", "c"), ("a", "c")]
    assert met.time.safe <= 1.5 / 12 <= met.time.touch + 1e-5
    with pytest.raises(TypeError):
        bool(met)
    both = manager.sweep({"c": translation(-9), "b": translation(0.5, 99), "a": translation(-99)})
    assert both.status == graze.Status.touching_at_start and both.names == ("a", "b")
    assert manager.in_collision_internal(return_names=True) == (True, {("a", "b")})  # nothing was moved
    turn = graze.Velocity.from_speeds(translation(3), [0, 0, 0], [0, 0, 7])
    wide = manager.add_object("d", graze.shape.Box([4, 0.1, 0.1]), translation(3, 9))
    assert manager.sweep({"d": turn}).status != graze.Status.free and wide.has_mesh
    assert manager.sweep({"c": translation(5)}, motion="screw", min_separation=0.5).status == graze.Status.free


def scene(count, seed, solid=None):
    rng = np.random.default_rng(seed)
    meshes = [BOX, graze.make.torus_knot(triangles=720), graze.make.sphere(triangles=168), graze.make.chair()]
    kinds = rng.integers(0, len(meshes), count)
    poses = np.hstack([rng.uniform(-2.5, 2.5, (count, 3)), rng.normal(size=(count, 4))])
    manager = graze.CollisionManager(solid=solid)
    bodies = [graze.Body(mesh) for mesh in meshes]
    for i in range(count):
        manager.add_object(f"{i:03}", bodies[kinds[i]], poses[i])
    return meshes, bodies, kinds, poses, manager


@pytest.mark.parametrize("seed", range(3))
def test_every_pair_by_itself(seed):
    _, bodies, kinds, poses, manager = scene(40, seed, solid=False)
    found, gaps = set(), {}
    for i in range(40):
        for k in range(i + 1, 40):
            pair = f"{i:03}", f"{k:03}"
            if graze.collide(bodies[kinds[i]], poses[i], bodies[kinds[k]], poses[k]).status == graze.Status.contact:
                found.add(pair)
            gaps[pair] = graze.distance(bodies[kinds[i]], poses[i], bodies[kinds[k]], poses[k]).distance
    assert manager.in_collision_internal(return_names=True) == (True, found)
    for i, _ in found:
        if i in manager:
            manager.remove_object(i)
    left = {pair: gap for pair, gap in gaps.items() if all(name in manager for name in pair)}
    assert manager.min_distance_internal(return_names=True) == (min(left.values()), min(left, key=left.get))


@pytest.mark.parametrize("seed", range(3))
def test_beside_fcl(seed):
    program = os.environ.get("GRAZE_FCL_SCENE")
    if not program:
        pytest.skip("FCL is not installed (scripts/setup bench)")
    meshes, _, kinds, poses, manager = scene(60, seed, solid=False)  # theirs are surfaces, too
    lines = []
    for mesh in meshes:
        lines.append(f"mesh {mesh.vertex_count} {mesh.triangle_count}")
        lines += ["%r %r %r" % tuple(row) for row in mesh.vertices.tolist()]
        lines += ["%d %d %d" % tuple(row) for row in mesh.triangles.tolist()]
    for kind, pose in zip(kinds, poses.tolist()):
        lines.append(f"object {kind} " + " ".join(map(repr, pose)))
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    theirs, distances = set(), []
    for line in done.stdout.splitlines():
        i, k, touching, distance = line.split()
        if touching == "1":
            theirs.add((f"{int(i):03}", f"{int(k):03}"))
        distances.append((float(distance), f"{int(i):03}", f"{int(k):03}"))
    _, ours = manager.in_collision_internal(return_names=True)
    # In this scene no pair is nearer than rounding decides, so both must agree.
    assert ours == theirs and len(ours) > 10
    for names in ours:
        if names[0] in manager:
            manager.remove_object(names[0])
    nearest = min(d for d in distances if d[1] in manager and d[2] in manager)
    distance, names = manager.min_distance_internal(return_names=True)
    assert names == nearest[1:] and distance == pytest.approx(nearest[0], rel=1e-6)
