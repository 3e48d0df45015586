#!/usr/bin/env python3
"""Judges every exercise and prints a line for each: `ninja -C build progress`.

progress.py -- TEST_PROGRAM…
"""
import pathlib

import command_line
from learn import judging


def main(*arguments):
    programs = [pathlib.Path(argument) for argument in arguments if argument != "--"]
    names = [program.name.removesuffix(".gpu") for program in programs]
    width = max(map(len, names))
    open_exercises, begun = [], 0
    for name, program in zip(names, programs):
        print(f"{name:{width}}  ", end="", flush=True)
        verdict = judging.outcome_of(program)["verdict"]
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
# SPDX-License-Identifier: MIT
