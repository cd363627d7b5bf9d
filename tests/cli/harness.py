# SPDX-License-Identifier: MIT
"""Runs the built command and gives the tests small meshes whose answers are known by hand."""

import json
import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

GRAZE = pathlib.Path(os.environ.get("GRAZE", "build/bin/graze")).resolve()
CHILD_SECONDS = 1200  # ends a child that hangs; one that is slow, sanitized, on a busy machine needs far less

CUBE_QUADS = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def cube_obj(size=1.0, origin=(0.0, 0.0, 0.0), faces=range(6)):
    """An axis-aligned cube of six quads from `origin`; vertex 0 is its lowest corner, polygon 3 its +x face."""
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    lines = ["v " + " ".join(repr(o + size * c) for o, c in zip(origin, corner)) for corner in corners]
    lines += ["f " + " ".join(str(v + 1) for v in CUBE_QUADS[face]) for face in faces]
    return "\n".join(lines) + "\n"


def pose(x=0, y=0, z=0, q=(1, 0, 0, 0)):
    return " ".join(str(v) for v in (x, y, z, *q))


class CommandTest(unittest.TestCase):
    """Each test has an empty directory of its own, which is where the command runs."""

    def setUp(self):
        self.assertTrue(GRAZE.is_file(), f"no command at {GRAZE}: set GRAZE to the built graze")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def write(self, name, text):
        (self.dir / name).write_text(text)
        return name

    def cube(self, name="cube.obj", **shape):
        return self.write(name, cube_obj(**shape))

    def graze(self, *args, status=0):
        """Runs `graze args` and checks its exit status (one, or one of several)."""
        done = subprocess.run([GRAZE, *map(str, args)], cwd=self.dir, capture_output=True, text=True,
                              timeout=CHILD_SECONDS)
        allowed = status if isinstance(status, tuple) else (status,)
        self.assertIn(done.returncode, allowed,
                      f"graze {' '.join(map(str, args))}\nstdout: {done.stdout[-2000:]}\nstderr: {done.stderr}")
        if done.returncode == 2:
            self.assertTrue(done.stderr.startswith("graze: "), done.stderr)
        return done

    def json(self, *args, status=0):
        """The one object that `graze args --json` prints."""
        done = self.graze(*args, "--json", status=status)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 1, done.stdout)
        answer = json.loads(lines[0], parse_constant=self.fail)  # NaN or Infinity would be no JSON
        self.assertEqual(answer["version"], 1)
        return answer

    def on_terminal(self, *args):
        """Runs `graze args` with its messages on a terminal: standard output's lines, and all that the terminal got."""
        leader, follower = pty.openpty()
        done = subprocess.run([GRAZE, *args], cwd=self.dir, stdout=subprocess.PIPE, stderr=follower, timeout=CHILD_SECONDS)
        os.close(follower)
        shown = b""
        try:  # a terminal hands over its text in pieces, and ends it with an error
            while piece := os.read(leader, 1 << 16):
                shown += piece
        except OSError:
            pass
        os.close(leader)
        self.assertEqual(done.returncode, 0, shown)
        return done.stdout.splitlines(), shown.decode()

    def refused(self, *args, says):
        """`graze args` exits with 2, prints no answer, and its message holds every text of `says`."""
        done = self.graze(*args, status=2)
        self.assertEqual(done.stdout, "")
        for text in says:
            self.assertIn(text, done.stderr)
        return done
