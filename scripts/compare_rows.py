# SPDX-License-Identifier: MIT
"""Prints the rows of scripts/bench_against: medians of the rounds, the ratio new / old, and whether answers agree.

usage: compare_rows.py FOLDER ROUNDS COMMIT
"""
import statistics
import sys


def rows(folder, which, rounds):
    times, answers = {}, {}
    for i in range(1, rounds + 1):
        with open(f"{folder}/{which}.{i}") as file:
            for line in file:
                name, time, answer = line.split()
                times.setdefault(name, []).append(float(time))
                answers.setdefault(name, set()).add(answer)
    return times, answers


def main():
    folder, rounds, commit = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    (old, old_answers), (new, new_answers) = rows(folder, "old", rounds), rows(folder, "new", rounds)
    print(f"{'row':<28} {commit + ' [us]':>16} {'now [us]':>12} {'ratio':>7}  answers")
    for name, times in new.items():
        before, now = statistics.median(old[name]), statistics.median(times)
        # Both ran in turns: the median of the rounds' own ratios is the quietest figure.
        ratio = statistics.median(n / o for n, o in zip(times, old[name]))
        same = "same" if old_answers[name] == new_answers[name] else "DIFFERENT"
        print(f"{name:<28} {before / 1e3:>16.2f} {now / 1e3:>12.2f} {ratio:>7.2f}  {same}")


main()
