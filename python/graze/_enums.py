# SPDX-License-Identifier: MIT
"""The enumerations of graze. Their numbers are those of the fields of batches, so that whole columns compare with them:
``rows["status"] == graze.Status.contact``."""
import enum


class _Named(enum.IntEnum):
    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return self.name

    @property
    def _short(self) -> str:
        return self.name


class _Answer(_Named):
    def __bool__(self) -> bool:
        raise TypeError(
            f"{self!r} has no truth value, because an undecided answer must not read as no; compare it, as in "
            f"answer == {self!r}"
        )


class Status(_Answer):
    """How a question was answered."""

    free = 0  #: certified: no common point
    contact = 1  #: certified: at least one common point
    touching_at_start = 2  #: continuous questions: already in contact at t = 0
    undecided = 3  #: a limit ended the query, or a one-sided method reached its uncertain side
    invalid_request = 4  #: not a valid question (raised as graze.Error; here only in the rows of a batch)


class Location(_Answer):
    """Where a point is, for a closed body."""

    outside = 0
    on_surface = 1
    inside = 2
    invalid_request = 3


class ErrorCode(_Named):
    """What kind of error a graze.Error is."""

    not_finite = 0  #: a NaN or infinite coordinate, pose or option
    index_out_of_range = 1  #: a polygon refers to a vertex that does not exist
    empty_mesh = 2  #: no polygon at all
    bad_polygon = 3  #: fewer than three corners
    bad_pose = 4  #: zero quaternion, or a matrix that is not a rotation
    bad_option = 5  #: an option outside its range
    file_not_found = 6  #: the file cannot be opened
    bad_file = 7  #: the file's contents are invalid
    unknown_format = 8  #: neither the file name nor the request determines the format
    too_large = 9  #: more than the numbers used here can hold
    cannot_write = 10  #: the output could not be written
    unsupported = 11  #: this method cannot answer the question for these bodies


class ContactKind(_Named):
    """Whether surfaces cross, only touch, or two solids overlap without their surfaces crossing."""

    touching = 0
    crossing = 1
    overlap = 2


class Containment(_Named):
    """Which body is entirely inside the other; only with ``solid``."""

    none = 0
    a_in_b = 1
    b_in_a = 2


class FeatureKind(_Named):
    """Which kinds of features meet: first that of A, then that of B."""

    vertex_face = 0
    face_vertex = 1
    edge_edge = 2
    edge_face = 3
    face_edge = 4
    vertex_surface = 5
    edge_surface = 6
    face_surface = 7
    surface_vertex = 8
    surface_edge = 9
    surface_face = 10
    surface_surface = 11


class FeatureType(_Named):
    """What a feature of one body is; ``surface`` is the whole surface of a curved shape."""

    vertex = 0
    edge = 1
    face = 2
    surface = 3


class Neighbourhood(_Named):
    """How two triangles of one mesh are adjacent."""

    apart = 0
    shared_vertex = 1
    shared_edge = 2
    same_face = 3


class RayHits(_Named):
    """Which hits of a ray are wanted."""

    first = 0
    any = 1
    all = 2


class ContactDirection(_Named):
    """How features move relative to each other when they touch."""

    incoming = 0
    sliding = 1
    outgoing = 2


class MeshFormat(_Named):
    """A file format; ``automatic`` goes by the file's name."""

    automatic = 0
    obj = 1
    stl = 2
    ply = 3
    off = 4


class Encoding(_Named):
    """How numbers are written; binary formats are STL and PLY."""

    text = 0
    binary_little_endian = 1
    binary_big_endian = 2


class EventKind(_Named):
    """What happened to a contact of a world since the last check that tested it."""

    began = 0
    stays = 1
    ended = 2


class ClashKind(_Named):
    """How two parts clash."""

    crossing = 0  #: the surfaces cross
    overlap = 1  #: both are closed, the surfaces only touch, and the interiors share a point
    inside = 2  #: the surfaces share no point, and one part is inside the other
    duplicate = 3  #: the same geometry at the same pose
    touching = 4  #: the surfaces touch, and no more is known to be shared; or see the option ``tolerance``
    near = 5  #: no common point, but at most the clearance apart


class WorldRayHits(_Named):
    """Which hits of a ray through a world are wanted."""

    each_body = 0  #: the first on every body
    first = 1  #: only the first of all
    any = 2
    all = 3


class BroadBoxes(_Named):
    """Which boxes the broad phase of a world uses. They change no answer."""

    aligned = 0
    tilted = 1
    cubes = 2


class JointType(_Named):
    """How a link moves relative to its parent."""

    fixed = 0
    revolute = 1
    prismatic = 2
    screw = 3
    continuous = 4  #: a revolute one without limits
    planar = 5  #: coordinates x, y and an angle
    floating = 6  #: a position and a quaternion w x y z


class Interpolation(_Named):
    """What a coordinate of a Trajectory does between two waypoints."""

    from_data = 0  #: quintic where both have velocities and accelerations, cubic where both have velocities, else linear
    linear = 1
    cubic = 2  #: the polynomial of degree 3 with these positions and velocities
    quintic = 3  #: of degree 5, with these accelerations, too


class ElementaryKind(_Named):
    """Which two features of a deforming mesh meet."""

    vertex_face = 0
    edge_edge = 1
    vertex_edge = 2
    vertex_vertex = 3
