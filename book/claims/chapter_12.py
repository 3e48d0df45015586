"""What the page of chapter 12 says in numbers."""

import tables_limit
from claims.shared import CUB, claims_of, more
from measured import CHANGES, counted, data, ncu, runs_of, speed

LIMIT = data("book/data/limit_h200.json")


def limit(kernel, n=1 << 28, what="gigabytes_per_second"):
    """A number of chapter 12's steps, or of CUB in the same session."""
    return tables_limit.timed(LIMIT)[kernel, n][what]


def limit_microseconds(kernel, n):
    return 1000 * limit(kernel, n, "milliseconds")


def limit_rows(name, n=1 << 28):
    """{row: timing} of an experiment of chapter 12."""
    (run,) = (run for run in runs_of(LIMIT, name) if run["n"] == n)
    return {row["kernel"]: row["timing"] for row in run["rows"]}


def in_flight(loads, blocks):
    """TB/s if each thread has this many loads of 16 bytes in flight."""
    return tables_limit.in_flight_rows(LIMIT)[loads][blocks] / 1000


def answered_after(loads, blocks):
    """Nanoseconds by Little's law, with blocks of 512 threads."""
    return blocks * 512 * 16 * loads / in_flight(loads, blocks) / 1000

# Microseconds, of kernels that do nothing, and of a sum of 2^28 floats.
SECOND_LAUNCH = 1000 * (
    limit_rows("launches", 1 << 20)["2 launches, blocks: 1056 and 1"]["milliseconds"]
    - limit_rows("launches", 1 << 20)["1 launch, blocks: 1056"]["milliseconds"]
)


def machine_instructions_per_load(launch, warps, of_one_block):
    """What one more load of a warp takes: from a launch, and from its second launch of one block."""
    (many, loads), (few, few_loads) = (
        (ncu(name) / count, ncu(name, "global_load_requests") / count)
        for name, count in ((launch, warps), (f"{launch} #2", of_one_block))
    )
    return (many - few) / (loads - few_loads)

SASS_LOADS = data(CHANGES)["sass_loads"]

CLAIMS = claims_of(
    "12_bandwidth_limit",
    (
        "chapter 09's sum of 2<sup>28</sup> floats reaches {} GB/s, and CUB's {} GB/s",
        speed("09_shuffle", "sum_shuffle", 1 << 28),
        speed(*CUB, 1 << 28),
    ),
    ("This sum reaches {:.2f} TB/s", in_flight(1, 132)),
    ("> 132 × 8 KiB / {:.2f} TB/s = {:.0f} ns.", in_flight(1, 132), answered_after(1, 132)),
    (
        "For 4.8 TB/s you need 4.8 TB/s × {:.0f} ns = {:.1f} MB in flight, {:.0f} KB on each multiprocessor",
        answered_after(1, 132),
        4.8 * answered_after(1, 132) / 1000,
        4.8 * answered_after(1, 132) / 132,
    ),
    (
        "132 blocks reach {:.1f} TB/s, 264 blocks {:.1f}, 528 and 1,056 blocks {:.1f}. From four loads on, 132 "
        "blocks stay at {:.1f} and all others at {:.1f}.",
        *(in_flight(1, blocks) for blocks in (132, 264, 528)),
        in_flight(4, 132),
        in_flight(4, 264),
        all(
            f"{in_flight(loads, blocks):.1f}" == f"{in_flight(4, min(blocks, 264)):.1f}"
            for loads in (4, 8, 16)
            for blocks in (132, 264, 528, 1056)
        )
        and f"{in_flight(1, 1056):.1f}" == f"{in_flight(1, 528):.1f}",
    ),
    (
        "one block with four loads reaches {:.2f} TB/s, two blocks with two loads {:.2f} TB/s, four blocks with one load "
        "{:.2f} TB/s",
        in_flight(4, 132),
        in_flight(2, 264),
        in_flight(1, 528),
    ),
    (
        "Which threads ask for them matters less: {:.0f} % here, and {:.0f} % with 16 KiB",
        more(in_flight(1, 528) / in_flight(4, 132)),
        more(in_flight(1, 264) / in_flight(2, 132)),
    ),
    (
        "Beyond 32 KiB you gain little",
        max(map(max, (row.values() for row in tables_limit.in_flight_rows(LIMIT).values())))
        < 1060 * in_flight(4, 132),
    ),
    (
        "But 16 KiB, nearly the law's 17 KB, bring only {:.2f} to {:.2f} TB/s",
        in_flight(2, 132),
        in_flight(1, 264),
    ),
    (
        "as little as at the lowest point of the figure. At 2<sup>28</sup> `floats` reaches {} GB/s",
        limit("floats"),
        in_flight(1, 132) == min(map(min, (row.values() for row in tables_limit.in_flight_rows(LIMIT).values()))) / 1000,
    ),
    (
        "nvcc unrolls that loop by four, but not that of `floats`",
        machine_instructions_per_load("09_shuffle sum_shuffle", 8 * 1024, 8) == 17 / 4
        and machine_instructions_per_load("12_bandwidth_limit sum_blocks<ByFloats>", 16 * 2048, 16) == 6,
    ),
    (
        "2<sup>20</sup> floats take {} requests",
        counted("12_bandwidth_limit", "floats", "global load requests"),
    ),
    (
        "A second launch adds {:.2f} µs",
        SECOND_LAUNCH,
    ),
    (
        "The kernel with several loads in flight takes {:.0f} % more warp instructions than `float4`",
        more(
            counted("12_bandwidth_limit", "float4, several in flight", "warp instructions")
            / counted("12_bandwidth_limit", "float4", "warp instructions")
        ),
    ),
    (
        "At 2<sup>28</sup>, `float4` is {:.2f} times as fast as `floats`",
        limit("float4") / limit("floats"),
    ),
    (
        "and also issues fewer instructions",
        ncu("12_bandwidth_limit sum_blocks<ByFours>") < ncu("12_bandwidth_limit sum_blocks<ByFloats>"),
    ),
    (
        "Eight loads in flight instead of one bring {:.0f} % at 2<sup>28</sup>",
        more(limit("float4, several in flight") / limit("float4")),
    ),
    (
        "with 64 blocks, the time falls from {:.1f} to {:.1f} µs",
        limit_microseconds("float4", 1 << 20),
        limit_microseconds("float4, several in flight", 1 << 20),
    ),
    (
        "At 2<sup>20</sup> the time falls from {:.1f} µs to {:.1f} µs. With an atomic it is {:.1f} µs",
        limit_microseconds("float4, several in flight", 1 << 20),
        limit_microseconds("sum_one_launch", 1 << 20),
        limit_microseconds("sum_atomic", 1 << 20),
    ),
    (
        "up to 2<sup>22</sup> floats it is {:.2f} to {:.2f} times as fast",
        *(
            pick(limit("sum_one_launch", 1 << k) / limit(CUB[1], 1 << k) for k in (20, 21, 22))
            for pick in (min, max)
        ),
    ),
    (
        "At 2<sup>30</sup> the two are within 2 %",
        abs(more(limit("sum_one_launch", 1 << 30) / limit(CUB[1], 1 << 30))) < 2,
    ),
    (
        "You write this third way. It is faster than the second",
        all(limit("sum_one_launch", 1 << k) > limit("sum_last_block", 1 << k) for k in (20, 25, 28)),
    ),
    (
        "the sum gets slower if the L2 cache fetches 256 bytes at a time",
        all(
            rows["nc, L1::no_allocate, L2::256B"]["milliseconds"]
            > 1.03 * max(row["milliseconds"] for name, row in rows.items() if "L2::256B" not in name)
            for rows in (limit_rows("hints", 1 << k) for k in (25, 28))
        ),
    ),
    (
        "At 2<sup>28</sup> `sum_one_launch` reads {} GB/s, {:.0f} % of 4.8 TB/s; at 2<sup>30</sup> it is {:.0f} %",
        limit("sum_one_launch"),
        limit("sum_one_launch") / 48,
        limit("sum_one_launch", 1 << 30) / 48,
    ),
    (
        "Chapter 08's `sum_fixed<16>` is as fast, but leaves a sum for each block",
        abs(more(speed("08_grid_sizing", "sum_fixed<16>") / limit("sum_one_launch", 1 << 30))) < 1,
    ),
    (
        "Neither is faster here",
        all(
            rows["registers, 8 loads"]["milliseconds"] <= min(row["milliseconds"] for row in rows.values())
            for rows in (limit_rows("async_copies", 1 << k) for k in (25, 28))
        ),
    ),
)
# SPDX-License-Identifier: MIT
