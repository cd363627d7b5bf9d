# SPDX-License-Identifier: MIT
"""Manual pages and shell completion are made from the options that --help prints: none is missing, and they work."""
import re
import shutil
import subprocess
import unittest

from harness import CHILD_SECONDS, GRAZE, CommandTest

VERIFY = GRAZE.parent / "graze-verify"

# Calls the completion function as bash does: the words of the line, the last of which is being typed.
ASK_BASH = """
source ./graze.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
function=$(complete -p "${1##*/}") && function=${function#*-F } && "${function%% *}" "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


class PageTest(CommandTest):
    def commands(self):
        text = self.graze("--help").stdout.split("Subcommands:\n")[1].split("\n\n")[0]
        return [line.split()[0] for line in text.splitlines() if line.startswith("  ") and not line.startswith("   ")]

    def options_of(self, *command):
        """The options that --help declares, one at the start of each line."""
        if command == ("verify",):  # passes everything on
            text = subprocess.run([VERIFY, "--help"], capture_output=True, text=True, timeout=CHILD_SECONDS).stdout
        else:
            text = self.graze(*command, "--help").stdout
        lines = [line.strip().split(" ")[0] for line in text.splitlines() if re.match(r"  -", line)]
        return {name for line in lines for name in line.split(",")}


class Man(PageTest):
    def page(self, *program):
        return self.graze("man", *program).stdout

    def test_every_command_and_option_is_in_the_page(self):
        page = self.page().replace("\\-", "-")
        sections = dict(re.findall(r"^\.SS (\S+)\n(.*?)(?=^\.S[SH])", page, re.M | re.S))
        self.assertEqual(sorted(sections), sorted(self.commands()))
        for command in sections:
            with self.subTest(command=command):
                entries = set(re.findall(r"\\fB(-[^\\]+)\\fR", sections[command]))
                self.assertEqual(entries - {"-h"}, self.options_of(command) - {"-h"})
        verify = self.page("graze-verify").replace("\\-", "-")
        self.assertEqual(set(re.findall(r"\\fB(--[^\\]+)\\fR", verify)), self.options_of("verify"))

    def test_roff_is_well_formed(self):
        for program in ("graze", "graze-verify"):
            page = self.page(program)
            self.assertTrue(page.isascii())
            self.assertTrue(re.search(r"^\.TH \S+ 1 ", page, re.M))
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"):
                self.assertIn(f"\n.SH {section}\n", page)
            for line in page.splitlines():  # only macros that are meant
                self.assertRegex(line, r'^(\.(TH|SH|SS|TP|PP|nf|fi|BR|\\")( .*)?$|[^.\'])')
            self.assertEqual(page.count("\n.nf\n"), page.count("\n.fi\n"))

    def test_groff_has_no_complaints(self):
        if not shutil.which("groff"):
            self.skipTest("no groff here")
        for program in ("graze", "graze-verify"):
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-rLL=100n"], input=self.page(program),
                                  capture_output=True, text=True, timeout=CHILD_SECONDS)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("verified", done.stdout)


class Bash(PageTest):
    def setUp(self):
        super().setUp()
        if not shutil.which("bash"):
            self.skipTest("no bash here")
        self.write("graze.bash", self.graze("completion", "bash").stdout)
        self.cube("cube.obj")
        self.cube("cube two.obj")
        (self.dir / "folder").mkdir()

    def complete(self, *words):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", ASK_BASH, "bash", *words], cwd=self.dir,
                              capture_output=True, text=True, timeout=CHILD_SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return [line for line in done.stdout.splitlines() if line]

    def test_commands(self):
        self.assertEqual(sorted(self.complete("graze", "")), sorted(self.commands()))
        self.assertEqual(self.complete("graze", "dist"), ["distance"])
        self.assertEqual(sorted(self.complete("/usr/bin/graze", "co")), ["collide", "completion"])

    def test_options_are_those_of_the_help(self):
        for command in self.commands():
            with self.subTest(command=command):
                self.assertEqual(set(self.complete("graze", command, "-")), self.options_of(command))
        self.assertEqual(set(self.complete("graze", "-")), self.options_of())
        self.assertEqual(set(self.complete("graze-verify", "-")), self.options_of("verify"))
        self.assertEqual(self.complete("graze", "collide", "cube.obj", "--pose-b", "1 2 3", "--exit"), ["--exit-code"])

    def test_values(self):
        known = [line.split()[0] for line in self.graze("collide", "--list-methods").stdout.splitlines()[1:]]
        self.assertEqual(sorted(self.complete("graze", "collide", "--method", "")), sorted(known))
        self.assertEqual(self.complete("graze", "info", "--format", "o"), ["obj", "off"])
        self.assertEqual(self.complete("graze", "info", "--format", "=", "s"), ["stl"])  # as bash cuts --format=s
        self.assertEqual(self.complete("graze", "info", "--format", "="), ["automatic", "obj", "off", "ply", "stl"])
        self.assertEqual(self.complete("graze", "info", "--format=p"), ["--format=ply"])  # where it does not
        self.assertEqual(self.complete("graze", "first-contact", "--motion", "s"), ["screw"])
        self.assertEqual(self.complete("graze", "deform", "--method", "ic"), ["iccd"])
        self.assertEqual(self.complete("graze", "cage", "--mode", "p"), ["parallel"])
        self.assertEqual(self.complete("graze", "make", "torus_"), ["torus_knot"])
        self.assertEqual(self.complete("graze", "make", "box", ""), [])
        self.assertEqual(self.complete("graze", "completion", ""), ["bash", "zsh"])
        self.assertEqual(self.complete("graze-verify", "--expect", "p"), ["pieces"])
        self.assertEqual(self.complete("graze", "verify", "--expect", "b"), ["bodies="])
        self.assertEqual(self.complete("graze", "collide", "--pose-a", "c"), [])  # a text that nobody can guess

    def test_files(self):
        for words in (("graze", "collide", "cu"), ("graze", "collide", "cube.obj", "cu"), ("graze", "info", "a", "b", "cu"),
                      ("graze", "make", "box", "-o", "cu"), ("graze", "deform", "a", "b", "c", "cu"),
                      ("graze", "collide", "--weld", "cu"), ("graze-verify", "--json", "cu"), ("graze", "verify", "cu")):
            with self.subTest(words=words):
                self.assertEqual(sorted(self.complete(*words)), ["cube two.obj", "cube.obj"])
        self.assertEqual(self.complete("graze", "chain", "--certificates", ""), ["folder"])
        self.assertEqual(self.complete("graze", "collide", "a", "b", "cu"), [])  # two are enough

    def test_values_that_are_offered_are_accepted(self):
        for method in self.complete("graze", "distance", "--method", ""):
            self.json("distance", "cube.obj", "cube.obj", "--method", method)
        for method in self.complete("graze", "first-contact", "--method", ""):
            self.json("first-contact", "cube.obj", "cube.obj", "--a-from", "0 0 3 1 0 0 0", "--a-to", "0 0 5 1 0 0 0",
                      "--method", method)
        for method in self.complete("graze", "deform", "--method", ""):
            self.graze("deform", "cube.obj", "cube.obj", "--method", method, status=(0, 3))


class Zsh(PageTest):
    def test_every_command_and_option_is_there(self):
        script = self.graze("completion", "zsh").stdout
        self.assertTrue(script.startswith("#compdef graze graze-verify\n"))
        for command in self.commands():
            with self.subTest(command=command):
                self.assertRegex(script, rf"(?m)^    '{command}:")
                specs = script.split(f"\n  {command}) _arguments")[1].split(" ;;\n")[0]
                found = {re.match(r"-[\w-]*", spec)[0] for spec in re.findall(r"^    '(-[^']*)", specs, re.M)}
                self.assertEqual(found, self.options_of(command))

    def test_syntax(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh here")
        self.write("_graze", self.graze("completion", "zsh").stdout)
        done = subprocess.run(["zsh", "-n", "_graze"], cwd=self.dir, capture_output=True, text=True, timeout=CHILD_SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
