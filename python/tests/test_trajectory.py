# SPDX-License-Identifier: MIT
"""Trajectories of robots: polynomials of time, certified as they are; and robots and trajectories in bytes."""
import pickle

import graze
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

STATUS = graze.Status
ROD = graze.Body(graze.shape.Box([1, 0.1, 0.1]))
BALL = graze.Body(graze.shape.Sphere(0.1))


def robot():
    turn = graze.Joint("revolute", axis=[0, 0, 1], limits=(-3, 3))
    links = [graze.Link("upper", joint=turn), graze.Link("lower", "upper", graze.Joint("revolute", origin=graze.Pose([1, 0, 0]), axis=[0, 0, 1]))]
    middle = graze.Pose([0.5, 0, 0])
    r = graze.Robot(graze.RobotModel(links, [graze.RobotPiece("upper", ROD, middle), graze.RobotPiece("lower", ROD, middle)]))
    r.surroundings([graze.Obstacle(BALL, graze.Pose([0, 1.5, 0]), "ball")])
    return r


def test_waypoints():
    points = [(0, [0, 0]), graze.TrajectoryPoint(1, [1, 0.5]), (3, [2, 0], None, None)]
    way = graze.Trajectory.through(points)
    assert (way.coordinates, way.segments) == (2, 2) and (way.start(1), way.end(1), way.time(1, 0.5)) == (1, 3, 2)
    assert way.state(0, 0.5).tolist() == [0.5, 0.25] and "2 segments" in repr(way)
    smooth = graze.Trajectory.through([(0, [0], [0]), (1, [1], [0])])  # a cubic with these ends
    assert smooth.state(0, 0.25)[0] == pytest.approx(3 * 0.25**2 - 2 * 0.25**3)
    flat = graze.Trajectory.through([(0, [0], [0]), (1, [1], [0])], each="linear")
    assert flat.state(0, 0.25)[0] == pytest.approx(0.25)
    quintic = graze.Trajectory.through([(0, [0], [0], [0]), (1, [1], [0], [0])], each=[graze.Interpolation.quintic])
    assert quintic.state(0, 0.25)[0] == pytest.approx(10 * 0.25**3 - 15 * 0.25**4 + 6 * 0.25**5)
    assert points[1].velocities is None and points[1].positions.tolist() == [1, 0.5] and "time=1" in repr(points[1])


def test_splines():
    control = np.random.default_rng(1).normal(size=(6, 2))
    clamped = graze.Trajectory.spline(control, start=1, end=4)
    assert clamped.segments == 3 and (clamped.start(0), clamped.end(2)) == (1, 4)
    np.testing.assert_allclose(clamped.state(0, 0), control[0])
    np.testing.assert_allclose(clamped.state(2, 1), control[-1])
    even = graze.Trajectory.spline(control, np.arange(10.0))
    assert (even.start(0), even.end(even.segments - 1)) == (3, 6)


@pytest.mark.parametrize("make", [
    lambda t: t.through([(0, [0])]), lambda t: t.through([(0, [0]), (0, [1])]), lambda t: t.through([(0, [0]), (1, [1, 2])]),
    lambda t: t.through([(0, [0]), (1, [np.nan])]), lambda t: t.through([(0, [0], [1, 2]), (1, [0])]), lambda t: t.through([]),
    lambda t: t.spline([[0.0]] * 3, start=0, end=1), lambda t: t.spline([[0.0]] * 5), lambda t: t.spline([0.0, 1, 2, 3], start=0, end=1),
    lambda t: t.spline([[0.0]] * 5, [0, 1], start=0, end=1), lambda t: t.spline([[0.0]] * 5, start=0), lambda t: t.spline([[0.0]] * 5, [0, 1]),
    lambda t: t.through([(0, [0]), (1, [1])], each=["linear", "cubic"]), lambda t: t.spline([[0.0]] * 5, []),
])
def test_what_is_no_trajectory_is_refused(make):
    with pytest.raises(graze.Error):
        make(graze.Trajectory)


@pytest.mark.parametrize("points", [[1, 2], [(0,)], [("a", [0]), ("b", [1])], [(0, [True]), (1, [False])], 7, [(0, "x"), (1, "y")]])
def test_what_is_no_waypoint_is_refused(points):
    with pytest.raises(TypeError):
        graze.Trajectory.through(points)
    with pytest.raises(TypeError):
        graze.Trajectory()
    with pytest.raises(TypeError, match="Interpolation"):
        graze.Trajectory.through([(0, [0]), (1, [1])], each="wild")


def test_a_trajectory_is_checked():
    r = robot()
    way = graze.Trajectory.through([(10, [0, 0]), (12, [0.5, 0]), (16, [2, 0])])
    hit = r.check_trajectory(way)
    assert (hit.status, hit.segment, [r.part(k).name for k in hit.pair]) == (STATUS.contact, 1, ["lower", "ball"])
    assert 12 < hit.when.safe <= hit.when.touch < 16 and hit.beyond_limits is None and hit.beyond_limits_in is None
    straight = r.check_motion([0.5, 0], [2, 0])  # the same segment
    assert hit.safe == straight.safe and hit.when.safe == pytest.approx(12 + 4 * straight.safe)
    assert r.check_trajectory(way, threads=2).when.safe == hit.when.safe
    assert "when=" in repr(hit) and isinstance(hit, graze.RobotMotionResult)
    with pytest.raises(TypeError, match="no truth value"):
        bool(hit)
    far = r.check_trajectory(graze.Trajectory.through([(0, [-2, 0]), (1, [-4, 0])]), clearance=1e-4, certificates=True)
    assert far.status == STATUS.free and far.when.safe == 1 and far.when.touch is None and len(far.proofs) == 2
    assert (far.beyond_limits, far.beyond_limits_in) == (0, 0)  # it ends outside of the limits of the upper link
    assert far.clearance.upper - far.clearance.lower <= 1e-4 and far.clearance.points.shape == (2, 3)
    least = min(r.distance([q, 0]).distance for q in np.linspace(-2, -4, 200))
    assert far.clearance.lower <= least <= far.clearance.upper + 1e-3
    assert r.check_path([[-2, 0], [-3, 0]], clearance=1e-3).clearance.segment == 0
    assert r.check_trajectory(way, budget=0).status == STATUS.undecided
    with pytest.raises(graze.Error):
        r.check_trajectory(graze.Trajectory.through([(0, [0]), (1, [1])]))


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-2, 2), st.floats(-4, 4), st.floats(-4, 4)), min_size=2, max_size=4))
def test_trajectories_beside_states(points):
    """What touches in a state on the way is not certified free."""
    r = robot()
    way = graze.Trajectory.through([(i, p[:2], p[2:]) for i, p in enumerate(points)])
    result = r.check_trajectory(way)
    for segment in range(way.segments):
        for share in np.linspace(0, 1, 41):
            if result.status == STATUS.free or way.time(segment, share) < result.when.safe - 1e-9:
                near = r.distance(way.state(segment, share))
                assert near.distance > 0 or near.distance < 1e-9


def test_batches():
    r = robot()
    ways = [graze.Trajectory.through([(0, [0, 0]), (1, [x, 0]), (2, [x, 1])]) for x in np.linspace(-3.5, 3.5, 60)]
    rows = r.check_trajectories(ways, clearance=1e-3)
    assert rows.dtype.names == ("status", "segment", "pair", "safe", "touch", "lower", "upper", "beyond_limits", "beyond_limits_in")
    assert set(rows["status"]) == {STATUS.free, STATUS.contact}
    for row, way in zip(rows, ways):
        one = r.check_trajectory(way, clearance=1e-3)
        assert (row["status"], row["safe"]) == (one.status, one.when.safe)
        assert row["pair"].tolist() == list(one.pair or (-1, -1)) and row["segment"] == (one.segment if one.pair else -1)
        assert row["touch"] == one.when.touch if one.pair else np.isnan(row["touch"])
        assert row["lower"] == one.clearance.lower if one.clearance else np.isnan(row["lower"])
        assert (row["beyond_limits"], row["beyond_limits_in"]) == ((-1, -1) if one.beyond_limits is None else (one.beyond_limits, one.beyond_limits_in))
    reports = []
    again = r.check_trajectories(ways, clearance=1e-3, threads=3, progress=lambda done, total: reports.append((done, total)))
    assert again.tobytes() == rows.tobytes() and reports[-1] == (60, 60)
    assert (r.check_trajectories(ways, budget=0)["status"] == STATUS.undecided).all()
    assert len(r.check_trajectories([])) == 0
    with pytest.raises(graze.Error) as caught:
        r.check_trajectories([*ways[:3], graze.Trajectory.through([(0, [0]), (1, [1])])])
    assert (caught.value.element, caught.value.id) == ("row", 3)
    with pytest.raises(TypeError, match="Trajectory"):
        r.check_trajectories([1])


def test_motions_of_links():
    chain = robot().chain
    way = graze.Trajectory.through([(0, [0, 0], [0, 0]), (1, [1, 0.5], [0, 0])])
    motion = chain.link_motion("lower", way, 0)
    for t in (0.0, 0.3, 1.0):
        np.testing.assert_allclose(motion.at(t), chain.link_poses(way.state(0, t))[1].pose.matrix, atol=1e-12)
    a, b = chain.pair_motions(0, 1, way, 0)
    assert isinstance(a, graze.Motion) and isinstance(b, graze.Motion)
    assert graze.first_contact(ROD, motion, BALL, graze.Pose([0, 5, 0])).status == STATUS.free
    with pytest.raises(graze.Error):
        chain.link_motion("lower", way, 1)


def test_distances_have_gradients():
    r = robot()
    q = np.array([0.4, 0.3])
    near = r.distance(q)
    gradient = r.distance_gradient(q, near)
    for k in range(2):
        step = np.eye(2)[k] * 1e-6
        assert gradient[k] == pytest.approx((r.distance(q + step).distance - r.distance(q - step).distance) / 2e-6, abs=1e-5)
    assert abs(np.linalg.norm(near.normal) - 1) < 1e-12
    inside = r.distance([np.pi / 2, 0])
    assert r.distance_gradient([np.pi / 2, 0], inside) is None and inside.normal is None


def test_clouds_of_points():
    r = robot()
    cloud = graze.Body(graze.point_mesh([[0, 1.5, 0], [0, -1.5, 0]]))
    r.surroundings([graze.Obstacle(cloud, name="cloud", radius=0.25)])
    assert r.distance([0, 0]).distance == pytest.approx(1.5 - 0.25 - 0.05) and r.check([np.pi / 2, 0]).status == STATUS.contact
    with pytest.raises(graze.Error):
        r.surroundings([graze.Obstacle(cloud, radius=-1)])


def test_pickles():
    ways = [graze.Trajectory.through([(0, [0, 0], [1, 0]), (1, [1, 2], [0, 0])], each="cubic"),
            graze.Trajectory.spline(np.random.default_rng(1).normal(size=(5, 2)), start=0, end=1),
            graze.Trajectory.spline(np.random.default_rng(1).normal(size=(5, 2)), np.arange(9.0))]
    for way in ways:
        again = pickle.loads(pickle.dumps(way))
        assert repr(again) == repr(way) and (again.state(0, 0.3) == way.state(0, 0.3)).all()
    r = robot()
    r.padding(0.01)
    r.padding(0.02, "lower")
    r.allow("upper", "lower", "because")
    r.attach("tool", "lower", BALL, graze.Pose([1, 0, 0]), may_touch=["upper"])
    again = pickle.loads(pickle.dumps(r))
    assert pickle.dumps(again) == pickle.dumps(r)
    assert again.allowed("upper", "lower") == "because" and again.attached[0].may_touch == ["upper"] and again.parts() == r.parts()
    states = np.random.default_rng(2).uniform(-3, 3, (200, 2))
    assert again.check_many(states).tobytes() == r.check_many(states).tobytes()
    assert [again.distance(q).distance for q in states[:20]] == [r.distance(q).distance for q in states[:20]]
    limits = pickle.loads(pickle.dumps(r.model)).links[0].joint.limits
    assert limits == (-3, 3) and pickle.loads(pickle.dumps(r.model.links[1])).parent == "upper"
    world = graze.World()
    world.add(BALL)
    r.surroundings(world)
    with pytest.raises(TypeError, match="World"):
        pickle.dumps(r)
