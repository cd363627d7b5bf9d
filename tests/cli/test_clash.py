# SPDX-License-Identifier: MIT
"""graze clash: parts in, clashes out."""
import csv
import io
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml
import zipfile

from harness import CHILD_SECONDS, GRAZE, CommandTest, cube_obj

GUIDS = ("2O2Fr$t4X7Zf8NOew3FLOH", "3cUkl32yn9qRSPvBJwqWIc")


class ClashTest(CommandTest):
    def clash(self, *args, status=0):
        return self.json("clash", *args, status=status)

    def kinds(self, *args, status=0):
        return [(c["name_a"], c["name_b"], c["kind"]) for c in self.clash(*args, status=status)["clashes"]]

    def folder(self, **cubes):
        """Cubes below site/, by name with __ for a slash: size and origin."""
        for name, (size, *origin) in cubes.items():
            path = self.dir / "site" / (name.replace("__", "/") + ".obj")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(cube_obj(size, origin))


class Parts(ClashTest):
    def test_the_kinds_are_told_apart(self):
        self.folder(a=(2, 0, 0, 0), b=(2, 1, 0.5, 0.25), c=(2, -1, 0, 0), d=(1, 0.5, 0.5, 0.5), e=(2, 0, 0, 0), f=(2, -3, 0, 0), g=(1, 0, 0, 2.5))
        kinds = {(a, b): kind for a, b, kind in self.kinds("site", "--clearance", "0.5")}
        self.assertEqual(kinds[("a", "b")], "crossing")
        self.assertEqual(kinds[("a", "c")], "overlap")
        self.assertEqual(kinds[("a", "d")], "inside")
        self.assertEqual(kinds[("a", "e")], "duplicate")  # another file with the same mesh
        self.assertEqual(kinds[("c", "f")], "touching")
        self.assertEqual(kinds[("a", "g")], "near")  # exactly at the clearance
        self.assertNotIn(("a", "f"), kinds)
        inside = next(c for c in self.clash("site")["clashes"] if (c["name_a"], c["name_b"]) == ("a", "d"))
        self.assertEqual(inside["inside"], "b")
        self.assertAlmostEqual(inside["volume"], 1)

    def test_folders_patterns_and_files(self):
        self.folder(hvac__duct=(2, 0, 0, 0), hvac__deep__duct=(2, 1, 0.5, 0.25), walls__wall=(2, 1.5, 0.75, 0.3))
        (self.dir / "site" / "notes.txt").write_text("no mesh")
        parts = self.clash("site")["parts"]
        self.assertEqual([(p["name"], p["group"]) for p in parts],
                         [("hvac/deep/duct", "hvac/deep"), ("hvac/duct", "hvac"), ("walls/wall", "walls")])
        self.assertEqual([p["name"] for p in self.clash("site/**/duct.obj")["parts"]], ["hvac/deep/duct", "hvac/duct"])
        self.assertEqual([p["name"] for p in self.clash("site/*")["parts"]], ["hvac/deep/duct", "hvac/duct", "walls/wall"])
        self.assertEqual([p["name"] for p in self.clash("site/hvac/*.obj", "site/walls/wall.obj")["parts"]], ["duct", "wall"])
        self.assertEqual([p["name"] for p in self.clash("site/hvac/duct.obj", "site/hvac/deep/duct.obj")["parts"]], ["duct", "duct#2"])
        self.refused("clash", "nowhere*", says=["nowhere*", "pattern"])
        self.refused("clash", "nowhere", says=["nowhere"])
        (self.dir / "empty").mkdir()
        self.refused("clash", "empty", says=["empty", "mesh file"])
        self.refused("clash", says=["PARTS"])

    def test_deep_folders_and_links_in_circles(self):
        path = self.dir / "deep"
        for i in range(60):
            path = path / "d"
        path.mkdir(parents=True)
        (path / "cube.obj").write_text(cube_obj())
        os.symlink(self.dir / "deep", path / "round")
        self.assertEqual(len(self.clash("deep")["parts"]), 1)
        self.assertEqual(len(self.clash("deep/**/*.obj")["parts"]), 1)
        self.assertEqual(len(self.clash("deep/**/d/**/d/**/*.obj")["parts"]), 1)

    def test_a_file_that_cannot_be_read_is_reported_and_the_rest_goes_on(self):
        self.folder(a=(2, 0, 0, 0), b=(2, 1, 0.5, 0.25))
        (self.dir / "site" / "broken.obj").write_text("f 1 2 3\n")
        (self.dir / "site" / "odd.stl").write_bytes(b"\x00\xff\x00")
        done = self.graze("clash", "site", status=3)
        self.assertIn("1 crossing", done.stdout)
        self.assertIn("broken.obj", done.stderr)
        self.assertIn("odd.stl", done.stderr)
        report = self.clash("site", status=3)
        self.assertEqual(len(report["unread"]), 2)
        self.assertEqual(len(report["clashes"]), 1)
        self.refused("clash", "site/broken.obj", says=["broken.obj"])
        self.assertEqual(self.clash("site/a.obj", "site/broken.obj", status=3)["status"], "undecided")
        self.assertIn("undecided: no clash", self.graze("clash", "site/a.obj", "site/broken.obj", status=3).stdout)

    def test_groups_and_pieces_of_a_file(self):
        lines = cube_obj(2).splitlines()
        second = cube_obj(2, (1, 0.5, 0.25)).splitlines()
        shifted = ["f " + " ".join(str(int(v) + 8) for v in line.split()[1:]) for line in second[8:]]
        self.write("car.obj", "\n".join(lines[:8] + second[:8] + ["o body"] + lines[8:] + ["o wheel", "g left"] + shifted) + "\n")
        self.assertEqual(self.kinds("car.obj"), [])
        report = self.clash("car.obj", "--split", "group")
        self.assertEqual([(p["name"], p["group"]) for p in report["parts"]], [("car/body", "car"), ("car/wheel/left", "car")])
        self.assertEqual([c["kind"] for c in report["clashes"]], ["crossing"])
        self.assertEqual(self.kinds("car.obj", "--split", "piece"), [("car/1", "car/2", "crossing")])
        self.assertEqual(self.kinds("car.obj", "--split", "piece", "--between-groups"), [])

    def test_an_stl_file_is_a_solid(self):
        self.graze("make", "box", "-o", "outer.stl")
        self.graze("make", "tetrahedron", "-o", "inner.obj")
        (self.dir / "list.csv").write_text("file,scale\nouter.stl,4\ninner.obj,\n")
        self.assertEqual(self.kinds("list.csv"), [("outer", "inner", "inside")])
        self.assertEqual(self.kinds("list.csv", "--no-weld"), [])

    def test_lists_place_instances(self):
        self.cube()
        self.write("list.csv", 'file,name,x,y,z,group,guid\ncube.obj,"a, ""one""",0,0,0,left,\ncube.obj,"a\nb",0.5,0.25,0.125,right,\n')
        report = self.clash("list.csv")
        self.assertEqual([p["name"] for p in report["parts"]], ['a, "one"', "a\nb"])
        self.assertEqual([p["geometry"] for p in report["parts"]], [0, 0])
        self.assertEqual(report["clashes"][0]["kind"], "crossing")
        self.assertNotIn("\nb", self.graze("clash", "list.csv").stdout)
        self.write("list.json", json.dumps({"version": 1, "parts": [
            {"mesh": "cube.obj", "unit": "mm", "name": "small"}, {"make": "box", "pose": [0, 0, 0, 1, 0, 0, 0]}]}))
        self.assertEqual(self.kinds("list.json", "--no-touching"), [("small", "box", "inside")])
        self.write("scene.json", json.dumps({"version": 1, "bodies": [{"name": "a", "make": "box"}, {"name": "b", "make": "box", "pose": [1, 0, 0, 1, 0, 0, 0]}]}))
        self.assertEqual(self.kinds("scene.json"), [("a", "b", "touching")])

    def test_lists_say_where_they_are_wrong(self):
        self.cube()
        for text, says in (("file,colour\n", ["bad.csv:1", "colour"]), ("name\na\n", ["'file'"]), ("file,x\ncube.obj,wide\n", ["bad.csv:2", "'wide'"]),
                           ("file,x\ncube.obj\n", ["bad.csv:2", "fields"]), ('file\n"cube.obj\n', ["bad.csv:2", "quote"]),
                           ("file,unit\ncube.obj,mile\n", ["bad.csv:2", "mile"]), ("file,qw\ncube.obj,0\n", ["bad.csv:2"])):
            with self.subTest(text=text):
                self.write("bad.csv", text)
                self.refused("clash", "bad.csv", says=says)
        for value, says in (({"version": 1}, ["parts"]), ({"version": 1, "parts": [{"mesh": "cube.obj", "make": "box"}]}, ["mesh"]),
                            ({"version": 1, "parts": [{"mesh": "cube.obj", "color": 1}]}, ["color"]), ({"version": 2, "parts": []}, ["version"])):
            with self.subTest(value=value):
                self.write("bad.json", json.dumps(value))
                self.refused("clash", "bad.json", says=["bad.json", *says])


    def test_the_page_shows_it_from_nothing(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "clash.md").read_text(encoding="utf-8")
        block = next(b for b in re.findall(r"^```\n(.*?)^```$", page, re.M | re.S) if "graze make" in b)
        environment = dict(os.environ, PATH=f"{GRAZE.parent}{os.pathsep}{os.environ['PATH']}")
        for step in block.split("$ ")[1:]:
            command, _, expected = step.partition("\n")
            done = subprocess.run(["bash", "-c", command], cwd=self.dir, env=environment, capture_output=True, text=True, timeout=CHILD_SECONDS)
            self.assertEqual(done.returncode, 0, done.stderr)
            ours = [line for line in done.stdout.splitlines() if not re.match(r"  (asked|written) ", line)]
            self.assertEqual(ours, expected.splitlines(), command)
        self.assertEqual(sorted(p.name for p in self.dir.glob("clashes.*")), ["clashes.bcf", "clashes.csv"])

    def test_the_readmes_command_is_understood(self):
        readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
        command = next(line for line in readme.splitlines() if line.startswith("graze clash "))
        self.folder(bolt=(2, 0, 0, 0), nut=(2, 1, 0.5, 0.25), duct=(2, 0, 0, 2.004))
        self.assertIn("1 near", self.graze(*shlex.split(command)[1:]).stdout)
        self.assertTrue((self.dir / "clashes.csv").exists() and (self.dir / "clashes.bcf").exists())


class Rules(ClashTest):
    def setUp(self):
        super().setUp()
        self.folder(pipes__pipe_1=(1, 0, 0, 0), pipes__pipe_2=(1, 0.5, 0.25, 0.125), steel__beam=(1, -0.5, 0.125, 0.25), steel__far=(1, 2, 0, 0))

    def test_ignored_pairs(self):
        self.assertEqual(len(self.kinds("site")), 3)
        self.assertEqual(self.kinds("site", "--ignore", "pipe_*:beam"), [("pipes/pipe_1", "pipes/pipe_2", "crossing")])
        self.assertEqual(len(self.kinds("site", "--ignore", "@pipes:@pipes")), 2)
        self.assertEqual(len(self.kinds("site", "--between-groups")), 2)
        self.assertEqual(self.kinds("site", "--ignore", "pipe*"), [])
        self.assertEqual(len(self.kinds("site", "--ignore", "pipes/pipe_1:pipes/pipe_2", "--ignore", "pipe_2:beam")), 1)
        for bad in ("", ":", "a:b:c", "a:"):
            self.refused("clash", "site", "--ignore", bad, says=["--ignore"])

    def test_a_file_of_rules(self):
        self.write("rules.json", json.dumps({"version": 1, "rules": [
            {"a": "pipe_1", "b": "pipe_2", "ignore": True}, {"a": "@steel", "b": "pipe_2", "clearance": "500mm", "tolerance": 2}]}))
        found = self.kinds("site", "--rules", "rules.json")
        self.assertIn(("pipes/pipe_2", "steel/far", "near"), found)  # 0.5 m apart
        self.assertIn(("pipes/pipe_2", "steel/beam", "touching"), found)  # within the tolerance
        self.assertIn(("pipes/pipe_1", "steel/beam", "crossing"), found)
        self.assertEqual(len(found), 3)
        self.write("rules.json", '{"version": 1, "rules": [{"a": "x", "clearence": 1}]}')
        self.refused("clash", "site", "--rules", "rules.json", says=["rules.json", "clearence"])
        self.write("rules.json", '{"version": 1, "rules": [{"a": "x", "clearance": "wide"}]}')
        self.refused("clash", "site", "--rules", "rules.json", says=["rules.json", "wide"])

    def test_units(self):
        far = ("pipes/pipe_2", "steel/far", "near")
        for units, clearance, near in (("m", "0.5", True), ("m", "500mm", True), ("m", "499mm", False), ("mm", "0.5", True),
                                       ("in", "0.5in", True), ("ft", "6in", True), ("cm", "4mm", False)):
            with self.subTest(units=units, clearance=clearance):
                self.assertEqual(far in self.kinds("site", "--units", units, "--clearance", clearance), near)
        self.refused("clash", "site", "--units", "parsec", says=["--units", "parsec", "mm"])
        self.refused("clash", "site", "--clearance", "-1", says=["--clearance"])
        self.refused("clash", "site", "--clearance", "5 furlongs", says=["--clearance", "furlongs"])

    def test_depth(self):
        self.graze("make", "sphere", "-o", "ball.obj")
        self.write("balls.csv", "file,x,y\nball.obj,0,0\nball.obj,1.1,1.05\n")
        boxes, surfaces = (self.clash("balls.csv", *more)["clashes"][0]["depth"] for more in ((), ("--depth",)))
        self.assertAlmostEqual(boxes, 0.9, places=9)
        self.assertLess(surfaces, 2 - (1.1 ** 2 + 1.05 ** 2) ** 0.5 + 1e-9)
        self.assertGreater(surfaces, 0.4)


class Reports(ClashTest):
    def test_csv_holds_what_json_holds(self):
        self.folder(**{"a, \"b\"": (2, 0, 0, 0), "\u00e4": (2, 1, 0.5, 0.25), "c": (1, 4, 0, 0)})
        self.graze("clash", "site", "--clearance", "2", "-o", "c.csv", "-o", "c.json")
        with open(self.dir / "c.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        clashes = json.loads((self.dir / "c.json").read_text(encoding="utf-8"))["clashes"]
        self.assertEqual(len(rows), 3)
        for row, clash in zip(rows, clashes):
            self.assertEqual((row["a"], row["b"], row["kind"]), (clash["name_a"], clash["name_b"], clash["kind"]))
            self.assertEqual(float(row["distance"]), clash["distance"])
            self.assertEqual([float(row["a_" + k]) for k in "xyz"], clash["point_a"])
            self.assertEqual(float(row["volume"]), clash["volume"])

    def test_comparison_with_an_earlier_run(self):
        self.folder(a=(2, 0, 0, 0), b=(2, 1, 0.5, 0.25), c=(2, 4, 0, 0))
        self.graze("clash", "site", "--clearance", "1", "-o", "before.json")
        self.folder(b=(2, 9, 9, 9), c=(2, 1.5, 0.5, 0.25))
        report = self.clash("site", "--clearance", "1", "--compare", "before.json")
        self.assertEqual([(c["name_a"], c["name_b"], c["change"]) for c in report["clashes"]], [("a", "c", "new")])
        self.assertEqual([(g["a"], g["b"]) for g in report["gone"]], [("a", "b"), ("b", "c")])
        self.graze("clash", "site", "--compare", "before.json", "-o", "c.csv")
        self.assertEqual((self.dir / "c.csv").read_text().count("gone"), 2)
        self.assertIn("1 new, 0 still there, 2 gone", self.graze("clash", "site", "--compare", "before.json").stdout)
        for text in ("", "[]", '{"report": "clash", "version": 1}', '{"report": "clash", "version": 9}'):
            self.write("bad.json", text)
            self.refused("clash", "site", "--compare", "bad.json", says=["bad.json"])

    def test_clashes_of_a_file_that_cannot_be_read_this_time_are_not_gone(self):
        two = "\n".join(cube_obj(2).splitlines()[:8] + cube_obj(2, (8, 0, 0)).splitlines()[:8] + cube_obj(2).splitlines()[8:] +
                        ["f " + " ".join(str(int(v) + 8) for v in line.split()[1:]) for line in cube_obj(2).splitlines()[8:]])
        self.folder(a=(2, 0, 0, 0), **{"b__b": (2, 1, 0.5, 0.25), f"c {GUIDS[0]}": (2, 1.5, 0.75, 0.3)})
        self.write("parts.csv", f"file,name,guid,x\nsite/a.obj,listed,{GUIDS[1]},1.5\nsite/a.obj,listed too,,1.75\n")
        self.write("site/pieces.obj", two + "\n")
        for split in ("file", "piece"):
            ask = ("site", "parts.csv", "--split", split)
            before = self.clash(*ask, "-o", "before.json")
            self.assertGreater(len(before["clashes"]), 8)
            for unread in ("a", "b/b", f"c {GUIDS[0]}", "pieces"):
                file = self.dir / "site" / (unread + ".obj")
                kept = file.read_bytes()
                file.write_text("f 1 2 3\n")
                report = self.clash(*ask, "--compare", "before.json", status=3)
                self.assertEqual(report["gone"], [], unread)
                self.assertLess(len(report["clashes"]), len(before["clashes"]))
                file.unlink()  # no part any more, except where a list names it
                report = self.clash(*ask, "--compare", "before.json", status=3 if unread == "a" else 0)
                self.assertGreater(len(report["gone"]), 0)
                for gone in report["gone"]:
                    listed = {gone["a"], gone["b"]} & {GUIDS[1], "listed too", "listed too/1", "listed too/2"}
                    self.assertFalse(unread == "a" and listed, gone)
                file.write_bytes(kept)

    def test_bcf_is_a_zip_of_topics(self):
        names = [f"wall {GUIDS[0]}", "T\u00fcr <&>"]
        self.folder(**{names[0]: (2000, 0, 0, 0), names[1]: (2000, 1000, 500, 250)})
        self.write("guids.csv", f'name,guid\n"{names[1]}",{GUIDS[1]}\n')
        self.graze("clash", "site", "--units", "mm", "--guids", "guids.csv", "-o", "c.bcf")
        with zipfile.ZipFile(self.dir / "c.bcf") as file:
            self.assertIsNone(file.testzip())
            self.assertEqual(xml.fromstring(file.read("bcf.version")).get("VersionId"), "2.1")
            topics = [name[:-len("/markup.bcf")] for name in file.namelist() if name.endswith("/markup.bcf")]
            self.assertEqual(len(topics), 1)
            markup = xml.fromstring(file.read(topics[0] + "/markup.bcf"))
            view = xml.fromstring(file.read(topics[0] + "/viewpoint.bcfv"))
        topic = markup.find("Topic")
        self.assertEqual(topic.get("Guid"), topics[0])
        self.assertEqual([child.tag for child in topic], ["Title", "Index", "Labels", "CreationDate", "CreationAuthor", "Description"])
        self.assertIn(names[1], topic.find("Title").text)
        self.assertRegex(topic.find("CreationDate").text, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(markup.find("Viewpoints").get("Guid"), view.get("Guid"))
        self.assertEqual(sorted(c.get("IfcGuid") for c in view.iter("Component")), sorted(GUIDS))
        eye, ahead = ([float(view.find(f"PerspectiveCamera/{e}/{k}").text) for k in "XYZ"] for e in ("CameraViewPoint", "CameraDirection"))
        self.assertAlmostEqual(sum(x * x for x in ahead), 1)
        self.assertTrue(all(abs(x) < 60 for x in eye), eye)  # metres
        before = (self.dir / "c.bcf").read_bytes()
        environment = dict(os.environ, SOURCE_DATE_EPOCH="86400")
        for name in ("d.bcf", "e.bcf"):
            subprocess.run([GRAZE, "clash", "site", "-o", name], cwd=self.dir, env=environment, capture_output=True, check=True, timeout=CHILD_SECONDS)
        self.assertEqual((self.dir / "d.bcf").read_bytes(), (self.dir / "e.bcf").read_bytes())
        self.assertIn(b"1970-01-02T00:00:00Z", (self.dir / "d.bcf").read_bytes())
        self.assertNotEqual(before, b"")

    def test_more_topics_than_a_plain_zip_can_hold(self):
        rows = "".join(f"cube.obj,{i},0,0\n" for i in range(33001))
        self.cube()
        self.write("many.csv", "file,x,y,z\n" + rows)
        self.graze("clash", "many.csv", "-o", "many.bcf")
        with zipfile.ZipFile(self.dir / "many.bcf") as file:
            self.assertEqual(len(file.namelist()), 1 + 2 * 33000)
            file.read(file.namelist()[-1])

    def test_what_cannot_be_written_is_refused(self):
        self.folder(a=(2, 0, 0, 0))
        self.refused("clash", "site", "-o", "c.xls", says=["--output", "c.xls", ".bcf"])
        self.refused("clash", "site", "-o", "nowhere/c.csv", says=["nowhere/c.csv"])


class Runs(ClashTest):
    def many(self, count=300):
        self.graze("make", "torus", "--triangles", "800", "-o", "ring.obj")
        self.graze("make", "cylinder", "-o", "rod.stl", "--binary")
        rng = random.Random(5)
        rows = "".join(f"{rng.choice(('ring.obj', 'rod.stl'))},{rng.uniform(0, 9)},{rng.uniform(0, 9)},{rng.uniform(0, 9)},{rng.uniform(-1, 1)},"
                       f"{rng.uniform(-1, 1)},{rng.uniform(-1, 1)},{rng.uniform(-1, 1)}\n" for _ in range(count))
        self.write("many.csv", "file,x,y,z,qw,qx,qy,qz\n" + rows)

    def test_threads_and_memory_do_not_change_the_report(self):
        self.many()
        plain = self.graze("clash", "many.csv", "--clearance", "0.2", "--json").stdout
        self.assertGreater(len(json.loads(plain)["clashes"]), 100)
        self.assertEqual(self.graze("clash", "many.csv", "--clearance", "0.2", "--json", "--threads", "3").stdout, plain)
        self.assertEqual(self.graze("clash", "many.csv", "--clearance", "0.2", "--json", "--memory", "1k").stdout, plain)
        self.refused("clash", "many.csv", "--memory", "lots", says=["--memory", "lots"])

    def test_exit_status(self):
        self.folder(a=(2, 0, 0, 0), b=(2, 1, 0.5, 0.25))
        self.graze("clash", "site", "--exit-code", status=1)
        self.graze("clash", "site/a.obj", "--exit-code", status=0)
        self.graze("clash", "site", "--seconds", "0", status=3)

    def test_a_limit_of_clashes(self):
        self.many(100)
        report = self.clash("many.csv", "--most", "5", status=3)
        self.assertEqual(len(report["clashes"]), 5)
        self.assertFalse(report["complete"])

    def test_many_parts_in_one_place_end_at_the_limit(self):
        self.cube()
        self.write("many.csv", "file,x\n" + "cube.obj,0\n" * 20000)  # 200 million duplicates
        done = self.graze("clash", "many.csv", status=3)
        self.assertIn("1,000,000 clashes", done.stdout)
        self.assertIn("ended early", done.stdout)

    def test_ctrl_c_ends_with_what_was_found(self):
        self.graze("make", "torus_knot", "--triangles", "20000", "-o", "knot.obj")
        rng = random.Random(6)
        rows = "".join(f"knot.obj,{rng.uniform(-1, 1)},{rng.uniform(-1, 1)},{rng.uniform(-1, 1)}\n" for _ in range(4000))
        self.write("many.csv", "file,qw,qx,qy\n" + rows)  # eight million pairs, with their depths
        child = subprocess.Popen([GRAZE, "clash", "many.csv", "--depth", "--most", "10000000"], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(4)
        child.send_signal(signal.SIGINT)
        out, errors = child.communicate(timeout=CHILD_SECONDS)
        self.assertEqual(child.returncode, 3, errors)
        self.assertIn("ended early", out)


if __name__ == "__main__":
    unittest.main()
