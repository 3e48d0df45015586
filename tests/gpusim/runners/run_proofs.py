#!/usr/bin/env python3
"""run_proofs.py SIMCC FILE.cu [OPTION…]

Compiles a program of tests/gpusim/proof with --keep-accesses and runs it with GPUSIM_CHECK=proof: its kernels wrong_… must not
be proved, right_… must be, and free_… must be proved free of races and not more. Each must be launched, and none may fault.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXPECTED = {"wrong": "not proved", "right": "proved", "free": "proved race-free"}
SAID = re.compile(r"^gpusim: (proved|proved race-free|not proved): ((wrong|right|free)_\w+)<<<(.*)$", re.MULTILINE)


def main():
    simcc, source, *options = sys.argv[1:]
    text = pathlib.Path(source).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "proofs")
        subprocess.run([simcc, "--keep-accesses", *options, source, "-o", program], check=True)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSIM_")}
        done = subprocess.run([program], env=environment | {"GPUSIM_CHECK": "proof"}, capture_output=True, text=True, check=False)
    complaints = [f"it printed: {done.stdout}"] if done.stdout else []
    said = {}
    for verdict, kernel, kind, rest in SAID.findall(done.stderr):
        said[kernel] = verdict
        if verdict != EXPECTED[kind]:
            complaints.append(f"{kernel} is '{verdict}' and not '{EXPECTED[kind]}': {rest}")
    kernels = re.findall(r"^(?:KERNEL\(|__global__ void )((?:wrong|right|free)_\w+)", text, re.MULTILINE)
    complaints += [f"{kernel}: nothing is said of it" for kernel in kernels if kernel not in said]
    if not kernels:
        complaints.append("it has no kernels")
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
