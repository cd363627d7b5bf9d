# SPDX-License-Identifier: MIT
"""Batches about a robot: states, edges and trajectories."""
import hashlib
import pickle
from typing import Any, Dict, Iterable, List, Optional, Tuple

import numpy as np

from .. import _graze
from .._errors import Error
from .._types import Progress
from ._rows import Batch, answer, column_of, fingerprint_of, refuse_limits, source_of


class _RobotBatch(Batch):
    def __init__(self, robot: Any, question: str, columns: List[Tuple[Any, Optional[int]]], options: Dict[str, Any], chunk: int) -> None:
        if not isinstance(robot, _graze.Robot):
            raise TypeError(f"a graze.Robot is needed, not {type(robot).__name__}")
        refuse_limits(options)
        self._robot = robot
        super().__init__(question, (source_of(robot),), columns, options, chunk, 1 << 30)

    def stand_ins(self) -> List[Any]:
        return [self._robot]


class _Trajectories(_RobotBatch):
    @staticmethod
    def part(column: Any, count: Optional[int], first: int, last: int) -> Any:
        return column[first:last]

    def fingerprint(self) -> Dict[str, Any]:
        digest = hashlib.sha256()
        for way in self.columns[0][0]:
            digest.update(pickle.dumps(way, protocol=4))
        asked = (digest.hexdigest(), self.sources[0].key, sorted(self.options.items()), self.rows, self.chunk)
        return fingerprint_of(repr(asked).encode(), self.question)


def _states(robot: Any, given: Any) -> Tuple[Any, Optional[int]]:
    return column_of(given, ((robot.coordinates,),)) if isinstance(robot, _graze.Robot) else (given, None)


def robot_check_many(robot: Any, states: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                     chunk: int = 10000, progress: Progress = None, **options: Any) -> Any:
    """``Robot.check_many`` for as many states as one likes."""
    return answer(_RobotBatch(robot, "check_many", [_states(robot, states)], options, chunk), out, client, workers, progress)


def robot_motion_free_many(robot: Any, starts: Any, ends: Any, *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                           chunk: int = 1000, progress: Progress = None, **options: Any) -> Any:
    """``Robot.motion_free_many`` for as many edges as one likes; ``starts`` may be one state for all."""
    columns = [_states(robot, starts), _states(robot, ends)]
    if columns[0][1] == 1 and columns[1][1] != 1:
        columns[0] = np.asarray(starts, dtype=float).reshape(-1), None
    return answer(_RobotBatch(robot, "motion_free_many", columns, options, chunk), out, client, workers, progress)


def robot_check_trajectories(robot: Any, trajectories: Iterable[Any], *, out: Any = None, client: Any = None, workers: Optional[int] = None,
                             chunk: int = 100, progress: Progress = None, **options: Any) -> Any:
    """``Robot.check_trajectories`` for as many as one likes."""
    ways = list(trajectories)
    for number, way in enumerate(ways):
        if not isinstance(way, _graze.Trajectory):
            raise Error(f"trajectories are graze.Trajectory, not {type(way).__name__}", element="row", id=number)
    batch = _Trajectories(robot, "check_trajectories", [(ways, len(ways))], options, chunk)
    return answer(batch, out, client, workers, progress)


_SHARED = """

    The robot goes to each worker once, with what is attached to it and what is around it. ``options`` are those of the
    robot's question, without threads, budget and cancel; ``out``, ``client``, ``workers``, ``chunk`` and ``progress`` are those of
    ``collide_many``, and so is what is promised.
"""
for _function in (robot_check_many, robot_motion_free_many, robot_check_trajectories):
    _function.__doc__ = f"{_function.__doc__}{_SHARED}"
