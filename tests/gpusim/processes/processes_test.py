#!/usr/bin/env python3
"""NCCL of the simulated GPU between processes: right results for 1 to 8 of them, and a message in place of a hang.

usage: processes_test.py (right | wrong) PROGRAM [MPIRUN]     without MPIRUN: skipped
       processes_test.py chapter PROGRAM [MPIRUN]             chapter 14's
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

SKIP = 77
# A container's user is root; a laptop has fewer cores than there are processes.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
CALL = "ncclAllReduce, call 1"
# What goes wrong on rank 2 of 4, and what is said.
WRONG = {
    "absent": f"gpusim: {CALL} of 4 ranks: rank 2 never came",
    "no communicator": "gpusim: ncclCommInitRank, 4 ranks: rank 2 never came",
    "receives": "gpusim: ncclRecv of rank 1: rank 2 never came",
    "counts": f"gpusim: {CALL}: rank 2 gives 8 elements, rank 0 16",
    "another call": f"gpusim: {CALL}: rank 2 calls ncclBroadcast, rank 0 ncclAllReduce",
    "another type": f"gpusim: {CALL}: rank 2 gives ncclInt32, rank 0 ncclFloat32",
    "number of ranks": "ncclCommInitRank: rank 2 says there are 3 ranks, another 4",
    "twice": "NCCL: rank 0 of a communicator is made twice",
    "dies": "(signal 9|EXIT CODE: 9)",  # by mpirun, which ends the others
}


def run(mpirun, count, *command, **environment):
    try:
        return subprocess.run([mpirun, "-n", str(count), *command], capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, **ENVIRONMENT, **environment})
    except subprocess.TimeoutExpired as late:
        sys.exit(f"{count} × {' '.join(command)}: still running after {late.timeout} s\n{late.stderr}")


def expect_right(done, what):
    if done.returncode or "right" not in done.stdout or "gpusim:" in done.stderr:
        sys.exit(f"{what}: exit status {done.returncode}\n{done.stdout}{done.stderr}")


def right(program, mpirun):
    for count in range(1, 9):
        expect_right(run(mpirun, count, program, "all"), f"{count} processes")
    expect_right(run(mpirun, 2, program, "two GPUs each"), "two processes of two GPUs")
    # Whoever computes has not gone: others wait, however short their patience.
    expect_right(run(mpirun, 3, program, "busy", GPUSIM_PATIENCE="1"), "a long kernel on rank 2")
    expect_right(run(mpirun, 3, program, "late"), "a late rank 2")


def wrong(program, mpirun):
    for what, text in WRONG.items():
        done = run(mpirun, 4, program, what, GPUSIM_PATIENCE="1")
        if done.returncode == 0 or not re.search(text, done.stderr + done.stdout):
            sys.exit(f"{what}: exit status {done.returncode}, and no '{text}'\n{done.stdout}{done.stderr}")


def chapter(program, mpirun):
    for count in range(1, 9):
        done = run(mpirun, count, program, "--n", "10007")
        if done.returncode or done.stdout.count(" ok ") != 4 or f"of {count} processes" not in done.stdout:
            sys.exit(f"{count} processes: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    bad = run(mpirun, 2, program, "--n", "x")
    if bad.returncode != 2 or bad.stderr.count("--n: 'x' is not a whole number") != 1:
        sys.exit(f"--n x: exit status {bad.returncode}\n{bad.stdout}{bad.stderr}")


def main():
    promise, *given = command_line.arguments("right|wrong|chapter none", "right|wrong|chapter PROGRAM [MPIRUN]")
    if len(given) == 1:
        print("MPI is not installed: sh common/bootstrap.sh --mpi")
        sys.exit(SKIP)
    {"right": right, "wrong": wrong, "chapter": chapter}[promise](*given)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
