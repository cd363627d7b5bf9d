# SPDX-License-Identifier: MIT
"""The examples of docstrings and pages, run as readers would."""
import doctest
import os
import re

import graze
import pytest
from graze import _errors, _graze, _meshes, _verify, clash, make, shape

ROOT = os.environ["GRAZE_SOURCE_DIR"]
PAGES = ["README.md", "docs/python.md", "docs/distributed.md"]


def run(name, text, folder, names):
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    test.globs = names  # and not a copy: one block uses the names of the last one
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = []
    before = os.getcwd()
    os.chdir(folder)
    try:
        runner.run(test, out=report.append, clear_globs=False)
    finally:
        os.chdir(before)
    assert runner.failures == 0, "".join(report)
    return runner.tries


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
    assert blocks
    if page == "docs/distributed.md":
        pytest.importorskip("distributed", reason="needs Debian's python3-distributed")
    names = {}
    for block in blocks:
        if ">>>" in block:
            assert run(page, block, tmp_path, names) > 0
        else:
            before = os.getcwd()
            os.chdir(tmp_path)
            try:
                exec(compile(block, page, "exec"), names)  # pylint: disable=exec-used
            finally:
                os.chdir(before)


def documented():
    for module in (graze, make, shape, clash, _errors, _meshes, _verify):
        yield module.__name__, module
    for module in (graze, make, shape, clash):
        for name in module.__all__:
            thing = getattr(module, name)
            yield f"{module.__name__}.{name}", thing
            if isinstance(thing, type):
                for member in vars(thing).values():
                    if getattr(member, "__doc__", None) and not isinstance(member, (int, str)):
                        yield f"{module.__name__}.{name}.{getattr(member, '__name__', '')}", member


def test_docstrings(tmp_path):
    examples = 0
    for name, thing in documented():
        if ">>>" in (thing.__doc__ or ""):
            examples += run(name, thing.__doc__, tmp_path, {})
    assert examples > 20


def test_everything_is_explained():
    for module in (graze, make, shape, clash):
        for name in module.__all__:
            assert (getattr(getattr(module, name), "__doc__", None) or "").strip(), f"{module.__name__}.{name}"
    assert _graze.collide.__module__ == "graze" and graze.Body.__module__ == "graze"
