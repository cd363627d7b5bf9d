# SPDX-License-Identifier: MIT
"""A manager of named objects with the methods and return values of trimesh.collision.CollisionManager."""
import fnmatch
import math
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple, Union

import numpy as np

from . import _boxes
from ._enums import Status
from ._graze import (
    Body,
    CollideResult,
    DistanceResult,
    FirstContactResult,
    Mesh,
    Motion,
    Pose,
    Screw,
    Still,
    TimeBracket,
    Velocity,
    collide,
    distance,
    first_contact,
    penetration,
)
from ._objects import Object, point_within

EXTERNAL = "__external"  #: the name, in contacts and distances, of an object that is not in the manager


class ContactData:
    """Two triangles of two objects that share a point (or the whole surface of a curved shape)."""

    def __init__(self, a: Object, b: Object, result: CollideResult, pair: Tuple[int, int], within: Any = None) -> None:
        self.names: Set[str] = {a.name, b.name}
        self._within = within  # of one object that is inside the other: a point of it
        self._objects = (a.name, a.body, a.pose), (b.name, b.body, b.pose)
        self._result = result
        self._pair = pair
        self._witness: Optional[CollideResult] = None
        self._parted: Any = None

    def index(self, name: str) -> int:
        """The triangle of the object with this name."""
        for k in range(2):
            if self._objects[k][0] == name:
                return self._pair[k]
        raise KeyError(name)

    @property
    def point(self) -> Any:
        """A point that the two triangles have in common, rounded; of an object inside another, a point of it."""
        return self._within if self._within is not None else self._of_triangles().points[0]

    @property
    def normal(self) -> Any:
        """Unit, from the first object to the second (in the order of their names, or from the external object): of
        triangles that only touch, their own, else that of the least translation found that parts the objects."""
        normal = self._of_triangles().normal
        if normal is not None:
            return normal
        away = self._parting().translation
        length = float(np.linalg.norm(away))
        return away / length if length > 0 else away

    @property
    def depth(self) -> float:
        """How far the second object must be moved at most, so that the two only touch."""
        return float(self._parting().upper)

    def _of_triangles(self) -> CollideResult:
        """The contact of the two triangles alone."""
        if self._witness is None:
            bodies = []
            for (_, body, _), triangle in zip(self._objects, self._pair):
                if not body.has_mesh:  # a curved shape, or one of the pieces of a compound
                    self._witness = self._result
                    return self._result
                bodies.append(Body(Mesh(body.mesh.vertices[body.mesh.triangles[triangle]], [[0, 1, 2]])))
            self._witness = collide(bodies[0], self._objects[0][2], bodies[1], self._objects[1][2])
        return self._witness

    def _parting(self) -> Any:
        if self._parted is None:
            (_, a, pose_a), (_, b, pose_b) = self._objects
            self._parted = penetration(a, pose_a, b, pose_b)
        return self._parted

    def __repr__(self) -> str:
        (a, *_), (b, *_) = self._objects
        return f"ContactData({a!r} triangle {self._pair[0]}, {b!r} triangle {self._pair[1]})"


class DistanceData:
    """The closest points of two objects."""

    def __init__(self, a: Object, b: Object, result: DistanceResult, within: Any = None) -> None:
        self.names: Set[str] = {a.name, b.name}
        self.distance = result.distance if within is None else 0.0
        points: Any = result.points if within is None else (within, within)
        self._of = {a.name: (result.pair[0], points[0]), b.name: (result.pair[1], points[1])}

    def index(self, name: str) -> int:
        """The triangle of the object with this name that contains its closest point."""
        return self._of[name][0]

    def point(self, name: str) -> Any:
        """The closest point of the object with this name."""
        return self._of[name][1]

    def __repr__(self) -> str:
        return f"DistanceData({sorted(self.names)}, distance={self.distance!r})"


class SweepResult(NamedTuple):
    """What moving objects meet on their way. It has no truth value: compare ``status``."""

    status: Status  #: free: certified for the whole way of all
    time: Optional[TimeBracket]  #: of the first contact; certified free before ``time.safe``
    names: Optional[Tuple[str, str]]  #: the objects of the first contact
    contacts: List[Tuple[Tuple[str, str], FirstContactResult]]  #: of every pair that touches, the earliest first

    def __bool__(self) -> bool:
        raise TypeError("a SweepResult has no truth value, because undecided must not read as no; compare its status")


def _in_contact(result: CollideResult) -> bool:
    if result.status == Status.undecided:
        raise RuntimeError("collide was undecided without a limit")
    return result.status == Status.contact


class CollisionManager:
    """Named objects at poses: which of them touch, how far apart are they, what do they meet when they move?

    Methods and return values are those of ``trimesh.collision.CollisionManager``, and answers are those of graze: exact,
    touching included. A mesh may be a graze.Body, a graze.Mesh, a shape, or any object with vertices and faces.

    ``solid``: an object inside a solid one is in collision. None: convex meshes are solid, and others are surfaces, as in
    trimesh; True: all are, and have to be closed; False: no mesh is. ``filter``: a function of two names; pairs for which it
    returns False are not asked.

    >>> import graze
    >>> manager = graze.CollisionManager()
    >>> for name, x in ("left", 0), ("middle", 0.75), ("right", 3):
    ...     _ = manager.add_object(name, graze.make.box(), graze.Pose([x, 0, 0]))
    >>> manager.in_collision_internal(return_names=True)
    (True, {('left', 'middle')})
    >>> manager.min_distance_single(graze.make.box(), graze.Pose([5, 0, 0]), return_name=True)
    (1.0, 'right')
    """

    def __init__(self, *, solid: Optional[bool] = None, filter: Optional[Callable[[str, str], bool]] = None) -> None:
        self._objects: Dict[str, Object] = {}
        self._ignored: List[Tuple[str, str]] = []
        self._filter = filter
        self._solid = solid

    def __repr__(self) -> str:
        count = len(self._objects)
        return f"CollisionManager({count} object{'' if count == 1 else 's'})"

    def add_object(self, name: str, mesh: Any, transform: Any = None) -> Body:
        """Adds an object, or replaces the one with this name. Returns its body, which other managers may share."""
        added = self._objects[name] = Object(name, mesh, Pose(transform))
        return added.body

    def remove_object(self, name: str) -> None:
        self._named(name)
        del self._objects[name]

    def set_transform(self, name: str, transform: Any) -> None:
        self._named(name).place(Pose(transform))

    def ignore_pair(self, a: str, b: str) -> None:
        """The pairs of these two names are not asked from now on. ``*`` and ``?`` stand for any names."""
        self._ignored.append((a, b))

    def watch_pair(self, a: str, b: str) -> None:
        """Undoes ``ignore_pair`` of the same two names or patterns."""
        self._ignored = [pair for pair in self._ignored if pair not in ((a, b), (b, a))]

    def __len__(self) -> int:
        return len(self._objects)

    def __contains__(self, name: object) -> bool:
        return name in self._objects

    def __iter__(self) -> Iterator[str]:
        return iter(self._objects)

    def in_collision_single(
        self, mesh: Any, transform: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does an object that is not in the manager touch any that is? Also the names of those, and the contacts."""
        other = Object(EXTERNAL, mesh, Pose(transform))
        objects, boxes = self._listed()
        near = _boxes.overlapping_one(other.box, boxes)
        found, contacts = self._collide(((other, objects[k]) for k in near), return_names, return_data, check=False)
        return _answer(bool(found), {pair[1] for pair in found}, contacts, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Do any two objects of the manager touch? Also the pairs of names, and the contacts."""
        objects, boxes = self._listed()
        pairs = ((objects[i], objects[k]) for i, k in _boxes.overlapping(boxes))
        ordered = ((a, b) if a.name <= b.name else (b, a) for a, b in pairs)
        found, contacts = self._collide(ordered, return_names, return_data)
        return _answer(bool(found), found, contacts, return_names, return_data)

    def in_collision_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does any object touch any of another manager? Also the pairs (name here, name there), and the contacts."""
        objects, boxes = other_manager._listed()
        mine = list(self._objects.values())
        pairs = ((a, objects[k]) for a in mine for k in _boxes.overlapping_one(a.box, boxes))
        found, contacts = self._collide(pairs, return_names, return_data)
        return _answer(bool(found), found, contacts, return_names, return_data)

    def min_distance_single(
        self, mesh: Any, transform: Any = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of an object that is not in the manager to any that is: 0 if they touch. Also whose it is,
        and the closest points."""
        other = Object(EXTERNAL, mesh, Pose(transform))
        best = self._nearest([(other, o) for o in self._objects.values()], check=False)
        return _answer(best[0], best[1] and best[1][1], best[2], return_name, return_data)

    def min_distance_internal(
        self, name: Union[str, bool, None] = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of any two objects of the manager, or of the one with this name to any other: 0 if they
        touch. Also their names, and the closest points."""
        if isinstance(name, bool):  # older versions of trimesh have no name
            return self.min_distance_internal(None, name, return_names)
        objects = sorted(self._objects.values(), key=lambda o: o.name)
        if name is not None:
            self._named(name)
        pairs = ((a, b) for i, a in enumerate(objects) for b in objects[i + 1 :] if name is None or name in (a.name, b.name))
        return _answer(*self._nearest(list(pairs)), return_names, return_data)

    def min_distance_other(
        self, other_manager: "CollisionManager", return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of any object to any of another manager: 0 if they touch. Also their names (here, there),
        and the closest points."""
        best = self._nearest([(a, b) for a in self._objects.values() for b in other_manager._objects.values()])
        return _answer(*best, return_names, return_data)

    def sweep(
        self, moves: Mapping[str, Union[Motion, Any]], *, motion: str = "velocity", min_separation: float = 0.0
    ) -> SweepResult:
        """What do objects meet first when they move? ``moves`` gives for names a graze.Motion, or the pose where the
        object's way ends (its transform is where it starts); all move at the same time, the others stay. Nothing is
        moved in the manager. ``motion`` is the kind of way: 'velocity' or 'screw'. Certified, rotation included.

        >>> import graze
        >>> manager = graze.CollisionManager()
        >>> for name, x in ("crate", 0), ("wall", 3):
        ...     _ = manager.add_object(name, graze.make.box(), graze.Pose([x, 0, 0]))
        >>> result = manager.sweep({"crate": graze.Pose([4, 0, 0])})
        >>> result.status, result.names, result.time.safe <= 0.5
        (Status.contact, ('crate', 'wall'), True)
        """
        kinds = {"velocity": Velocity, "screw": Screw}
        if motion not in kinds:
            raise ValueError(f"motion is 'velocity' or 'screw', not {motion!r}")
        motions: Dict[str, Motion] = {}
        for name, move in moves.items():
            start = self._named(name).pose
            motions[name] = move if isinstance(move, Motion) else kinds[motion](start, move)
        objects = sorted(self._objects.values(), key=lambda o: o.name)
        boxes = [_boxes.swept(o.body.box, o.box, motions.get(o.name), min_separation) for o in objects]
        contacts, undecided = [], False
        for i, k in _boxes.overlapping(np.array(boxes).reshape(-1, 2, 3)):
            a, b = objects[min(i, k)], objects[max(i, k)]
            if (a.name not in motions and b.name not in motions) or not self._wanted(a.name, b.name):
                continue
            ways = [motions.get(o.name, Still(o.pose)) for o in (a, b)]
            solid = bool(self._solid) or (self._solid is None and self._both_solid(a, ways[0], b, ways[1]))
            result = first_contact(a.body, ways[0], b.body, ways[1], min_separation=min_separation, solid=solid)
            undecided |= result.status == Status.undecided
            if result.status in (Status.contact, Status.touching_at_start):
                contacts.append(((a.name, b.name), result))
        contacts.sort(key=lambda c: (c[1].time.safe, c[1].time.touch, c[0]))
        if not contacts:
            return SweepResult(Status.undecided if undecided else Status.free, None, None, [])
        names, first = contacts[0]
        return SweepResult(first.status, first.time, names, contacts)

    def _named(self, name: str) -> Object:
        if name not in self._objects:
            raise ValueError(f"{name} not in collision manager!")
        return self._objects[name]

    def _listed(self) -> Tuple[List[Object], Any]:
        """All objects, and their boxes in the same order."""
        objects = list(self._objects.values())
        return objects, np.array([o.box for o in objects]).reshape(-1, 2, 3)

    def _wanted(self, a: str, b: str) -> bool:
        for first, second in self._ignored:
            if fnmatch.fnmatchcase(a, first) and fnmatch.fnmatchcase(b, second):
                return False
            if fnmatch.fnmatchcase(b, first) and fnmatch.fnmatchcase(a, second):
                return False
        return self._filter is None or bool(self._filter(a, b))

    def _within(self, a: Object, b: Object, pose_a: Pose, pose_b: Pose) -> Any:
        """A point of one that is inside the other, if that is solid; their surfaces are apart."""
        if self._solid is False:
            return None
        for outer, pose, inner, place in (a, pose_a, b, pose_b), (b, pose_b, a, pose_a):
            found = point_within(outer, pose, inner, place) if self._solid or outer.convex else None
            if found is not None:
                return found
        return None

    def _both_solid(self, a: Object, way_a: Motion, b: Object, way_b: Motion) -> bool:
        """Does the motion begin inside? What begins outside meets the surface first."""
        starts = [Pose(way.at(0.0)) for way in (way_a, way_b)]
        if not a.closed or not b.closed:
            return False
        if collide(a.body, starts[0], b.body, starts[1]).status != Status.free:
            return False
        return self._within(a, b, *starts) is not None

    def _collide(
        self, pairs: Any, names: bool, data: bool, check: bool = True
    ) -> Tuple[Set[Tuple[str, str]], List[ContactData]]:
        found: Set[Tuple[str, str]] = set()
        contacts: List[ContactData] = []
        for a, b in pairs:
            if check and not self._wanted(a.name, b.name):
                continue
            result = collide(a.body, a.pose, b.body, b.pose, all=data, solid=bool(self._solid))
            within = self._within(a, b, a.pose, b.pose) if len(result.pairs) == 0 else None
            if not _in_contact(result) and within is None:
                continue
            found.add((a.name, b.name))
            if not names and not data:
                break
            if data:
                touching = result.pairs.tolist() or [(0, 0)]  # none: one is inside the other
                contacts += [ContactData(a, b, result, (pair[0], pair[1]), within) for pair in touching]
        return found, contacts

    def _nearest(self, pairs: List[Tuple[Object, Object]], check: bool = True) -> Tuple[float, Any, Any]:
        """The nearest first, so that most pairs are never asked: their boxes are further apart than two objects are."""
        wanted = [(a, b) for a, b in pairs if not check or self._wanted(a.name, b.name)]
        best: Tuple[float, Any, Any] = (math.inf, None, None)
        if not wanted:
            return best
        bounds = _boxes.gaps(np.array([a.box for a, _ in wanted]), np.array([b.box for _, b in wanted]))
        for k in np.argsort(bounds, kind="stable"):
            if bounds[k] > best[0] or best[0] == 0:
                break
            a, b = wanted[k]
            result = distance(a.body, a.pose, b.body, b.pose)
            if result.status == Status.undecided:
                raise RuntimeError("distance was undecided without a limit")
            within = self._within(a, b, a.pose, b.pose) if bounds[k] == 0 and result.distance > 0 else None
            found = 0.0 if within is not None else result.distance
            if found < best[0]:
                best = (found, (a.name, b.name), DistanceData(a, b, result, within))
        return best


def _answer(value: Any, names: Any, data: Any, return_names: bool, return_data: bool) -> Any:
    if return_names and return_data:
        return value, names, data
    if return_names:
        return value, names
    return (value, data) if return_data else value


def scene_to_collision(scene: Any) -> Tuple[CollisionManager, Dict[str, Body]]:
    """A CollisionManager of the objects of a trimesh.Scene, and their bodies by the names of nodes."""
    manager = CollisionManager()
    bodies: Dict[str, Body] = {}
    made: Dict[str, Object] = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        first = made.get(geometry)
        given = scene.geometry[geometry] if first is None else first.body
        made[geometry] = Object(node, given, Pose(transform), None if first is None else first.convex)
        manager._objects[node] = made[geometry]
        bodies[node] = made[geometry].body
    return manager, bodies
