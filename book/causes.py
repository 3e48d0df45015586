"""Why the pages say that something is fast or slow, and the experiment behind each of these sentences.

A cause is a claim: "X because Y" stands on a page only if two kernels that differ in Y alone differ in X. Each row has the
sentence as it stands on the page, what the two kernels differ in, and whether the data still say so. tests/book/causes_test.py
asks both. A sentence without such an experiment says that it has none.
"""

from typing import NamedTuple

from measured import sass_loads, unrolled

ONE, TWO, FOUR = (f"unroll {k}, 1024 blocks" for k in (1, 2, 4))
CHAPTER_07, ONE_IN_MANY_BLOCKS = "2 elements a thread (chapter 07)", "unroll 1, grid of chapter 07"
NO_PRAGMA, IN_TILE = "no pragma, 1024 blocks", "sum in the tile, 1024 blocks"


class Cause(NamedTuple):
    page: str
    sentence: str
    differs: str  # what alone differs between the two kernels
    holds: bool


def within(percent, one, other):
    return abs(one / other - 1) < percent / 100


CAUSES = [
    Cause(
        "08_grid_sizing",
        "**It takes both**: more loads in each round, and a grid whose threads stay in their loop.",
        "the loads in a round, in one grid; the grid, with one load and with two",
        unrolled(FOUR) > 1.05 * unrolled(TWO)
        and unrolled(TWO) > 1.15 * unrolled(ONE)
        and unrolled(ONE) > 1.15 * unrolled(ONE_IN_MANY_BLOCKS)
        and unrolled(TWO) > 1.15 * unrolled(CHAPTER_07)
        and within(3, unrolled(ONE), unrolled(CHAPTER_07)),
    ),
    Cause(
        "08_grid_sizing",
        "nvcc [unrolled](07_full_unroll.md) it by four, without being asked",
        "#pragma unroll 4 or none",
        within(2, unrolled(NO_PRAGMA), unrolled(FOUR))
        and sass_loads("sum_grid_stride<256>") == sass_loads("sum_stride_by<256, 4>") == 5,
    ),
    Cause(
        "08_grid_sizing",
        "So the extra accesses cost 1 %, and the lost loads in flight cost the rest.",
        "where the running sum lives; one load in flight in both",
        within(3, unrolled(IN_TILE), unrolled(ONE)) and unrolled(FOUR) > 1.2 * unrolled(ONE),
    ),
]
