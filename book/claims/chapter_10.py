"""What the page of chapter 10 says in numbers."""

from claims.shared import SMALL, claims_of, faster, more
from measured import CHANGES, changed, data, ncu, of_copy

def additions(scan, n=1024):
    return next(row[scan] for row in data("book/data/scan_operations.json")["rows"] if row["n"] == n)


TILE_ROWS = data("book/data/scan_tiles_h200.json")["runs"][0]["rows"]


def tile_shape(name):
    """GB/s of the single pass with tiles of that shape."""
    return next(row["timing"]["gigabytes_per_second"] for row in TILE_ROWS if row["kernel"] == name)


def waits(prefixes):
    """Percent of a copy, on an H100, with the prefixes of all tiles known or unknown before the launch."""
    return changed("10_scan.waits", f"prefixes {prefixes}")["percent_of_copy"]


def tile_on_h100(name):
    """GB/s, of the same on an H100, which timed more shapes."""
    return changed("10_scan.tiles", name)["gigabytes_per_second"]


def of_tiles(threads, floats):
    """What ptxas allots to a thread of that shape."""
    return data(CHANGES)["registers"][f"single_pass<float, 0, {threads}, {floats // 4}>"]


def blocks_at_once(threads, floats):
    """On a multiprocessor of an H100: 65,536 registers, which a warp gets in steps of 8 for each thread; 2,048 threads."""
    registers = (of_tiles(threads, floats)["registers"] + 7) // 8 * 8
    return min(65536 // (registers * threads), 2048 // threads)


def scan_launches(counter):
    """Of the hierarchical scan, in all its launches."""
    kernels = data("tests/gpusim/data/ncu_h200.json")["kernels"]
    return sum(
        row["counters"][counter]
        for name, row in kernels.items()
        if name.startswith(("10_scan scan_brent_kung", "10_scan add_before"))
    )

SECTORS = ("global_load_sectors", "global_store_sectors")

SINGLE_PASS = "10_scan single_pass<float, 0, 512, 20>"

CLAIMS = claims_of(
    "10_scan",
    (
        "For 1024 elements, Brent-Kung makes {:.0f} % of Kogge-Stone's additions",
        100 * additions("brent_kung") / additions("kogge_stone"),
    ),
    ("Brent-Kung has 10 levels up and 9 down, and makes [{} additions](#count-it)", additions("brent_kung")),
    (
        "On an H100 the single pass reaches {:.1f} % of a copy. In the experiment `10_scan.waits` the prefix before each tile is "
        "there from the start, so no tile waits, and the pass reaches {:.1f} %",
        waits("unknown"),
        waits("known"),
    ),
    (
        "We do not know what the rest is, nor why more is missing on the H200",
        of_copy("10_scan", "single_pass") < waits("unknown"),
    ),
    (
        "The program's tile, 512 threads with 80 floats each, lies within 1 % of the fastest, 1024 × 40, on an H100 and on an H200",
        tile_shape("1024 threads x 40") == max(row["timing"]["gigabytes_per_second"] for row in TILE_ROWS)
        and tile_shape("512 threads x 80") > 0.99 * tile_shape("1024 threads x 40")
        and tile_on_h100("512 threads x 80")
        > 0.99 * max(changed("10_scan.tiles", row["kernel"])["gigabytes_per_second"] for row in TILE_ROWS),
    ),
    (
        "Not with 1024 × 48: there a thread has too few registers, and ptxas [spills](occupancy.md#when-registers-run-out)",
        tile_shape("1024 threads x 40") > tile_shape("1024 threads x 48")
        and of_tiles(1024, 40)["local_bytes"] == 0
        and of_tiles(1024, 48)["local_bytes"] > 0
        and of_tiles(1024, 48)["registers"] == 64,
    ),
    (
        "The [registers](occupancy.md#when-registers-run-out) of a multiprocessor hold one block of 1024 × 16, but two of "
        "512 × 32. (A thread needs registers for more than its floats, and 512 × 32 has half as many threads for the same tile.) "
        "With twice as many floats in flight, the second shape is {:.0f} % faster",
        more(tile_on_h100("512 threads x 32") / tile_on_h100("1024 threads x 16")),
        (blocks_at_once(1024, 16), blocks_at_once(512, 32)) == (1, 2),
    ),
    (
        "With half as many tiles, the scan is {:.0f} % faster",
        more(tile_on_h100("512 threads x 80") / tile_on_h100("512 threads x 40")),
        (blocks_at_once(512, 40), blocks_at_once(512, 80)) == (2, 1),
    ),
    (
        "The single pass reaches {:.0f} % of a copy's speed, CUB's scan {:.0f} %",
        of_copy("10_scan", "single_pass"),
        of_copy("libraries", "cub::DeviceScan::InclusiveSum"),
    ),
    (
        "At 2<sup>25</sup> the hierarchical scan takes {:.1f} times as long as the single pass. Its five launches "
        "load and store {:.1f} times as many sectors, and issue {:.1f} times as many instructions",
        faster("10_scan", "single_pass", "scan_hierarchical", SMALL),
        sum(map(scan_launches, SECTORS)) / sum(ncu(SINGLE_PASS, way) for way in SECTORS),
        scan_launches("warp_instructions") / ncu(SINGLE_PASS),
    ),
)
# SPDX-License-Identifier: MIT
