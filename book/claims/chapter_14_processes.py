"""What the page of chapter 14 says of overlap and of processes in numbers, from book/data/gpus_processes_h200.json."""

import tables_gpus
import tables_processes
from claims.shared import claims_of, ends
from measured import data
from tables_gpus import EACH, KIB, MIB

RUN = data("book/data/gpus_processes_h200.json")
FIRST_RUN = data("book/data/gpus_h200.json")  # with NCCL called by one host thread
LARGE = 256 * MIB


def piece(size, how="two_shot", pieces=1, gpus=4):
    return tables_processes.overlap_us(RUN, gpus, size, how, pieces)


def gain(size, how="two_shot", gpus=4):
    """How many times as fast the best number of pieces is as one."""
    return piece(size, how, gpus=gpus) / tables_processes.best_overlap(RUN, gpus, size, how)[1]


def best(size, how="two_shot", gpus=4):
    return tables_processes.best_overlap(RUN, gpus, size, how)[0]


def reduce(size, how="nccl", count=4):
    return tables_processes.reduce_us(RUN, count, size, how)


def by_threads(size, gpus=4):
    """By whichever of the two is faster."""
    return tables_gpus.fastest(RUN, gpus, size, *(how + EACH for how in ("one_shot", "two_shot")))["us"]


CLAIMS = claims_of(
    "14_many_gpus",
    (
        "With [a process for each GPU](#processes) it takes less than half as long, up to 1 MiB. Up to there the faster of "
        "the table's `one_shot` and `two_shot`, with host threads, takes {:.2f} to {:.2f} of NCCL's time with processes",
        *ends(by_threads(size) / reduce(size) for size in tables_processes.reduce_sizes(RUN) if size <= MIB),
        all(
            reduce(size) < tables_gpus.fastest(run, 4, size, "nccl")["us"] / 2
            for run in (FIRST_RUN, RUN)
            for size in tables_processes.reduce_sizes(RUN)
            if size <= MIB
        ),
    ),
    ("In another run on four GPUs NCCL takes {:.1f} µs for 1 KiB", tables_gpus.fastest(RUN, 4, KIB, "nccl")["us"]),
    ("for 1 KiB ({:.1f} in the other run)", tables_gpus.fastest(RUN, 4, KIB, "one_shot")["us"]),
    ("times as fast ({:.1f} µs in another run)", tables_gpus.sum_us(RUN, 4, 1 << 24, "fused")),
    ("NCCL, with [a process for each GPU](#processes), takes {:.1f} µs", tables_processes.sum_us(RUN, 4, 1 << 24)),
    (
        "In one piece this takes {} µs, in four {}: {:.2f} times as fast",
        piece(LARGE),
        piece(LARGE, pieces=4),
        gain(LARGE),
        best(LARGE) == 4,
    ),
    (
        "with rows of 16 MiB, 16 pieces take {:.1f} times as long as one",
        piece(16 * MIB, pieces=16) / piece(16 * MIB),
    ),
)
# SPDX-License-Identifier: MIT
