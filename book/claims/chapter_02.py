"""What the page of chapter 02 says in numbers."""

from claims.shared import claims_of, faster, ncu_block
from measured import as_shipped, counted, ncu

CLAIMS = claims_of(
    "02_shared_memory",
    (
        "The instructions go down by {:.0f} % from chapter 01's solution, but only by {:.0f} % from the file that you start with",
        100
        - 100
        * counted("02_shared_memory", "sum_tile", "warp instructions")
        / counted("02_shared_memory", "sum_in_place", "warp instructions"),
        100 - 100 * counted("02_shared_memory", "sum_tile", "warp instructions") / as_shipped("02_shared_memory", "sum_tile")[0],
    ),
    (
        "About {:.0f} of 32 lanes are on, as in chapter 01's solution",
        counted("02_shared_memory", "sum_tile", "active lanes, mean of 32"),
        round(counted("02_shared_memory", "sum_tile", "active lanes, mean of 32"))
        == round(counted("02_shared_memory", "sum_in_place", "active lanes, mean of 32")),
    ),
    (
        "that a block loads fall from {} to {}, and the kernel is {:.2f} times as fast",
        ncu_block("01_global_memory sum_in_place", "global_load_sectors"),
        ncu_block("02_shared_memory sum_tile", "global_load_sectors"),
        faster("02_shared_memory", "sum_tile", "sum_in_place", before_program="01_global_memory"),
    ),
    (
        "One number has changed about as little as the time: a block's instructions in the machine code, {} before and "
        "{} now",
        ncu_block("01_global_memory sum_in_place"),
        ncu_block("02_shared_memory sum_tile"),
        abs(
            ncu_block("02_shared_memory sum_tile") / ncu_block("01_global_memory sum_in_place")
            - faster("01_global_memory", "sum_in_place", "sum_tile", before_program="02_shared_memory")
        )
        < 0.05,
    ),
    (
        "The table also says that no branch of the new machine code diverges",
        ncu("02_shared_memory sum_tile", "divergent_branches") == 0,
    ),
)
# SPDX-License-Identifier: MIT
