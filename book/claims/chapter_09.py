"""What the page of chapter 09 says in numbers."""

from claims.shared import SMALL, claims_of, faster, more
from measured import counted, laboratory, ncu

def exchange(row):
    """Milliseconds in the laboratory of chapter 09."""
    return laboratory("09_shuffle.exchange", row)

CLAIMS = claims_of(
    "09_shuffle",
    (
        "With one launch, `sum_grid_stride` and `sum_shuffle_atomic` are within 1 % of each other. With two, `sum_shuffle` "
        "and `sum_butterfly` are within 1 % of `all launches`",
        all(
            abs(more(faster("09_shuffle", kernel, before, n, before_program="08_grid_sizing"))) < 1
            for n in (SMALL, 1 << 28, 1 << 30)
            for kernel, before in (
                ("sum_shuffle_atomic", "sum_grid_stride"),
                ("sum_shuffle", "all launches"),
                ("sum_butterfly", "all launches"),
            )
        ),
    ),
    (
        "Yet shuffles take more instructions here, in PTX. In machine code (below) they take fewer",
        all(
            counted("09_shuffle", kernel, "warp instructions") > counted("09_shuffle", "sum_grid_stride", "warp instructions")
            and ncu(f"09_shuffle {kernel}") < ncu("08_grid_sizing sum_grid_stride<256>")
            for kernel in ("sum_shuffle", "sum_butterfly", "sum_shuffle_atomic")
        ),
    ),
    (
        "after each thread has added 128 elements or more. So shuffles remove less than 1 % of a launch's machine instructions",
        SMALL == 128 * 1024 * 256
        and all(
            0.99 < ncu(f"09_shuffle {kernel}") / ncu("08_grid_sizing sum_grid_stride<256>") < 1
            for kernel in ("sum_shuffle", "sum_butterfly", "sum_shuffle_atomic")
        ),
    ),
    (
        "An exchange by shuffle takes {:.0f} ns. Through shared memory, with a store, two waits and a load, it takes {:.0f} ns",
        *(1e6 * exchange(f"one warp, {way}") / 65536 for way in ("by shuffles", "through shared memory")),
    ),
    (
        "Many texts say that a shuffle has a far lower [latency](glossary.md#latency) than shared memory. Here it is only a little "
        "lower",
        exchange("one warp, through shared memory") > exchange("one warp, by shuffles") > 0.8 * exchange("one warp, through shared memory"),
    ),
    (
        "In the sums of rows both take about as long",
        abs(more(exchange("rows of 512, by shuffles") / exchange("rows of 512, tree in shared memory"))) < 2,
    ),
)
# SPDX-License-Identifier: MIT
