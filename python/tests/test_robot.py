# SPDX-License-Identifier: MIT
"""Chains and robots: states, motions, batches, files; beside closed forms."""
import math
import threading

import graze
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

STATUS = graze.Status
TURN = graze.Joint("revolute", axis=[0, 0, 1], name="turn", limits=(-3, 3))
ROD = graze.Body(graze.shape.Box([1, 0.1, 0.1]))


def model():
    """Two rods in a plane, each of length 1, that turn about z."""
    links = [graze.Link("upper", joint=TURN), graze.Link("lower", "upper", graze.Joint("revolute", origin=graze.Pose([1, 0, 0]), axis=[0, 0, 1]))]
    at = graze.Pose([0.5, 0, 0])
    return graze.RobotModel(links, [graze.RobotPiece("upper", ROD, at), graze.RobotPiece("lower", ROD, at)], name="planar")


def robot():
    r = graze.Robot(model())
    r.surroundings([(graze.Body(graze.shape.Sphere(0.1)), graze.Pose([0, 1.5, 0]), "ball")])
    return r


@given(st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
def test_forward_kinematics(a, b):
    chain = robot().chain
    poses = chain.link_poses([a, b])
    tip = poses[1].pose.apply([1, 0, 0])
    assert np.allclose(tip, [math.cos(a) + math.cos(a + b), math.sin(a) + math.sin(a + b), 0], atol=1e-12)
    assert 0 <= poses[1].error < 1e-12
    end = chain.link_motion("lower", [0, 0], [a, b]).at(1.0)
    assert np.allclose(end @ [1, 0, 0, 1], [*tip, 1], atol=1e-12)


def test_a_chain():
    chain = robot().chain
    assert len(chain) == chain.coordinates == 2 and [link.name for link in chain.links] == ["upper", "lower"]
    assert chain.find("lower") == 1 and chain.find("neck") is None and chain.parent("upper") is None and chain.parent(1) == 0
    assert chain.neighbours(0, "lower") and chain.common_ancestor(0, 1) == 0 and chain.first_coordinate(1) == 1
    assert chain.beyond_limits([4, 0]) == 0 and chain.beyond_limits([1, 9]) is None
    assert chain.link("upper").joint.limits == (-3, 3) and chain.link(1).joint.limits is None
    upper, lower = chain.pair_motions("upper", "lower", [0, 0], [1, 1])
    assert np.array_equal(upper.at(0.5), upper.at(0.0)) and not np.array_equal(lower.at(0.5), lower.at(0.0))
    for wrong in (lambda: chain.link(2), lambda: chain.link("neck"), lambda: chain.link(True), lambda: chain.link_poses([1]),
                  lambda: chain.link_poses([[1, 2]]), lambda: chain.link_poses([1, math.nan]), lambda: chain.link(-1),
                  lambda: graze.Chain([graze.Link("a", "b")]), lambda: graze.Joint("elbow"),
                  lambda: graze.Chain([graze.Link("a", joint=graze.Joint("revolute", axis=[0, 0, 0]))])):
        with pytest.raises((graze.Error, TypeError)):
            wrong()
    for kind in graze.JointType:
        assert graze.Joint(kind.name).type == kind
    follows = graze.Chain([graze.Link("a", joint=TURN), graze.Link("b", joint=graze.Joint("prismatic", mimic=graze.Mimic("a", 2, 1)))])
    assert follows.coordinates == 1 and follows.link_poses([0.5])[1].pose.translation.tolist() == [0, 0, 2]


def test_contacts_of_a_chain():
    chain = robot().chain
    bodies = [("upper", ROD), ("lower", ROD)]
    ball = graze.Body(graze.shape.Sphere(0.1))
    result = graze.chain_first_contacts(chain, bodies, [0, 0], [2, 0], [(ball, graze.Pose([0, 1.2, 0]))])
    assert result.status == STATUS.contact and (result.earliest.a, result.earliest.b) == (1, 2)
    assert 0 < result.safe <= result.earliest.contact.time.touch < 1
    asked = []

    def interest(a, b):
        asked.append((a, b))
        return False

    free = graze.chain_first_contacts(chain, bodies, [0, 0], [2, 0], [(ball, graze.Pose([0, 1.2, 0]))], interest=interest)
    assert free.status == STATUS.free and asked
    with pytest.raises(ZeroDivisionError):
        graze.chain_first_contacts(chain, bodies, [0, 0], [2, 0], [(ball, graze.Pose([0, 1.2, 0]))], interest=lambda a, b: 1 / 0)
    with pytest.raises(TypeError):
        graze.first_contacts([ROD])


def test_states():
    r = robot()
    assert r.coordinates == 2 and r.parts() == 3 and r.pairs() == 2 and r.part(2).name == "ball" and r.part(2).link is None
    assert r.check([0, 0]).status == STATUS.free and r.check([0, 0]).pair is None
    hit = r.check([math.pi / 2, 0])
    assert hit.status == STATUS.contact and [r.part(k).name for k in hit.pair] == ["lower", "ball"]
    assert r.check([math.pi / 2, 0], witness=False).pair is None and r.check([5, 0]).beyond_limits == 0
    near = r.distance([0, 0])
    assert near.lower <= near.distance and abs(near.distance - (1.5 - 0.1 - 0.05)) < 1e-6 and near.points.shape == (2, 3)
    for wrong in ([0], [0, math.nan], [[0, 0]], "x", None):
        with pytest.raises((graze.Error, TypeError)):
            r.check(wrong)
    with pytest.raises(graze.Error):
        r.part(3)


@given(st.floats(0, math.pi / 2), st.floats(-1, 1))
def test_a_state_beside_single_questions(a, b):
    r = robot()
    poses = [p.pose for p in r.chain.link_poses([a, b])]
    ball = graze.Body(graze.shape.Sphere(0.1))
    least = min(
        graze.distance(ROD, graze.Pose(pose.apply([0.5, 0, 0]), pose.rotation), ball, graze.Pose([0, 1.5, 0])).distance
        for pose in poses
    )
    assert abs(r.distance([a, b]).distance - least) < 1e-6
    if least > 1e-6:
        assert r.check([a, b]).status == STATUS.free


def test_motions():
    r = robot()
    assert r.motion_free([0, 0], [1, 0]).status == STATUS.free
    assert r.motion_free([0, 0], [3, 0]).status == STATUS.contact
    assert r.motion_free([0, 0], [1, 0], min_separation=5).status == STATUS.contact
    way = r.check_motion([0, 0], [3, 0])
    assert way.status == STATUS.contact and 0 < way.safe <= way.contact.time.touch < 1 and r.part(way.pair[1]).name == "ball"
    path = r.check_path([[0, 0], [1, 0], [1, 1], [3, 0]])
    assert path.status == STATUS.contact and path.segment == 2
    free = r.check_motion([0, 0], [1, 0], certificates=True, threads=2)
    assert free.status == STATUS.free and free.safe == 1 and free.pair is None and len(free.proofs) == 2
    ball, at = graze.Body(graze.shape.Sphere(0.1)), ROD
    proof = [p for p in free.proofs if p.pair == (1, 2)][0].certificate
    assert graze.verify(proof, at, ball, until=1).verified
    with pytest.raises(graze.Error):
        r.check_path([[0, 0, 0]])


def test_changes():
    r = robot()
    r.padding(1.0)
    assert r.check([1.0, 0]).status == STATUS.contact
    r.padding(0.0)
    r.padding(1.0, "upper")
    r.allow("upper", "lower")
    assert r.allowed("upper", "lower") and r.allowed("lower", "upper")
    r.forbid("upper", "lower")
    assert r.allowed("upper", "lower") is None and r.pairs() == 3
    strict = graze.Robot(model(), adjacent_may_touch=False)
    assert strict.pairs() == 1
    assert [(p.a, p.b) for p in strict.allow_touching([[0, 0], [1, 1]])] == [("upper", "lower")] and strict.pairs() == 0
    r = robot()
    r.attach("tool", "lower", ROD, [1.6, 0, 0, 1, 0, 0, 0], may_touch=["upper"])
    assert [b.name for b in r.attached] == ["tool"] and r.parts() == 4
    assert r.detach("tool") and not r.detach("tool")
    world = graze.World()
    world.add(graze.Body(graze.shape.Sphere(0.1)), [1.5, 0, 0, 1, 0, 0, 0], name="in the way")
    r.surroundings(world)
    assert r.part(r.check([0, 0]).pair[1]).name == "in the way"
    r.surroundings([])
    assert r.check([0, 0]).status == STATUS.free
    r.surroundings([graze.Obstacle(ROD, name="own", may_touch=["upper"]), ROD])
    for wrong in (lambda: r.allow("upper", "neck"), lambda: r.padding(-1.0), lambda: r.attach("a", "neck", ROD),
                  lambda: r.surroundings([3]), lambda: r.surroundings([(3, 4)]), lambda: r.named_state("home")):
        with pytest.raises((graze.Error, TypeError)):
            wrong()


def test_batches():
    r = robot()
    rng = np.random.default_rng(2)
    states = rng.uniform(-2, 2, (500, 2))
    rows = r.check_many(states, threads=2)
    single = [r.check(q) for q in states]
    assert rows["status"].tolist() == [int(s.status) for s in single]
    assert [tuple(p) for p in rows["pair"].tolist()] == [s.pair or (-1, -1) for s in single]
    assert {int(STATUS.free), int(STATUS.contact)} == set(rows["status"].tolist())
    starts, ends = states[:100], states[100:200]
    edges = r.motion_free_many(starts, ends, threads=2)
    assert edges["status"].tolist() == [int(r.motion_free(a, b).status) for a, b in zip(starts, ends)]
    fan = r.motion_free_many([0.0, 0.0], ends)
    assert fan["status"].tolist() == [int(r.motion_free([0, 0], b).status) for b in ends]
    seen = []
    r.check_many(states, progress=lambda done, rows: seen.append(done))
    assert seen[-1] == 500 and (r.check_many(states, budget=0)["status"] == STATUS.undecided).all()
    with pytest.raises(graze.Error):
        r.motion_free_many(starts, ends[:7])
    with pytest.raises(graze.Error):
        r.check_many(np.zeros((4, 3)))
    with pytest.raises(graze.Error) as caught:
        r.check_many([[0, 0], [0, math.inf]])
    assert caught.value.element == "row" and caught.value.id == 1


def test_motions_of_bodies():
    box = graze.Body(graze.make.box())
    motions = np.zeros((3, 2, 7))
    motions[:, :, 3] = 1
    motions[:, 0, 0], motions[:, 1, 0], motions[1, :, 1], motions[2, 1, 0] = -3, 3, 5, -1.5
    rows = graze.motion_free_many(box, motions, box, None, threads=2)
    assert rows["status"].tolist() == [STATUS.contact, STATUS.free, STATUS.free]
    assert np.isnan(rows["time"]).tolist() == [False, True, True]


@given(st.floats(2.5, 9), st.floats(-9, -2.5))
def test_clearance_of_balls(x0, x1):
    ball = graze.Body(graze.shape.Sphere(1))
    times = np.linspace(0, 1, 7)
    result = graze.clearance_profile(ball, graze.Velocity([x0, 3, 0, 1, 0, 0, 0], [x1, 3, 0, 1, 0, 0, 0]), ball, None, times)
    exact = np.hypot(x0 + times * (x1 - x0), 3) - 2
    samples = result.samples
    assert result.status == STATUS.free and np.array_equal(samples["time"], times)
    assert (samples["lower"] <= exact + 1e-9).all() and (exact <= samples["upper"] + 1e-9).all()
    assert (samples["lower_until_next"] <= samples["upper"]).all()
    with pytest.raises(graze.Error):
        graze.clearance_profile(ball, None, ball, None, [1, 0])


def test_changes_wait_for_questions():
    r = robot()
    states = np.random.default_rng(3).uniform(-2, 2, (200, 2))
    problems = []

    def asks():
        try:
            for q in states:
                assert r.check(q).status in (STATUS.free, STATUS.contact)
        except BaseException as problem:  # pylint: disable=broad-except
            problems.append(problem)

    threads = [threading.Thread(target=asks) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(50):
        r.surroundings([(ROD, graze.Pose([0, 1 + 0.01 * i, 0]))])
    for thread in threads:
        thread.join()
    assert not problems

    def changes(done, rows):
        r.padding(0.1)

    with pytest.raises(graze.Error, match="changed"):
        r.check_many(np.zeros((2000000, 2)), progress=changes)


URDF = """<robot name="two">
  <link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="1 0 0"/><geometry><box size="2 0.1 0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
</robot>"""
SRDF = """<robot name="two"><group name="all"><joint name="shoulder"/></group>
  <group_state name="down" group="all"><joint name="shoulder" value="0.5"/></group_state>
  <disable_collisions link1="base" link2="arm" reason="Adjacent"/></robot>"""


def test_files(tmp_path):
    (tmp_path / "two.urdf").write_text(URDF)
    (tmp_path / "two.srdf").write_text(SRDF)
    try:
        model_ = graze.load_robot(tmp_path / "two.urdf", tmp_path / "two.srdf", packages={"two": tmp_path})
    except graze.Error as error:
        if error.code == graze.ErrorCode.unsupported:
            pytest.skip("the module was built without the reader of URDF")
        raise
    assert model_.name == "two" and [link.name for link in model_.links] == ["base", "arm"]
    assert model_.states == {("all", "down"): {"arm": [0.5]}} and model_.groups == {"all": ["arm"]}
    assert [(p.a, p.b) for p in model_.allowed] == [("base", "arm")]
    r = graze.Robot(model_)
    assert r.named_state("down").tolist() == [0.5] and r.check([0.5]).status == STATUS.free
    assert r.model.links[1].joint.limits == (-1, 2)
    (tmp_path / "bad.urdf").write_text("<robot")
    with pytest.raises(graze.Error) as caught:
        graze.load_robot(str(tmp_path / "bad.urdf"))
    assert caught.value.file.endswith("bad.urdf")
    with pytest.raises(graze.Error):
        graze.load_robot(tmp_path / "missing.urdf")


def test_a_planner():
    """A user's loop: a random tree of certified edges from one state to another, around a ball."""
    r = robot()
    rng = np.random.default_rng(8)
    start, goal = np.array([0.5, 0.0]), np.array([2.6, 0.0])
    assert r.motion_free(start, goal).status == STATUS.contact
    nodes, parents = [start], [-1]
    for _ in range(400):
        sample = goal if rng.random() < 0.2 else rng.uniform(-3, 3, 2)
        nearest = int(np.argmin([np.linalg.norm(sample - n) for n in nodes]))
        step = sample - nodes[nearest]
        to = nodes[nearest] + step * min(1, 0.7 / max(np.linalg.norm(step), 1e-12))
        if r.motion_free(nodes[nearest], to).status == STATUS.free:
            nodes.append(to)
            parents.append(nearest)
            if np.array_equal(to, goal):
                break
    path, at = [], len(nodes) - 1
    while at >= 0:
        path.append(nodes[at])
        at = parents[at]
    assert np.array_equal(path[0], goal)
    assert r.check_path(path[::-1]).status == STATUS.free
