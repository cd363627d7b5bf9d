# SPDX-License-Identifier: MIT
"""Broken files that nobody on this project made, each fed to every reader: read, or refused with a message."""

import json
import os
import pathlib
import subprocess
import unittest

from harness import GRAZE, CommandTest

DEFAULT_DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
DATA = pathlib.Path(os.environ.get("GRAZE_SHARED_DATA", DEFAULT_DATA)) / "bad"


@unittest.skipUnless(DATA.is_dir(), "needs the shared data: set GRAZE_SHARED_DATA")
class BadFiles(CommandTest):
    def test_every_file_with_every_reader(self):
        files = sorted(str(path) for path in DATA.rglob("*") if path.is_file())
        self.assertTrue(files)
        for reader in ("automatic", "obj", "off", "ply", "stl"):
            with self.subTest(reader=reader):
                done = subprocess.run([GRAZE, "info", "--json", "--format", reader, *files], capture_output=True, timeout=120)
                self.assertIn(done.returncode, (0, 2))
                read = {json.loads(line)["file"] for line in done.stdout.decode().splitlines()}
                refused = done.stderr.decode(errors="replace")
                for file in files:
                    self.assertTrue((file in read) != (f"graze: {file}" in refused), file)


if __name__ == "__main__":
    unittest.main()
