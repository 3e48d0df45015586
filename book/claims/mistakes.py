"""What the page `mistakes` says in numbers."""

from claims.shared import best, claims_of
from measured import ptx

CLAIMS = claims_of(
    "mistakes",
    (
        "`sum_whole` in chapter 07 has {} instructions for {} additions",
        ptx("sum_whole", "instructions"),
        ptx("sum_whole", "additions"),
    ),
    (
        "nvcc 13.0 and clang 14 unroll it by four",
        all(ptx("sum_any_whole", "loops", compiler)[0]["loads"] == 4 for compiler in ("clang", "nvcc")),
    ),
    (
        "[every size from 64 to 1024 threads](08_grid_sizing.md#how-many-threads) comes within 3 % of the best",
        min(map(best, (64, 128, 256, 512, 1024))) > 0.97 * max(map(best, (64, 128, 256, 512, 1024))),
    ),
)
# SPDX-License-Identifier: MIT
