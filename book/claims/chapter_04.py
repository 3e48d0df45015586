"""What the page of chapter 04 says in numbers."""

from claims.shared import claims_of, faster, ncu_block, timed_later
from measured import counted

CLAIMS = claims_of(
    "04_bank_conflicts",
    (
        "Branches and instructions fall as well, from {} to {} and from {} to {}",
        *(
            counted("04_bank_conflicts", kernel, row)
            for row in ("branches", "warp instructions")
            for kernel in ("sum_strided", "sum_sequential")
        ),
    ),
    (
        "The wavefronts of loads go down from {} to {}, and the instructions from {} to {}",
        *(
            ncu_block(f"04_bank_conflicts {kernel}", counter)
            for counter in ("shared_load_wavefronts", "warp_instructions")
            for kernel in ("chapter_03::sum_strided", "sum_sequential")
        ),
    ),
    (
        "The kernel is {:.2f} times as fast, but two things have changed at once",
        faster("04_bank_conflicts", "sum_sequential", "sum_strided"),
    ),
    (
        "In a later session, at 2<sup>28</sup>, `sum_rows` reached {} GB/s and `sum_sequential` {} GB/s",
        *(timed_later("04_bank_conflicts", kernel) for kernel in ("sum_rows", "sum_sequential")),
    ),
)
# SPDX-License-Identifier: MIT
