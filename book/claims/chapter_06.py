"""What the page of chapter 06 says in numbers."""

from claims.shared import claims_of, faster, more, ncu_block, ncu_ratio, timed_later

CLAIMS = claims_of(
    "06_warp_unroll",
    (
        "The kernel is {:.2f} times as fast",
        faster("06_warp_unroll", "sum_warp_tail", "sum_adjacent_tiles"),
    ),
    (
        "Warps now issue fewer instructions",
        ncu_block("06_warp_unroll sum_warp_tail") < ncu_block("06_warp_unroll chapter_05::sum_adjacent_tiles"),
    ),
    (
        "`sum_by_warps` issues {:.0f} % more than `sum_warp_tail`. Yet in a later run, at 2<sup>28</sup>, it was {:.0f} % "
        "faster",
        more(ncu_ratio("06_warp_unroll sum_by_warps", "06_warp_unroll sum_warp_tail")),
        more(timed_later("06_warp_unroll", "sum_by_warps") / timed_later("06_warp_unroll", "sum_warp_tail")),
        timed_later("06_warp_unroll", "sum_by_warps") > timed_later("06_warp_unroll", "sum_warp_tail"),
    ),
)
# SPDX-License-Identifier: MIT
