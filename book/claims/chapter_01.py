"""What the page of chapter 01 says in numbers."""

from claims.shared import SMALL, claims_of, faster, ncu_block, ncu_ratio
from measured import counted, ncu, speed, timing

CLAIMS = claims_of(
    "01_global_memory",
    (
        "makes {:.1f} times as many load requests as it takes to load each element once",
        counted("01_global_memory", "sum_in_place", "global load requests") / ((1 << 20) / 32),
    ),
    (
        "For each element `ncu` counts as many requests and sectors",
        all(
            ncu(f"01_global_memory {kernel}", counter) / SMALL
            == counted("01_global_memory", kernel, counter.replace("_", " ")) / (1 << 20)
            for kernel in ("sum_atomic", "sum_runs", "sum_in_place", "sum_out_of_place")
            for counter in (f"global_{way}_{what}" for way in ("load", "store") for what in ("requests", "sectors"))
        ),
    ),
    (
        "it takes {:.2f} nanoseconds per element, which is {:.1f} GB/s",
        1e6 * timing("01_global_memory", "sum_atomic")["milliseconds"] / (1 << 30),
        speed("01_global_memory", "sum_atomic"),
    ),
    (
        "`sum_runs` and `sum_in_place` touch {:.1f} times the load sectors of `sum_atomic`. Yet `sum_runs` is "
        "{:.1f} times as fast as `sum_in_place`",
        ncu_ratio("01_global_memory sum_runs", "01_global_memory sum_atomic", "global_load_sectors"),
        faster("01_global_memory", "sum_runs", "sum_in_place"),
        0.98
        < ncu_ratio("01_global_memory sum_runs", "01_global_memory sum_in_place", "global_load_sectors")
        < 1.02,
    ),
    (
        "for every 256 elements `sum_runs` takes {:.1f} warp instructions, the tree {}",
        ncu_block("01_global_memory sum_runs") / 1024,
        ncu_block("01_global_memory sum_in_place"),
    ),
    (
        "They hold eight times the useful bytes. At this speed the memory would have to deliver more than its 4.8 TB/s",
        8 * speed("01_global_memory", "sum_runs") > 4800,
    ),
)
# SPDX-License-Identifier: MIT
