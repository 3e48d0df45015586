#!/usr/bin/env python3
"""Kernels give the same memory, counters, findings and messages on 1, 2 and 7 host threads. Those that have no mistake give
the same in every order of blocks as well, and write the same in every schedule.

usage: threads_test.py PROGRAM   (threads.cu)
"""
import itertools
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

RIGHT = {"arithmetic", "widths", "together", "diverging"}  # what they do depends on no order


def run(program, name, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    done = subprocess.run([program, name], capture_output=True, text=True, check=False,
                          env={**clean, "GPUSIM_BUDGET": "300000", **variables})
    return f"exit status {done.returncode}\n{done.stdout}{done.stderr}"


def without_counters(said):
    """Counters, which are JSON, have a meaning only in the default schedule."""
    return "\n".join(line for line in said.splitlines() if line.lstrip()[:1] not in tuple('{}[]"'))


def main():
    (program,) = command_line.arguments("PROGRAM")
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    if not set(names) >= RIGHT:
        sys.exit(f"{program} lacks {', '.join(sorted(RIGHT - set(names)))}")
    compared, differ = 0, 0

    def compare(name, check, variables, said, expected):
        nonlocal compared, differ
        compared += 1
        if said != expected:
            differ += 1
            print(f"{name}, checks {check}, {variables}:\n{said}\nexpected:\n{expected}")

    for name, check in itertools.product(names, ("none", "all")):
        expected = run(program, name, GPUSIM_CHECK=check, GPUSIM_THREADS="1")
        for threads in ("2", "7"):
            compare(name, check, f"{threads} threads", run(program, name, GPUSIM_CHECK=check, GPUSIM_THREADS=threads), expected)
        if name not in RIGHT:
            continue
        for order, threads in itertools.product(("last_to_first", "shuffled"), ("1", "7")):
            said = run(program, name, GPUSIM_CHECK=check, GPUSIM_BLOCK_ORDER=order, GPUSIM_THREADS=threads)
            compare(name, check, f"{order}, {threads} threads", said, expected)
        for schedule in ("ascending", "descending"):  # lane by lane, which takes more warp instructions
            said = run(program, name, GPUSIM_CHECK=check, GPUSIM_SCHEDULE=schedule, GPUSIM_BUDGET="100000000")
            compare(name, check, schedule, without_counters(said), without_counters(expected))
    print(f"{compared} runs compared, {differ} differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
