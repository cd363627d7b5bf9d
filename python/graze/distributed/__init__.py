# SPDX-License-Identifier: MIT
"""Questions for more than one process or machine, on Dask (Debian's ``python3-distributed``).

``clash``, ``collide_many``, ``distance_many``, ``first_contact_many``, ``motion_free_many``, ``cast_rays`` and ``contains_many`` are
those of graze, for millions of rows; ``robot_check_many``, ``robot_motion_free_many`` and ``robot_check_trajectories`` ask about
states, edges and trajectories of a robot. Rows are asked in chunks; each worker builds a body once. The answer is the same for any number of
workers, to the byte.

>>> import numpy as np
>>> import graze, graze.distributed
>>> box = graze.Body(graze.make.box())
>>> poses = np.tile([0.0, 0, 0, 1, 0, 0, 0], (1000, 1))
>>> poses[:, 0] = np.linspace(0, 2, 1000)
>>> with graze.distributed.local_cluster(workers=1) as client:
...     rows = graze.distributed.distance_many(box, None, box, poses, client=client)
>>> float(rows["distance"][-1])
1.0

A worker that ends in the middle is replaced, and its chunk asked again. With ``out`` the rows go to a ``.npy`` file, and a
journal beside it holds what is done: when the run was ended (a lost scheduler, Ctrl-C, a power cut), the same call goes on
from there.
"""
from ._clash import clash
from ._client import local_cluster
from ._robots import robot_check_many, robot_check_trajectories, robot_motion_free_many
from ._rows import cast_rays, collide_many, contains_many, distance_many, first_contact_many, motion_free_many
from ._run import LostConnection

__all__ = [
    "LostConnection",
    "cast_rays",
    "clash",
    "collide_many",
    "contains_many",
    "distance_many",
    "first_contact_many",
    "local_cluster",
    "motion_free_many",
    "robot_check_many",
    "robot_check_trajectories",
    "robot_motion_free_many",
]
