#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the checking scripts: a check that never fails checks nothing."""
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace(".", "_"), os.path.join(HERE, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Tree:
    """A temporary folder with files: Tree({"src/a.cpp": "text"})."""

    def __init__(self, files):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in files.items():
            path = os.path.join(self.folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def __enter__(self):
        return self.folder.name

    def __exit__(self, *_):
        self.folder.cleanup()


class Layers(unittest.TestCase):
    def problems(self, files):
        with Tree(files) as root:
            return load("check_layers").Checker(root).run()

    def test_what_is_allowed(self):
        self.assertEqual([], self.problems({
            "include/graze/math/vec3.hpp": "#include <cmath>\n",
            "include/graze/graze.hpp": "#include <graze/math/vec3.hpp>\n",
            "src/math/sign.hpp": "",
            "src/prim/kernel.hpp": "",
            "src/prim/kernel.cpp": '#include <graze/math/vec3.hpp>\n#include <fmt/core.h>\n#include "math/sign.hpp"\n#include "prim/kernel.hpp"\n',
            "apps/tool/own.hpp": "",
            "apps/tool/main.cpp": '#include <graze/graze.hpp>\n#include "own.hpp"\n',
        }))

    def test_upward_includes(self):
        for folder, target in [("prim", "mesh"), ("prim", "bvh"), ("bvh", "prim"), ("core", "math"), ("io", "ask"), ("world", "prim"),
                               ("body", "ask")]:
            found = self.problems({f"src/{target}/x.hpp": "", f"src/{folder}/y.cpp": f'\n#include "{target}/x.hpp"\n'})
            self.assertEqual(1, len(found), (folder, target))
            self.assertIn(f"src/{folder}/y.cpp:2: {folder} may not include {target}", found[0])
            found = self.problems({f"include/graze/{target}/x.hpp": "", f"src/{folder}/y.cpp": f"#include <graze/{target}/x.hpp>\n"})
            self.assertEqual(1, len(found), (folder, target))

    def test_what_the_browser_lacks(self):
        found = self.problems({"src/mesh/x.cpp": "a;\nstd::bit_cast<int>(x);  // as std::bit_cast\n", "src/gpu/y.cpp": "std::bit_cast<int>(x);\n"})
        self.assertEqual(1, len(found))
        self.assertIn("src/mesh/x.cpp:2: std::bit_cast", found[0])

    def test_folders_in_folders(self):
        found = self.problems({"src/classic/fast/x.hpp": "", "src/engine/distance/y.cpp": '#include "classic/fast/x.hpp"\n'})
        self.assertEqual(1, len(found))
        self.assertIn("engine/distance may not include classic/fast", found[0])
        self.assertEqual(1, len(self.problems({"src/engine/stuff/a.cpp": ""})))
        below = {"src/world/state.hpp": "", "include/graze/world/w.hpp": ""}
        self.assertEqual([], self.problems(below | {"src/world/sweep/y.cpp": '#include "world/state.hpp"\n'}))
        self.assertEqual([], self.problems(below | {"src/world/record/y.cpp": "#include <graze/world/w.hpp>\n"}))
        self.assertEqual(1, len(self.problems(below | {"src/world/record/y.cpp": '#include "world/state.hpp"\n'})))

    def test_circles(self):
        found = self.problems({
            "src/engine/deform/tree/a.hpp": '#include "engine/deform/walk/b.hpp"\n',
            "src/engine/deform/walk/b.hpp": '#include "engine/deform/tree/c.hpp"\n',
            "src/engine/deform/tree/c.hpp": "",
        })
        self.assertEqual(1, len(found))
        self.assertIn("a circle of folders", found[0])

    def test_the_engine_sees_public_questions_only(self):
        header = {"include/graze/ask/x.hpp": ""}
        self.assertEqual([], self.problems(header | {"src/engine/ray/y.cpp": "#include <graze/ask/x.hpp>\n"}))
        self.assertEqual(1, len(self.problems({"src/ask/x.hpp": "", "src/engine/ray/y.cpp": '#include "ask/x.hpp"\n'})))

    def test_public_headers(self):
        self.assertEqual(1, len(self.problems({"include/graze/math/a.hpp": "#include <Eigen/Core>\n"})))
        self.assertEqual(1, len(self.problems({"src/math/b.hpp": "", "include/graze/math/a.hpp": '#include "math/b.hpp"\n'})))
        self.assertEqual(1, len(self.problems({"include/graze/math/a.hpp": "#include <graze/math/gone.hpp>\n"})))

    def test_sources(self):
        self.assertEqual(1, len(self.problems({"src/math/a.cpp": "#include <gmp.h>\n"})))
        self.assertEqual(1, len(self.problems({"src/math/a.cpp": '#include "../core/b.hpp"\n', "src/core/b.hpp": ""})))
        self.assertEqual(1, len(self.problems({"include/graze/graze.hpp": "", "src/math/a.cpp": "#include <graze/graze.hpp>\n"})))
        self.assertEqual(1, len(self.problems({"src/stuff/a.cpp": ""})))

    def test_programs(self):
        for include in ['"math/b.hpp"', '"../../src/math/b.hpp"', "<graze/math/private.hpp>"]:
            files = {"src/math/b.hpp": "", "apps/tool/main.cpp": f"#include {include}\n"}
            self.assertEqual(1, len(self.problems(files)), include)


class Examples(unittest.TestCase):
    def test_blocks(self):
        page = "text\n<!-- example: first -->\n\n```cpp\nint a;\n```\n```cpp\nnot marked\n```\n"
        with Tree({"README.md": page, "docs/deep/more.md": page.replace("first", "second")}) as root:
            module = load("readme_example.py")
            files = module.extract(root, os.path.join(root, "out"))
            self.assertEqual(["first.cpp", "second.cpp"], [os.path.basename(file) for file in files])
            with open(files[0], encoding="utf-8") as file:
                self.assertEqual('#line 5 "README.md"\nint a;\n', file.read())

    def test_broken_pages(self):
        for page in ["<!-- example: a -->\nno code\n", "<!-- example: a -->\n```cpp\nint a;\n",
                     "<!-- example: a -->\n<!-- example: b -->\n```cpp\n```\n"]:
            with Tree({"README.md": page}) as root:
                with self.assertRaises(ValueError):
                    load("readme_example.py").extract(root, os.path.join(root, "out"))


class Stages(unittest.TestCase):
    """Every stage of scripts/test has a function, and stands in the usage and on the page; every task of setup has packages."""

    def read(self, name):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            return file.read()

    def words(self, text, name):
        return re.search(rf"^{name}=\(([^)]*)\)", text, re.MULTILINE).group(1).split()

    def test_names(self):
        script = self.read("test")
        usage = script.split("\nsource ")[0]
        page = self.read("../docs/development.md")
        for stage in self.words(script, "all") + self.words(script, "platforms"):
            self.assertIn(f"\nstage_{stage}()", script)
            self.assertRegex(usage, rf"\b{stage}\b")
            self.assertRegex(page, rf"--only.*\b{stage}\b")

    def test_packages(self):
        setup = self.read("setup")
        for platform in self.words(self.read("test"), "platforms"):
            self.assertTrue(self.words(setup, platform))
            self.assertIn(f'    {platform}) wanted+=("${{{platform}[@]}}") ;;\n', setup)


class Counting(unittest.TestCase):
    def test_kinds(self):
        junit = """<testsuite>
          <testcase name="unit_tests" status="fail"><failure message="Failed"/></testcase>
          <testcase name="crashing" status="fail"><failure message="SEGFAULT"/></testcase>
          <testcase name="plain" status="run"/>
          <testcase name="python" status="run"><system-out>..s
Ran 3 tests in 0.1s

OK (skipped=1)</system-out></testcase>
          <testcase name="pytest" status="fail"><failure message="Failed"/><system-out>.F.s [100%]
FAILED ../tests/test_a.py::test_b - LostConnection: gone
SKIPPED [1] ../tests/test_a.py:9: no package
1 failed, 2 passed, 1 skipped, 3 warnings in 12.34s</system-out></testcase>
          <testcase name="absent" status="notrun"><skipped message="Unable to find executable"/></testcase>
        </testsuite>"""
        cases = """<testsuites><testsuite>
          <testcase classname="A" name="good" status="run" result="completed"/>
          <testcase classname="A" name="bad" status="run" result="completed"><failure message="no"/></testcase>
          <testcase classname="A" name="left" status="run" result="skipped"><skipped message="no data"/></testcase>
        </testsuite></testsuites>"""
        clean = """<testsuites><testsuite><testcase classname="B" name="good" status="run" result="completed"/>
        </testsuite></testsuites>"""
        with Tree({"ctest.xml": junit, "cases/unit_tests.xml": cases, "cases/crashing.xml": clean}) as root:
            results = load("count_tests.py").count(os.path.join(root, "ctest.xml"), os.path.join(root, "cases"))
            kinds = sorted((kind, name) for kind, name, _ in results)
            self.assertEqual([("F", "crashing"), ("F", "pytest: test_b"), ("F", "unit_tests: A.bad"), ("P", "crashing: B.good"), ("P", "plain"),
                              ("P", "pytest: case"), ("P", "pytest: case"), ("P", "python: case"), ("P", "python: case"),
                              ("P", "unit_tests: A.good"), ("S", "absent"), ("S", "pytest: case"), ("S", "python: case"),
                              ("S", "unit_tests: A.left")], kinds)


class Setup(unittest.TestCase):
    def run_setup(self, commands):
        """`scripts/setup bench` where every package but npm is installed, apt cannot install anything, and these commands exist."""
        fake = {"dpkg-query": 'if [ "$3" = npm ]; then exit 1; fi; printf installed', "apt-get": "exit 100", "id": "echo 0"}
        fake.update(commands)
        with Tree({f"bin/{name}": f"#!/bin/sh\n{text}\n" for name, text in fake.items()}) as root:
            folder = os.path.join(root, "bin")
            for name in fake:
                os.chmod(os.path.join(folder, name), 0o755)
            for name in ("bash", "sh", "dirname", "nproc", "mktemp", "rm", "cat", "env"):
                os.symlink(shutil.which(name), os.path.join(folder, name))
            return subprocess.run([os.path.join(HERE, "setup"), "bench"], env={"PATH": folder}, capture_output=True, text=True)

    def test_a_package_is_not_wanted_where_its_command_is(self):
        # Debian's npm conflicts with a nodejs that brings its own npm.
        self.assertEqual(self.run_setup({"npm": "exit 0"}).returncode, 0)
        without = self.run_setup({})
        self.assertEqual(without.returncode, 2)
        self.assertIn("installing npm\n", without.stdout)


if __name__ == "__main__":
    unittest.main()
