"""What the page of chapter 08 says in numbers."""

from claims.shared import SMALL, best, claims_of, faster, more, ncu_ratio
from measured import LARGEST, data, of_copy, swept, unrolled, unrolled_rows

CLAIMS = claims_of(
    "08_grid_sizing",
    (
        "From 66 blocks to 264 the bandwidth doubles whenever the grid does, up to {} GB/s",
        swept(264, 256),
        swept(132, 256) > 1.85 * swept(66, 256) and swept(264, 256) > 1.85 * swept(132, 256) and swept(528, 256) < 1.7 * swept(264, 256),
    ),
    (
        "it reaches {} GB/s. After that it gains little, up to {} GB/s",
        swept(1056, 256),
        best(256),
        best(256) < 1.02 * swept(1056, 256),
    ),
    ("leave half of the places empty, and {} GB/s is their best", best(32)),
    (
        "every block size from 64 to 1024 threads comes within 3 % of the best",
        min(map(best, (64, 128, 256, 512, 1024))) > 0.97 * max(map(best, (64, 128, 256, 512, 1024))),
    ),
    (
        "reaches {:.0f} % of a copy; chapter 07's reached {:.0f} %",
        of_copy("08_grid_sizing", "sum_grid_stride"),
        of_copy("07_full_unroll", "sum_unrolled<256>"),
    ),
    (
        "No: it reaches {} GB/s, and `sum_fixed<2>` {} GB/s",
        unrolled("unroll 1, 1024 blocks"),
        unrolled("2 elements a thread (chapter 07)"),
    ),
    (
        "Two loads in each round bring {} GB/s, and four bring {} GB/s",
        unrolled("unroll 2, 1024 blocks"),
        unrolled("unroll 4, 1024 blocks"),
    ),
    (
        "Chapter 07's grid brings {} GB/s, and 1024 blocks bring {} GB/s",
        unrolled("unroll 1, grid of chapter 07"),
        unrolled("unroll 1, 1024 blocks"),
        unrolled("unroll 2, 1024 blocks") > unrolled("2 elements a thread (chapter 07)"),
    ),
    (
        "Your kernel, which has no row here, has both, and reaches {} GB/s, {:.0f} % of a copy",
        unrolled("no pragma, 1024 blocks"),
        unrolled_rows(data("book/data/unrolled_h100.json"), LARGEST)["no pragma, 1024 blocks"]["percent_of_copy"],
    ),
    (
        "At {} GB/s, 1 MiB arrives every {:.0f} ns. In these {:.0f} ns each warp gets its one load, so a load takes about that long",
        unrolled("unroll 1, 1024 blocks"),
        2**20 / unrolled("unroll 1, 1024 blocks"),
        2**20 / unrolled("unroll 1, 1024 blocks"),
    ),
    (
        "Eight bring less than four",
        unrolled("unroll 8, 1024 blocks") < 0.98 * unrolled("unroll 4, 1024 blocks"),
    ),
    (
        "it reaches {} GB/s, and the loop with one load and a register {} GB/s",
        unrolled("sum in the tile, 1024 blocks"),
        unrolled("unroll 1, 1024 blocks"),
    ),
    (
        "the extra accesses cost {:.0f} %. The rest of the gap to your kernel comes from the missing loads",
        more(unrolled("unroll 1, 1024 blocks") / unrolled("sum in the tile, 1024 blocks")),
    ),
    (
        "**`sum_fixed<16>`** reaches {:.0f} % of a copy, more than your kernel, although at 2<sup>25</sup> it runs eight "
        "times as many trees and issues {:.0f} % more instructions",
        of_copy("08_grid_sizing", "sum_fixed<16>"),
        more(ncu_ratio("08_grid_sizing sum_fixed<256, 16>", "08_grid_sizing sum_grid_stride<256>")),
        faster("08_grid_sizing", "sum_fixed<16>", "sum_grid_stride") > 1.02,
    ),
    (
        "the second launch adds {:.0f} % to the time at 2<sup>25</sup>, and {:.1f} % at 2<sup>30</sup>",
        more(faster("08_grid_sizing", "sum_grid_stride", "all launches", SMALL)),
        more(faster("08_grid_sizing", "sum_grid_stride", "all launches")),
    ),
)
# SPDX-License-Identifier: MIT
