# SPDX-License-Identifier: MIT
"""graze.clash beside the questions about single pairs, and on more than one process."""
import json
import os
import zipfile

import graze
import graze.clash
import numpy as np
import pytest
from graze import ClashKind, Status
from graze.clash import Part, Rule

BOX = graze.make.box()
KNOT = graze.make.torus_knot(triangles=600)
BALL = graze.make.sphere(triangles=200)


def crowd(count, size, seed=1):
    rng = np.random.default_rng(seed)
    meshes = [BOX, KNOT, BALL]
    return [
        Part(f"part {i}", meshes[i % 3], graze.Pose(rng.uniform(-size, size, 3), rng.normal(size=4)), group=f"group {i % 4}")
        for i in range(count)
    ]


def one_by_one(parts, clearance):
    """(a, b): kind by the questions about one pair."""
    found = {}
    for i, p in enumerate(parts):
        for k, q in enumerate(parts[:i]):
            a, b = graze.Body(q.mesh), graze.Body(p.mesh)
            hit = graze.collide(a, q.pose, b, p.pose, solid=True)
            if hit.status == Status.contact:
                found[k, i] = "inside" if hit.contained != graze.Containment.none else hit.kind.name
            elif clearance and graze.within(clearance, a, q.pose, b, p.pose).status == Status.contact:
                found[k, i] = "near"
    return found


@pytest.mark.parametrize("clearance", [0.0, 0.3])
def test_the_clashes_are_those_of_all_pairs(clearance):
    parts = crowd(40, 2)
    found = graze.clash.check(parts, clearance=clearance)
    assert {(int(r["a"]), int(r["b"])): found.kind(r).name for r in found.rows} == one_by_one(parts, clearance)
    assert found.status == Status.contact and found.complete and len(found) > 5
    again = graze.clash.check(parts, clearance=clearance, threads=2)
    assert again.rows.tobytes() == found.rows.tobytes()
    for row in found.rows:
        if row["kind"] == ClashKind.near:
            a, b = parts[row["a"]], parts[row["b"]]
            gap = graze.distance(graze.Body(a.mesh), a.pose, graze.Body(b.mesh), b.pose).distance
            assert row["distance"] == pytest.approx(gap, rel=1e-8)


def test_kinds_rules_and_groups():
    parts = [
        Part("floor", BOX, [0, 0, 0, 1, 0, 0, 0], "slab"),
        Part("same", BOX, None, "slab"),
        Part("beside", BOX, [1, 0, 0, 1, 0, 0, 0], "wall"),
        Part("small", BALL, graze.Pose([10, 0, 0])),
    ]
    found = graze.clash.check(parts)
    assert [(r["a"], r["b"], found.kind(r)) for r in found.rows] == [
        (0, 1, ClashKind.duplicate), (0, 2, ClashKind.touching), (1, 2, ClashKind.touching)]
    assert len(graze.clash.check(parts, touching=False)) == 1
    assert len(graze.clash.check(parts, within_groups=False)) == 2
    assert len(graze.clash.check(parts, rules=[Rule("fl*", "same", ignore=True), Rule("@wall", "*", ignore=True)])) == 0
    assert graze.clash.check(parts, rules=[Rule(ignore=True)]).status == Status.free
    assert len(graze.clash.check(parts, most=1)) == 1
    near = graze.clash.check(parts, clearance=1, rules=[Rule("small", clearance=20)])
    assert sum(r["kind"] == ClashKind.near for r in near.rows) == 3
    with pytest.raises(TypeError, match="status"):
        bool(found)
    assert "3 clashes" in repr(found)
    assert len(graze.clash.check([])) == 0 and graze.clash.check([]).status == Status.free


def test_files(tmp_path):
    for name, mesh in ("a", BOX), ("b", KNOT), ("c, with a comma", BALL):
        graze.save_mesh(mesh, str(tmp_path / f"{name}.obj"))
    (tmp_path / "broken.obj").write_text("v 0 0 x\n")
    paths = [tmp_path / "a.obj", tmp_path / "broken.obj", str(tmp_path / "b.obj"), tmp_path / "c, with a comma.obj",
             tmp_path / "missing.obj"]
    found = graze.clash.check(paths, memory=1)  # nothing is kept
    assert [(r["a"], r["b"]) for r in found.rows] == [(0, 2), (0, 3), (2, 3)]
    assert [(u.a, u.b, u.error.code.name) for u in found.unanswered] == [(1, None, "bad_file"), (4, None, "file_not_found")]
    assert "broken.obj" in str(found.unanswered[0].error) and not found.complete
    only = graze.clash.check([paths[0], paths[1]])
    assert only.status == Status.undecided  # the unread one may clash
    found.save(tmp_path / "clashes.csv")
    lines = (tmp_path / "clashes.csv").read_text().splitlines()
    assert len(lines) == 4 and lines[2].startswith('a.obj,"c, with a comma.obj",inside,') and lines[0].startswith("a,b,kind,inside,distance,")
    found.save(tmp_path / "clashes.json")
    assert len(json.loads((tmp_path / "clashes.json").read_text())["clashes"]) == 3
    found.save(tmp_path / "clashes.bcf", unit="mm", metres=0.001)
    assert "bcf.version" in zipfile.ZipFile(tmp_path / "clashes.bcf").namelist()
    with pytest.raises(graze.Error, match="end of the name"):
        found.save(tmp_path / "clashes.txt")


def test_what_is_refused():
    for options in {"clearance": -1}, {"tolerance": float("nan")}, {"threads": 0}, {"rules": [Rule(clearance=-1.0)]}:
        with pytest.raises(graze.Error):
            graze.clash.check([Part("a", BOX)], **options)
    with pytest.raises(graze.Error):
        graze.clash.check([Part("a", BOX, np.zeros((4, 4)))])


def test_progress_and_limits():
    parts = crowd(300, 4)
    reports = []
    found = graze.clash.check(parts, progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (300, 300) and reports == sorted(reports)
    limited = graze.clash.check(parts, budget=0)
    assert not limited.complete

    class Stop(Exception):
        pass

    def stop(done, total):
        raise Stop

    with pytest.raises(Stop):
        graze.clash.check(parts, progress=stop)
    assert graze.clash.check(parts).rows.tobytes() == found.rows.tobytes()


def test_over_workers(tmp_path):
    pytest.importorskip("distributed", reason="needs Debian's python3-distributed")
    import graze.distributed as far

    parts = crowd(200, 4)
    graze.save_mesh(KNOT, str(tmp_path / "knot.obj"))
    (tmp_path / "broken.obj").write_text("v 0 0 x\n")
    parts += [Part(f"file {i}", tmp_path / "knot.obj", graze.Pose([i, 0, 0])) for i in range(-4, 5)]
    parts.insert(7, Part("broken", tmp_path / "broken.obj"))
    expected = graze.clash.check(parts, clearance=0.1, depth=True)
    expected.save(tmp_path / "expected.csv")
    assert len(expected) > 20

    class Stop(Exception):
        pass

    def stop(done, total):
        if done >= 100:
            raise Stop

    out = tmp_path / "clashes.csv"
    texts = []
    for workers in 1, 2:
        with far.local_cluster(workers=workers) as client:
            ask = lambda **more: far.clash(parts, clearance=0.1, depth=True, client=client, chunk=16, **more)  # noqa: E731
            found = ask()
            assert found.rows.tobytes() == expected.rows.tobytes()
            assert [(u.a, u.b, str(u.error)) for u in found.unanswered] == [(u.a, u.b, str(u.error)) for u in expected.unanswered]
            with pytest.raises(Stop):
                ask(out=out, progress=stop)
            assert (tmp_path / "clashes.csv.journal").exists() and not out.exists()
            reports = []
            again = ask(out=out, progress=lambda done, total: reports.append(done))
            assert reports[0] >= 100 and again.rows.tobytes() == expected.rows.tobytes()
            texts.append(out.read_bytes())
            out.unlink()
    assert texts[0] == texts[1] == (tmp_path / "expected.csv").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["broken.obj", "expected.csv", "knot.obj"]


def test_workers_that_are_killed_change_nothing(tmp_path):
    pytest.importorskip("distributed", reason="needs Debian's python3-distributed")
    import signal

    import graze.distributed as far

    parts = crowd(600, 5)
    expected = graze.clash.check(parts, clearance=0.1)
    with far.local_cluster(workers=2) as client:
        pids = list(client.run(os.getpid).values())
        killed = []

        def kill(done, total):
            if done >= 150 * (len(killed) + 1) and len(killed) < 2:
                killed.append(pids[len(killed)])
                os.kill(killed[-1], signal.SIGKILL)

        found = far.clash(parts, clearance=0.1, client=client, chunk=20, out=tmp_path / "clashes.json", progress=kill)
    assert len(killed) == 2 and found.rows.tobytes() == expected.rows.tobytes()
    assert len(json.loads((tmp_path / "clashes.json").read_text())["clashes"]) == len(expected) > 20


def test_reports_compared_with_an_earlier_one(tmp_path):
    """A clash of a part that cannot be read this time is not gone: nothing is known of it."""
    file = tmp_path / "b.obj"
    graze.save_mesh(BOX, str(file))

    def parts(x):
        return [Part("a", BOX), Part("b", str(file), graze.Pose([0.75, 0, 0])), Part("c", BOX, graze.Pose([x, 0.5, 0]), guid="2O2Fr$t4X7Zf8NOew3FLOH")]

    def compared(found):
        found.save(tmp_path / "now.json", compare=tmp_path / "before.json")
        report = json.loads((tmp_path / "now.json").read_text())
        return {(c["name_a"], c["name_b"]): c["change"] for c in report["clashes"]}, [(g["a"], g["b"]) for g in report["gone"]]

    graze.clash.check(parts(0.5)).save(tmp_path / "before.json")
    changes, gone = compared(graze.clash.check(parts(9)))
    assert changes == {("a", "b"): "still"} and sorted(gone) == [("a", "2O2Fr$t4X7Zf8NOew3FLOH"), ("b", "2O2Fr$t4X7Zf8NOew3FLOH")]
    assert compared(graze.clash.check(parts(9), budget=0))[1] == []  # not compared at all
    file.write_text("f 1 2 3\n")
    changes, gone = compared(graze.clash.check(parts(9)))
    assert changes == {} and gone == [("a", "2O2Fr$t4X7Zf8NOew3FLOH")]
    for text in ("", "[]", '{"report": "clash", "version": 1}', '{"report": "clash", "version": 1, "parts": [], "clashes": [{"a": 0, "b": 1, "kind": "near"}]}'):
        (tmp_path / "before.json").write_text(text)
        with pytest.raises(graze.Error, match="no report"):
            compared(graze.clash.check(parts(9)))
    with pytest.raises(graze.Error, match="cannot be read"):
        graze.clash.check(parts(9)).save(tmp_path / "now.json", compare=tmp_path / "missing.json")
