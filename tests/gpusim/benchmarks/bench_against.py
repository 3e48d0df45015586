#!/usr/bin/env python3
"""How many times as fast as an earlier state of the simulated GPU is today's, on one core? Its library is built from the
history of the repository, and bench.cu runs with each in turn, so that what else the machine does hits all alike.

usage: bench_against.py SIMCC NEW_COMMIT OPTION_FOLDER

OPTION_FOLDER keeps what was built, for the next time. It prints; it never fails for being slow. 77: the history is not there.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

ROOT = pathlib.Path(__file__).resolve().parents[3]
BENCH = ROOT / "tests/gpusim/benchmarks/bench.cu"
ROUNDS = 3
ROW = re.compile(r"^(.+?)  +(\d+) warp instructions +([\d.]+) ms", re.M)


def built(commit, folder):
    """The program of BENCH with the library of that commit."""
    program, source = folder / "bench", folder / "source"
    if program.exists() and program.stat().st_mtime > BENCH.stat().st_mtime:
        return program
    subprocess.run(["git", "clone", "--quiet", "--no-checkout", ROOT, source], check=False, stderr=subprocess.DEVNULL)
    subprocess.run(["git", "-C", source, "checkout", "--quiet", commit], check=True)
    if not (folder / "build").exists():
        subprocess.run(["meson", "setup", folder / "build", source, "-Dgpu=disabled"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", folder / "build", "common/gpusim/libgpusim.a"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([folder / "build/simcc", "-DONE_THREAD", BENCH, "-o", program], check=True)
    return program


def times(program):
    """By checks and name: milliseconds of one core."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    done = subprocess.run([program], check=True, capture_output=True, text=True, env={**clean, "GPUSIM_THREADS": "1"})
    found = {}
    for part in done.stdout.split("counters on, checks: ")[1:]:
        checks, _, rows = part.partition("\n")
        for name, _, milliseconds in ROW.findall(rows):
            found[checks, name] = float(milliseconds)
    return found


def main():
    simcc, commit, folder = command_line.arguments("SIMCC NEW_COMMIT OPTION_FOLDER")
    folder = pathlib.Path(folder).resolve()
    if subprocess.run(["git", "-C", ROOT, "cat-file", "-e", commit + "^{commit}"], check=False, capture_output=True).returncode:
        print(f"commit {commit} is not in this clone's history: clone it whole")
        sys.exit(77)
    folder.mkdir(parents=True, exist_ok=True)
    today = folder / "bench_today"
    subprocess.run([simcc, "-DONE_THREAD", BENCH, "-o", today], check=True)
    programs = {commit: built(commit, folder), "today": today}
    best = {}
    for _ in range(ROUNDS):
        for state, program in programs.items():
            for row, milliseconds in times(program).items():
                best[row, state] = min(milliseconds, best.get((row, state), milliseconds))
    print(f"{'checks':8}{'kernel':20}{'ms at ' + commit:>16}{'today':>20}")
    for checks, name in dict.fromkeys(row for row, _ in best):
        before, now = best[(checks, name), commit], best[(checks, name), "today"]
        print(f"{checks:8}{name:20}{before:16.1f}{now:10.1f} ms {before / now:5.2f} x")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
