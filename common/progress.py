#!/usr/bin/env python3
"""Judges every exercise and prints a line for each: `ninja -C build progress`.

progress.py -- TEST_PROGRAM…
"""
import pathlib
import re
import subprocess

import command_line


def verdict_of(program):
    try:
        done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except OSError as error:
        return f"no verdict: {program}: {error.strerror}"
    verdicts = re.findall(r"^verdict: (.*)$", done.stdout, re.MULTILINE)
    if not verdicts:
        return f"no verdict: exit status {done.returncode}; to see why, run {program}"
    return verdicts[-1]


def main(*arguments):
    programs = [pathlib.Path(argument) for argument in arguments if argument != "--"]
    names = [program.name.removesuffix(".gpu") for program in programs]
    width = max(map(len, names))
    open_exercises, begun = [], 0
    for name, program in zip(names, programs):
        print(f"{name:{width}}  ", end="", flush=True)
        verdict = verdict_of(program)
        print(verdict, flush=True)
        begun += verdict not in ("done", "not started")
        if verdict != "done":
            open_exercises.append(name)

    print(f"\n{len(names) - len(open_exercises)} of {len(names)} done, {begun} begun.", end="")
    if open_exercises:
        next_one = open_exercises[0]
        print(f" Next: edit chapters/{next_one}/kernels.cuh,")
        print(f"then: meson test -C build --suite {next_one}", end="")
    print()


if __name__ == "__main__":
    command_line.run(main, __doc__, "-- TEST_PROGRAM…",
                     lambda arguments: set(arguments) - {"--"} and command_line.options_first(arguments))
