"""What the page of chapter 14 says in numbers: sentences for claims.py, from book/data/gpus_h200.json."""

import tables_gpus
from measured import data
from tables_gpus import DATA_SHEET, EACH, GIB, KIB, MIB

GPUS = data("book/data/gpus_h200.json")
SMALL = [size for size in tables_gpus.sizes(GPUS) if size <= 64 * KIB]
EXPONENTS = (24, 28, 32)


def faster(log, how="fused", gpus=4):
    """How many times as fast as one GPU."""
    return tables_gpus.times_one_gpu(GPUS, gpus, 1 << log, how)


def us(size, *ways, gpus=4):
    return tables_gpus.fastest(GPUS, gpus, size, *ways)["us"]


def of_nccl(size, *ways, gpus=4):
    """Of NCCL's time."""
    return us(size, *ways, gpus=gpus) / us(size, "nccl", gpus=gpus)


def least_and_most(way, gpus=4):
    shares = [of_nccl(size, way, gpus=gpus) for size in SMALL]
    return min(shares), max(shares)


def bus(how, gpus=4, size=GIB):
    return tables_gpus.bus(GPUS, gpus, how, size)


def fastest(size, gpus=4):
    """The algorithm, by whichever host threads."""
    row = tables_gpus.fastest(GPUS, gpus, size, "nccl", *(way for how in tables_gpus.OURS for way in tables_gpus.any_host(how)))
    return row["how"].removesuffix(EACH)


def of_blocks(how, gpus):
    """By how many percent 64 blocks take longer for 1 GiB than the best number of blocks."""
    rows = {row["blocks"]: row["us"] for row in GPUS["all_reduces"]
            if (row["gpus"], row["bytes"], row["how"]) == (gpus, GIB, how)}
    return 100 * (rows[64] / min(rows.values()) - 1)


def share_rate(log, gpus):
    """GB/s of each GPU in the sum of one launch."""
    return tables_gpus.sum_row(GPUS, gpus, 1 << log, "fused")["gb_s"] / gpus


def model_error(size):
    """Percent by which the model of alpha and beta is below what a ring on four GPUs took."""
    return 100 - 100 * tables_gpus.ring_model(GPUS, size) / us(size, "ring")


MODEL = next(row["model"] for row in GPUS["models"] if row["gpus"] == 4)
MORE_FOR_TWO = us(KIB, "two_shot" + EACH) - us(KIB, "one_shot" + EACH)
ALPHA = tables_gpus.alpha(GPUS)
MANY = 100_000
OF_MANY = 2 * (MANY - 1) / MANY * GIB / (DATA_SHEET * 1e6)  # milliseconds for the bytes of 1 GiB
LARGE = [size for size in tables_gpus.sizes(GPUS) if size >= 16 * MIB]

SENTENCES = [
    (
        "With 2<sup>32</sup> floats four GPUs are {:.2f} times as fast as one in a single launch, {:.2f} with NCCL, "
        "{:.2f} with a tree "
        "of copies, {:.2f} where GPU 0 gathers",
        *(faster(32, how) for how in ("fused", "nccl", "tree", "gathered")),
    ),
    (
        "With 2<sup>28</sup> it is {:.2f}, {:.2f}, {:.2f} and {:.2f}",
        *(faster(28, how) for how in ("fused", "nccl", "tree", "gathered")),
    ),
    (
        "With 2<sup>24</sup> one launch is {:.2f} times as fast on two GPUs and {:.2f} times as fast on four; every "
        "other way is slower "
        "than one GPU alone",
        faster(24, gpus=2),
        faster(24),
        max(faster(24, how, gpus) for how in ("nccl", "tree", "gathered") for gpus in (2, 4)) < 1,
    ),
    (
        "On two GPUs one launch is {:.2f} times as fast with 2<sup>28</sup> floats and {:.2f} times with 2<sup>32</sup>",
        faster(28, gpus=2),
        faster(32, gpus=2),
    ),
    (
        "`one_shot` with a host thread for each GPU takes {:.2f} to {:.2f} of NCCL's time on four GPUs, and {:.2f} to "
        "{:.2f} on two",
        *least_and_most("one_shot" + EACH),
        *least_and_most("one_shot" + EACH, gpus=2),
    ),
    (
        "takes {:.1f} µs in place of {:.1f} for 1 KiB and {:.1f} in place of {:.1f} for 4 KiB, which is {:.2f} to "
        "{:.2f} of NCCL's time",
        *(us(size, way) for size in (KIB, 4 * KIB) for way in ("one_shot", "one_shot" + EACH)),
        *least_and_most("one_shot"),
    ),
    (
        "With two GPUs it makes no difference: {:.1f} and {:.1f} µs",
        us(KIB, "one_shot", gpus=2),
        us(KIB, "one_shot" + EACH, gpus=2),
        all(abs(us(size, "one_shot", gpus=2) / us(size, "one_shot" + EACH, gpus=2) - 1) < 0.03 for size in SMALL),
    ),
    (
        "`two_shot` is the fastest on four GPUs from 64 KiB to 16 MiB: {:.2f} of NCCL's time at 1 MiB, {:.2f} at 4 MiB, "
        "{:.2f} at 16 MiB",
        of_nccl(MIB, "two_shot" + EACH),
        of_nccl(4 * MIB, "two_shot"),
        of_nccl(16 * MIB, "two_shot"),
        all(fastest(size) == "two_shot" for size in tables_gpus.sizes(GPUS) if 64 * KIB <= size <= 16 * MIB)
        and fastest(16 * KIB) == "one_shot",
    ),
    (
        "From 64 MiB on NCCL is ahead: at 1 GiB the ring has {:.2f} of its bus bandwidth, {} GB/s of {} GB/s, and "
        "`two_shot` {:.2f}",
        bus("ring") / bus("nccl"),
        bus("ring"),
        bus("nccl"),
        bus("two_shot") / bus("nccl"),
        all(fastest(size) == "nccl" for size in tables_gpus.sizes(GPUS) if size >= 64 * MIB),
    ),
    (
        "the ring is {:.0f} % faster at 1 GiB",
        100 * (us(GIB, "two_shot") / us(GIB, "ring") - 1),
        us(256 * MIB, "ring") < us(256 * MIB, "two_shot") and us(64 * MIB, "ring") > us(64 * MIB, "two_shot"),
    ),
    (
        "On two GPUs one of ours is ahead of NCCL at every size; at 1 GiB `two_shot` has {} GB/s, {:.2f} of NCCL's {} GB/s",
        bus("two_shot", 2),
        bus("two_shot", 2) / bus("nccl", 2),
        bus("nccl", 2),
        all(fastest(size, 2) != "nccl" for size in tables_gpus.sizes(GPUS)),
    ),
    (
        "64 blocks take {:.0f} % longer than the best number for the ring on four GPUs, and {:.0f} % longer for "
        "`two_shot` on two",
        of_blocks("ring", 4),
        of_blocks("two_shot", 2),
    ),
    (
        "the program's model has them meet at {:.1f} MB",
        MODEL["two_shot_from_bytes"] / 1e6,
        tables_gpus.crossing(GPUS, 4, "one_shot", "two_shot")[:2] == (16 * KIB, 64 * KIB),
    ),
    ("It takes all {:.1f} µs of the smallest `one_shot` for α", MODEL["alpha_us"]),
    (
        "`two_shot` takes {:.1f} µs longer. With that for α the formula says {:.0f} kB",
        MORE_FOR_TWO,
        MORE_FOR_TWO * MODEL["gb_s"] / (3 * (1 - 2 / 4)),
    ),
    (
        "takes {:.1f} µs longer than `one_shot`, launched in the same way: α = {:.1f} µs",
        us(KIB, "ring") - us(KIB, "one_shot"),
        ALPHA,
    ),
    ("On two GPUs the same sum gives {:.1f} µs", tables_gpus.alpha(GPUS, 2)),
    ("1 / β = {} GB/s", bus("ring")),
    (
        "it is at most {:.0f} % off from 16 MiB on; at 1 MiB it says {:.0f} µs, and {:.0f} were measured",
        max(abs(model_error(size)) for size in LARGE),
        tables_gpus.ring_model(GPUS, MIB),
        us(MIB, "ring"),
    ),
    (
        "four GPUs give {:.0f} %, {:.0f} % and {:.0f} % of four times one",
        *(100 * faster(log) / 4 for log in reversed(EXPONENTS)),
    ),
    (
        "{} GB/s with 2<sup>30</sup> floats on each of four, {} GB/s with 2<sup>32</sup> on one alone",
        share_rate(32, 4),
        share_rate(32, 1),
    ),
    (
        "{} GB/s with 2<sup>23</sup> on each of two, {} GB/s with 2<sup>24</sup> on one",
        share_rate(24, 2),
        share_rate(24, 1),
    ),
    ("even `one_shot` of 1 KiB takes {:.1f} µs there", us(KIB, "one_shot")),
    ("which carries {} GB/s at most", DATA_SHEET),
    (
        "a ring of 100,000 spends {:.0f} ms on α, {:.0f} times as long as on the bytes of 1 GiB",
        2 * (MANY - 1) * ALPHA / 1e3,
        2 * (MANY - 1) * ALPHA / 1e3 / OF_MANY,
    ),
]
