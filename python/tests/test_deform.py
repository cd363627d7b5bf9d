# SPDX-License-Identifier: MIT
"""Deforming meshes: steps, line searches, proximity, filters, scenes; beside closed forms and in every layout."""
import gc
import weakref

import graze
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

X0 = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
FACES = [[0, 1, 2], [3, 4, 5]]
DOWN = np.vstack([X0[:3] - [0, 0, 2], X0[3:]])  # the first triangle falls through the second
STATUS = graze.Status


def two_triangles():
    return graze.Deformable(graze.Mesh(X0, FACES))


def test_a_step():
    mesh = two_triangles()
    ways = mesh.contacts(DOWN)
    assert ways.status == STATUS.contact and ways.time.safe <= 0.5 <= ways.time.touch + 1e-9
    rows = ways.contacts
    assert rows.dtype.names == ("kind", "vertices", "time", "gap", "at_start") and not rows.flags.writeable
    assert (rows["kind"] <= graze.ElementaryKind.vertex_vertex).all() and (rows["time"]["safe"] <= 0.5).all()
    assert np.array_equal(mesh.positions, X0)  # nothing moved
    assert np.array_equal(mesh.step(DOWN).contacts, rows) and np.array_equal(mesh.positions, DOWN)
    assert sum(ways.counters.values()) > 0 and ways.seconds["total"] >= 0
    del ways
    gc.collect()
    assert rows["gap"].shape == (len(rows),)  # the array keeps the result
    with pytest.raises(TypeError):
        bool(mesh.contacts(X0))


@given(st.floats(0.01, 3), st.floats(0, 0.9))
def test_step_size_of_a_falling_triangle(height, slack):
    x0 = X0 * [1, 1, height]
    mesh = graze.Deformable(graze.Mesh(x0, FACES))
    size = mesh.step_size(np.vstack([x0[:3] - [0, 0, 2 * height], x0[3:]]), slack=slack)
    assert size.status == STATUS.contact
    assert abs(size.step - 0.5 * (1 - slack)) < 1e-6 and size.time.safe <= 0.5 <= size.time.touch + 1e-9
    assert size.first["vertices"].shape == (4,) and size.first["kind"] in list(graze.ElementaryKind)
    free = mesh.step_size(x0 + [0.5, 0, 0])
    assert free.status == STATUS.free and free.step == 1 and free.first is None and free.time.touch is None


LAYOUTS = {
    "rows": lambda x: np.ascontiguousarray(x),
    "columns": lambda x: np.asfortranarray(x),
    "part of wider rows": lambda x: np.hstack([x, x])[:, :3],
    "every other row": lambda x: np.repeat(x, 2, axis=0)[::2],
    "backwards": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "other byte order": lambda x: x.astype(">f8"),
    "read-only": lambda x: np.frombuffer(np.ascontiguousarray(x).tobytes()).reshape(-1, 3),
    "list": lambda x: x.tolist(),
    "floats": lambda x: x.astype(np.float32),
    "floats in columns": lambda x: np.asfortranarray(x.astype(np.float32)),
    "half": lambda x: x.astype(np.float16),
    "whole": lambda x: x.astype(np.int32),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_positions_of_every_layout(layout):
    given_x0, given_x1 = LAYOUTS[layout](X0), LAYOUTS[layout](DOWN)
    mesh, plain = graze.Deformable(graze.Mesh(X0 + 5, FACES)), two_triangles()
    mesh.set_positions(given_x0)
    assert np.array_equal(mesh.positions, X0)
    assert np.array_equal(mesh.contacts(given_x1).contacts, plain.contacts(DOWN).contacts)
    assert np.array_equal(mesh.near(1.0, given_x0).pairs, plain.near(1.0).pairs)
    assert mesh.step_size(given_x1).step == plain.step_size(DOWN).step


def test_broadcast_positions_and_wrong_ones():
    mesh = two_triangles()
    flat = np.broadcast_to(np.array([1.0, 2.0, 3.0]), (6, 3))
    mesh.set_positions(flat)
    assert np.array_equal(mesh.positions, flat)
    for wrong in (X0[:5], X0 * np.nan, np.zeros((6, 2)), np.zeros(18), "x", None, np.zeros((0, 3))):
        with pytest.raises((graze.Error, TypeError)):
            mesh.set_positions(wrong)
        with pytest.raises((graze.Error, TypeError)):
            mesh.step(wrong)
    assert np.array_equal(mesh.positions, flat)


def test_near_and_its_derivatives():
    """The squared distance by finite differences, and the closest points by the weights."""
    rng = np.random.default_rng(5)
    x = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 0.25], [1, 1, 3], [1.5, 1, 3]]) + rng.normal(0, 0.01, (6, 3))
    mesh = graze.Deformable(graze.Mesh(x, FACES))
    result = mesh.near(0.5)
    pairs = result.pairs
    assert result.status == STATUS.contact and len(pairs) == 1
    assert pairs["kind"][0] == graze.ElementaryKind.vertex_face and pairs["vertices"][0, 0] == 3
    between = np.einsum("ni,nik->nk", graze.signed_weights(pairs), x[pairs["vertices"]])
    assert np.allclose(np.linalg.norm(between, axis=1), pairs["distance"])
    d = graze.squared_distances(pairs, x, hessians=True)
    assert d.gradients.shape == (1, 12) and d.hessians.shape == (1, 12, 12)
    assert np.allclose(d.values, pairs["distance"] ** 2)
    h = 1e-5
    for k in range(12):
        up, down = x.copy(), x.copy()
        up[pairs["vertices"][0, k // 3], k % 3] += h
        down[pairs["vertices"][0, k // 3], k % 3] -= h
        slope = graze.squared_distances(pairs, up).values - graze.squared_distances(pairs, down).values
        assert abs(slope[0] / (2 * h) - d.gradients[0, k]) < 1e-6
        bend = graze.squared_distances(pairs, up).gradients - graze.squared_distances(pairs, down).gradients
        assert np.allclose(bend[0] / (2 * h), d.hessians[0, k], atol=1e-5)
    without = graze.squared_distances(pairs, x, gradients=False)
    assert without.gradients is None and without.hessians is None
    assert mesh.near(0.1).status == STATUS.free and len(mesh.near(0.1).pairs) == 0
    one = graze.edge_mollifiers(pairs, x, x)
    assert one.values.tolist() == [1] and not one.gradients.any()


def test_rows_that_the_caller_changed():
    mesh = graze.Deformable(graze.Mesh(X0, FACES))
    pairs = mesh.near(1.5).pairs
    assert len(pairs) == 3
    some = pairs[1:]
    assert len(some) == 2 and len(graze.squared_distances(some, X0).values) == len(some)
    bad = pairs.copy()
    bad["vertices"][0] = 77
    for wrong in (bad, pairs["distance"], np.zeros(3), [1, 2], None):
        with pytest.raises((graze.Error, TypeError)):
            graze.squared_distances(wrong, X0)
    bad = pairs.copy()
    bad["kind"][1] = 9
    with pytest.raises(graze.Error) as caught:
        graze.squared_distances(bad, X0)
    assert caught.value.id == 1


def test_details_and_bodies():
    mesh = two_triangles()
    result = mesh.contacts(DOWN)
    details = graze.DeformContactDetails(graze.Mesh(X0, FACES))
    rows = details.find(X0, DOWN, result.contacts, ends=True)
    assert len(rows) == len(result.contacts) and (rows["bodies"] <= 1).all()
    assert np.allclose(np.linalg.norm(rows["normal"], axis=1)[np.any(rows["normal"], axis=1)], 1)
    assert np.allclose(rows["a"], rows["b"], atol=1e-6) and (rows["apart_after"] >= rows["present_until"]).all()
    [pair] = graze.by_bodies(result, graze.Mesh(X0, FACES))
    assert (pair.a, pair.b, len(pair.contacts)) == (0, 1, len(result.contacts))
    assert graze.vertex_bodies(graze.Mesh(X0, FACES)).tolist() == [0, 0, 0, 1, 1, 1]


def test_filters():
    mesh = two_triangles()
    for open_, filter_ in [
        (True, graze.DeformFilter()),
        (False, graze.DeformFilter(bodies=[0, 0, 0, 1, 1, 1], off=[(1, 0)])),
        (False, graze.DeformFilter(bodies=np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8), settings=[graze.DeformBody(mask=1), graze.DeformBody(group=2)])),
        (False, graze.DeformFilter(fixed=range(6))),
        (True, graze.DeformFilter(fixed=[0, 1, 2])),
        (False, graze.DeformFilter(may_touch=lambda a, b: False)),
        (True, graze.DeformFilter(may_touch=lambda a, b: a < b)),
        (True, None),
    ]:
        mesh.set_filter(filter_)
        assert mesh.contacts(DOWN).status == (STATUS.contact if open_ else STATUS.free), filter_
    for wrong in (graze.DeformFilter(bodies=[0]), graze.DeformFilter(fixed=[99]), graze.DeformFilter(fixed=[-1]),
                  graze.DeformFilter(bodies=[0.5] * 6), graze.DeformFilter(may_touch=3), 7):
        with pytest.raises((graze.Error, TypeError)):
            mesh.set_filter(wrong)
    assert mesh.contacts(DOWN).status == STATUS.contact  # the one before stays


def test_a_filter_that_raises():
    mesh = two_triangles()

    def raises(a, b):
        raise RuntimeError(f"vertices {a < b}")

    mesh.set_filter(graze.DeformFilter(may_touch=raises))
    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="vertices True"):
            mesh.contacts(DOWN, threads=threads)
    mesh.set_filter(graze.DeformFilter(may_touch=lambda a, b: mesh.positions is None))
    with pytest.raises(graze.Error, match="filter"):  # it would wait for itself
        mesh.contacts(DOWN)
    mesh.set_filter(None)
    assert mesh.contacts(DOWN).status == STATUS.contact


def test_a_filter_that_refers_to_its_mesh_is_collected():
    mesh = two_triangles()
    mesh.set_filter(graze.DeformFilter(may_touch=lambda a, b, me=mesh: True))
    alive = weakref.ref(mesh)
    del mesh
    gc.collect()
    assert alive() is None


def test_replace():
    mesh = two_triangles()
    mesh.replace(graze.Mesh(X0[:3], FACES[:1]))
    assert mesh.positions.shape == (3, 3) and mesh.mesh.triangle_count == 1
    mesh.replace(graze.Mesh(X0, FACES), graze.DeformFilter(fixed=[3, 4, 5]))
    assert mesh.contacts(DOWN).status == STATUS.contact
    with pytest.raises(graze.Error):
        mesh.replace(graze.Mesh(X0[:3], FACES[:1]))  # the filter does not fit it
    assert len(mesh.positions) == 6


def test_limits():
    sheet = graze.make.cloth_sheet(triangles=2000)
    mesh = graze.Deformable(sheet)
    crumpled = np.random.default_rng(1).normal(0, 0.2, sheet.vertices.shape)
    assert mesh.contacts(crumpled, budget=0).status == STATUS.undecided
    assert mesh.step_size(crumpled, work=1).status == STATUS.undecided
    source = graze.CancelSource()
    source.cancel()
    assert mesh.near(0.1, cancel=source).status == STATUS.undecided
    with pytest.raises(graze.Error):
        mesh.contacts(crumpled, min_separation=-1)


def test_proofs():
    mesh = graze.Mesh(X0, FACES)
    near = np.vstack([X0[:3] - [0, 0, 0.9], X0[3:]])
    proof = graze.prove_step(mesh, X0, near)
    assert graze.verify_step(proof, mesh, X0, near).verified
    assert not graze.verify_step(proof, mesh, X0, DOWN).verified
    assert graze.prove_step(mesh, X0, DOWN) is None
    half = graze.prove_step(mesh, X0, DOWN, until=0.49)
    assert graze.verify_step(half, mesh, X0, DOWN, until=0.49).verified
    assert not graze.verify_step(half, mesh, X0, DOWN).verified


def test_a_scene():
    scene = graze.DeformScene()
    flat = scene.add_deforming(graze.Mesh(X0[:3], FACES[:1]))
    ball = scene.add_rigid(graze.Body(graze.shape.Sphere(0.5)), graze.Pose([0.2, 0.2, 0]))
    scene.move(flat, X0[:3] - [0, 0, 2])
    result = scene.contacts()  # the plane z = 1 - 2 t meets the ball at z = 0.5
    assert result.status == STATUS.contact and abs(result.time.safe - 0.25) < 1e-4
    assert {result.contacts["a"][0], result.contacts["b"][0]} == {flat, ball} and result.contacts["contact"]["gap"][0] < 1e-4
    size = scene.step_size(slack=0)
    assert abs(size.step - 0.25) < 1e-4 and size.status == STATUS.contact and size.first is not None
    scene.move(ball, graze.Velocity(graze.Pose([0.2, 0.2, 0]), graze.Pose([0.2, 0.2, -9])))
    assert scene.contacts().status == STATUS.free
    scene.move(flat, np.stack([X0[:3] + [0, 0, 1], X0[:3]]))  # a curve: up and back
    assert scene.step().status == STATUS.free and np.array_equal(scene.positions(flat), X0[:3])
    assert len(scene) == 2
    for wrong in (lambda: scene.move(7, X0[:3]), lambda: scene.move(flat, X0), lambda: scene.positions(ball),
                  lambda: scene.set_positions(ball, X0[:3]), lambda: scene.move(flat, graze.Still())):
        with pytest.raises((graze.Error, TypeError)):
            wrong()


def test_a_line_search():
    """A user's loop: gradient descent with a barrier, and a line search below the certified step. Nothing ever crosses."""
    sheet = graze.make.cloth_sheet(triangles=200)
    floor = np.array([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], dtype=float)
    n = len(sheet.vertices)
    x = np.vstack([sheet.vertices * [1, 1, 0.2] + [0, 0, 0.5], floor])
    mesh = graze.Deformable(graze.Mesh(x, np.vstack([sheet.triangles, [[n, n + 1, n + 2]]])))
    mesh.set_filter(graze.DeformFilter(fixed=[n, n + 1, n + 2]))
    reach = 0.1
    free = np.ones((n + 3, 1))
    free[n:] = 0

    def energy(at):
        pairs = mesh.near(reach, at).pairs
        d = graze.squared_distances(pairs, at, gradients=False).values
        return at[:n, 2].sum() - 0.1 * np.log(d / reach**2).sum()

    def gradient(at):
        pairs = mesh.near(reach, at).pairs
        d = graze.squared_distances(pairs, at)
        g = np.zeros_like(at)
        g[:n, 2] = 1
        scaled = (-0.1 / d.values)[:, None] * d.gradients
        np.add.at(g, pairs["vertices"], scaled.reshape(-1, 4, 3))
        return g * free

    before = energy(x)
    for _ in range(8):
        mesh.set_positions(x)
        towards = x - 0.1 * gradient(x)
        step = mesh.step_size(towards).step
        start = energy(x)
        while step > 1e-9 and energy(x + step * (towards - x)) > start:
            step /= 2
        way = mesh.contacts(x + step * (towards - x))
        assert way.status == STATUS.free
        x = x + step * (towards - x)
    assert energy(x) < before and x[:n, 2].min() > 0
