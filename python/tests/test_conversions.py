# SPDX-License-Identifier: MIT
"""What numpy would convert without a word is refused: large whole numbers in lists, booleans, masked entries; and objects
that were never initialised."""
import pickle

import graze
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

BOX = graze.Body(graze.make.box())
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
LARGE = 2**53 + 1  # the first whole number that no double is


@pytest.mark.parametrize(
    "values",
    [
        [[LARGE, 0, 0.5], [1, 0, 0], [0, 1, 0]],
        [[LARGE, 0, 0], [1, 0, 0], [0, 1, 0]],
        [(-LARGE, 0.5, 0), (1, 0, 0), (0, 1, 0)],
        [[10**400, 0, 0.5], [1, 0, 0], [0, 1, 0]],
        [[2**64 + 1, 0, 0.5], [1, 0, 0], [0, 1, 0]],
        [np.array([LARGE, 0, 0]), [1, 0, 0.5], [0, 1, 0]],
        [[np.int64(LARGE), 0.5, 0], [1, 0, 0], [0, 1, 0]],
        [[np.longdouble(1) + np.longdouble(2) ** -60, 0, 0], [1, 0, 0], [0, 1, 0]],
        np.array([[LARGE, 0, 0], [1, 0, 0], [0, 1, 0]]),
        np.array([[2**63 + 1, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.uint64),
    ],
)
def test_numbers_that_no_double_is_are_refused(values):
    with pytest.raises((graze.Error, TypeError)) as caught:
        graze.Mesh(values, [[0, 1, 2]])
    if isinstance(caught.value, graze.Error):
        assert caught.value.code == graze.ErrorCode.too_large


@pytest.mark.parametrize("large", [2**53, 2**60, -(2**62), 2**1000])
def test_large_numbers_that_are_doubles_are_kept(large):
    mesh = graze.Mesh([[large, 0, 0.5], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert int(mesh.vertices[0, 0]) == large


@given(st.lists(st.one_of(st.integers(-(2**70), 2**70), st.floats(-1e300, 1e300)), min_size=3, max_size=3))
def test_what_goes_in_is_what_is_there(point):
    try:
        mesh = graze.Mesh([point, [1, 0.5, 0], [0, 1, 0]], [[0, 1, 2]])
    except graze.Error as error:
        assert error.code == graze.ErrorCode.too_large
        assert any(isinstance(x, int) and int(float(x)) != x for x in point)
    else:
        assert [a == b for a, b in zip(mesh.vertices[0].tolist(), point)] == [True] * 3


@pytest.mark.parametrize(
    "ask",
    [
        lambda: graze.Mesh([[True, 0, 0.5], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
        lambda: graze.Mesh([[True, False, True], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
        lambda: graze.Mesh([[np.True_, 0.5, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
        lambda: graze.Mesh([np.array([True, False, True]), [1, 0, 0.5], [0, 1, 0]], [[0, 1, 2]]),
        lambda: graze.Mesh(np.ones((3, 3), dtype=bool), [[0, 1, 2]]),
        lambda: graze.Mesh(CORNERS, [[False, True, 2]]),
        lambda: graze.Mesh(CORNERS, np.array([[False, True, True]])),
        lambda: graze.Mesh(CORNERS, [np.array([0.0, 1.0, 2.0])]),
        lambda: graze.Pose([True, 0, 0]),
        lambda: graze.Pose([0, 0, 0], [True, 0, 0, 0.5]),
        lambda: graze.collide(BOX, [0, 0, 0, True, 0, 0, 0.5], BOX, None),
        lambda: graze.contains(BOX, None, (0.5, True, 0)),
        lambda: graze.contains_many(BOX, None, [[0.5, True, 0]]),
    ],
)
def test_booleans_are_refused(ask):
    with pytest.raises(TypeError, match="bool|whole"):
        ask()


@pytest.mark.parametrize(
    "ask",
    [
        lambda masked: graze.Mesh(masked(np.array(CORNERS, dtype=float)), [[0, 1, 2]]),
        lambda masked: graze.Mesh(CORNERS, masked(np.array([[0, 1, 2]]))),
        lambda masked: graze.Mesh([masked(np.zeros(3)), [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
        lambda masked: graze.Pose(masked(np.zeros(3))),
        lambda masked: graze.collide(BOX, masked(np.eye(4)), BOX, None),
        lambda masked: graze.collide(BOX, masked(np.array([0.0, 0, 0, 1, 0, 0, 0])), BOX, None),
        lambda masked: graze.collide_many(BOX, masked(np.tile([0.0, 0, 0, 1, 0, 0, 0], (3, 1))), BOX, None),
        lambda masked: BOX.deformed(masked(np.array(BOX.mesh.vertices))),
        lambda masked: graze.Deformable(BOX.mesh).set_positions(masked(np.array(BOX.mesh.vertices))),
    ],
)
def test_masked_entries_are_refused(ask):
    def with_a_mask(array):
        mask = np.zeros(array.shape, dtype=bool)
        mask.flat[0] = True
        return np.ma.MaskedArray(array, mask)

    with pytest.raises(TypeError, match="masked"):
        ask(with_a_mask)
    ask(lambda array: np.ma.MaskedArray(array, False))  # nothing is masked: an array as any other


def test_masked_faces_of_another_package():
    class Scan:
        vertices, faces = CORNERS, np.ma.MaskedArray([[0, 1, 2]], [[True, False, False]])

    with pytest.raises(TypeError, match="masked"):
        graze.Body(Scan)


def classes():
    for module in (graze, graze.shape):
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, type) and type(thing).__name__ == "pybind11_type":
                yield thing


@pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.__name__)
def test_what_was_never_initialised_is_refused(kind):
    thing = kind.__new__(kind)
    for name, member in vars(kind).items():
        if name.startswith("__") and name not in ("__repr__", "__len__", "__hash__", "__bool__"):
            continue
        with pytest.raises(TypeError):
            if isinstance(member, property):
                getattr(thing, name)
            else:
                getattr(thing, name)()
    if kind is graze.Body:
        for ask in (
            lambda: graze.collide(thing, None, BOX, None),
            lambda: graze.Body(thing),
            lambda: pickle.dumps(thing),
            lambda: graze.compound([thing]),
        ):
            with pytest.raises(TypeError):
                ask()
    del thing
