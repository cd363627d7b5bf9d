# SPDX-License-Identifier: MIT
"""Checks certificates with graze-verify, a program that shares no code with the engine that wrote them."""
import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional

from ._graze import Body, Certificate, Mesh, StepProof, save_mesh
from .shape import Hull, to_text


class Verdict(NamedTuple):
    """What graze-verify found. It has no truth value: compare ``verified``."""

    verified: bool
    reason: Optional[str]  #: why it was rejected
    details: Dict[str, Any]  #: everything that the program printed

    def __bool__(self) -> bool:
        raise TypeError("a Verdict has no truth value; look at its field verified")


def _program() -> str:
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "graze-verify")
    found = beside if os.path.exists(beside) else shutil.which("graze-verify")
    if found is None:
        raise FileNotFoundError("the program graze-verify is neither in the package nor on PATH; it is built with graze")
    return found


def _argument(body: Body, folder: str, name: str) -> str:
    if body.pieces:
        raise TypeError("compounds are verified from the command line only: graze-verify FILE A compound:FILE")
    shape = body.shape
    if shape is not None and not isinstance(shape.kind, Hull):
        return to_text(shape)
    path = os.path.join(folder, name + ".obj")
    if shape is not None:
        with open(path, "w", encoding="ascii") as file:
            file.writelines("v %r %r %r\n" % tuple(point) for point in shape.kind.points.tolist())
        return "hull:" + path
    save_mesh(body.mesh, path)
    return path


def verify(
    certificate: Certificate,
    a: Body,
    b: Body,
    *,
    until: Optional[float] = None,
    separation: Optional[float] = None,
    solid: bool = False,
    timeout: Optional[float] = None,
) -> Verdict:
    """Does the certificate prove that the moving bodies a and b do not touch before its time?

    The program that checks it shares no code with the engine. ``until``, ``separation`` and ``solid`` say what you asked:
    a proof of less is rejected.

    >>> import graze
    >>> box = graze.Body(graze.make.box())
    >>> move = graze.Velocity(graze.Pose([-3, 0, 0]), graze.Pose([-3, 5, 0]))
    >>> proof = graze.first_contact(box, move, box, None, certificate=True).certificate
    >>> graze.verify(proof, box, box, until=1).verified
    True
    """
    with tempfile.TemporaryDirectory(prefix="graze-") as folder:
        path = os.path.join(folder, "certificate.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(certificate.text)
        command = _expectations(until, separation)
        if solid:
            command += ["--expect-solid"]
        return _run([*command, path, _argument(a, folder, "a"), _argument(b, folder, "b")], timeout)


def verify_step(
    proof: StepProof,
    mesh: Mesh,
    start: Any,
    end: Any,
    *,
    self_contacts: bool = True,
    until: Optional[float] = 1.0,
    separation: Optional[float] = None,
    timeout: Optional[float] = None,
) -> Verdict:
    """Does the proof show that no two features of the mesh touch while its vertices go straight from start to end?

    The program that checks it shares no code with the engine. ``self_contacts``, ``until`` and ``separation`` say what
    you asked of ``prove_step``: a proof of less is rejected.

    >>> import graze, numpy as np
    >>> x = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    >>> mesh = graze.Mesh(x, [[0, 1, 2], [3, 4, 5]])
    >>> proof = graze.prove_step(mesh, x, x * [1, 1, 0.5])
    >>> graze.verify_step(proof, mesh, x, x * [1, 1, 0.5]).verified
    True
    """
    with tempfile.TemporaryDirectory(prefix="graze-") as folder:
        path = os.path.join(folder, "certificate.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(proof.text)
        command = _expectations(until, separation) + ["--expect", "all" if self_contacts else "pieces", path]
        for name, positions in ("start", start), ("end", end):
            command.append(os.path.join(folder, name + ".obj"))
            save_mesh(Mesh(positions, _faces(mesh)), command[-1])
        return _run(command, timeout)


def _faces(mesh: Mesh) -> List[Any]:
    return [mesh.polygon(number) for number in range(mesh.polygon_count)]


def _expectations(until: Optional[float], separation: Optional[float]) -> List[str]:
    command = [_program(), "--json"]
    if until is not None:
        command += ["--expect-until", repr(float(until))]
    if separation is not None:
        command += ["--expect-separation", repr(float(separation))]
    return command


def _run(command: List[str], timeout: Optional[float]) -> Verdict:
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    try:
        details = json.loads(done.stdout)
    except ValueError:
        details = {}
    if done.returncode not in (0, 1) or "verified" not in details:
        raise RuntimeError(f"graze-verify could not check it: {(done.stderr or done.stdout).strip()}")
    return Verdict(done.returncode == 0 and bool(details["verified"]), details.get("reason"), details)
