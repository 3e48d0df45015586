"""What the page of chapter 14 says of overlap and of processes in numbers, from book/data/gpus_processes_h200.json."""

import tables_gpus
import tables_processes
from measured import data
from tables_gpus import EACH, GIB, KIB, MIB

RUN = data("book/data/gpus_processes_h200.json")
SMALL = [size for size in tables_processes.reduce_sizes(RUN) if size <= 64 * KIB]
LARGE = 256 * MIB


def piece(size, how="two_shot", pieces=1, gpus=4):
    return tables_processes.overlap_us(RUN, gpus, size, how, pieces)


def gain(size, how="two_shot", gpus=4):
    """How many times as fast the best number of pieces is as one."""
    return piece(size, how, gpus=gpus) / tables_processes.best_overlap(RUN, gpus, size, how)[1]


def best(size, how="two_shot", gpus=4):
    return tables_processes.best_overlap(RUN, gpus, size, how)[0]


def model(pieces, size=LARGE):
    work, sending = piece(size, "add"), piece(size, "send two_shot")
    return max(work, sending) + min(work, sending) / pieces


def strong(log, count=4):
    return tables_processes.sum_us(RUN, 1, 1 << log) / tables_processes.sum_us(RUN, count, 1 << log)


def weak(log, count=4):
    """(microseconds of one, of so many, the share)"""
    one, many = (tables_processes.sum_us(RUN, k, k << log) for k in (1, count))
    return one, many, 100 * one / many


def reduce(size, how="nccl", count=4):
    return tables_processes.reduce_us(RUN, count, size, how)


def by_threads(size, gpus=4):
    return tables_gpus.fastest(RUN, gpus, size, "one_shot" + EACH)["us"]


def in_group(size, gpus=4):
    return tables_gpus.fastest(RUN, gpus, size, "nccl")["us"]


def ends(values):
    values = list(values)
    return min(values), max(values)


SENTENCES = [
    (
        "take {} µs in one piece and {} in four: {:.2f} times as fast",
        piece(LARGE),
        piece(LARGE, pieces=4),
        gain(LARGE),
        best(LARGE) == 4,
    ),
    (
        "Adding alone takes {} µs, sending alone {}; the model says {} for four pieces",
        piece(LARGE, "add"),
        piece(LARGE, "send two_shot"),
        model(4),
    ),
    (
        "With rows of 64 MiB two pieces are best, {:.2f} times as fast as one. With 16 MiB they gain {:.0f} %, and 16 "
        "pieces take {:.1f} times as long as one",
        gain(64 * MIB),
        100 * gain(16 * MIB) - 100,
        piece(16 * MIB, pieces=16) / piece(16 * MIB),
        best(64 * MIB) == best(16 * MIB) == 2,
    ),
    (
        "By NCCL the best gain is {:.2f} times, with 256 MiB in two pieces",
        gain(LARGE, "nccl"),
        best(LARGE, "nccl") == 2 and all(gain(size, "nccl") <= gain(LARGE, "nccl") for size in (16 * MIB, 64 * MIB)),
    ),
    (
        "On two GPUs `two_shot` gains most with 256 MiB in eight pieces, {:.2f} times",
        gain(LARGE, gpus=2),
        best(LARGE, gpus=2) == 8,
    ),
    (
        "four processes are {:.2f}, {:.2f} and {:.2f} times as fast as one with 2<sup>32</sup>, 2<sup>28</sup> and "
        "2<sup>24</sup> floats",
        *(strong(log) for log in (32, 28, 24)),
    ),
    (
        "With 2<sup>30</sup> floats each, four take {} µs where one takes {}: {:.0f} %. With 2<sup>22</sup> it is "
        "{:.1f} and {:.1f}: {:.0f} %",
        weak(30)[1],
        weak(30)[0],
        weak(30)[2],
        weak(22)[1],
        weak(22)[0],
        weak(22)[2],
    ),
    (
        "What four processes take beyond one is {:.0f} to {:.0f} µs for all shares",
        *ends(weak(log)[1] - weak(log)[0] for log in range(22, 31)),
    ),
    (
        "Up to 64 KiB NCCL takes {:.1f} to {:.1f} µs on four GPUs with a process for each, and {:.0f} to {:.0f} in one "
        "group of one host thread",
        *ends(map(reduce, SMALL)),
        *ends(map(in_group, SMALL)),
    ),
    (
        "`one_shot` with a host thread for each takes {:.2f} to {:.2f} of NCCL's time with a process for each on four "
        "GPUs, and {:.2f} to {:.2f} on two, where NCCL is ahead",
        *ends(by_threads(size) / reduce(size) for size in SMALL),
        *ends(by_threads(size, 2) / reduce(size, count=2) for size in SMALL),
        all(by_threads(size, 2) > reduce(size, count=2) for size in SMALL),
    ),
    (
        "At 1 GiB it makes no difference: {} and {} µs",
        reduce(GIB),
        in_group(GIB),
        abs(reduce(GIB) / in_group(GIB) - 1) < 0.01,
    ),
    (
        "By the hosts 1 KiB takes {:.0f} µs and 16 MiB {:.0f} times as long as NCCL",
        reduce(KIB, "mpi"),
        reduce(16 * MIB, "mpi") / reduce(16 * MIB),
    ),
    (
        "`one_shot` of 1 KiB by one host thread took {:.1f} µs in that run, and {:.1f} in the other",
        tables_gpus.fastest(RUN, 4, KIB, "one_shot")["us"],
        tables_gpus.fastest(data("book/data/gpus_h200.json"), 4, KIB, "one_shot")["us"],
    ),
]
