#!/usr/bin/env python3
"""What the default checks cost: CPU seconds of whole processes with GPUSIM_CHECK=none and without it.

usage: bench_default_checks.py SIMCC [FILE…]       sources, or what simcc has made of them

Without programs: those of tests/gpusim/programs that need nothing but simcc. Each runs several times in both ways, by turns;
the shortest run of each counts. Prints a row for each, then the median and the largest share. It never fails for a program
that is slow.
"""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

HERE = pathlib.Path(__file__).resolve().parent
TURNS = 5
LONGEST_S = 60


def programs():
    # Those that need libraries, several files, or end with a fault on purpose say so in their first lines.
    for path in sorted((HERE.parent / "programs").glob("*.cu")):
        text = path.read_text(encoding="utf-8")
        if not any(f"// {word}:" in text for word in ("needs", "with", "options", "expect-exit", "expect-compile-error")):
            yield path


def seconds(executable, checks):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    if checks:
        environment["GPUSIM_CHECK"] = checks
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([executable], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                   timeout=LONGEST_S)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(executable):
    without, default = [], []
    for _ in range(TURNS):
        without.append(seconds(executable, "none"))
        default.append(seconds(executable, ""))
    return min(without), min(default)


def main():
    simcc, *given = command_line.arguments("SIMCC [FILE…]")
    shares, rows = [], 0
    print(f"{'program':36} {'none, s':>9} {'default, s':>11} {'more, s':>9} {'share':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for path in [pathlib.Path(name) for name in given] or programs():
            executable = str(path)
            if path.suffix == ".cu":
                executable = os.path.join(folder, "program")
                if subprocess.run([simcc, path, "-o", executable], check=False, stderr=subprocess.DEVNULL).returncode != 0:
                    print(f"{path.name}: left out, simcc does not compile it")
                    continue
            try:
                none, default = measure(executable)
            except subprocess.TimeoutExpired:
                print(f"{path.name}: left out, it runs longer than {LONGEST_S} s")
                continue
            rows += 1
            shares.append(default / none - 1)
            name = path.stem if path.stem != "wrong" and path.stem != "right" else path.parent.name + "/" + path.stem
            print(f"{name[:36]:36} {none:9.3f} {default:11.3f} {default - none:9.3f} {shares[-1]:7.1%}", flush=True)
    if shares:
        print(f"{rows} programs: median {statistics.median(shares):.1%} more, largest {max(shares):.1%}")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
