"""What the page of chapter 03 says in numbers."""

from claims.chapter_04 import less_time
from claims.shared import claims_of, faster, more, ncu_block, ncu_ratio
from measured import counted, ncu, predicted, speed

CLAIMS = claims_of(
    "03_divergence",
    (
        "[Chapter 04](04_bank_conflicts.md#what-the-h200-says) removes the bank conflicts alone, on "
        "an H100: they cost {} % of the time",
        less_time("chapter 03, padding 1", "chapter 03, padding 0"),
    ),
    (
        "`sum_strided` is {:.2f} times as fast as `sum_tile`",
        faster("03_divergence", "sum_strided", "sum_tile"),
    ),
    (
        "In each of these kernels `ncu` counts 0 [targets](glossary.md#divergence) of divergent branches",
        not any(
            ncu(f"03_divergence {k}", "divergent_branches")
            for k in ("chapter_02::sum_tile", "sum_masked", "sum_strided", "sum_rows")
        ),
    ),
    (
        "This kernel issues {} instructions a block instead of {}. So the remainder takes at least {}",
        ncu_block("03_divergence sum_masked"),
        ncu_block("03_divergence chapter_02::sum_tile"),
        ncu_block("03_divergence chapter_02::sum_tile") - ncu_block("03_divergence sum_masked"),
    ),
    (
        "chapter 02's kernel reaches {} GB/s instead of {} GB/s",
        speed("03_divergence", "sum_masked"),
        speed("03_divergence", "sum_tile"),
    ),
    (
        "in PTX a remainder is one instruction, and its replacement takes two",
        counted("03_divergence", "sum_masked", "warp instructions")
        > counted("03_divergence", "sum_tile", "warp instructions"),
    ),
    (
        "`sum_strided` is slower: {} GB/s. It issues {:.0f} % more instructions ({}) than `sum_masked`, but takes {:.0f} % "
        "more time",
        speed("03_divergence", "sum_strided"),
        more(ncu_ratio("03_divergence sum_strided", "03_divergence sum_masked")),
        ncu_block("03_divergence sum_strided"),
        more(faster("03_divergence", "sum_masked", "sum_strided")),
    ),
    (
        "The [predictions](time.md#errors) show it",
        all(
            predicted("h200")["03_divergence", "sum_tile", n]
            > 2 * predicted("h200")["03_divergence", "sum_masked", n]
            for n in (1 << 25, 1 << 28)
        ),
    ),
)
# SPDX-License-Identifier: MIT
