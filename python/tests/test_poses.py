# SPDX-License-Identifier: MIT
"""Every way to write a pose is the same pose, and what is no rigid pose is refused."""
import pickle

import graze
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

finite = st.floats(-1e6, 1e6)


class Rotation:
    """What SciPy's Rotation gives: x y z w."""

    def __init__(self, wxyz):
        self.wxyz = np.asarray(wxyz, dtype=float)

    def as_quat(self):
        return np.roll(self.wxyz, -1, axis=-1)


def test_every_form():
    t, q = [1, 2, 3], [0.5, 0.5, 0.5, 0.5]
    matrix = [[0, 0, 1, 1], [1, 0, 0, 2], [0, 1, 0, 3], [0, 0, 0, 1]]
    same = graze.Pose(t, q)
    point = [0.25, -1, 4]
    for form in (same, (t, q), [t, q], (np.array(t), np.array(q)), [*t, *q], np.array([*t, *q], dtype=np.float32), (t, Rotation(q)),
                 matrix, np.array(matrix), np.array(matrix, dtype=np.float32), np.asfortranarray(matrix)):
        pose = graze.Pose(form)
        assert (pose.translation == t).all()
        np.testing.assert_allclose(np.abs(pose.rotation), q, atol=1e-15)
        np.testing.assert_allclose(pose.apply(point), same.apply(point), atol=1e-14)
    assert (graze.Pose(Rotation(q)).rotation == q).all()
    assert graze.Pose() == graze.Pose(None) == graze.Pose([0, 0, 0]) == graze.Pose((None, None))
    np.testing.assert_allclose(same.matrix, matrix, atol=1e-15)
    assert eval(repr(same), {"Pose": graze.Pose}) == same  # pylint: disable=eval-used
    assert pickle.loads(pickle.dumps(same)) == same and hash(same) == hash(graze.Pose(t, q))


@pytest.mark.parametrize("change", [
    lambda m: m * 2, lambda m: m @ np.diag([1, 1, -1, 1]), lambda m: m + np.eye(4)[[3, 0, 1, 2]] * 1e-3,
    lambda m: np.where(np.arange(16).reshape(4, 4) == 12, 0.5, m), lambda m: m * np.nan, lambda m: np.zeros((4, 4)),
    lambda m: m @ np.diag([1, 1, 1 + 1e-5, 1]), lambda m: m.T + np.array([[0] * 4] * 3 + [[1, 0, 0, 0]]),
])
def test_a_matrix_that_is_not_rigid_is_refused(change):
    with pytest.raises(graze.Error) as caught:
        graze.Pose(change(np.eye(4)))
    assert caught.value.code in (graze.ErrorCode.bad_pose, graze.ErrorCode.not_finite)
    box = graze.Body(graze.make.box())
    with pytest.raises(graze.Error):
        graze.collide(box, change(np.eye(4)), box, None)


@pytest.mark.parametrize("value", ["here", 7, [1, 2], np.eye(3), np.zeros(6), np.zeros((7, 1)), ([0, 0, 0], [0, 0, 0, 0]),
                                   ([0, 0], [1, 0, 0, 0]), Rotation([[1, 0, 0, 0]] * 2), np.array(["a"] * 7), object(), {"t": 1},
                                   ([0, 0, np.inf], [1, 0, 0, 0])])
def test_what_is_no_pose_is_refused(value):
    with pytest.raises((graze.Error, TypeError)):
        graze.collide(graze.Body(graze.make.box()), value, graze.Body(graze.make.box()), None)


@given(st.tuples(finite, finite, finite), st.tuples(finite, finite, finite, finite))
def test_matrices_agree_with_quaternions(t, q):
    assume(np.linalg.norm(q) > 1e-3)
    pose = graze.Pose(t, q)
    again = graze.Pose(pose.matrix)
    np.testing.assert_allclose(again.matrix, pose.matrix, atol=1e-12, rtol=0)
    assert (pose.rotation == q).all()  # as given: nothing is normalised


def test_poses_outside_the_range_of_doubles():
    with pytest.raises(graze.Error):
        graze.Pose([2**53 + 1, 0, 0])
    assert graze.Pose([2**53, 0, 0]).translation[0] == 2.0**53
