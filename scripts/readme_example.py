#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the C++ examples of README.md and docs/ to files, so that the tests can compile and run what readers see.

An example is the first ```cpp block after a line `<!-- example: NAME -->`.
usage: scripts/readme_example.py OUTPUT_FOLDER     (prints the files written, one a line; unchanged ones are left alone)
"""
import glob
import os
import re
import sys

MARK = re.compile(r"^\s*<!--\s*example:\s*([A-Za-z0-9_]+)\s*-->\s*$")


def examples(path):
    """Yields (name, first line's number, code) for every marked block of a Markdown file."""
    with open(path, encoding="utf-8") as text:
        lines = text.read().split("\n")
    name = None
    at = 0
    while at < len(lines):
        found = MARK.match(lines[at])
        if found:
            if name is not None:
                raise ValueError(f"{path}:{at + 1}: example '{name}' has no ```cpp block before the next mark")
            name = found.group(1)
        elif name is not None and lines[at].strip() == "```cpp":
            end = at + 1
            while end < len(lines) and lines[end].strip() != "```":
                end += 1
            if end == len(lines):
                raise ValueError(f"{path}:{at + 1}: the block of example '{name}' never ends")
            yield name, at + 2, "\n".join(lines[at + 1 : end]) + "\n"
            name = None
            at = end
        at += 1
    if name is not None:
        raise ValueError(f"{path}: example '{name}' has no ```cpp block")


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as old:
            if old.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as new:
        new.write(text)


def extract(root, folder):
    pages = [os.path.join(root, "README.md")] + sorted(glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))
    os.makedirs(folder, exist_ok=True)
    written = {}
    for page in pages:
        if not os.path.isfile(page):
            continue
        for name, line, code in examples(page):
            if name in written:
                raise ValueError(f"{page}:{line}: example '{name}' exists already in {written[name]}")
            written[name] = page
            # Compiler messages then point at the page.
            text = f'#line {line} "{os.path.relpath(page, root)}"\n{code}'
            write_if_changed(os.path.join(folder, name + ".cpp"), text)
    return [os.path.join(folder, name + ".cpp") for name in sorted(written)]


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        print("\n".join(extract(root, sys.argv[1])))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
