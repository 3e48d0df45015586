"""What the page of chapter 04 says in numbers."""

from claims.shared import claims_of, faster, ncu_block, timed_later
from measured import counted, data, laboratory, ncu, predicted, speed

CONFLICTS = "book/data/conflicts_h100.json"


def step(row):
    """Milliseconds of a row of the experiment that goes from chapter 03's tree to this chapter's."""
    return laboratory("04_bank_conflicts.padding", row, CONFLICTS)


def less_time(row, before):
    """Percent of the time of the row before that a row saves."""
    return 100 * (1 - step(row) / step(before))


def model_ms(row):
    """Milliseconds that the time model predicts for a row of that experiment."""
    return predicted("h100")["04_bank_conflicts.padding", row, 1 << 28]


def instructions(row):
    return data(CONFLICTS)["counted"]["kernels"][row]["counters"]["warp_instructions"]


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
        "On the H200 the kernel is {:.2f} times as fast, but several things have changed at once",
        faster("04_bank_conflicts", "sum_sequential", "sum_strided"),
    ),
    (
        "A warp executes the same instructions with padding 0 and 1. But with padding 1 no two lanes meet. **So on the "
        "H100 the conflicts cost {} % of the time.** The [time model](time.md) predicts {:.0f} %",
        less_time("chapter 03, padding 1", "chapter 03, padding 0"),
        100 * (1 - model_ms("chapter 03, padding 1") / model_ms("chapter 03, padding 0")),
        instructions("chapter 03, padding 0") == instructions("chapter 03, padding 1"),
    ),
    (
        "needs fewer instructions for its indices, and takes {} % less time than padding 1",
        less_time("sum_unknown_levels", "chapter 03, padding 1"),
        instructions("sum_unknown_levels") < instructions("chapter 03, padding 1"),
    ),
    ("`sum_sequential` takes another {} % less", less_time("sum_sequential", "sum_unknown_levels")),
    (
        "In another run on an H200, at 2<sup>28</sup>, `sum_rows` reached {} GB/s and `sum_sequential` {} GB/s. `sum_rows` "
        "makes shorter sums, without a tree, with one barrier and a quarter of the instructions",
        *(timed_later("04_bank_conflicts", kernel) for kernel in ("sum_rows", "sum_sequential")),
        0.22 < ncu("04_bank_conflicts sum_rows") / ncu("04_bank_conflicts sum_sequential") < 0.28,
    ),
    (
        "Chapter 03's `sum_masked` has no conflicts either, but issues {} instructions on the H200 where `sum_sequential` issues {}. "
        "Even so, it reaches {} GB/s, {} % of the {} GB/s of `sum_sequential`",
        ncu_block("03_divergence sum_masked"),
        ncu_block("04_bank_conflicts sum_sequential"),
        speed("03_divergence", "sum_masked"),
        100 * speed("03_divergence", "sum_masked") / speed("04_bank_conflicts", "sum_sequential"),
        speed("04_bank_conflicts", "sum_sequential"),
        not counted("03_divergence", "sum_masked", "bank conflicts")
        and not counted("04_bank_conflicts", "sum_sequential", "bank conflicts"),
    ),
    (
        "In [chapter 11](11_transpose.md) it takes 32, and on the H200 the conflicts more than double the time",
        speed("11_transpose", "transpose_padded") > 2 * speed("11_transpose", "transpose_tile"),
    ),
)
# SPDX-License-Identifier: MIT
