#!/usr/bin/env python3
"""proved_kernels_test.py LIST PROGRAM… [--write]

Runs the chapters' solved programs, compiled with --keep-accesses, under GPUSIM_CHECK=proof. LIST has what is said of each
kernel: a line "NN_topic kernel: verdict" for each, in alphabetical order. A kernel that is launched in several shapes has the
worst of its verdicts. Where nothing is proved, the program must say why.
"""
import os
import pathlib
import re
import subprocess
import sys

import listed

SAID = re.compile(r"^gpusim: (proved|proved race-free|not proved): (.+?)<<<.*?>>>\((?:.*?)\): (.*)$", re.MULTILINE)
WORST_LAST = ["proved", "proved race-free", "not proved"]
SIZES = {  # small; all kernels take them
    "11_transpose": ["--rows", "68", "--columns", "100"],
    "13_gemm": ["--rows", "96", "--columns", "80", "--depth", "40"],
    "14_many_gpus": ["--n", "9001"],
    "15_softmax": ["--rows", "70", "--columns", "1003"],
}


def verdicts_of(program):
    """A verdict for each kernel of the program."""
    stem = pathlib.Path(program).name.removesuffix(".kept")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSIM_")}
    done = subprocess.run([program, *SIZES.get(stem, ["--n", "70001"])], env=environment | {"GPUSIM_CHECK": "proof"},
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{program}: exit status {done.returncode}: {done.stderr[-400:]}")
    worst = {}
    for verdict, kernel, why in SAID.findall(done.stderr):
        if verdict == "not proved" and not why.strip():
            sys.exit(f"{program}: {kernel} is not proved, without a reason")
        worst[kernel] = max(worst.get(kernel, verdict), verdict, key=WORST_LAST.index)
    if not worst:
        sys.exit(f"{program}: nothing is said of any kernel: {done.stderr[-400:]}")
    return [f"{stem} {kernel}: {verdict}" for kernel, verdict in worst.items()]


def main():
    lines, *programs = listed.arguments()
    listed.must_be_of_the_lists_compiler(programs[0])
    found = sorted(line for program in programs for line in verdicts_of(program))
    print(f"{sum(line.endswith(': proved') for line in found)} of {len(found)} kernels are proved")
    listed.compare(found, lines)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
