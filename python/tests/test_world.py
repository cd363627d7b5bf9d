# SPDX-License-Identifier: MIT
"""Worlds: events, callbacks that change the world or raise, threads."""
import gc
import threading
import weakref

import graze
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

BOX = graze.Body(graze.make.box())
KIND = graze.EventKind


def at(x):
    return graze.Pose([x, 0, 0])


def two():
    world = graze.World()
    return world, world.add(BOX, name="a"), world.add(BOX, at(3), name="b")


def test_events():
    world, a, b = two()
    assert len(world.check()) == 0 and len(world) == 2 and world.bodies() == [a, b]
    world.move(b, [0.5, 0.25, 0.125, 1, 0, 0, 0])
    [event] = world.check()
    assert (event.kind, event.a, event.b, event.contact) == (KIND.began, a, b, graze.ContactKind.crossing)
    assert event.points.shape == (2, 3) and event.pose_b.translation[1] == 0.25 and event.pair is not None
    assert world.touching() == [(a, b)] and len(world.check()) == 0
    world.move(b, at(1))
    assert [(e.kind, e.contact) for e in world.check()] == [(KIND.stays, graze.ContactKind.touching)]
    world.interest(a, False)
    result = world.check()
    assert [e.kind for e in result] == [KIND.ended] and world.touching() == [] and result.undecided == []
    world.interest(a, b, True)
    assert [e.kind for e in world.check()] == [KIND.began]
    with pytest.raises(TypeError):
        bool(result)


def test_ids():
    world, a, b = two()
    assert len({a, b, world.bodies()[0]}) == 2 and a < b
    world.remove(a)
    assert not world.has(a) and world.has(b)
    for call in (lambda: world.move(a, None), lambda: world.name(a), lambda: world.remove(a)):
        with pytest.raises(graze.Error):
            call()
    assert world.add(BOX) != a


def test_changes_of_shape():
    world, a, b = two()
    world.check()
    world.deform(a, BOX.mesh.vertices * [9, 1, 1])
    assert [e.kind for e in world.check()] == [KIND.began]
    world.replace(a, BOX)
    assert [e.kind for e in world.check()] == [KIND.ended]
    with pytest.raises(graze.Error):
        world.deform(b, np.zeros((3, 3)))


def test_limits():
    world, a, b = two()
    world.move(b, at(0.5))
    assert world.check(budget=0).undecided == [(a, b)]
    assert [e.kind for e in world.check()] == [KIND.began]


def test_callbacks():
    world, a, b = two()
    seen = []
    world.on_contact(lambda event: seen.append(("all", event.kind)))
    world.on_contact(lambda event: seen.append(("a", event.kind)), a)
    world.on_contact(lambda event: (seen.append(("pair", event.kind)), world.move(b, at(9))), a, b)
    world.move(b, at(0.5))
    world.check()
    assert seen == [("pair", KIND.began), ("a", KIND.began), ("all", KIND.began)]
    world.on_contact(None, a, b)
    assert [e.kind for e in world.check()] == [KIND.ended]


def test_a_callback_that_raises():
    world, a, b = two()
    c = world.add(BOX, at(0.25))
    seen = []

    def once(event):
        seen.append((event.a, event.b))
        if len(seen) == 1:
            raise RuntimeError("stop")

    world.on_contact(once)
    world.move(b, at(0.5))
    with pytest.raises(RuntimeError, match="stop"):
        world.check()
    world.check()  # delivers the rest
    assert seen == [(a, b), (a, c), (b, c)] and len(world.touching()) == 3


def test_callbacks_are_given_back():
    class Held:
        count = 0

        def __init__(self):
            Held.count += 1

        def __del__(self):
            Held.count -= 1

        def __call__(self, event):
            pass

    world, _, _ = two()
    for _ in range(10):
        world.on_contact(Held())
    assert Held.count == 1
    del world
    gc.collect()
    assert Held.count == 0


def test_threads_take_turns():
    world = graze.World(threads=2)
    ids = [world.add(BOX, at(2.0 * i)) for i in range(40)]
    calls, problems = [], []
    world.on_contact(calls.append)

    def work(part):
        try:
            for round_ in range(30):
                for i in ids[part::4]:
                    world.move(i, at(2.0 * i.slot + 0.9 * (round_ % 3)))
                world.check()
        except BaseException as problem:  # pylint: disable=broad-except
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems and len(world) == 40
    reference = graze.World()
    same = {i: reference.add(BOX, world.pose(i)) for i in ids}
    reference.check()
    world.check()
    assert [(same[a], same[b]) for a, b in world.touching()] == reference.touching()


def test_a_callback_that_refers_to_its_world_is_collected():
    for make in (
        lambda world, a, b: world.on_contact(lambda event, w=world: None),
        lambda world, a, b: world.on_contact(lambda event, w=world: None, a),
        lambda world, a, b: world.on_contact(lambda event, w=world: None, a, b),
        lambda world, a, b: world.on_contact(world.check),
    ):
        world, a, b = two()
        make(world, a, b)
        world.move(b, at(0.5))
        try:
            world.check()
        except (graze.Error, TypeError):
            pass
        alive = weakref.ref(world)
        del world
        gc.collect()
        assert alive() is None


def test_functions_of_removed_bodies_are_given_back():
    world, a, b = two()
    c = world.add(BOX, at(9))

    def seen(event):
        pass

    alive = weakref.ref(seen)
    world.on_contact(seen, a, c)
    world.on_contact(seen, c)
    del seen
    gc.collect()
    assert alive() is not None
    world.remove(c)
    gc.collect()
    assert alive() is None
    with pytest.raises(graze.Error):
        world.on_contact(print, c)
    with pytest.raises(TypeError):
        world.on_contact(3)


def test_collecting_while_others_check():
    """Worlds in cycles are dropped in one thread while others use theirs."""
    problems = []

    def work():
        try:
            for _ in range(30):
                world, _, b = two()
                world.on_contact(lambda event, w=world: w.move(event.b, at(9)))
                world.move(b, at(0.5))
                assert len(world.check()) == 1
                gc.collect()
        except BaseException as problem:  # pylint: disable=broad-except
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_frames():
    world, a, b = two()
    cart = world.add_frame(at(5))
    lift = world.add_frame(graze.Pose([0, 0, 1]), cart)
    crate = world.add(BOX, at(0), frame=lift, name="crate")
    assert world.pose(crate).translation.tolist() == [5, 0, 1] and world.pose(lift).translation.tolist() == [5, 0, 1]
    world.check()
    world.move(cart, at(3))
    assert world.pose(crate).translation.tolist() == [3, 0, 1]
    assert [(e.a, e.b, e.contact) for e in world.check()] == [(b, crate, graze.ContactKind.touching)]
    world.attach(crate, None, at(20))
    world.attach(lift, None, None)
    assert world.pose(crate).translation.tolist() == [20, 0, 0]
    with pytest.raises(graze.Error):
        world.attach(cart, cart, None)
    world.teleport(cart, at(1))
    world.remove_frame(lift)
    with pytest.raises(graze.Error):
        world.pose(lift)
    assert len({cart, lift, world.add_frame()}) == 3 and repr(cart).startswith("FrameId(")


def arm():
    turn = graze.Joint("revolute", axis=[0, 0, 1])
    return graze.Chain([graze.Link("upper", joint=turn), graze.Link("lower", "upper", graze.Joint("revolute", origin=at(2), axis=[0, 0, 1]))])


def test_articulated_bodies():
    world = graze.World()
    rod = graze.Body(graze.shape.Box([0.9, 0.1, 0.1]))
    robot = world.add(arm(), [("upper", rod), (1, rod)], [0.0, 0.0], name="arm")
    ball = world.add(graze.Body(graze.shape.Sphere(0.5)), [0, 2, 0, 1, 0, 0, 0])
    upper, lower = world.bodies(robot)
    assert world.pose(lower).translation.tolist() == [2, 0, 0]
    world.check()
    world.sweep()
    world.move(robot, [np.pi / 2, 0.0])
    assert [(e.a, e.b) for e in world.check()] == [(lower, ball)]
    swept = world.sweep(earliest=True)
    assert swept.status == graze.Status.contact and 0 < swept.safe < 1 and swept.earliest.b == ball
    world.teleport(robot, [0.0, 0.0], at(9))
    assert world.pose(upper).translation.tolist() == [9, 0, 0]
    for wrong in (lambda: world.move(robot, [0.0]), lambda: world.add(arm(), [("neck", rod)], [0, 0]),
                  lambda: world.add(arm(), [(7, rod)], [0, 0]), lambda: world.add(arm(), [rod], [0, 0])):
        with pytest.raises((graze.Error, TypeError)):
            wrong()
    world.remove(robot)
    assert world.bodies() == [ball]


@given(st.floats(0.1, 20), st.floats(-0.4, 0.4))
def test_sweep_of_a_box(speed, y):
    """Two unit cubes, 2 apart: they meet after 2 / speed of the way."""
    world, a, b = two()
    world.sweep()
    world.move(a, [speed, y, 0, 1, 0, 0, 0])
    swept = world.sweep(advance=True)
    if speed > 2.01:
        assert swept.status == graze.Status.contact and swept.advanced
        assert abs(swept.safe - 2 / speed) < 1e-4 and swept.earliest.contact.time.safe <= 2 / speed
        assert len(world.check()) == 0 and world.pose(a).translation[0] < 2
    elif speed < 1.99:
        assert swept.status == graze.Status.free and swept.safe == 1 and swept.earliest is None


def test_sweep_details_and_triggers():
    world, a, b = two()
    door = world.add(BOX, at(1.5), trigger=True, name="door")
    world.sweep()
    world.move(a, at(4))
    swept = world.sweep(advance=True, each=True, details=graze.ContactDetails(manifold=True, all_pairs=True))
    assert [(c.a, c.b) for c in swept.contacts] == [(a, b)] and [c.b for c in swept.triggers] == [door]
    assert swept.contacts[0].manifold.patches and swept.contacts[0].depth is None
    world.move(a, at(2.75))
    [event] = [e for e in world.check(details=graze.ContactDetails(depth=True)) if not e.trigger]
    assert abs(event.depth.upper - 0.75) < 1e-5 and event.manifold is None and event.all_pairs.shape == (0, 2)


def test_rays_casts_and_neighbours():
    world, a, b = two()
    c = world.add(graze.Body(graze.shape.Sphere(0.5)), at(6), group=2)
    assert [(h.body, h.hit.fraction) for h in world.ray([-1, 0.1, 0], [9, 0.1, 0])][:2] == [(a, 0.05), (b, 0.35)]
    assert [h.body for h in world.ray([-1, 0.1, 0], [9, 0.1, 0], mask=2)] == [c]
    assert [h.body for h in world.ray([-1, 0.1, 0], [9, 0.1, 0], hits="first", exclude=a)] == [b]
    hits = world.rays([[[-1, 0.1, 0], [9, 0.1, 0]], [[0, 5, 0], [9, 5, 0]]], hits=graze.WorldRayHits.all)
    assert [len(h) for h in hits] == [6, 0] or [len(h) for h in hits][1] == 0
    assert world.in_box([-1, -1, -1], [0.1, 1, 1]) == [a]
    ball = graze.Body(graze.shape.Sphere(0.25))
    hit = world.cast(ball, graze.Velocity([0, 5, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]))
    assert hit.earliest.body == a and abs(hit.safe - (5 - 0.75) / 5) < 1e-4 and hit.contacts == []
    assert len(world.cast(ball, graze.Velocity(at(-5), at(20)), all=True).contacts) == 3
    assert world.overlap(ball, at(0.7)).bodies == [a] and world.overlap(ball, at(1.5)).status == graze.Status.free
    assert world.overlap(ball, at(0.7), exclude=a).bodies == []
    near = world.near(2.5)
    assert [(p.a, p.b) for p in near.pairs] == [(a, b), (b, c)] and near.pairs[0].distance.distance == 2
    nearest = world.nearest([2, 0, 0], 2)
    assert [n.body for n in nearest.bodies] == [b, a] and nearest.bodies[0].distance == 0.5
    assert nearest.bodies[0].point.tolist() == [2.5, 0, 0]
    for result in (hit, near, nearest, world.overlap(ball), world.sweep()):
        assert repr(result).startswith(type(result).__name__) and isinstance(result.counters, dict)
        with pytest.raises(TypeError):
            bool(result)


def test_settings_and_the_rest():
    world, a, b = two()
    world.margin(a, 2.5)
    [event] = world.check()
    assert event.gap == 2 and event.contact is None
    world.set_pair(a, b, interest=False, tolerance=1e-3)
    assert world.pair(a, b).tolerance == 1e-3 and [e.kind for e in world.check()] == [KIND.ended]
    pieces = world.break_up(a, [BOX, BOX.deformed(BOX.mesh.vertices * 0.5)])
    assert len(pieces) == 2 and not world.has(a) and world.destination(b) is None and world.destination_body(b) is None
    assert world.frame() == 2 and world.broad_method() and repr(world) == "World(3 bodies)"
    world.trigger(b, True)
    world.groups(b, 2, 2)
    for boxes in graze.BroadBoxes:
        assert len(graze.World(broad="grid", boxes=boxes, coherent_pairs=0)) == 0
    with pytest.raises(graze.Error):
        graze.World(broad="none of them")


def test_a_recording(tmp_path):
    world = graze.World()
    world.record(str(tmp_path / "world.txt"))
    a = world.add(BOX)
    world.move(a, at(1))
    world.check()
    assert (tmp_path / "world.txt").stat().st_size > 0


def test_a_game():
    """A user's loop: crates fall and stop, a gun fires rays, a door opens for whoever comes near."""
    world = graze.World()
    floor = world.add(graze.Body(graze.shape.HalfSpace()), name="floor")
    crates = [world.add(BOX, [1.5 * i, 0, 1.0 + i, 1, 0, 0, 0], name=f"crate {i}") for i in range(4)]
    door = world.add(BOX, [-5, 0, 0.6, 1, 0, 0, 0], trigger=True, margin=1.0, name="door")
    world.interest(floor, door, False)
    opened = []
    world.on_contact(lambda event: opened.append(event.kind), door)
    world.sweep()
    for _ in range(8):
        for crate in crates:
            x, y, z = world.pose(crate).translation
            world.move(crate, [x, y, z - 0.6, 1, 0, 0, 0])
        world.sweep(advance=True, each=True)
        assert not [pair for pair in world.touching() if floor in pair]
        world.check()
    heights = [world.pose(crate).translation[2] for crate in crates]
    assert all(0.5 < z < 0.51 for z in heights)
    assert [world.name(hit.body) for hit in world.ray([-1, 0, 0.25], [9, 0, 0.25], hits="first")] == ["crate 0"]
    world.move(crates[0], [-3.2, 0, 0.6, 1, 0, 0, 0])
    world.check()
    assert opened == [KIND.began]


def test_a_game_that_is_a_world():
    """A subclass whose methods are its callbacks."""

    class Game(graze.World):
        def __init__(self):
            super().__init__()
            self.hits = []
            self.on_contact(self.hit)

        def hit(self, event):
            self.hits.append(event)

    game = Game()
    game.add(BOX)
    game.add(BOX, at(0.5))
    game.check()
    assert [event.kind for event in game.hits] == [KIND.began]
    alive = weakref.ref(game)
    del game
    gc.collect()
    assert alive() is None
