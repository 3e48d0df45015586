"""What the page of chapter 05 says in numbers."""

from claims.shared import claims_of, faster, more, ncu_ratio, timed_later
from measured import counted, speed

PLAN_C_AND_04 = ("05_idle_threads sum_adjacent_tiles", "05_idle_threads chapter_04::sum_sequential")


def time_of_a_block(program, kernel, elements):
    """Nanoseconds of the whole GPU's time for each block, which sums `elements` elements."""
    return 4 * elements / speed(program, kernel)


BLOCK_OF_C = time_of_a_block("05_idle_threads", "sum_adjacent_tiles", 512) / time_of_a_block(
    "04_bank_conflicts", "sum_sequential", 256
)

CLAIMS = claims_of(
    "05_idle_threads",
    (
        "and the instructions fall from {} to {}",
        *(
            counted("05_idle_threads", kernel, "warp instructions")
            for kernel in ("sum_sequential", "sum_adjacent_tiles")
        ),
    ),
    (
        "At 2<sup>30</sup> plan C is {:.1f} times as fast as chapter 04's kernel, and loads the same bytes",
        faster(
            "05_idle_threads", "sum_adjacent_tiles", "sum_sequential", before_program="04_bank_conflicts"
        ),
        ncu_ratio(*PLAN_C_AND_04, "global_load_sectors") == 1,
    ),
    (
        "takes only {:.0f} % more of the GPU's time than a block of chapter 04: "
        "half as many blocks take {:.0f} % of the time, not {:.0f} %",
        more(BLOCK_OF_C),
        100 * BLOCK_OF_C / 2,
        100 / 2,
    ),
    (
        "Plan D runs a quarter as many",
        counted("05_idle_threads", "sum_adjacent_tiles", "warps that wait at a barrier")
        == 4 * counted("05_idle_threads", "sum_many_each", "warps that wait at a barrier"),
    ),
    (
        "(Plan B's {} waits are 2 blocks × 4 warps × 8 barriers.)",
        counted("05_idle_threads", "sum_half_the_threads", "warps that wait at a barrier"),
    ),
    (
        "In a later run, at 2<sup>28</sup>, it reached {} GB/s, and plan C {} GB/s",
        *(timed_later("05_idle_threads", kernel) for kernel in ("sum_many_each", "sum_adjacent_tiles")),
    ),
)
# SPDX-License-Identifier: MIT
