#!/usr/bin/env python3
"""Measures the tutorial on this machine's GPU and writes the result as data: what the book's tables are made of.

measure.py timings BUILD_DIR FILE.json    every solved step and NVIDIA's libraries at three sizes, with the copy ceiling
                                          of the same run
measure.py counters BUILD_DIR FILE.json   what ncu counts for every kernel of the steps, at n = 2^25, and for
                                          every case of the calibration set (tests/gpusim/fidelity/calibration.cu)
measure.py sweep BUILD_DIR FILE.json      chapter 08's sum with every number of blocks and threads, at n = 2^28
measure.py unrolled BUILD_DIR FILE.json   chapter 08's loop with 1, 2, 4 and 8 loads in flight at three sizes, and how many
                                          loads ptxas made of each
measure.py tiles BUILD_DIR FILE.json      chapter 10's single pass with tiles of several shapes, at n = 2^28
measure.py limit BUILD_DIR FILE.json      chapter 12's steps and laboratories, beside CUB's sum, from 2^20 to 2^30 elements;
                                          how busy ncu finds the memory
measure.py conflicts BUILD_DIR FILE.json  chapter 04's tree with and without bank conflicts, by the same instructions, at
                                          n = 2^28; what ncu counts of both
measure.py products BUILD_DIR FILE.json   chapter 13's products of matrices and cuBLAS's, in several shapes
measure.py rows BUILD_DIR FILE.json       chapter 15's softmax and RMSNorm of 2^28 elements next to PyTorch's, eager and compiled;
                                          its steps, timed and counted by ncu. Needs PyTorch
measure.py changes BUILD_DIR FILE.json    experiments of chapters 10 to 13 and 15 whose kernels differ in one thing each; how many
                                          loads ptxas made of chapter 12's loops, and the registers of chapter 10's tiles; chapter
                                          15's steps at two sizes, and its kernels before the exercise is solved
measure.py gpus BUILD_DIR FILE.json       chapter 14's sums and all-reduces on 1, 2, 4, … GPUs of this host, beside NCCL's, from
                                          1 KiB to 1 GiB; work and communication side by side; with MPI, the same by a process
                                          for each GPU. Needs several GPUs that reach each other's memory, and NCCL
measure.py registers BUILD_DIR FILE.json  what ptxas allots to the kernels of chapter 08's laboratory `spills`; needs
                                          nvcc and no GPU

BUILD_DIR holds the programs of a GPU build (solutions/NN_topic.gpu). The file names the GPU, its driver, CUDA, the
commit and the date (without a GPU: the architecture in place of GPU and driver). It is written only when everything
ran and every sum was right.
"""
import json
import pathlib
import re

import command_line
import whole_file
from measuring.experiments import changes, conflicts, limit, sweep, tiles, unrolled
from measuring.many_gpus import gpus
from measuring.ptxas import ARCHITECTURE, registers
from measuring.rows import rows
from measuring.steps import counters, products, timings
from measuring.toolchain import provenance, toolchain

MEASURE = {"timings": timings, "products": products, "counters": counters, "sweep": sweep, "unrolled": unrolled, "limit": limit,
           "tiles": tiles, "changes": changes, "conflicts": conflicts, "rows": rows, "gpus": gpus, "registers": registers}


def main(what, build, file):
    where = {"architecture": ARCHITECTURE, **toolchain()} if what == "registers" else provenance()
    document = {"where": where, **MEASURE[what](build)}
    target = pathlib.Path(file)
    # A launch is one line.
    text = re.sub(r"\{[^{}]*(\{[^{}]*\}[^{}]*)?\}", lambda inner: " ".join(inner.group().split()),
                  json.dumps(document, indent=1))
    whole_file.write(target, text + "\n")
    print(f"wrote {target}")


if __name__ == "__main__":
    command_line.run(main, __doc__, f"{'|'.join(MEASURE)} BUILD_DIR FILE.json",
                     lambda arguments: len(arguments) == 3 and arguments[0] in MEASURE)
# SPDX-License-Identifier: MIT
