# SPDX-License-Identifier: MIT
"""Builds the package graze for pip (PEP 517): CMake compiles it, and this makes a wheel of build/python.

GRAZE_PYTHON_PACKAGE=FOLDER takes a package that is built already (the folder that contains `graze`).
"""
import base64
import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUNDLED = ("libtbb", "libhwy", "liburdfdom", "libconsole_bridge", "libtinyxml")  # what every Linux lacks


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(graze VERSION ([0-9.]+)", file.read()).group(1)


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def metadata():
    lines = [
        "Metadata-Version: 2.1",
        "Name: graze",
        f"Version: {version()}",
        "Summary: Collision detection that never misses",
        "License: MIT",
        f"Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*",
        "Requires-Dist: numpy",
        "Description-Content-Type: text/markdown",
        "",
    ]
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
        return "\n".join(lines) + "\n" + file.read()


def has_urdf():
    """Is what the reader of URDF needs installed? Without it, graze.load_robot says so."""
    found = shutil.which("pkg-config")
    return found and subprocess.run([found, "--exists", "urdfdom", "tinyxml2"], check=False).returncode == 0


def compiled():
    """The folder that contains the package, compiled for this Python."""
    ready = os.environ.get("GRAZE_PYTHON_PACKAGE")
    if ready:
        return ready
    debian = os.path.realpath(sys.base_prefix) == "/usr"  # what build/ is for; another Python has a folder of its own
    build = os.path.join(ROOT, "build" if debian else f"build-{tag()}")
    configure = ["cmake", "-S", ROOT, "-B", build, "-DGRAZE_WITH_PYTHON=ON"]
    if has_urdf():
        configure += ["-DGRAZE_WITH_ROBOT=ON"]
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        configure += ["-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_BUILD_TESTS=OFF"]
        if shutil.which("ninja"):
            configure += ["-G", "Ninja"]
    if not debian:
        configure += [f"-DGRAZE_PYTHON={sys.executable}"]
    subprocess.run(configure, check=True, stdout=sys.stderr)
    jobs = os.environ.get("GRAZE_JOBS", str(os.cpu_count()))
    subprocess.run(["cmake", "--build", build, "-j", jobs, "--target", "graze_python"], check=True, stdout=sys.stderr)
    return os.path.join(build, "python")


def bundled(module):
    """The libraries that go into the wheel, as the loader finds them now: (name, file)."""
    listing = subprocess.run(["ldd", module], check=True, capture_output=True, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (\S+)", listing, re.M):
        if name.startswith(BUNDLED):
            yield name, path


def licences(libraries):
    """Those of the libraries, as Debian has them."""
    for name, path in libraries:
        found = subprocess.run(["dpkg-query", "-S", os.path.realpath(path)], capture_output=True, text=True, check=False).stdout
        package = found.split(":")[0]
        text = f"/usr/share/doc/{package}/copyright"
        if package and os.path.exists(text):
            yield f"{name}.txt", text


class Wheel:
    """Writes the same bytes for the same contents."""

    def __init__(self, path):
        self.file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        self.file.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), os.access(path, os.X_OK))

    def close(self, info):
        self.file.writestr(
            zipfile.ZipInfo(f"{info}/RECORD", (1980, 1, 1, 0, 0, 0)), "\n".join([*self.record, f"{info}/RECORD,,", ""])
        )
        self.file.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = compiled()
    name = f"graze-{version()}-{tag()}.whl"
    info = f"graze-{version()}.dist-info"
    wheel = Wheel(os.path.join(wheel_directory, name))
    module = None
    for folder, folders, files in os.walk(os.path.join(package, "graze")):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        for file in sorted(files):
            path = os.path.join(folder, file)
            wheel.add_file(os.path.relpath(path, package), path)
            if file.startswith("_graze.") and file.endswith(".so"):
                module = path
    if module is None:
        raise RuntimeError(f"{package}/graze holds no module; build the target graze_python first")
    libraries = list(bundled(module))
    for library, path in libraries:  # beside the module, whose run path is its own folder
        wheel.add_file(f"graze/{library}", os.path.realpath(path))
    wheel.add_file(f"{info}/licenses/LICENSE", os.path.join(ROOT, "LICENSE"))
    for licence, path in licences(libraries):
        wheel.add_file(f"{info}/licenses/{licence}", path)
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: graze\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
    wheel.close(info)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"graze-{version()}"
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in filter(None, listing.split("\0")):
            archive.add(os.path.join(ROOT, file), f"{name}/{file}", recursive=False)
        with open(os.path.join(sdist_directory, "PKG-INFO"), "w", encoding="utf-8") as file:
            file.write(metadata())
        archive.add(file.name, f"{name}/PKG-INFO")
    os.remove(file.name)
    return name + ".tar.gz"
