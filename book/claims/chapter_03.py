"""What the page of chapter 03 says in numbers."""

from claims.shared import claims_of, faster, more, ncu_block, ncu_ratio
from measured import counted, ncu, predicted, speed

CLAIMS = claims_of(
    "03_divergence",
    (
        "`sum_strided` is {:.2f} times as fast as `sum_tile`",
        faster("03_divergence", "sum_strided", "sum_tile"),
    ),
    (
        "The row of divergent branches is 0 throughout",
        not any(
            ncu(f"03_divergence {k}", "divergent_branches")
            for k in ("chapter_02::sum_tile", "sum_masked", "sum_strided")
        ),
    ),
    (
        "That takes at least {} of the {} instructions of a block, {:.0f} for each of its eight warps on each "
        "of the eight levels",
        ncu_block("03_divergence chapter_02::sum_tile") - ncu_block("03_divergence sum_masked"),
        ncu_block("03_divergence chapter_02::sum_tile"),
        (ncu_block("03_divergence chapter_02::sum_tile") - ncu_block("03_divergence sum_masked")) / 64,
    ),
    (
        "a block issues {} of them instead of {}, and the kernel reaches {} GB/s instead of {} GB/s",
        ncu_block("03_divergence sum_masked"),
        ncu_block("03_divergence chapter_02::sum_tile"),
        speed("03_divergence", "sum_masked"),
        speed("03_divergence", "sum_tile"),
    ),
    (
        "On the simulated GPU `sum_masked` issues more instructions than `sum_tile`, not fewer",
        counted("03_divergence", "sum_masked", "warp instructions")
        > counted("03_divergence", "sum_tile", "warp instructions"),
    ),
    (
        "`sum_strided` is slower than `sum_masked`, {} GB/s: it issues {}, and its wavefronts are no fewer",
        speed("03_divergence", "sum_strided"),
        ncu_block("03_divergence sum_strided"),
        ncu_ratio("03_divergence sum_strided", "03_divergence sum_masked", "shared_load_wavefronts")
        > 0.99,
    ),
    (
        "That is {:.0f} % more instructions and {:.0f} % more time",
        more(ncu_ratio("03_divergence sum_strided", "03_divergence sum_masked")),
        more(faster("03_divergence", "sum_masked", "sum_strided")),
    ),
    (
        "The [predictions](time.md#errors) wrongly have `sum_strided` ahead of `sum_masked`",
        all(
            predicted("h200")["03_divergence", "sum_strided", n] < predicted("h200")["03_divergence", "sum_masked", n]
            and speed("03_divergence", "sum_strided", n) < speed("03_divergence", "sum_masked", n)
            for n in (1 << 25, 1 << 28)
        ),
    ),
)
# SPDX-License-Identifier: MIT
