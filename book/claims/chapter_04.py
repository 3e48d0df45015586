"""What the page of chapter 04 says in numbers."""

from claims.shared import claims_of, faster, ncu_block, timed_later
from measured import counted, ncu, speed

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
        "In a later session, at 2<sup>28</sup>, `sum_rows` reached {} GB/s and `sum_sequential` {} GB/s. But `sum_rows` also "
        "has no tree, one barrier instead of nine, and a quarter of the instructions",
        *(timed_later("04_bank_conflicts", kernel) for kernel in ("sum_rows", "sum_sequential")),
        0.22 < ncu("04_bank_conflicts sum_rows") / ncu("04_bank_conflicts sum_sequential") < 0.28,
    ),
    (
        "Chapter 03's `sum_masked` issues {} instructions, and has no conflicts either. Yet it reaches {} GB/s, nearly the "
        "{} GB/s of `sum_sequential`",
        ncu_block("03_divergence sum_masked"),
        speed("03_divergence", "sum_masked"),
        speed("04_bank_conflicts", "sum_sequential"),
        not counted("03_divergence", "sum_masked", "bank conflicts")
        and not counted("04_bank_conflicts", "sum_sequential", "bank conflicts"),
    ),
    (
        "changes the banks alone, and there the conflicts more than double the time",
        speed("11_transpose", "transpose_padded") > 2 * speed("11_transpose", "transpose_tile"),
    ),
)
# SPDX-License-Identifier: MIT
