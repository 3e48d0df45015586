"""What the page of chapter 11 says in numbers."""

from claims.shared import GEAM, SMALL, claims_of, faster, less, more, ncu_ratio
from measured import LABORATORIES, changed, laboratory, ncu, of_copy, predicted, speed, timing

H100 = "book/data/timings_h100.json"

SWIZZLES = ("padded", "swizzled", "swizzled, slots kept")


def swizzle(row, document=LABORATORIES):
    """Milliseconds in the laboratory of chapter 11."""
    return laboratory("11_transpose.swizzle", row, document)


def packs(width, side):
    """Milliseconds on an H100, with accesses of `width` bytes and tiles of `side` x `side`."""
    return changed("11_transpose.packs", f"{width} bytes a lane, {side} x {side}")["milliseconds"]


BY_LARGER_TILE = [less(packs(width, 64) / packs(width, 32)) for width in (4, 16)]
BY_WIDER_ACCESS = [less(packs(16, side) / packs(4, side)) for side in (32, 64)]

CLAIMS = claims_of(
    "11_transpose",
    (
        "`transpose_write_rows` is {:.1f} times as fast",
        faster("11_transpose", "transpose_write_rows", "transpose_read_rows"),
    ),
    (
        "{:.0f} % of a copy with scattered stores, {:.0f} % with scattered loads",
        of_copy("11_transpose", "transpose_read_rows"),
        of_copy("11_transpose", "transpose_write_rows"),
    ),
    (
        "touches {:.0f} times the sectors of the other",
        ncu("11_transpose transpose_read_rows<float>", "global_store_sectors")
        / ncu("11_transpose transpose_read_rows<float>", "global_load_sectors"),
    ),
    (
        "**The plain tile**, {:.0f} %, is behind `transpose_write_rows`",
        of_copy("11_transpose", "transpose_tile"),
        speed("11_transpose", "transpose_tile") < speed("11_transpose", "transpose_write_rows"),
    ),
    (
        "Instead of scattered sectors it has bank conflicts: its shared loads take {} wavefronts, the padded tile's {}",
        ncu("11_transpose transpose_tile<float>", "shared_load_wavefronts"),
        ncu("11_transpose transpose_padded<float>", "shared_load_wavefronts"),
    ),
    (
        "**Padded**, {:.0f} %. One unused slot a row makes it {:.1f} times as fast as the plain tile",
        of_copy("11_transpose", "transpose_padded"),
        faster("11_transpose", "transpose_padded", "transpose_tile"),
    ),
    (
        "Like the padded kernel, it slows down as n grows, and is faster than predicted",
        all(
            speed("11_transpose", kernel, SMALL) > speed("11_transpose", kernel, 1 << 28) > speed("11_transpose", kernel)
            for kernel in ("transpose_padded", "transpose_swizzled")
        )
        and all(
            timing("11_transpose", kernel, n)["milliseconds"] < predicted("h200")["11_transpose", kernel, n]
            for kernel in ("transpose_padded", "transpose_swizzled")
            for n in (SMALL, 1 << 28)
        ),
    ),
    (
        "**Swizzled**, {:.0f} %",
        of_copy("11_transpose", "transpose_swizzled"),
        speed("11_transpose", "transpose_swizzled") < speed("11_transpose", "transpose_padded"),
    ),
    (
        "but issues {:.0f} % more instructions of machine code",
        more(ncu_ratio("11_transpose transpose_swizzled<float>", "11_transpose transpose_padded<float>")),
    ),
    (
        "Of the time that the swizzle loses against padding, it regains {:.0f} %",
        100
        * (swizzle("swizzled") - swizzle("swizzled, slots kept"))
        / (swizzle("swizzled") - swizzle("padded")),
    ),
    (
        "The H200 takes {:.0f} % less time down the columns",
        100
        - 100
        * laboratory("11_transpose.block_order", "down columns of in")
        / laboratory("11_transpose.block_order", "along rows of in"),
    ),
    (
        "the padded kernel and the two swizzled ones are within 1 % of each other",
        max(swizzle(row, H100) for row in SWIZZLES) < 1.01 * min(swizzle(row, H100) for row in SWIZZLES),
    ),
    (
        "The larger tile takes {:.1f} % off the time if a lane moves 4 bytes, {:.1f} % if it moves 16. The wider accesses "
        "take {:.1f} % off if the tile is small, {:.1f} % if it is large",
        *BY_LARGER_TILE,
        *BY_WIDER_ACCESS,
    ),
    (
        "**16 bytes a lane**, {:.0f} %, ahead of `cublasSgeam` from NVIDIA's library cuBLAS, with {:.0f} %",
        of_copy("11_transpose", "transpose_vector"),
        of_copy(*GEAM),
        speed("11_transpose", "transpose_vector") > speed(*GEAM),
    ),
)
# SPDX-License-Identifier: MIT
