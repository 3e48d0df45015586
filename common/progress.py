#!/usr/bin/env python3
"""Judges every exercise and prints a line for each: `ninja -C build progress`.

progress.py -- TEST_PROGRAM…
"""
import pathlib
import re
import subprocess
import sys


def verdict_of(program):
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    verdicts = re.findall(r"^verdict: (.*)$", done.stdout, re.MULTILINE)
    if not verdicts:
        return f"no verdict: exit status {done.returncode}; to see why, run {program}"
    return verdicts[-1]


programs = [pathlib.Path(argument) for argument in sys.argv[1:] if argument != "--"]
names = [program.name.removesuffix(".gpu") for program in programs]
width = max(map(len, names))
open_exercises = []
for name, program in zip(names, programs):
    print(f"{name:{width}}  ", end="", flush=True)
    verdict = verdict_of(program)
    print(verdict, flush=True)
    if verdict != "done":
        open_exercises.append(name)

print(f"\n{len(names) - len(open_exercises)} of {len(names)} done.", end="")
if open_exercises:
    next_one = open_exercises[0]
    print(f" Next: edit chapters/{next_one}/kernels.cuh,")
    print(f"then: meson test -C build --suite {next_one}", end="")
print()
