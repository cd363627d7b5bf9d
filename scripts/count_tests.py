#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what a CTest run did, down to the single GoogleTest case.

usage: scripts/count_tests.py CTEST_JUNIT.xml GOOGLETEST_FOLDER
Prints "PASSED FAILED SKIPPED", then one line for every failed ("F name: why") and every skipped ("S name: why") one.
A program that left no GoogleTest report counts as one, unless it printed the summary of Python's unittest or of pytest (with
-rfEs); one that crashed or failed outside its cases counts as one failure more.
"""
import os
import re
import sys
import xml.etree.ElementTree as xml


def cases(report):
    for case in xml.parse(report).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        failure = case.find("failure")
        skipped = case.find("skipped")
        if failure is not None:
            yield "F", name, (failure.get("message") or "").strip().replace("\n", " ")[:300]
        elif skipped is not None or case.get("result") == "skipped":
            yield "S", name, ((skipped.get("message") if skipped is not None else "") or "").strip().replace("\n", " ")
        elif case.get("status") == "notrun":
            yield "S", name, "disabled"
        else:
            yield "P", name, ""


def python_cases(output):
    """The cases of Python's unittest by its summary: "Ran 12 tests in 3.4s", then "FAILED (failures=1, skipped=2)"."""
    ran = re.search(r"^Ran (\d+) tests? in", output, re.MULTILINE)
    if not ran:
        return []
    numbers = dict(re.findall(r"(failures|errors|skipped)=(\d+)", output[ran.end():]))
    failed = int(numbers.get("failures", 0)) + int(numbers.get("errors", 0))
    skipped = int(numbers.get("skipped", 0))
    reasons = re.findall(r"\bskipped ['\"](.*)['\"]$", output, re.MULTILINE)
    reasons += ["one of its cases"] * (skipped - len(reasons))
    return ([("F", "case", "see its output")] * failed + [("S", "case", reason) for reason in reasons[:skipped]]
            + [("P", "case", "")] * (int(ran.group(1)) - failed - skipped))


def pytest_cases(output):
    """The cases of pytest by its summary: "FAILED file::case - why", "SKIPPED [2] file: why", "1 failed, 3 passed in 3.4s"."""
    summary = re.findall(r"^(?:=+ )?((?:\d+ \w+, )*\d+ \w+) in [\d.]+s", output, re.MULTILINE)
    if not summary:
        return []
    numbers = {kind: int(number) for number, kind in re.findall(r"(\d+) (\w+)", summary[-1])}
    failed = re.findall(r"^(?:FAILED|ERROR) (?:\S*::)?(\S+)(?: - (.*))?$", output, re.MULTILINE)
    skipped = re.findall(r"^SKIPPED \[(\d+)\] (.*)$", output, re.MULTILINE)
    return ([("F", case, why) for case, why in failed]
            + [("S", "case", why) for number, why in skipped for _ in range(int(number))]
            + [("P", "case", "")] * numbers.get("passed", 0))


def count(junit, folder):
    results = []
    for test in xml.parse(junit).getroot().iter("testcase"):
        name = test.get("name")
        report = os.path.join(folder, name + ".xml")
        output = test.find("system-out")
        if os.path.isfile(report):
            inside = list(cases(report))
        else:
            text = (output.text or "") if output is not None else ""
            inside = python_cases(text) or pytest_cases(text)
        results += [(kind, f"{name}: {case}", why) for kind, case, why in inside]
        if test.get("status") in ("fail", "timeout"):
            if not any(kind == "F" for kind, _, _ in inside):
                why = test.find("failure")
                results.append(("F", name, (why.get("message") or "") if why is not None else "it did not end well"))
        elif test.get("status") in ("notrun", "disabled"):
            skipped = test.find("skipped")
            results.append(("S", name, (skipped.get("message") or "") if skipped is not None else ""))
        elif not inside:
            results.append(("P", name, ""))
    return results


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    results = count(sys.argv[1], sys.argv[2])
    print(*(sum(kind == which for kind, _, _ in results) for which in "PFS"))
    for which in "FS":
        for kind, name, why in results:
            if kind == which:
                print(kind, f"{name}: {why}" if why else name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
