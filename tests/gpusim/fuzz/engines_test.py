#!/usr/bin/env python3
"""Both engines give the same memory, counters, findings and messages, on 1, 2 and 7 threads; and what cannot be compiled is
interpreted, and says so.

usage: engines_test.py PROGRAM   (engines.cu)
"""
import itertools
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line


def run(program, name, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    done = subprocess.run([program, name], capture_output=True, text=True, check=False,
                          env={**clean, "GPUSIM_BUDGET": "300000", **variables})
    return f"exit status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    (program,) = command_line.arguments("PROGRAM")
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    compared, differ = 0, 0
    for name, check in itertools.product(names, ("none", "all")):
        expected = run(program, name, GPUSIM_CHECK=check, GPUSIM_ENGINE="interpreter", GPUSIM_THREADS="1")
        for engine, threads in itertools.product(("interpreter", "mixed", "native"), ("1", "2", "7")):
            said = run(program, name, GPUSIM_CHECK=check, GPUSIM_ENGINE=engine, GPUSIM_THREADS=threads)
            compared += 1
            if said != expected:
                differ += 1
                print(f"{name}, checks {check}, {engine}, {threads} threads:\n{said}\nexpected:\n{expected}")
        # Had nothing been compiled, nothing would have been compared.
        said = run(program, name, GPUSIM_CHECK=check, GPUSIM_ENGINE="native", GPUSIM_THREADS="1", TMPDIR="/dev/null")
        first, _, rest = said.partition("gpusim: GPUSIM_ENGINE=native: kernel ")
        why, _, rest = rest.partition("\n")
        if not why.endswith("is interpreted: no file can be written in the folder for temporary files (TMPDIR)"):
            sys.exit(f"{name}: without a folder for temporary files it says\n{said}")
        if first + rest != expected:
            sys.exit(f"{name}: without a folder for temporary files\n{first + rest}\nexpected:\n{expected}")
    print(f"{compared} runs compared, {differ} differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
