# SPDX-License-Identifier: MIT
"""What graze raises."""
from typing import Any, Optional

from ._enums import ErrorCode


class Error(ValueError):
    """What is wrong with the input, where, and what to do about it.

    >>> import graze
    >>> try:
    ...     graze.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 7]])
    ... except graze.Error as error:
    ...     print(error.code, error.element, error.id)
    index_out_of_range polygon 0
    """

    code: ErrorCode  #: what kind of error
    message: str  #: what happened and what to do about it
    element: Optional[str]  #: "vertex", "polygon", "option", "row", ...
    id: Optional[int]  #: which element, from 0
    file: Optional[str]
    line: Optional[int]  #: in a text file, from 1

    def __init__(
        self,
        text: str,
        code: ErrorCode = ErrorCode.bad_option,
        message: Optional[str] = None,
        element: Optional[str] = None,
        id: Optional[int] = None,
        file: Optional[str] = None,
        line: Optional[int] = None,
    ) -> None:
        super().__init__(text)
        self.code, self.message, self.element = code, text if message is None else message, element
        self.id, self.file, self.line = id, file, line

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.code, self.message, self.element, self.id, self.file, self.line)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a batch. ``rows`` holds every answer that was found; the others are undecided."""

    def __init__(self, rows: Any, answered: int) -> None:
        super().__init__(f"interrupted: {answered} of {len(rows)} rows were answered, see .rows")
        self.rows = rows
        self.answered = answered
