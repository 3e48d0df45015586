#!/usr/bin/env python3
"""A precompiled header that does not fit any more must not stop anybody: simcc reads the header itself, and says so.

usage: stale_pch_test.py SIMCC
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

PROGRAM = """#include <cstdio>
int main() { std::printf("%d\\n", ANSWER); }
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    simcc, = command_line.arguments("SIMCC")
    with tempfile.TemporaryDirectory() as folder:
        header, program, pch, executable = (
            os.path.join(folder, name) for name in ("answer.h", "program.cu", "answer.pch", "program"))

        def answer(wants_note):
            done = subprocess.run([simcc, "--use-pch", pch, program, "-o", executable], check=False, capture_output=True,
                                  text=True)
            if done.returncode != 0 or ("does not fit any more" in done.stderr) != wants_note:
                sys.exit(f"exit status {done.returncode}, a note {'' if wants_note else 'not '}expected:\n{done.stderr}")
            return subprocess.run([executable], capture_output=True, text=True, check=True).stdout.strip()

        write(header, "#pragma once\n#define ANSWER 41\n")
        write(program, PROGRAM)
        subprocess.run([simcc, "--create-pch", pch, "-x", "cu", header], check=True)
        found = [answer(wants_note=False)]
        write(header, "#pragma once\n// changed\n#define ANSWER 42\n")
        found.append(answer(wants_note=True))
        write(pch + ".device", "not what clang writes")
        found.append(answer(wants_note=True))
        if found != ["41", "42", "42"]:
            sys.exit(f"the program prints {found}, expected 41 42 42")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
