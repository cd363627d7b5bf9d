# SPDX-License-Identifier: MIT
"""The wheel: it installs into a fresh environment, offline, and needs nothing of graze beside it."""
import os
import subprocess
import sys
import zipfile

import pytest

ROOT = os.environ["GRAZE_SOURCE_DIR"]
PACKAGE = os.path.abspath(os.environ["PYTHONPATH"].split(os.pathsep)[0])

PROGRAM = """
import os, sys
import graze
box = graze.Body(graze.make.box())
proof = graze.first_contact(box, graze.Still(graze.Pose([3, 0, 0])), box, None, certificate=True).certificate
assert graze.verify(proof, box, box).verified
rows = graze.collide_many(box, None, box, [[0.5, 0, 0, 1, 0, 0, 0]] * 100, threads=2)
assert (rows["status"] == graze.Status.contact).all()
home = os.path.dirname(graze.__file__)
assert home.startswith(sys.prefix), home
used = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}
for name in ("libtbb", "libhwy", "liburdfdom", "libconsole_bridge", "libtinyxml"):
    assert all(path.startswith(home) for path in used if name in path), name
assert not any("libgraze" in path for path in used)
print("installed", graze.__version__)
"""


@pytest.fixture(scope="module", name="environment")
def fresh_environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(folder)], check=True)
    return folder


def run(*command, **options):
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    clean.update(options.pop("env", {}))
    done = subprocess.run(command, env=clean, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("how", ["wheel", "source"])
def test_install(environment, tmp_path, how):
    ready = {"GRAZE_PYTHON_PACKAGE": PACKAGE}  # what CMake has just built; without it the backend calls CMake
    if how == "wheel":
        run(sys.executable, "-B", "-c", "import sys, graze_backend; graze_backend.build_wheel(sys.argv[1])", str(tmp_path),
            env={**ready, "PYTHONPATH": os.path.join(ROOT, "python", "packaging")})
        [wheel] = tmp_path.glob("*.whl")
        with zipfile.ZipFile(wheel) as file:
            names = file.namelist()
            assert file.testzip() is None
        assert "graze/_graze/__init__.pyi" in names and "graze/py.typed" in names and "graze/graze-verify" in names
        assert not [name for name in names if "__pycache__" in name]
        what = str(wheel)
    else:
        what = ROOT
    pip = str(environment / "bin" / "pip")
    run(pip, "install", "--no-index", "--force-reinstall", "--no-deps", what, env=ready, cwd=tmp_path)
    assert run(str(environment / "bin" / "python"), "-c", PROGRAM, cwd=tmp_path).startswith("installed")
    run(pip, "uninstall", "--yes", "graze", cwd=tmp_path)
