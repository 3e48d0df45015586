"""What the page of chapter 02 says in numbers."""

from claims.shared import claims_of, faster, ncu_block
from measured import counted, ncu

CLAIMS = claims_of(
    "02_shared_memory",
    (
        "The instructions go down by {:.0f} %",
        100
        - 100
        * counted("02_shared_memory", "sum_tile", "warp instructions")
        / counted("02_shared_memory", "sum_in_place", "warp instructions"),
    ),
    (
        "{:.1f} of 32; they were {:.1f}",
        *(
            counted("02_shared_memory", kernel, "active lanes, mean of 32")
            for kernel in ("sum_tile", "sum_in_place")
        ),
    ),
    (
        "that a block loads fall from {} to {}, and the kernel is {:.2f} times as fast",
        ncu_block("01_global_memory sum_in_place", "global_load_sectors"),
        ncu_block("02_shared_memory sum_tile", "global_load_sectors"),
        faster("02_shared_memory", "sum_tile", "sum_in_place", before_program="01_global_memory"),
    ),
    (
        "the instructions in the machine code, {} per block before and {} now",
        ncu_block("01_global_memory sum_in_place"),
        ncu_block("02_shared_memory sum_tile"),
    ),
    (
        "The table also says that no branch of the new machine code diverges",
        ncu("02_shared_memory sum_tile", "divergent_branches") == 0,
    ),
)
# SPDX-License-Identifier: MIT
