# SPDX-License-Identifier: MIT
"""Meshes from arrays, files and other packages' objects: nothing is truncated, nothing is guessed."""
import copy
import pickle
import types

import graze
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

VERTICES = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i2", ">i4", ">u8"]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", ">f8", "int64", "uint8", "longdouble"])
def test_vertices_of_every_type_are_exact(dtype):
    mesh = graze.Mesh(np.array(VERTICES, dtype=dtype), FACES)
    assert mesh.vertices.dtype == np.float64
    assert (mesh.vertices == VERTICES).all()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_faces_of_every_integer_type(dtype):
    assert (graze.Mesh(VERTICES, np.array(FACES, dtype=dtype)).triangles == FACES).all()


def unaligned(a):
    room = np.zeros(a.nbytes + 1, dtype=np.uint8)
    there = np.ndarray(a.shape, a.dtype, room.data, offset=1)
    there[:] = a
    return there


@pytest.mark.parametrize("dtype", [float, np.float32, np.int64])
@pytest.mark.parametrize("make", [
    np.asfortranarray, lambda a: np.repeat(a, 2, axis=0)[::2], lambda a: a[::-1][::-1], lambda a: a[:, ::-1][:, ::-1], unaligned,
    lambda a: a.astype(a.dtype.newbyteorder()), lambda a: np.ma.MaskedArray(a)])
def test_every_layout(make, dtype):
    vertices, faces = np.array(VERTICES, dtype=dtype), np.array(FACES)
    mesh = graze.Mesh(make(vertices), make(faces))
    assert (mesh.vertices == VERTICES).all() and (mesh.triangles == FACES).all()


@pytest.mark.parametrize("faces", [[[0, 1, 2.0]], [[0.5, 1, 2]], np.array(FACES, dtype=float), [[True, False, True]], [["a"] * 3]])
def test_faces_that_are_no_integers_are_refused(faces):
    with pytest.raises(TypeError, match="whole numbers|not bool"):
        graze.Mesh(VERTICES, faces)


def test_a_corner_that_is_larger_than_any_signed_number_is_named_as_it_is():
    """It was called -1."""
    with pytest.raises(graze.Error, match=f"corner {2**64 - 1};"):
        graze.Mesh(VERTICES, np.array([[0, 1, 2**64 - 1]], np.uint64))


@pytest.mark.parametrize("corner", [-1, 4, 2**31, 2**32, 2**32 + 1, 2**63 - 1, -(2**63)])
def test_corners_outside_are_refused_and_never_wrap(corner):
    for faces in (np.array([[0, 1, 2], [0, 1, corner]]), [[0, 1, 2], [0, 1, corner]], [[0, 1, 2], [0, 1, 2, corner]]):
        with pytest.raises(graze.Error) as caught:
            graze.Mesh(VERTICES, faces)
        assert caught.value.code == graze.ErrorCode.index_out_of_range
        assert (caught.value.element, caught.value.id) == ("polygon", 1)


def test_numbers_that_a_double_cannot_hold_are_refused():
    with pytest.raises(graze.Error, match="cannot hold exactly"):
        graze.Mesh(np.array([[2**53 + 1, 0, 0], [1, 0, 0], [0, 1, 0]]), [[0, 1, 2]])
    with pytest.raises(graze.Error, match="cannot hold exactly"):
        graze.Mesh(np.array([[np.longdouble(1) / 3, 0, 0], [1, 0, 0], [0, 1, 0]]), [[0, 1, 2]])
    assert graze.Mesh(np.array([[2**53, 0, 0], [1, 0, 0], [0, 1, 0]]), [[0, 1, 2]]).vertices[0, 0] == 2.0**53


@pytest.mark.parametrize("vertices", [np.zeros((3, 3), dtype=complex), np.zeros((3, 3), dtype=bool), [["a", "b", "c"]], "abc"])
def test_vertices_that_are_no_numbers_are_refused(vertices):
    with pytest.raises(TypeError):
        graze.Mesh(vertices, [[0, 1, 2]])


@pytest.mark.parametrize("shape", [(4, 2), (4, 4), (12,), (2, 2, 3)])
def test_vertices_of_a_wrong_shape_are_refused(shape):
    with pytest.raises(graze.Error, match="N x 3"):
        graze.Mesh(np.zeros(shape), FACES)


def test_not_finite_names_the_vertex():
    vertices = np.array(VERTICES, dtype=float)
    vertices[2, 1] = np.nan
    with pytest.raises(graze.Error) as caught:
        graze.Mesh(vertices, FACES)
    error = caught.value
    assert (error.code, error.element, error.id) == (graze.ErrorCode.not_finite, "vertex", 2)
    assert error.message in str(error) and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.id, str(again)) == (error.code, 2, str(error))


@pytest.mark.parametrize("faces", [[], np.zeros((0, 3), dtype=int), np.zeros((0, 3))])
def test_no_faces(faces):
    with pytest.raises(graze.Error) as caught:
        graze.Mesh(VERTICES, faces)
    assert caught.value.code == graze.ErrorCode.empty_mesh


def test_polygons():
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 2, 2]]
    mesh = graze.Mesh(square, [[0, 1, 2, 3]])
    assert (mesh.polygon_count, mesh.triangle_count, mesh.polygon(0)) == (1, 2, (0, 1, 2, 3))
    mesh = graze.Mesh(square, [[0, 1, 2, 3], [0, 1, 4]])
    assert [mesh.polygon(i) for i in range(2)] == [(0, 1, 2, 3), (0, 1, 4)]
    assert [mesh.polygon_of(i) for i in range(3)] == [0, 0, 1]
    with pytest.raises(IndexError):
        mesh.polygon(2)
    with pytest.raises(graze.Error):
        graze.Mesh(square, [[0, 1, 2], [0, 1]])


def test_views_are_read_only_and_outlive_the_mesh():
    mesh = graze.Mesh(VERTICES, FACES)
    vertices, triangles = mesh.vertices, mesh.triangles
    assert vertices.__array_interface__["data"] == mesh.vertices.__array_interface__["data"]  # no copy
    for array in (vertices, triangles):
        with pytest.raises(ValueError):
            array[0, 0] = 5
    del mesh
    assert (vertices == VERTICES).all() and (triangles == FACES).all()


def test_the_mesh_does_not_follow_the_array():
    vertices, faces = np.array(VERTICES, dtype=float), np.array(FACES, dtype=np.uint32)
    read_only = vertices[:]
    read_only.setflags(write=False)  # but its owner can be written to
    for given in vertices, read_only:
        mesh = graze.Mesh(given, faces)
        assert not np.shares_memory(mesh.vertices, vertices) and not np.shares_memory(mesh.triangles, faces)
    vertices[:] = 7
    faces[:] = 0
    assert (mesh.vertices == VERTICES).all() and (mesh.triangles == FACES).all()


def constant(values, dtype):
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def same_memory(a, b):
    return a.__array_interface__["data"][0] == b.__array_interface__["data"][0]


@pytest.mark.parametrize("faces", ["uint32", "int32", "int64", "uint8"])
def test_arrays_that_nobody_can_write_to_are_used_where_they_are(faces):
    vertices, faces = constant(VERTICES, float), constant(FACES, faces)
    mesh = graze.Mesh(vertices, faces)
    assert same_memory(mesh.vertices, vertices) and same_memory(mesh.triangles, faces) == (faces.itemsize == 4)
    assert (mesh.vertices == VERTICES).all() and (mesh.triangles == FACES).all()
    assert mesh.polygon_count == 4 and [mesh.polygon(i) for i in range(4)] == [tuple(f) for f in FACES]
    again = graze.Mesh(mesh.vertices, mesh.triangles)  # the engine's own
    assert same_memory(again.vertices, vertices)
    part = graze.Mesh(np.frombuffer(np.array(VERTICES, dtype=float).tobytes()).reshape(-1, 3)[:3], [[0, 1, 2]])
    assert part.vertex_count == 3
    body = graze.Body(mesh)
    assert same_memory(body.mesh.vertices, vertices) and graze.classify(mesh).closed
    assert (pickle.loads(pickle.dumps(body)).mesh.triangles == FACES).all()
    assert graze.collide(body, None, graze.Body(graze.Mesh(VERTICES, FACES)), None).status == graze.Status.contact
    assert not same_memory(graze.Mesh(vertices, faces, copy=True).vertices, vertices)
    del mesh, again, body
    assert (vertices == VERTICES).all()


def test_no_copy_on_demand():
    vertices, faces = np.array(VERTICES, dtype=float), np.array(FACES, dtype=np.int32)
    mesh = graze.Mesh(vertices, faces, copy=False)
    assert same_memory(mesh.vertices, vertices) and same_memory(mesh.triangles, faces)
    for array in (vertices, faces):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1  # which would make answers wrong
    other = graze.Mesh(like(vertices=np.array(VERTICES, dtype=float), faces=faces), copy=False)
    assert same_memory(other.triangles, faces)
    for bad in (
        lambda: graze.Mesh(np.array(VERTICES, dtype=np.float32), faces, copy=False),
        lambda: graze.Mesh(np.array(VERTICES, dtype=float, order="F"), faces, copy=False),
        lambda: graze.Mesh(VERTICES, faces, copy=False),
        lambda: graze.Mesh(vertices, np.array(FACES), copy=False),
        lambda: graze.Mesh(vertices, FACES, copy=False),
        lambda: graze.Mesh(vertices, np.array([[0, 1, 2, 3]], dtype=np.int32), copy=False),
    ):
        with pytest.raises(graze.Error, match="copy=False"):
            bad()
    with pytest.raises(TypeError):
        graze.Mesh(vertices, faces, copy="no")


@pytest.mark.parametrize("corner", [-1, 4, 2**31 - 1])
def test_shared_corners_are_checked(corner):
    faces = constant([[0, 1, 2], [0, 1, corner]], np.int32)
    with pytest.raises(graze.Error) as caught:
        graze.Mesh(constant(VERTICES, float), faces)
    assert (caught.value.code, caught.value.element, caught.value.id) == (graze.ErrorCode.index_out_of_range, "polygon", 1)
    bad = constant([[0, 0, 0], [1, 0, np.inf], [0, 1, 0]], float)
    with pytest.raises(graze.Error) as caught:
        graze.Mesh(bad, constant([[0, 1, 2]], np.uint32))
    assert (caught.value.code, caught.value.id) == (graze.ErrorCode.not_finite, 1)


def like(**attributes):
    return types.SimpleNamespace(**attributes)


def test_objects_of_other_packages():
    block = lambda kind, data: like(type=kind, data=np.array(data))
    counted = np.concatenate([[3, *face] for face in FACES])
    for other in (
        like(vertices=np.array(VERTICES), faces=np.array(FACES)),  # trimesh
        like(vertices=[tuple(v) for v in VERTICES], triangles=np.array(FACES, dtype=np.int32)),  # Open3D
        like(points=np.array(VERTICES), cells=[block("triangle", FACES)], cells_dict={}),  # meshio
        like(points=np.array(VERTICES), cells=[block("triangle", FACES[:1]), block("triangle", FACES[1:]), block("line", [[0, 1]])], cells_dict={}),
        like(points=np.array(VERTICES, dtype=np.float32), faces=counted),  # PyVista
    ):
        assert (graze.Mesh(other).triangles == FACES).all()
        assert repr(graze.Body(other)) == "Body(4 triangles)"
    mixed = like(points=np.zeros((5, 3)), faces=np.array([3, 0, 1, 2, 4, 0, 1, 2, 3]))
    assert [graze.Mesh(mixed).polygon(i) for i in range(2)] == [(0, 1, 2), (0, 1, 2, 3)]
    with pytest.raises(ValueError, match="cut short"):
        graze.Mesh(like(points=np.zeros((5, 3)), faces=np.array([3, 0, 1, 2, 4, 0])))
    with pytest.raises(TypeError, match="tetra"):
        graze.Mesh(like(points=np.zeros((5, 3)), cells=[block("tetra", [[0, 1, 2, 3]])], cells_dict={}))
    with pytest.raises(TypeError, match="extract_surface"):
        graze.Mesh(like(points=np.zeros((4, 3)), cells=np.array([4, 0, 1, 2, 3]), cells_dict={10: np.array([[0, 1, 2, 3]])}))
    with pytest.raises(TypeError, match="vertices and faces"):
        graze.Mesh(like(x=1))
    with pytest.raises(TypeError):
        graze.Body("a.obj")


def test_files(tmp_path):
    mesh = graze.make.torus_knot(triangles=2880)
    for name in ("a.obj", "b.ply", "c.off", "d.stl", "e.obj.gz"):
        graze.save_mesh(mesh, tmp_path / name)
        again = graze.load_mesh(str(tmp_path / name))
        assert again.triangle_count == 2880
    assert (graze.load_mesh(tmp_path / "a.obj").vertices == mesh.vertices).all()
    graze.save_mesh(mesh, tmp_path / "f", format="ply", encoding=graze.Encoding.binary_little_endian)
    assert (graze.load_mesh(tmp_path / "f", graze.MeshFormat.ply).vertices == mesh.vertices).all()
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    with pytest.raises(graze.Error) as caught:
        graze.load_mesh(tmp_path / "bad.obj")
    assert (caught.value.line, caught.value.file) == (4, str(tmp_path / "bad.obj"))
    with pytest.raises(graze.Error) as caught:
        graze.load_mesh(tmp_path / "none.obj")
    assert caught.value.code == graze.ErrorCode.file_not_found
    text = b"g left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    assert graze.parse_mesh(text, graze.MeshFormat.obj).groups == [("", "left")]


def test_pickle_keeps_everything():
    mesh = graze.parse_mesh(b"o a\ng b\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nf 1 2 3 4\n", "obj")
    again = pickle.loads(pickle.dumps(mesh))
    assert again.groups == mesh.groups == [("a", "b")] and (again.group_of_polygon == [0]).all()
    assert (again.vertices == mesh.vertices).all() and again.polygon(0) == mesh.polygon(0)
    assert copy.deepcopy(mesh).polygon_count == 1


def test_classify_and_weld():
    c = graze.classify(graze.make.box())
    assert c.closed and c.convex and c.volume_sign == 1 and (c.component_of == 0).all()
    assert not graze.classify(graze.Mesh(VERTICES, FACES[:3])).closed
    assert graze.weld(graze.Mesh(VERTICES + VERTICES[:1], [[4, 1, 2]])).polygon(0) == (0, 1, 2)


@given(st.lists(st.lists(st.integers(0, 7), min_size=3, max_size=6), min_size=1, max_size=8))
def test_any_polygons_round_trip(polygons):
    mesh = graze.Mesh(np.random.default_rng(1).random((8, 3)), polygons)
    assert [list(mesh.polygon(i)) for i in range(mesh.polygon_count)] == polygons
