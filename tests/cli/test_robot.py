# SPDX-License-Identifier: MIT
"""graze robot: URDF and robot files, states, paths of polynomials, edges, attached bodies, proofs."""
import json
import math
import os
import pathlib
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE, CommandTest, pose

VERIFY = GRAZE.parent / "graze-verify"
DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"

URDF = """<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
  <link name="hand"><collision name="palm"><origin xyz="0.3 0 0"/><geometry><mesh filename="{mesh}" scale="0.4 0.1 0.1"/>
    </geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="hand"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
</robot>
"""
SRDF = """<robot name="arm"><group name="all"><joint name="shoulder"/><joint name="elbow"/></group>
  <group_state name="home" group="all"><joint name="shoulder" value="0.5"/><joint name="elbow" value="-0.25"/></group_state>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/><disable_collisions link1="upper" link2="hand"/></robot>
"""


class RobotTest(CommandTest):
    """An arm in the plane z = 0 and a post at (0, 1.2)."""

    post = ("--environment", "box:0.1,0.1,2", "--environment-pose", pose(0, 1.2))

    def setUp(self):
        super().setUp()
        self.write("arm.json", json.dumps({"links": [
            {"name": "upper", "mesh": "box:0.8,0.1,0.1", "joint": {"type": "revolute", "limits": [-2, 2], "name": "shoulder"}},
            {"name": "hand", "mesh": "box:0.4,0.1,0.1", "parent": "upper", "joint": {"type": "continuous", "origin": [1, 0, 0, 1, 0, 0, 0]}}]}))

    def ask(self, *args, status=0):
        return self.json("robot", "arm.json", *args, status=status)

    def urdf(self):
        """Reads the same arm from URDF; skips where this graze does not."""
        self.cube(origin=(-0.5, -0.5, -0.5))
        self.write("arm.urdf", URDF.format(mesh="package://arm/cube.obj"))
        self.write("arm.srdf", SRDF)
        done = self.graze("robot", "arm.urdf", "--package", f"arm={self.dir}", "--list", status=(0, 2))
        if done.returncode == 2:
            self.assertIn("GRAZE_WITH_ROBOT=ON", done.stderr)
            self.skipTest("this graze was built without the component that reads URDF")
        return ("arm.urdf", "--srdf", "arm.srdf", "--package", f"arm={self.dir}")


class States(RobotTest):
    def test_free_and_in_contact(self):
        free = self.ask(*self.post, "--state", "0 0")
        self.assertEqual((free["status"], free["links"], free["beyond_limits"]), ("free", None, None))
        self.assertAlmostEqual(free["distance"], 1.1, delta=1e-6)
        contact = self.ask(*self.post, "--state", f"{math.pi / 2} 0")
        self.assertEqual((contact["status"], contact["links"]), ("contact", ["hand", "environment"]))
        self.graze("robot", "arm.json", *self.post, "--state", f"{math.pi / 2},0", "--exit-code", status=1)
        self.assertEqual(self.ask("--state", "2.5 0")["beyond_limits"], "upper")

    def test_padding_and_attached_bodies(self):
        near = ("--state", "1.25 0")
        self.assertEqual(self.ask(*self.post, *near)["status"], "free")
        self.assertEqual(self.ask(*self.post, *near, "--padding", "0.3")["status"], "contact")
        tool = ("--attach", "hand sphere:0.15 0 0.25 0 1 0 0 0")
        held = self.ask(*self.post, *near, *tool)
        self.assertEqual((held["status"], held["links"]), ("contact", ["sphere:0.15", "environment"]))
        inside = ("--state", "0 0", "--attach", "hand sphere:0.1 -0.55 0 0 1 0 0 0")
        self.assertEqual(self.ask(*inside)["links"], ["upper", "sphere:0.1"])
        self.assertEqual(self.ask(*inside[:-1], inside[-1] + " touch upper")["status"], "free")

    def test_list(self):
        out = self.ask("--list")
        self.assertEqual(out["coordinates"], ["shoulder", "hand"])
        self.assertEqual([body["name"] for body in out["bodies"]], ["upper", "hand"])


class Paths(RobotTest):
    def path(self, text, *args, status=0, name="path.csv"):
        self.write(name, text)
        return self.ask("--path", name, *args, status=status)

    def test_waypoints_without_and_with_time(self):
        plain = self.path("0,0\n0.5,0\n2,0\n", *self.post)
        self.assertEqual((plain["status"], plain["links"], plain["segment"]), ("contact", ["hand", "environment"], 1))
        safe, touch = plain["when"]
        self.assertTrue(1 < safe <= touch < 2)
        self.assertAlmostEqual(plain["time"][1], touch - 1, delta=1e-9)
        timed = self.path("t,shoulder,elbow\n10,0,0\n12,0.5,0\n20,2,0\n", *self.post)
        self.assertAlmostEqual(timed["when"][1], 12 + 8 * plain["time"][1], delta=1e-9)
        self.assertEqual(timed["points"], plain["points"])

    def test_polynomials(self):
        """From rest to rest the middle is at half of the time; out and back is seen although both ends are equal."""
        cubic = self.path("0, 0,0, 0,0\n4, 2,0, 0,0\n", *self.post)
        quintic = self.path("0, 0,0, 0,0, 0,0\n4, 2,0, 0,0, 0,0\n", *self.post)
        self.assertEqual((cubic["status"], quintic["status"]), ("contact", "contact"))
        angle = self.path("0,0\n2,0\n", *self.post)["time"][1] * 2
        s = cubic["when"][1] / 4
        self.assertAlmostEqual(2 * (3 * s ** 2 - 2 * s ** 3), angle, delta=1e-5)
        s = quintic["when"][1] / 4
        self.assertAlmostEqual(2 * (10 * s ** 3 - 15 * s ** 4 + 6 * s ** 5), angle, delta=1e-5)
        self.assertEqual(self.path("0, 0,0, 2,0\n1, 0,0, -2,0\n", *self.post)["status"], "free")
        away = self.path("0, 0,0, 8,0\n1, 0,0, -8,0\n", *self.post)
        self.assertEqual(away["status"], "contact")

    def test_clearance_and_limits(self):
        out = self.path("0, 0,0, 0,0\n1, 1,0, 0,0\n", *self.post, "--clearance", "1e-4")
        self.assertEqual(out["status"], "free")
        self.assertLessEqual(out["clearance"]["upper"] - out["clearance"]["lower"], 1e-4)
        self.assertEqual(out["clearance"]["links"], ["hand", "environment"])
        over = self.path("0, 1.9,0, 0,0\n1, 1.9,0, -3,0\n")
        self.assertEqual(over["beyond_limits"], {"link": "upper", "segment": 0})
        self.assertIsNone(self.path("0, 1.9,0, 0,0\n1, 2,0, 0,0\n")["beyond_limits"])

    def test_spline_any_threads_and_text(self):
        spline = self.path("0,0\n0,0\n1,0\n1.2,0\n0,0\n0,0\n", *self.post, "--spline")
        self.assertEqual((spline["status"], spline["segments"]), ("free", 3))
        hit = "0,0\n0.2,0\n0.4,0\n2,0\n0,0\n"
        one, three = (self.path(hit, *self.post, "--threads", n) for n in (1, 3))
        for answer in (one, three):
            for key in ("seconds", "counters"):
                answer.pop(key)
        self.assertEqual(one, three)
        self.assertEqual(self.path(hit, *self.post, "--any")["status"], "contact")
        text = self.graze("robot", "arm.json", *self.post, "--path", "path.csv").stdout
        self.assertTrue(text.startswith("contact at t = 2."), text)
        self.assertIn("B is the obstacle environment", text)

    def test_no_time_is_left(self):
        self.write("path.csv", "0,0\n0.5,0\n2,0\n")
        out = self.ask("--path", "path.csv", *self.post, "--seconds", "1e-9", status=3)
        self.assertEqual((out["status"], out["time"], out["when"]), ("undecided", [0, None], [0, None]))

    def test_proofs_are_verified(self):
        (self.dir / "proofs").mkdir()
        self.cube("wall.obj")
        wall = ("--environment", "wall.obj", "--environment-pose", pose(-0.5, 1.5, -0.5))
        for rows, more, count in (("0,0\n0.5,0.25\n0.75,-0.5\n", (), 4),
                                  ("0, 0,0, 1,0\n1, 0.5,0.25, 0,1\n", ("--padding", "0.01"), 2),
                                  ("0, 0,0, 1,0, 0,1\n1, 0.5,0.25, 0,1, 0,0\n", (), 2),
                                  ("0,0\n0,0\n0.5,1\n0.25,0\n0.3,0\n", ("--spline",), 4)):
            with self.subTest(rows=rows):
                out = self.path(rows, *wall, "--certificates", "proofs", *more)
                self.assertEqual((out["status"], len(out["certificates"])), ("free", count))
                for proof in out["certificates"]:
                    done = subprocess.run([VERIFY, proof["file"], *proof["bodies"]], cwd=self.dir, capture_output=True,
                                          text=True, timeout=CHILD_SECONDS)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_motions_without_certificates_are_listed(self):
        (self.dir / "proofs").mkdir()
        self.write("arm.json", json.dumps({"links": [
            {"name": "drone", "mesh": "sphere:0.1", "joint": {"type": "floating", "origin": [0.1, 0, 0, 1, 0.3, 0, 0]}}]}))
        self.write("path.csv", "0,0,0,1,0,0,0\n0,0.5,0,1,0.1,0,0.2\n")
        done = self.graze("robot", "arm.json", *self.post, "--path", "path.csv", "--certificates", "proofs", "--json")
        out = json.loads(done.stdout)
        self.assertEqual((out["status"], out["certificates"]),
                         ("free", [{"links": ["drone", "environment"], "segment": 0, "file": None}]))
        self.assertIn("note: 1 of the certified answers", done.stderr)

    def test_bad_paths(self):
        for text, says in (("0,0\n", ["path.csv", "at least two"]), ("0\n1\n", ["path.csv:1", "1 fields", "2 joint"]),
                           ("0,0\n1,0,0\n", ["path.csv:2", "3 fields"]), ("0,0\n1,x\n", ["path.csv:2", "'x'"]),
                           ("0,0\n1,nan\n", ["path.csv:2", "hand"]), ("t,a,b\n1,0,0\n1,1,0\n", ["path.csv:3", "later"]),
                           ("", ["path.csv", "no row"]), ("0,0\n1e9,0\n", ["path.csv:2", "shoulder", "2^20"]),
                           ("0,0,0,1,nan\n1,0,0,0,0\n", ["path.csv:1", "velocities"]),
                           ("0,0\n1,0\n3,\x1b[31m" + 90 * "x", ["path.csv:3", "'?[31mxxx", "xxx...'"])):
            with self.subTest(text=text):
                self.write("path.csv", text)
                done = self.graze("robot", "arm.json", "--path", "path.csv", status=2)
                for part in says:
                    self.assertIn(part, done.stderr)


class Edges(RobotTest):
    def test_rows(self):
        self.write("edges.csv", "0,0, 0.5,0\n0,0, 2,0\n")
        for more in ((), ("--any",)):
            done = self.graze("robot", "arm.json", *self.post, "--edges", "edges.csv", *more)
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([(a["row"], a["status"]) for a in answers], [(1, "free"), (2, "contact")])
        self.write("edges.csv", "0,0\n")
        self.refused("robot", "arm.json", "--edges", "edges.csv", says=["edges.csv:1", "2 joint coordinates at the start"])


class RobotFile(RobotTest):
    """What a robot file says as an SRDF does."""

    def test_states_groups_and_ignored_pairs(self):
        robot = json.loads((self.dir / "arm.json").read_text())
        robot["links"].append({"name": "tip", "mesh": "sphere:0.1", "parent": "hand", "joint": {
            "type": "prismatic", "origin": [0.3, 0, 0, 1, 0, 0, 0]}})
        robot |= {"groups": [{"name": "tool", "links": ["hand", "tip"]}], "passive": ["tip"], "ignore": [["upper", "tip"]],
                  "states": [{"name": "home", "coordinates": [0.5, -0.25, 0.1]},
                             {"name": "in", "group": "tool", "coordinates": [0, 0, -0.1]}]}
        self.write("arm.json", json.dumps(robot))
        out = self.ask("--list")
        self.assertEqual((out["groups"], [state["name"] for state in out["states"]]), (["tool"], ["home", "in"]))
        home = self.ask("--state", "home")
        self.assertEqual((home["status"], home["state"]), ("free", [0.5, -0.25, 0.1]))
        self.assertEqual(self.ask("--state", "tool/in")["state"], [0, 0, -0.1])
        for text, says in (({"groups": [{"name": "a", "links": ["foot"]}]}, "foot"),
                           ({"states": [{"name": "a", "coordinates": [1]}]}, "3 numbers"), ({"passive": ["foot"]}, "foot")):
            self.write("bad.json", json.dumps(robot | text))
            self.refused("robot", "bad.json", "--list", says=["bad.json", says])


class Page(RobotTest):
    def test_the_session_of_the_page_works(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "robots.md"
        text = page.read_text().split("<!-- session: robot -->\n```sh\n")[1].split("```")[0]
        self.urdf()
        environment = {**os.environ, "PATH": f"{GRAZE.parent}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-ec", text], cwd=self.dir, env=environment, capture_output=True, text=True,
                              timeout=CHILD_SECONDS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("free: certified for the whole path", done.stdout)
        self.assertIn("verified: no contact before T=1", done.stdout)


class Urdf(RobotTest):
    def test_the_same_arm(self):
        urdf = self.urdf()
        self.write("path.csv", "0, 0,0, 0,0\n4, 2,0, 0,0\n")
        out = self.json("robot", *urdf, *self.post, "--path", "path.csv")
        self.assertEqual((out["status"], out["links"]), ("contact", ["hand", "environment"]))
        home = self.json("robot", *urdf, "--state", "home")
        self.assertEqual((home["status"], home["state"]), ("free", [0.5, -0.25]))
        self.refused("robot", *urdf, "--state", "away", says=["'away'", "home"])
        self.refused("robot", *urdf, "--state", "nan 0", says=["--state", '"shoulder"', "not finite"])
        self.write("arm.srdf", SRDF.replace("</robot>", """<group name="tip"><joint name="elbow"/></group>
          <group_state name="home" group="tip"><joint name="elbow" value="1"/></group_state></robot>"""))
        self.refused("robot", *urdf, "--state", "home", says=["all/home, tip/home"])
        self.assertEqual(self.json("robot", *urdf, "--state", "all/home tip/home")["state"], [0.5, 1])
        self.refused("robot", *urdf, "--state", "1", says=["1 numbers", "shoulder, elbow"])

    def test_wrong_files(self):
        self.urdf()
        self.refused("robot", "arm.urdf", "--list", says=["arm.urdf:4", "--package arm="])
        package = ("--package", f"arm={self.dir}")
        self.write("bad.srdf", SRDF.replace('<joint name="elbow"/>', '<joint name="wrist"/>'))
        self.refused("robot", "arm.urdf", "--srdf", "bad.srdf", *package, "--list", says=["bad.srdf:1", '"wrist"'])
        # Two links of which one is not there cannot touch: no mistake, but told.
        self.write("old.srdf", SRDF.replace('link2="hand"', 'link2="foot"'))
        done = self.graze("robot", "arm.urdf", "--srdf", "old.srdf", *package, "--list")
        self.assertRegex(done.stderr, 'note: .*old.srdf:3: .*"foot"')
        self.write("ball.urdf", URDF.format(mesh="cube.obj").replace('"continuous"', '"planar"').replace('"0 0 1"/></joint>', '"0 0 -1"/></joint>'))
        self.refused("robot", "ball.urdf", "--list", says=["ball.urdf:8", "<axis>", "planar"])
        self.write("arm.urdf.xacro", '<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro/></robot>')
        self.refused("robot", "arm.urdf.xacro", "--list", says=["xacro"])
        self.refused("robot", "nowhere.urdf", "--list", says=["nowhere.urdf"])

    def test_both_arms_of_the_data(self):
        if not (DATA / "robots").is_dir():
            self.skipTest("no ../shared/data/robots here")
        self.urdf()
        package = ("--package", f"example-robot-data={DATA}")
        panda, ur = DATA / "robots" / "panda_description", DATA / "robots" / "ur_description"
        arms = ((("robot", panda / "urdf/panda.urdf", "--srdf", panda / "srdf/panda.srdf", *package),
                 [0, -0.785, 0, -2.356, 0, 1.571, 0.785, 0.035], [1.5, 0.3, 0.4, -1.5, 0.2, 2, 0.9, 0.035]),
                (("robot", ur / "urdf/ur5_robot.urdf", "--srdf", ur / "srdf/ur5.srdf", *package),
                 [0, -1.57, 1.2, -1, -1.57, 0], [1, -1.2, 1, -0.8, -1.4, 0.5]))
        for arm, start, end in arms:
            self.assertEqual(len(self.json(*arm, "--list")["coordinates"]), len(start))
            rest = [0] * len(start)
            rows = ((0, *start, *rest), (2, *end, *rest), (3, *start, *rest))
            self.write("path.csv", "\n".join(",".join(map(str, row)) for row in rows) + "\n")
            out = self.json(*arm, "--path", "path.csv", "--clearance", "1e-3")
            self.assertEqual((out["status"], out["beyond_limits"]), ("free", None))
            self.assertGreater(out["clearance"]["lower"], 0)
            self.assertEqual(self.json(*arm, "--path", "path.csv", "--environment", "sphere:3")["status"], "touching_at_start")


class Usage(RobotTest):
    def test_usage(self):
        self.refused("robot", says=["URDF"])
        self.refused("robot", "arm.json", says=["--state", "--path", "--edges"])
        self.refused("robot", "arm.json", "--state", "0 0", "--list", says=["one of these"])
        self.refused("robot", "arm.json", "--state", "0", says=["1 numbers", "shoulder, hand"])
        self.refused("robot", "arm.json", "--state", "up", says=["'up'"])
        self.refused("robot", "arm.json", "--state", "0 0", "--environment-pose", pose(), says=["needs --environment"])
        self.refused("robot", "arm.json", "--state", "0 0", "--attach", "hand", says=["--attach", "LINK BODY"])
        self.refused("robot", "arm.json", "--state", "0 0", "--attach", "foot box:1,1,1", says=['"foot"'])
        self.refused("robot", "arm.json", "--state", "0 0", "--attach", "hand box:1,1,1 touch foot", says=['"foot"'])
        self.refused("robot", "arm.json", "--state", "0 0", "--padding", "-1", says=["--padding"])
        self.refused("robot", "arm.json", "--state", "0 0", "--clearance", "1", says=["--clearance", "--path"])
        self.refused("robot", "arm.json", "--state", "0 0", "--srdf", "x.srdf", says=["--srdf"])
        self.refused("robot", "arm.urdf", "--package", "arm", "--list", says=["--package", "NAME=DIR"])
        self.write("path.csv", "0,0\n1,0\n")
        self.refused("robot", "arm.json", "--path", "path.csv", "--certificates", "nowhere", says=["nowhere", "folder"])


if __name__ == "__main__":
    unittest.main()
