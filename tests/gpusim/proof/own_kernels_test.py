#!/usr/bin/env python3
"""own_kernels_test.py OBSTACLES LIST PROGRAM… [--write]

What stands in the way of a proof in each kernel of the chapters' solved programs and experiments is what LIST says: a line
"kernel: what" for each, in alphabetical order, or "kernel:" where nothing does. (obstacles.cpp finds it in the programs'
instructions.)
"""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "book"))
import compiler


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    obstacles, listed, *programs = arguments
    compiler.must_be_the_books(pathlib.Path(obstacles).parents[2], "--write" not in sys.argv)  # others inline other functions
    done = subprocess.run([obstacles, *programs], capture_output=True, text=True, check=True)
    found = sorted(set(done.stdout.splitlines()))
    path = pathlib.Path(listed)
    if "--write" in sys.argv:
        path.write_text("\n".join(found) + "\n", encoding="utf-8")
    expected = path.read_text(encoding="utf-8").splitlines()
    complaints = [f"not in the list: {line}" for line in found if line not in expected]
    complaints += [f"only in the list: {line}" for line in expected if line not in found]
    if complaints:
        complaints.append("if that is right, write the list anew: " + " ".join([*sys.argv, "--write"]))
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
