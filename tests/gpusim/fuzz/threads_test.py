#!/usr/bin/env python3
"""Kernels give the same memory, counters, findings and messages on 1, 2 and 7 host threads. Those that have no mistake give
the same in every order of blocks as well, and write the same in every schedule.

usage: threads_test.py PROGRAM   (threads.cu)
"""
import itertools
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line
import runs

RIGHT = {"arithmetic", "widths", "together", "diverging"}  # what they do depends on no order


def main():
    (program,) = command_line.arguments("PROGRAM")
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    if not set(names) >= RIGHT:
        sys.exit(f"{program} lacks {', '.join(sorted(RIGHT - set(names)))}")
    compared, differ = 0, 0
    for name, check in itertools.product(names, ("none", "all")):
        command, budget = [program, name], 300_000
        first = runs.first_run(command, check, budget)
        for how, said, expected in runs.other_runs(command, check, budget, 100_000_000, first, name in RIGHT):
            compared += 1
            if said != expected:
                differ += 1
                print(f"{name}, checks {check}, {how}:\n{said}\nexpected:\n{expected}")
    print(f"{compared} runs compared, {differ} differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
