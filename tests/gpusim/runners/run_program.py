#!/usr/bin/env python3
"""Compiles a small CUDA program with simcc, runs it and compares what it prints with its first comment lines. With nvcc,
which runs it on a GPU, the same.

usage: run_program.py SIMCC PROGRAM.cu [simcc options…]
       run_program.py NVCC PROGRAM.cu [nvcc options…]

  // expect: TEXT         a line of standard output, in order; together they are all of it
  // expect-error: TEXT   a part of standard error; without one, the checks must find nothing
  // expect-exit: N       the exit code (0 unless said)
  (Once more with every launch run, GPUSIM_REPLAY=0, it must print the same, and so must its counters and findings.)
  // expect-compile-error: TEXT   does not compile, and an error of simcc contains TEXT; as many errors as such lines
  // with: FILE           another source of the program, beside it
  // options: …           options for simcc, in place of those of the command line; for nvcc, behind them
  // needs: LIBRARY…      skipped where none of these shared libraries is installed, or headers (*.h, a/b)
"""
import ctypes
import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line
from replay_difference import difference

TIMEOUT_S = 60
OF_NVCC = {"-ffp-contract=off": "-fmad=false"}


def read_expectations(path):
    found = {"expect": [], "expect-error": [], "expect-exit": ["0"], "expect-compile-error": [], "with": [], "options": [],
             "needs": []}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"// ([a-z-]+): ?(.*)\n?$", line)
            if not match or match.group(1) not in found:
                break
            found[match.group(1)].append(match.group(2))
    if not found["expect"] and not found["expect-error"] and not found["expect-compile-error"]:
        sys.exit(f"{path}: no '// expect:' line at its top")
    return found


def skip_without(libraries):
    for name in libraries:
        try:
            if name.endswith(".h") or "/" in name:
                os.stat(f"/usr/include/{name}")
            else:
                ctypes.CDLL(name)
            return
        except OSError:
            pass
    if libraries:
        print(f"none of these is installed: {' '.join(libraries)} (sh common/bootstrap.sh --libraries)")
        sys.exit(77)  # Meson's SKIP


def check_compile_errors(program, compiled, wanted):
    errors = [line for line in compiled.stderr.splitlines() if re.search(r":\d+:\d+: error: ", line)]
    missing = [text for text in wanted if not any(text in line for line in errors)]
    if compiled.returncode == 0 or missing or len(errors) != len(wanted):
        sys.exit(f"{program}: exit code {compiled.returncode}, {len(errors)} errors, expected {len(wanted)}; "
                 f"missing: {missing}")


def main():
    simcc, program, *options = command_line.arguments("SIMCC PROGRAM.CU [OPTION…]")
    wanted = read_expectations(program)
    own_options = " ".join(wanted["options"]).split()
    is_nvcc = os.path.basename(simcc) == "nvcc"
    if is_nvcc:
        own_options = options + [OF_NVCC.get(option, option) for option in own_options]
    else:
        skip_without(" ".join(wanted["needs"]).split())
    sources = [program] + [os.path.join(os.path.dirname(program), name) for name in wanted["with"]]
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # ^C in Meson: the folder goes, too
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder  # what simcc leaves when it is killed
        executable = os.path.join(folder, "program")
        if own_options:  # in place of others: a precompiled header is for one set of options
            options = own_options
        compiled = subprocess.run([simcc, *options, *sources, "-o", executable], check=False, stderr=subprocess.PIPE, text=True)
        sys.stderr.write(compiled.stderr)
        if wanted["expect-compile-error"]:
            check_compile_errors(program, compiled, wanted["expect-compile-error"])
            return
        if compiled.returncode != 0:
            sys.exit(f"{program}: does not compile (exit code {compiled.returncode})")
        try:
            ran = subprocess.run([executable], check=False, capture_output=True, text=True, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            sys.exit(f"{program}: still running after {TIMEOUT_S} s")
        problems = [] if is_nvcc else difference([executable])
    if ran.stdout.splitlines() != wanted["expect"]:
        problems.append("standard output differs (- expected, + printed):")
        problems += difflib.unified_diff(wanted["expect"], ran.stdout.splitlines(), lineterm="", n=1)
    if ran.returncode != int(wanted["expect-exit"][-1]):
        problems.append(f"exit code {ran.returncode}, expected {wanted['expect-exit'][-1]}")
    if is_nvcc:
        wanted["expect-error"] = [text for text in wanted["expect-error"] if "GPUSIM_CHECK" not in text]
    if "GPUSIM_CHECK=all" in ran.stderr and not any("GPUSIM_CHECK=all" in text for text in wanted["expect-error"]):
        problems.append("the default checks accuse it")
    problems += [f"standard error lacks: {text}" for text in wanted["expect-error"] if text not in ran.stderr]
    if problems:
        sys.exit("\n".join([f"{program}:", *problems, "standard error:", ran.stderr]))


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
