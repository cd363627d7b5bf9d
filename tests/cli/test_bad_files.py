# SPDX-License-Identifier: MIT
"""Broken files that nobody on this project made, each fed to every reader: read, or refused with a message."""

import json
import os
import pathlib
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE, CommandTest

DEFAULT_DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
DATA = pathlib.Path(os.environ.get("GRAZE_SHARED_DATA", DEFAULT_DATA)) / "bad"


@unittest.skipUnless(DATA.is_dir(), "needs the shared data: set GRAZE_SHARED_DATA")
class BadFiles(CommandTest):
    def test_every_file_with_every_reader(self):
        files = sorted(str(path) for path in DATA.rglob("*") if path.is_file())
        self.assertTrue(files)
        for reader in ("automatic", "obj", "off", "ply", "stl"):
            with self.subTest(reader=reader):
                done = subprocess.run([GRAZE, "info", "--json", "--format", reader, *files], capture_output=True,
                                      timeout=CHILD_SECONDS)
                self.assertIn(done.returncode, (0, 2))
                read = {json.loads(line)["file"] for line in done.stdout.decode().splitlines()}
                refused = done.stderr.decode(errors="replace")
                for file in files:
                    self.assertTrue((file in read) != (f"graze: {file}" in refused), file)


class DeepNesting(CommandTest):
    """Arrays nested 200,000 deep overflowed the stack and ended the program; now every reader of JSON says where."""

    def test_every_reader_of_json(self):
        self.cube()
        depth = 200000
        for name, text, line in (("arrays.json", "[" * depth + "]" * depth, 1),
                                 ("objects.json", '{"a":' * depth + "1" + "}" * depth, 1),
                                 ("unclosed.json", '{"version": 1,\n"bodies": ' + "[" * depth, 2),
                                 ("links.json", '{"version": 1,\n\n"links": [{"joint": ' + '{"a":' * depth + "1" + "}" * depth + "}]}", 3)):
            self.write(name, text)
            for command in ("world", "chain", "replay"):
                with self.subTest(command=command, file=name):
                    self.refused(command, name, says=[f"{name}:{line}", "nested more than 64 deep", "check the program that wrote it"])

    def test_brackets_in_texts_do_not_nest(self):
        name = '[{\\"' * 100
        self.write("scene.json", '{"version": 1, "bodies": [{"name": "%s", "make": "box"}]}' % name)
        self.graze("world", "scene.json", "--frames", 1)


if __name__ == "__main__":
    unittest.main()
