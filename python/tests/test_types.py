# SPDX-License-Identifier: MIT
"""The stubs: they say what the module has, and a user's program is checked by them."""
import ast
import os
import re
import subprocess
import sys

import graze
import pytest

PACKAGE = os.path.abspath(os.environ["PYTHONPATH"].split(os.pathsep)[0])

PROGRAM = """
import numpy as np
import graze

body = graze.Body(graze.Mesh(np.zeros((3, 3)), np.array([[0, 1, 2]])))
result = graze.collide(body, None, body, graze.Pose([1, 0, 0]), solid=True)
status: graze.Status = result.status
rows = graze.collide_many(body, None, body, np.zeros((4, 7)), progress=True)
print(rows["status"] == graze.Status.contact, graze.distance(body, np.eye(4), body, ([1, 2, 3], None)).points[0])
hit = graze.first_contact(body, graze.Velocity([0, 0, 0, 1, 0, 0, 0], None), body, None)
if hit.time.touch is not None:
    print(hit.time.touch + 1)
manager = graze.CollisionManager()
manager.add_object("a", graze.shape.Sphere(1), np.eye(4))
world = graze.World(threads=2)
first = world.add(body, name="first", frame=world.add_frame())
chain = graze.Chain([graze.Link("arm", joint=graze.Joint("revolute", axis=[0, 1, 0]))])
arm: graze.ArticulatedId = world.add(chain, [("arm", body)], [0.0])
world.move(arm, np.zeros(1), None)
world.move(first, np.eye(4))
world.on_contact(lambda event: print(event.depth), first)
for event in world.check(details=graze.ContactDetails(depth=True)):
    print(world.name(event.a), event.points)
robot = graze.Robot(graze.RobotModel(chain.links, [graze.RobotPiece("arm", body)]))
robot.surroundings([body, (body, None, "wall")])
print(robot.check_many(np.zeros((4, 1)))["status"], robot.motion_free([0], [1]).status)
cloth = graze.Deformable(body.mesh)
cloth.set_filter(graze.DeformFilter(fixed=[0], may_touch=lambda a, b: a < b))
pairs = cloth.near(0.1, np.zeros((3, 3), dtype=np.float32)).pairs
print(graze.squared_distances(pairs, np.zeros((3, 3))).values, cloth.step_size(np.zeros((3, 3))).step * 2)
"""

WRONG = [
    ("graze.collide(body, None, body)", "Missing positional argument"),
    ("graze.collide(body, None, body, None, solid='yes')", "incompatible type"),
    ("graze.collide(body, None, body, None, sold=True)", "Unexpected keyword"),
    ("body.mesh.vertices = 3", "read-only"),
    ("hit.time.touch + 1", "None"),
    ("graze.collide(3, None, body, None)", "incompatible type"),
    ("world.move(arm, [0], 3, 4)", "No overload variant"),
    ("world.remove('first')", "No overload variant"),
    ("cloth.step(np.zeros((3, 3)), self=False)", "Unexpected keyword"),
    ("robot.check([0], True)", "Too many positional"),
    ("robot.check([0]).pair[0]", "not indexable"),
]


def mypy(folder, *arguments):
    environment = dict(os.environ, MYPYPATH=PACKAGE, MYPY_CACHE_DIR=str(folder / "cache"))
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = mypy(tmp_path, "mypy", "--strict", "program.py")
    assert done.returncode == 0, done.stdout
    wrong = PROGRAM + "".join(line + "\n" for line, _ in WRONG)
    (tmp_path / "wrong.py").write_text(wrong)
    done = mypy(tmp_path, "mypy", "wrong.py")
    first = PROGRAM.count("\n")
    for number, (line, message) in enumerate(WRONG, first + 1):
        found = [text for text in done.stdout.splitlines() if text.startswith(f"wrong.py:{number}: error")]
        assert found and message in found[0], (line, done.stdout)


def test_the_package_itself(tmp_path):
    done = mypy(tmp_path, "mypy", "--strict", "--package", "graze")
    assert done.returncode == 0, done.stdout


def functions_of(body):
    """{name: the functions of that name}: several, if it is overloaded."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def stubs(name):
    """{name: a class, or the functions of that name}; those of the module itself are in several files by subject."""
    folder = os.path.join(PACKAGE, "graze", "_graze")
    names = [n[:-4] for n in os.listdir(folder) if n.endswith(".pyi") and n.startswith("_")] if name == "__init__" else [name]
    body = []
    for part in names:
        with open(os.path.join(folder, part + ".pyi"), encoding="utf-8") as file:
            body += ast.parse(file.read()).body
    return {**functions_of(body), **{node.name: node for node in body if isinstance(node, ast.ClassDef)}}


def arguments_of_stub(function):
    """(name, default or None) of the arguments after self; those after the star are marked."""
    arguments = function.args
    named = [a.arg for a in arguments.args]
    defaults = [None] * (len(named) - len(arguments.defaults)) + [ast.unparse(d) for d in arguments.defaults]
    both = list(zip(named, defaults)) + [("*", None)] * bool(arguments.kwonlyargs)
    both += [(a.arg, None if d is None else ast.unparse(d)) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [a for a in both if a[0] != "self"]


def lines_of_module(function, name):
    """What help() shows first, name(a: graze.Body, *, threads: int = 1) -> ...; of each overload."""
    lines = function.__doc__.splitlines()
    if "Overloaded function." not in lines:
        return lines[:1]
    return [line.split(". ", 1)[1] for line in lines if re.match(rf"\d+\. {name}\(", line)]


def arguments_of_module(line):
    """(name, default) of such a line."""
    text = line[line.index("(") + 1 : line.rindex(") ->")]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text + ","):
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    found = []
    for part in filter(None, parts):
        name, _, rest = part.partition(":")
        _, equals, default = rest.partition(" = ")
        found.append((name, default.strip() if equals else None))
    return [a for a in found if a[0] != "self"]


def same(stub, module):
    if stub in (None, "...") or module is None:
        return (stub is None) == (module is None)
    return ast.literal_eval(stub) == ast.literal_eval(module)


def check_function(functions, function, where):
    lines = lines_of_module(function, functions[0].name)
    assert len(lines) == len(functions), where
    for stub, line in zip(functions, lines):
        theirs, ours = arguments_of_module(line), arguments_of_stub(stub)
        assert [name for name, _ in ours] == [name for name, _ in theirs], where
        for (name, mine), (_, real) in zip(ours, theirs):
            assert same(mine, real), f"{where}: default of {name}: {mine} and {real}"


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


@pytest.mark.parametrize("name, module", [("__init__", graze._graze), ("shape", graze._graze.shape), ("make", graze._graze.make)])
def test_stubs_say_what_is_there(name, module):
    declared = stubs(name)
    assert {n for n in declared if not n.startswith("_")} == public(module) - {"shape", "make"}
    for what, stub in declared.items():
        real = getattr(module, what)
        if isinstance(stub, list):
            check_function(stub, real, what)
            continue
        members = functions_of(stub.body)
        assert {m for m in members if not m.startswith("_")} == public(real), what
        for member, functions in members.items():
            decorated = [d.id for d in functions[0].decorator_list if isinstance(d, ast.Name)]
            if "property" in decorated:
                assert isinstance(vars(real)[member], property), f"{what}.{member}"
            elif not member.startswith("__") or member == "__init__":
                check_function(functions, getattr(real, member), f"{what}.{member}")
