"""What the page of chapter 14 says in numbers, from book/data/gpus_h200.json."""

import tables_gpus
from claims.shared import claims_of
from measured import data
from tables_gpus import EACH, GIB, KIB, MIB

GPUS = data("book/data/gpus_h200.json")
SMALL = [size for size in tables_gpus.sizes(GPUS) if size <= 64 * KIB]


def faster(log, how="fused", gpus=4):
    """How many times as fast as one GPU."""
    return tables_gpus.times_one_gpu(GPUS, gpus, 1 << log, how)


def us(size, *ways, gpus=4):
    return tables_gpus.fastest(GPUS, gpus, size, *ways)["us"]


def of_nccl(size, *ways, gpus=4):
    """Of NCCL's time."""
    return us(size, *ways, gpus=gpus) / us(size, "nccl", gpus=gpus)


def fastest(size, gpus=4):
    """The algorithm, by whichever host threads."""
    row = tables_gpus.fastest(GPUS, gpus, size, "nccl", *(way for how in tables_gpus.OURS for way in tables_gpus.any_host(how)))
    return row["how"].removesuffix(EACH)


FOUR_AFTER_TWO = tables_gpus.sum_us(GPUS, 4, 1 << 24, "fused") - tables_gpus.sum_us(GPUS, 2, 1 << 24, "fused")

CLAIMS = claims_of(
    "14_many_gpus",
    ("With 2<sup>32</sup> floats, four H200s are {:.2f} times as fast as one", faster(32)),
    ("One H200 sums 2<sup>24</sup> floats in {:.1f} µs here", tables_gpus.sum_us(GPUS, 1, 1 << 24, "fused")),
    (
        "With 2<sup>28</sup> floats, four GPUs are {:.2f} times as fast as one if this single launch combines the sums, "
        "{:.2f} times with NCCL, and only {:.2f} times if GPU 0 copies the sums to itself and adds them",
        *(faster(28, how) for how in ("fused", "nccl", "gathered")),
    ),
    (
        "With 2<sup>24</sup> floats this launch takes {:.1f} µs on two GPUs: {:.2f} times as fast as one (with twice its caches). "
        "On four it takes {:.1f} µs, only {:.2f} times as fast",
        tables_gpus.sum_us(GPUS, 2, 1 << 24, "fused"),
        faster(24, gpus=2),
        tables_gpus.sum_us(GPUS, 4, 1 << 24, "fused"),
        faster(24),
    ),
    (
        "Two more launches explain only part of the {:.1f} µs between two GPUs and four; we do not know the rest",
        FOUR_AFTER_TWO,
        FOUR_AFTER_TWO > 1.5 * 2 * 2,
    ),
    (
        "Up to 16 KiB `one_shot`, with a host thread for each GPU, is the fastest. It takes {:.2f} of NCCL's time.",
        of_nccl(16 * KIB, "one_shot" + EACH),
        all(
            fastest(size) == "one_shot" and abs(of_nccl(size, "one_shot" + EACH) - 0.40) < 0.005
            for size in SMALL
            if size <= 16 * KIB
        ),
    ),
    (
        "If one host thread launches all four, `one_shot` takes {:.1f} µs instead of {:.1f} for 1 KiB",
        us(KIB, "one_shot"),
        us(KIB, "one_shot" + EACH),
    ),
    (
        "`two_shot` is the fastest from 64 KiB to 16 MiB. At 1 MiB it takes {:.2f} of NCCL's time.",
        of_nccl(MIB, "two_shot" + EACH),
        all(fastest(size) == "two_shot" for size in tables_gpus.sizes(GPUS) if 64 * KIB <= size <= 16 * MIB)
        and fastest(16 * KIB) == "one_shot",
    ),
    (
        "From 64 MiB on NCCL is ahead. The ring moves as many bytes as `two_shot` and waits more often, yet from 256 MiB on it is "
        "faster than `two_shot`.",
        all(fastest(size) == "nccl" for size in tables_gpus.sizes(GPUS) if size >= 64 * MIB)
        and us(64 * MIB, "ring") > us(64 * MIB, "two_shot")
        and all(us(size, "nccl") < us(size, "ring") < us(size, "two_shot") for size in (256 * MIB, GIB)),
    ),
    (
        "On two GPUs `two_shot` is ahead of NCCL and the ring at 64 MiB and more, too.",
        all(us(size, "two_shot", gpus=2) < min(us(size, "nccl", gpus=2), us(size, "ring", gpus=2)) for size in (64 * MIB, 256 * MIB, GIB)),
    ),
)
# SPDX-License-Identifier: MIT
