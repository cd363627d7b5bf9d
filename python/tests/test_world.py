# SPDX-License-Identifier: MIT
"""Worlds: events, callbacks that change the world or raise, threads."""
import gc
import threading

import graze
import numpy as np
import pytest

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
    world.pair_interest(a, b, True)
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
