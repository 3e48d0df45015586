#!/usr/bin/env python3
"""What every step's program promises, whichever chapter it is of.

steps_test.py lengths PROGRAM    right sums for the lengths at which programs go wrong, and nothing for the checks to find
steps_test.py repeat PROGRAM     the same results, counters and reports on every run
steps_test.py options PROGRAM    a bad option gets one line on stderr and exit status 2; lost output one, and 1
steps_test.py laboratory PROGRAM an experiment beside a step ends well, and refuses a bad option in one line
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

SKIP = 77
LENGTHS = [0, 1, 31, 32, 33, 255, 256, 257, 4099, 1000003]
# Where a scan of two levels ends: its sections are 2048 elements, so 2048 * 2048.
MORE_LENGTHS = {"10_scan": [2047, 2048, 2049, 4194303, 4194304, 4194305, 5000011]}
BAD_OPTIONS = [["--n", "-5"], ["--n", "9999999999999"], ["--n", "abc"], ["--n"], ["--repeat", "-1"], ["--seed", "x"],
               ["--n", "-1"], ["--n", "1e99"], ["--n", "2^31"], ["--n", "2^99999999999999999999"], ["--n", ""],
               ["--profile=/nowhere/profile.json"], ["--trace=/"], ["--unknown"], ["surplus"]]


def run(program, *options, **environment):
    return subprocess.run([program, *options], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def skip_without_gpu(program, *options):
    done = run(program, *options)
    if "no NVIDIA GPU" in done.stderr:
        print(done.stderr.strip())
        sys.exit(SKIP)


def lengths(program):
    skip_without_gpu(program, "--n", "1")
    for n in LENGTHS + MORE_LENGTHS.get(os.path.basename(program).removesuffix(".gpu"), []):
        done = run(program, "--json", "--n", str(n), "--repeat", "1", GPUSIM_CHECK="all")
        if done.returncode != 0:
            sys.exit(f"--n {n}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        if done.stderr:
            sys.exit(f"--n {n}: the checks warn\n{done.stderr}")
        wrong = [row for row in json.loads(done.stdout)["rows"] if not row["verified"]]
        if wrong:
            sys.exit(f"--n {n}: {wrong}")


def repeat(program):
    first, second = (run(program, "--json", "--n", "100003", GPUSIM_REPORT="1") for _ in range(2))
    if first.returncode != 0 or not first.stdout or not first.stderr:
        sys.exit(f"exit status {first.returncode}, or nothing printed\n{first.stdout}{first.stderr}")
    if (first.stdout, first.stderr) != (second.stdout, second.stderr):
        sys.exit(f"two runs differ\n{first.stdout}{first.stderr}\n--- second\n{second.stdout}{second.stderr}")


def laboratory(program):
    skip_without_gpu(program)
    done = run(program)
    if done.returncode == SKIP:  # it says why it cannot run here
        print(done.stdout.strip())
        options(program, [["--unknown"], ["surplus"]])
        sys.exit(SKIP)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"exit status {done.returncode}, or nothing printed\n{done.stdout}{done.stderr}")
    options(program, [["--unknown"], ["surplus"]])


def options(program, each=BAD_OPTIONS):
    for bad in each:
        done = run(program, *bad)
        if done.returncode != 2 or done.stdout or len(done.stderr.splitlines()) != 1:
            sys.exit(f"{bad}: exit status {done.returncode}, expected 2 and one line on stderr:\n{done.stdout}{done.stderr}")
    with open("/dev/full", "w", encoding="utf-8") as full:  # a disk without room
        done = subprocess.run([program, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 1 or "No space left" not in done.stderr or len(done.stderr.splitlines()) != 1:
        sys.exit(f"lost output: exit status {done.returncode}, expected 1 and one line on stderr:\n{done.stderr}")


if __name__ == "__main__":
    promises = {"lengths": lengths, "repeat": repeat, "options": options, "laboratory": laboratory}
    promise, tested = command_line.arguments("|".join(promises) + " PROGRAM")
    promises[promise](tested)
# SPDX-License-Identifier: MIT
