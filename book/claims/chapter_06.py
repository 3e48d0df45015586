"""What the page of chapter 06 says in numbers."""

from claims.shared import claims_of, faster, more, ncu_block, ncu_ratio, timed_later
from measured import counted

CLAIMS = claims_of(
    "06_warp_unroll",
    (
        "Warp instructions go down from {} to {}, shared loads from {} to {}, and shared stores from {} to {}",
        *(
            counted("06_warp_unroll", kernel, row)
            for row in ("warp instructions", "shared load requests", "shared store requests")
            for kernel in ("sum_adjacent_tiles", "sum_warp_tail")
        ),
    ),
    (
        "A block issues {} instructions instead of {}. The kernel is {:.2f} times as fast",
        ncu_block("06_warp_unroll sum_warp_tail"),
        ncu_block("06_warp_unroll chapter_05::sum_adjacent_tiles"),
        faster("06_warp_unroll", "sum_warp_tail", "sum_adjacent_tiles"),
    ),
    (
        "In a later session, at 2<sup>28</sup>, `sum_warp_tail` reached {} GB/s. `sum_by_warps` issues {:.0f} % "
        "more instructions, and still reached {} GB/s",
        timed_later("06_warp_unroll", "sum_warp_tail"),
        more(ncu_ratio("06_warp_unroll sum_by_warps", "06_warp_unroll sum_warp_tail")),
        timed_later("06_warp_unroll", "sum_by_warps"),
    ),
)
# SPDX-License-Identifier: MIT
