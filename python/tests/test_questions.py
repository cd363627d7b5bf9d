# SPDX-License-Identifier: MIT
"""Every question of the package: its answers, its options, and what it refuses."""
import copy
import math
import pickle
import threading
import time

import graze
import numpy as np
import pytest

BOX = graze.Body(graze.make.box())
KNOT = graze.Body(graze.make.torus_knot(triangles=2880))
BALL = graze.Body(graze.shape.Sphere(0.5))
STATUS = graze.Status


def at(x, y=0.0, z=0.0):
    return graze.Pose([x, y, z])


def test_names_are_those_of_the_engine():
    for enum, names in graze._graze._names().items():
        assert [member.name for member in getattr(graze, enum)] == names


def test_no_truth_value():
    for result in (graze.collide(BOX, None, BOX, None), graze.distance(BOX, None, BOX, None), graze.contains(BOX, None, [0, 0, 0]),
                   graze.within(1, BOX, None, BOX, None), graze.cast_ray(BOX, None, [2, 0, 0], [3, 0, 0]), STATUS.free,
                   graze.self_collide(BOX), graze.first_contact(BOX, None, BOX, None), STATUS.contact, graze.Location.outside,
                   graze.penetration(BOX, None, BOX, None), graze.manifold(BOX, None, BOX, None), graze.motion_free(BOX, None, BOX, None)):
        with pytest.raises(TypeError, match="no truth value"):
            bool(result)
        assert "status=" in repr(result) or "location=" in repr(result) or isinstance(result, graze.Status.__mro__[1])


def test_collide():
    apart, touching, crossing = (graze.collide(BOX, None, BOX, at(x)) for x in (2, 1, 0.5))
    assert (apart.status, apart.kind, apart.points, apart.normal) == (STATUS.free, None, None, None)
    assert len(apart.pairs) == 0 and apart.features == []
    assert (touching.status, touching.kind) == (STATUS.contact, graze.ContactKind.touching)
    assert touching.pairs.shape == (1, 2) and touching.pairs.dtype == np.uint32
    assert (touching.normal == [1, 0, 0]).all() and touching.points[:, 0].tolist() == [0.5, 0.5]
    crossing = graze.collide(BOX, None, BOX, (([0.5, 0.25, 0.125]), None), all=True, all_features=True)
    assert crossing.kind == graze.ContactKind.crossing and len(crossing.pairs) > 1
    feature = crossing.features[0]
    assert feature.kind in (graze.FeatureKind.edge_face, graze.FeatureKind.face_edge)
    assert feature == graze.collide(BOX, None, BOX, (([0.5, 0.25, 0.125]), None), all=True, all_features=True).features[0]
    assert {feature.a.type, feature.b.type} == {graze.FeatureType.edge, graze.FeatureType.face}
    assert crossing.counters["triangle_tests"] > 0 and crossing.method == "tree"
    inside = graze.collide(graze.Body(graze.make.sphere(radius=0.25)), None, BOX, None, solid=True)
    assert inside.status == STATUS.contact and inside.contained == graze.Containment.a_in_b
    for method, _ in graze.collide_methods():
        assert isinstance(method, str)
    assert graze.collide(BOX, None, BOX, at(0.5), method="brute").status == STATUS.contact


@pytest.mark.parametrize("ask", [
    lambda: graze.collide(BOX, None, BOX, None, method="magic"),
    lambda: graze.collide(BOX, None, BOX, None, threads=0),
    lambda: graze.collide(graze.Body(graze.make.cloth_sheet()), None, BOX, None, solid=True),
    lambda: graze.distance(BOX, None, BOX, None, relative_error=2),
    lambda: graze.within(-1, BOX, None, BOX, None),
    lambda: graze.within(math.nan, BOX, None, BOX, None),
    lambda: graze.contains(graze.Body(graze.make.cloth_sheet()), None, [0, 0, 0]),
    lambda: graze.contains(BOX, None, [math.nan, 0, 0]),
    lambda: graze.cast_ray(BOX, None, [math.inf, 0, 0], [0, 0, 0]),
    lambda: graze.first_contact(BOX, None, BOX, None, tolerance=-1),
    lambda: graze.collide(BOX, None, BOX, None, budget=math.nan),
    lambda: graze.Body(graze.shape.Sphere(-1)),
    lambda: graze.compound([]),
    lambda: graze.Body(BALL.mesh),
])
def test_what_is_refused_is_raised(ask):
    with pytest.raises(graze.Error) as caught:
        ask()
    assert isinstance(caught.value.code, graze.ErrorCode) and len(caught.value.message) > 10


@pytest.mark.parametrize("ask", [
    lambda: graze.collide(BOX, None, BOX),
    lambda: graze.collide(BOX, None, BOX, None, True),  # options are named
    lambda: graze.collide(BOX, None, "box", None),
    lambda: graze.collide(BOX, None, BOX, None, work=-1),
    lambda: graze.collide(BOX, None, BOX, None, budget="soon"),
    lambda: graze.cast_ray(BOX, None, [0, 0, 0], [1, 0, 0], hits="some"),
    lambda: graze.contains(BOX, None, "abc"),
    lambda: graze.Body(7),
])
def test_what_is_of_the_wrong_type(ask):
    with pytest.raises(TypeError):
        ask()


def test_distance_and_within():
    result = graze.distance(BALL, None, BOX, at(3))
    assert result.status == STATUS.free and abs(result.distance - 2) < 1e-9
    np.testing.assert_allclose(result.points, [[0.5, 0, 0], [2.5, 0, 0]], atol=1e-9)
    assert graze.within(2.5, BOX, None, BOX, at(3)).status == STATUS.contact
    assert graze.within(np.nextafter(2, 0), BOX, None, BOX, at(3)).status == STATUS.free
    assert graze.within(2, BOX, None, BOX, at(3)).status == STATUS.contact


def test_contains_and_rays():
    places = [graze.contains(BOX, at(1), [x, 0, 0]).location for x in (0.4, 0.5, 0.6)]
    assert places == [graze.Location.outside, graze.Location.on_surface, graze.Location.inside]
    hits = graze.cast_ray(BOX, None, [-1, 0.1, 0.2], [1, 0.1, 0.2], hits="all")
    assert [hit.fraction for hit in hits.all] == [0.25, 0.75]
    assert hits.hit.normal.tolist() == [-1, 0, 0] and abs(hits.hit.weights.sum() - 1) < 1e-12
    assert hits.hit.polygon == BOX.mesh.polygon_of(hits.hit.triangle)
    missed = graze.cast_ray(BOX, None, [-1, 2, 0], [1, 2, 0])
    assert missed.status == STATUS.free and missed.hit is None


def test_self_collide():
    assert graze.self_collide(KNOT).status == STATUS.free
    folded = graze.Body(graze.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 1], [2, 1, 1]], [[0, 1, 2], [3, 4, 5]]))
    result = graze.self_collide(folded, all=True)
    assert result.status == STATUS.contact and result.pairs.tolist() == [[0, 1]]
    assert result.neighbourhoods == [graze.Neighbourhood.apart] and result.count[graze.Neighbourhood.apart] == 1


def test_first_contact_and_its_proof():
    move = graze.Velocity(at(-3), graze.Pose([1, 0, 0], [0, 0, 0, 1]))
    hit = graze.first_contact(BOX, move, BOX, None, clearance=True, all_contacts=True)
    assert hit.status == STATUS.contact and 0 < hit.time.safe <= hit.time.touch < 0.5
    assert hit.gap <= hit.tolerance and hit.contacts and hit.clearance.lower == 0 and hit.pair is not None
    free = graze.first_contact(BOX, graze.Screw(at(-3), at(-3, 9)), BOX, at(0), certificate=True)
    assert (free.status, free.time.safe, free.time.touch, free.gap) == (STATUS.free, 1, None, None)
    verdict = graze.verify(free.certificate, BOX, BOX, until=1)
    assert verdict.verified and verdict.details["until"] == 1
    assert not graze.verify(free.certificate, BOX, graze.Body(graze.shape.Box([9, 9, 9])), until=1).verified
    assert graze.motion_free(BOX, graze.Still(at(5)), BOX, None).status == STATUS.free
    turned = graze.Velocity.from_speeds(None, [0, 0, 0], [0, 0, 20])
    assert graze.first_contact(BOX, turned, BALL, at(1.3)).status == STATUS.free
    assert isinstance(turned, graze.Motion) and isinstance(turned, graze.Velocity)
    np.testing.assert_allclose(move.at(1)[:3, 3], [1, 0, 0])
    start = graze.first_contact(BOX, move, BOX, at(-3))
    assert start.status == STATUS.touching_at_start


def test_depth():
    overlap = graze.penetration(BOX, None, BOX, at(0.75))
    assert overlap.lower <= 0.25 <= overlap.upper * (1 + 1e-9) and overlap.status == STATUS.contact
    where = graze.manifold(BOX, None, BOX, at(0.75))
    assert len(where.patches) == 1 and len(where.patches[0].points) == 4
    assert where.patches[0].normal.tolist() == [1, 0, 0]


def test_compounds_and_deformed_bodies():
    pair = graze.compound([(BOX, at(-2), "left"), (BALL, at(2), "right"), graze.Piece(BOX)])
    assert [piece.name for piece in pair.pieces] == ["left", "right", ""] and repr(pair) == "Body(compound of 3)"
    assert graze.collide(pair, None, BALL, at(2.25)).pieces == (1, 0)
    assert graze.contains(pair, None, [-2, 0, 0]).piece == 0
    moved = KNOT.deformed(KNOT.mesh.vertices + [10, 0, 0])
    assert moved.is_refitted and graze.distance(KNOT, None, moved, None).distance > 5
    with pytest.raises(graze.Error):
        KNOT.deformed(KNOT.mesh.vertices[:-1])
    for body in (pair, KNOT, BALL, graze.Body(graze.shape.Hull([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))):
        again = pickle.loads(pickle.dumps(body))
        assert repr(again) == repr(body) and (again.box == body.box).all()


def test_shapes():
    for text in ("sphere:1", "capsule:1,2", "box:1,2,3", "cylinder:1,2", "cone:1,2", "ellipsoid:1,2,3", "halfspace", "box:1,2,3+0.5"):
        shape = graze.shape.from_text(text)
        assert graze.shape.to_text(shape) == text and graze.Body(shape).shape.rounding == shape.rounding
        assert graze.shape.to_text(shape.kind) == text.split("+")[0]
    assert graze.shape.bounds(graze.shape.Sphere(2)).tolist() == [[-2] * 3, [2] * 3]
    assert graze.shape.rounded(graze.shape.Box([1, 1, 1]), 0.25).rounding == 0.25


def test_shapes_are_pickled_and_copied_to_the_bit():
    S = graze.shape
    kinds = [S.Sphere(0.1), S.Capsule(1 / 3, 5e-324), S.Box([0.1, 1e300, 2]), S.Cylinder(1, 0.7), S.Cone(0.1, 0.2),
             S.Ellipsoid([1 / 3, 0.2, 3]), S.HalfSpace()]
    for kind in [*kinds, *(S.rounded(k, 0.1) for k in kinds[:3])]:
        for again in pickle.loads(pickle.dumps(kind)), copy.copy(kind), copy.deepcopy(kind):
            assert type(again) is type(kind) and repr(again) == repr(kind) and S.to_text(again) == S.to_text(kind)
    hull = S.rounded(S.Hull([[0.1, 0, 0], [1, 1 / 3, 0], [0, 1, 5e-324]]), 1 / 3)
    again = pickle.loads(pickle.dumps(hull))
    assert again.kind.points.tobytes() == hull.kind.points.tobytes() and again.rounding == 1 / 3


def test_limits():
    far = graze.Body(graze.make.bunny(triangles=5000))
    limited = graze.first_contact(far, graze.Velocity(at(-0.3), graze.Pose([0.9, 0.1, 0.2], [0, 1, 0, 0])), far, at(1.2), work=1)
    assert limited.status == STATUS.undecided
    source = graze.CancelSource()
    source.cancel()
    assert graze.collide(far, None, far, at(0.1), all=True, cancel=source).status == STATUS.undecided
    assert graze.collide(far, None, far, at(0.1), all=True, cancel=source.token(), budget=5.0).status == STATUS.undecided
    assert graze.collide(far, None, far, at(0.1), all=True, budget=0).status == STATUS.undecided
    import datetime
    assert graze.collide(BOX, None, BOX, None, budget=datetime.timedelta(minutes=1)).status == STATUS.contact


def test_the_interpreter_is_released():
    big = graze.Body(graze.make.bunny(triangles=40000))
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = time.perf_counter()
    graze.self_collide(big, all=True, method="tree")
    graze.collide(big, None, big, at(0.01), all=True)
    after = time.perf_counter()
    stop.set()
    thread.join()
    assert len([t for t in ticks if before < t < after]) > (after - before) / 0.05
