# SPDX-License-Identifier: MIT
"""What a run has done, in a file that a later run goes on from.

The first line says which question it is; every other line is one finished chunk: its number, the checksum of its bytes and
where these are. A line is written after its bytes are on disk, so a run that was cut off loses the chunks that it was about
to write and nothing else. A last line without its end is one of these.
"""
import hashlib
import json
import os
from typing import Any, Dict, Optional, Tuple

from .._enums import ErrorCode
from .._errors import Error

VERSION = 1


class Journal:
    """``data``: the file that holds the chunks' bytes, at the places that the journal names."""

    def __init__(self, path: str, data: str, question: Dict[str, Any], *, size: Optional[int] = None, head: bytes = b"") -> None:
        self._path = path
        self.done: Dict[int, Tuple[int, int]] = {}  #: chunk: offset and length in the data
        begun = {"graze journal": VERSION, **question}
        resumed = os.path.exists(path) and os.path.exists(data)
        if resumed:
            self._read(path, data, begun)
        self._data = open(data, "r+b" if resumed else "w+b")
        if not resumed:
            self._data.write(head)
            if size is not None:
                self._data.truncate(size)
            self._flush(self._data)
        self._lines = open(path, "r+b" if resumed else "w+b")
        if resumed:
            self._lines.seek(self._end)
            self._lines.truncate()
        else:
            self._write_line(begun)

    def add(self, chunk: int, offset: Optional[int], data: bytes) -> None:
        """``offset``: None for the end."""
        offset = self._data.seek(0, os.SEEK_END) if offset is None else self._data.seek(offset)
        self._data.write(data)
        self._flush(self._data)
        self._write_line({"chunk": chunk, "at": offset, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
        self.done[chunk] = offset, len(data)

    def bytes_of(self, chunk: int) -> bytes:
        offset, length = self.done[chunk]
        self._data.seek(offset)
        return self._data.read(length)

    def close(self) -> None:
        self._data.close()
        self._lines.close()

    def finish(self) -> None:
        """The run is complete: nothing has to be gone on from."""
        self.close()
        os.remove(self._path)

    def _write_line(self, line: Dict[str, Any]) -> None:
        self._lines.write(json.dumps(line, sort_keys=True).encode() + b"\n")
        self._flush(self._lines)

    @staticmethod
    def _flush(file: Any) -> None:
        file.flush()
        os.fsync(file.fileno())

    def _read(self, path: str, data: str, begun: Dict[str, Any]) -> None:
        with open(path, "rb") as lines, open(data, "rb") as chunks:
            first = lines.readline()
            if self._parsed(first) != begun:
                raise Error(
                    f"{path} is the journal of another run: of another question, other inputs or other options. "
                    "Delete it to start anew, or give another output file",
                    ErrorCode.bad_option,
                    element="option",
                    file=path,
                )
            self._end = len(first)
            for text in lines:
                line = self._parsed(text)
                if line is None:  # the run was cut off while it wrote this one
                    break
                chunks.seek(line["at"])
                if hashlib.sha256(chunks.read(line["bytes"])).hexdigest() == line["sha256"]:
                    self.done[line["chunk"]] = line["at"], line["bytes"]
                self._end += len(text)

    @staticmethod
    def _parsed(text: bytes) -> Optional[Dict[str, Any]]:
        if not text.endswith(b"\n"):
            return None
        try:
            line = json.loads(text)
        except ValueError:
            return None
        return line if isinstance(line, dict) else None
