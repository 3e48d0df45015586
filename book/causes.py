"""Why the pages say that something is fast or slow, and the experiment behind each of these sentences.

A cause is a claim: "X because Y" stands on a page only if two kernels that differ in Y alone differ in X. Each row has the
sentence as it stands on the page, what the two kernels differ in, and whether the data still say so. tests/book/causes_test.py
asks both. A sentence without such an experiment says that it has none.
"""

from typing import NamedTuple

import tables_limit
import tables_rows
from claims import chapter_04, chapter_05, chapter_11, chapter_12, chapter_14, chapter_15
from claims.chapter_10 import blocks_at_once, tile_on_h100, tile_shape, waits
from claims.chapter_13 import one_change, teraflops
from claims.shared import faster, ncu_block, timed_later
from measured import changed, data, laboratory, ncu, sass_loads, speed, swept, unrolled

ONE, TWO, FOUR = (f"unroll {k}, 1024 blocks" for k in (1, 2, 4))
CHAPTER_07, ONE_IN_MANY_BLOCKS = "2 elements a thread (chapter 07)", "unroll 1, grid of chapter 07"
SUM_TILE, SUM_MASKED = (f"03_divergence {kernel}" for kernel in ("chapter_02::sum_tile", "sum_masked"))
PLAIN, PADDED = (f"11_transpose transpose_{layout}<float>" for layout in ("tile", "padded"))
BUFFERED, WARP_TILES = (
    f"13_gemm gemm_two_tiles<Plan<128, 128, 8, 8, 8, 2>, {lanes}, 4>" for lanes in ("AcrossTheBlock", "WarpTiles")
)
NO_PRAGMA, IN_TILE = "no pragma, 1024 blocks", "sum in the tile, 1024 blocks"


class Cause(NamedTuple):
    page: str
    sentence: str
    differs: str  # what alone differs between the two kernels
    holds: bool


def within(percent, one, other):
    return abs(one / other - 1) < percent / 100


LIMIT = data("book/data/limit_h200.json")
STEPS, IN_FLIGHT = tables_limit.timed(LIMIT), tables_limit.in_flight_rows(LIMIT)  # IN_FLIGHT[loads][blocks]

def sectors(launch):
    """Sectors that a launch loads from global memory on an H200, by ncu."""
    return ncu(launch, "global_load_sectors")


CHAINS = ("1 chain", "2 chains", "4 chains", "8 chains")


def added_up(chains, warps):
    """Milliseconds in chapter 07's experiment with chains of additions."""
    return laboratory("07_full_unroll.chains", f"{chains}, {warps} a scheduler")


CAUSES = [
    Cause(
        "02_shared_memory",
        "So chapter 01's kernel lost little time by keeping them in global memory.",
        "where the partial sums of one tree live",
        sectors("01_global_memory sum_in_place") > 7 * sectors("02_shared_memory sum_tile")
        and speed("02_shared_memory", "sum_tile") < 1.25 * speed("01_global_memory", "sum_in_place"),
    ),
    Cause(
        "03_divergence",
        "So the remainder held chapter 02 back.",
        "how a thread finds out whether 2 * len divides its number: by a remainder, or by the last bits",
        speed("03_divergence", "sum_masked") > 1.9 * speed("03_divergence", "sum_tile")
        and ncu(SUM_TILE) > 1.9 * ncu(SUM_MASKED)
        and within(2, ncu(SUM_TILE, "shared_load_wavefronts"), ncu(SUM_MASKED, "shared_load_wavefronts"))
        and ncu(SUM_TILE, "global_load_sectors") == ncu(SUM_MASKED, "global_load_sectors"),
    ),
    Cause(
        "04_bank_conflicts",
        "**So on the H100 the conflicts cost 4 % of the time.**",
        "how many floats of shared memory stay unused after every 32",
        chapter_04.step("chapter 03, padding 1") < chapter_04.step("chapter 03, padding 0")
        and chapter_04.instructions("chapter 03, padding 1") == chapter_04.instructions("chapter 03, padding 0"),
    ),
    Cause(
        "04_bank_conflicts",
        "because the compiler knows its levels",
        "whether the first level is a constant or follows from the launch",
        chapter_04.step("sum_sequential") < chapter_04.step("sum_unknown_levels"),
    ),
    Cause(
        "05_idle_threads",
        "So those bytes are not what limits chapter 04.",
        "all but the bytes that are loaded",
        sectors("05_idle_threads sum_adjacent_tiles") == sectors("05_idle_threads chapter_04::sum_sequential")
        and speed("05_idle_threads", "sum_adjacent_tiles") > 1.5 * speed("04_bank_conflicts", "sum_sequential"),
    ),
    Cause(
        "05_idle_threads",
        "So most of the cost lies in what a block does once: it starts, runs its tree with the barriers, "
        "and perhaps waits once for all its loads",
        "one load and one addition for each thread of a block",
        1 < chapter_05.BLOCK_OF_C < 1.1,
    ),
    Cause(
        "06_warp_unroll",
        "So memory was not yet the limit in chapter 05.",
        "who does the last six levels; the loads from memory are the same",
        faster("06_warp_unroll", "sum_warp_tail", "sum_adjacent_tiles") > 1.2
        and ncu_block("06_warp_unroll sum_warp_tail", "global_load_sectors")
        == ncu_block("06_warp_unroll chapter_05::sum_adjacent_tiles", "global_load_sectors"),
    ),
    Cause(
        "06_warp_unroll",
        "So instructions are not what limits `sum_warp_tail`.",
        "who adds which elements; but the kernel that issues more instructions is faster",
        ncu_block("06_warp_unroll sum_by_warps") > 1.5 * ncu_block("06_warp_unroll sum_warp_tail")
        and all(
            timed_later("06_warp_unroll", "sum_by_warps", n) > timed_later("06_warp_unroll", "sum_warp_tail", n)
            for n in (1 << 25, 1 << 28)
        ),
    ),
    Cause(
        "07_full_unroll",
        "Many warps and many chains are two ways to the same end",
        "the chains, with one warp a scheduler and with 16",
        added_up("2 chains", "one warp") < 0.85 * added_up("1 chain", "one warp")
        and all(within(2.5, added_up(k, "16 warps"), added_up("1 chain", "16 warps")) for k in CHAINS)
        and added_up("1 chain", "16 warps") < 8 * added_up("1 chain", "one warp"),
    ),
    Cause(
        "08_grid_sizing",
        "**Both help**: more loads in each round, and a grid whose threads stay in their loop.",
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
        "So the extra accesses cost 1 %. The rest of the gap to your kernel comes from the missing loads in flight.",
        "where the running sum lives; one load in flight in both",
        within(3, unrolled(IN_TILE), unrolled(ONE))
        and unrolled(FOUR) > 1.2 * unrolled(ONE)
        and sass_loads("sum_in_shared<256>") == sass_loads("sum_stride_by<256, 1>") == 1,
    ),
    Cause(
        "08_grid_sizing",
        "twice the threads have twice the loads in flight",
        "the number of blocks of 256 threads",
        all(swept(2 * blocks, 256) > 1.85 * swept(blocks, 256) for blocks in (66, 132)),
    ),
    Cause(
        "10_scan",
        "In blocks of one size, the scan is faster if each thread has more floats.",
        "the floats of a thread, with 256, 512 and 1024 threads in a block",
        all(
            tile_shape(f"{threads} threads x {fewer}") < tile_shape(f"{threads} threads x {more}")
            for threads, fewer, more in ((256, 16, 32), (512, 32, 40), (512, 40, 80), (1024, 16, 32), (1024, 32, 40))
        ),
    ),
    Cause(
        "10_scan",
        "Do the tiles wait too long for each other? A little.",
        "whether the tile before has published its prefix before the launch",
        1.01 < waits("known") / waits("unknown") < 1.05,
    ),
    Cause(
        "10_scan",
        "Both do, as an H100 shows:",
        "the floats in flight, with tiles of one size; the size of a tile, with as many floats in flight",
        tile_on_h100("512 threads x 32") > 1.1 * tile_on_h100("1024 threads x 16")
        and tile_on_h100("512 threads x 80") > 1.02 * tile_on_h100("512 threads x 40")
        and 2 * blocks_at_once(1024, 16) == blocks_at_once(512, 32)
        and 2 * blocks_at_once(512, 80) == blocks_at_once(512, 40),
    ),
    Cause(
        "11_transpose",
        "Both help, as an H100 shows. The larger tile",
        "the side of the tile, with each width; the bytes of an access, with each tile",
        min(chapter_11.BY_LARGER_TILE + chapter_11.BY_WIDER_ACCESS) > 0.5,
    ),
    Cause(
        "11_transpose",
        "so the conflicts made the plain tile slow",
        "one unused slot in each row of the tile",
        speed("11_transpose", "transpose_padded") > 2 * speed("11_transpose", "transpose_tile")
        and ncu(PLAIN) == ncu(PADDED)
        and all(ncu(PLAIN, way) == ncu(PADDED, way) for way in ("global_load_sectors", "global_store_sectors"))
        and ncu(PLAIN, "shared_load_bank_conflicts") > 100 * ncu(PADDED, "shared_load_bank_conflicts"),
    ),
    Cause(
        "12_bandwidth_limit",
        "So the bytes in flight matter. Which threads ask for them matters less:",
        "the loads in the same blocks, or the blocks with the same loads; with the same bytes, how loads and blocks share them",
        min(IN_FLIGHT[2][132], IN_FLIGHT[1][264]) > 1.4 * IN_FLIGHT[1][132]
        and min(IN_FLIGHT[4][132], IN_FLIGHT[2][264], IN_FLIGHT[1][528]) > 1.15 * max(IN_FLIGHT[2][132], IN_FLIGHT[1][264])
        and within(6, IN_FLIGHT[2][132], IN_FLIGHT[1][264])
        and within(2, IN_FLIGHT[4][132], IN_FLIGHT[2][264])
        and within(2, IN_FLIGHT[4][132], IN_FLIGHT[1][528]),
    ),
    Cause(
        "12_bandwidth_limit",
        "**One launch instead of two.** At 2<sup>20</sup> the time falls from 8.1 µs to 6.4 µs.",
        "how the sums of the blocks are added up: by a second launch, or by the last block",
        STEPS["sum_one_launch", 1 << 20]["q3"] < STEPS["float4, several in flight", 1 << 20]["q1"],
    ),
    Cause(
        "12_bandwidth_limit",
        "The reason is a type:",
        "the type of a loop's step: unsigned or int",
        changed("12_bandwidth_limit.loop", "int step")["gigabytes_per_second"]
        > 1.2 * changed("12_bandwidth_limit.loop", "unsigned step")["gigabytes_per_second"]
        and chapter_12.SASS_LOADS["sum_blocks<ByFloats>"] == 1
        and chapter_12.SASS_LOADS["sum_blocks<ByFloatsSigned>"] == 5,
    ),
    Cause(
        "12_bandwidth_limit",
        "With the unsigned step, `#pragma unroll 4` does not help",
        "#pragma unroll 4 before the loop with the unsigned step",
        within(
            1,
            changed("12_bandwidth_limit.loop", "unsigned step, unroll 4")["gigabytes_per_second"],
            changed("12_bandwidth_limit.loop", "unsigned step")["gigabytes_per_second"],
        ),
    ),
    Cause(
        "13_gemm",
        "Without its tests for edges, `gemm_registers` is",
        "the tests for edges",
        one_change("gemm_registers, no tests for edges") > 1.03 * one_change("gemm_registers"),
    ),
    Cause(
        "13_gemm",
        "[On an H100](#one-change) the loads do.",
        "when a tile is loaded; how many barriers a round has",
        one_change("gemm_buffered") > 1.1 * one_change("gemm_buffered, late loads")
        and within(1.5, one_change("gemm_buffered, two barriers"), one_change("gemm_buffered"))
        and within(1, one_change("gemm_buffered, late loads"), one_change("gemm_vector")),
    ),
    Cause(
        "13_gemm",
        "Nearly all of the gain is the plan's:",
        "the plan; the prefetch, in that plan",
        one_change("64 x 128", 1024) > 1.3 * one_change("gemm_buffered", 1024)
        and 1 < one_change("64 x 128, prefetch", 1024) / one_change("64 x 128", 1024) < 1.05,
    ),
    Cause(
        "13_gemm",
        "So the wavefronts are not what `gemm_buffered` waits for.",
        "which lane of a warp has which sums",
        within(1, 1.5 * ncu(WARP_TILES, "shared_load_wavefronts"), ncu(BUFFERED, "shared_load_wavefronts"))
        and ncu(WARP_TILES, "global_load_sectors") == ncu(BUFFERED, "global_load_sectors")
        and all(teraflops("gemm_warp_tiles", side) < 1.01 * teraflops("gemm_buffered", side) for side in (4096, 8192)),
    ),
    Cause(
        "14_many_gpus",
        "Launches cost time, too: the first kernel waits until the last is launched.",
        "the host threads that launch: one for all GPUs, or one for each",
        all(
            chapter_14.us(size, "one_shot") > 1.2 * chapter_14.us(size, "one_shot" + chapter_14.EACH)
            for size in chapter_14.SMALL
        ),
    ),
    Cause(
        "15_softmax",
        "Two reads instead of three make the kernel",
        "how a thread finds maximum and sum: in two passes, or in one",
        chapter_15.STEPS["softmax_online"] > 1.1 * chapter_15.STEPS["softmax_three_passes"]
        and 2 * chapter_15.sectors("softmax_three_passes") == 3 * chapter_15.sectors("softmax_online"),
    ),
    Cause(
        "15_softmax",
        "So the exchange is what holds `split_rows` back",
        "how many blocks share a row",
        chapter_15.PARTS["float", 1] < 0.95 * chapter_15.PARTS["float", 0]
        and all(cost > 0 for cost in chapter_15.doublings())
        and chapter_15.PARTS["float", chapter_15.MOST_PARTS] < 0.9 * chapter_15.PARTS["float", 1],
    ),
    Cause(
        "15_softmax",
        "whose block reads its row twice. That kernel is already",
        "a warp or a block for each row, which both read it twice; then whether the block keeps it, and merges by shuffles",
        chapter_15.on_h100("starters", "softmax_block") > 1.3 * chapter_15.on_h100("starters", "softmax_warp")
        and chapter_15.on_h100("runs", "softmax_block") > 1.15 * chapter_15.on_h100("starters", "softmax_block")
        and within(1, chapter_15.on_h100("runs", "softmax_warp"), chapter_15.on_h100("starters", "softmax_warp")),
    ),
    Cause(
        "15_softmax",
        "Tickets cost nothing, and neither do words that no block reads:",
        "one part of the exchange after the other",
        max(chapter_15.WRITING) < 1.002 * min(chapter_15.WRITING)
        and chapter_15.exchange("words there already") < 0.97 * min(chapter_15.WRITING)
        and chapter_15.exchange("split_rows", 16) < 0.95 * chapter_15.exchange("words there already", 16),
    ),
    Cause(
        "15_softmax",
        "It owes that to a hint: its loads ask the L2 cache to keep their lines as long as possible",
        "what the loads of rows ask of the L2 cache",
        min(chapter_15.SLOWER_BY_ORDINARY_LOADS) > 1,
    ),
    Cause(
        "15_softmax",
        "With ordinary loads of the weights, rows of 262,144 columns reach only",
        "what the loads of weights ask of the caches; then what those of the rows ask",
        max(chapter_15.LONGEST[tables_rows.ORDINARY_WEIGHTS]) < 0.9 * min(chapter_15.LONGEST["RMSNorm"])
        and max(chapter_15.LONGEST[tables_rows.KEPT_ROWS]) < 0.9 * min(chapter_15.LONGEST["RMSNorm"]),
    ),
    Cause(
        "15_softmax",
        "So fetching the weights is what holds the longest rows back behind softmax's",
        "which weights RMSNorm's loads ask for: one for each column, or 1,024 that repeat",
        min(chapter_15.LONGEST[tables_rows.REPEATED]) > 1.05 * max(chapter_15.LONGEST["RMSNorm"]),
    ),
]
# SPDX-License-Identifier: MIT
