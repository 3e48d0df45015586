"""What the page of chapter 11 says in numbers."""

from claims.shared import GEAM, SMALL, claims_of, faster, less, more, ncu_ratio
from measured import changed, laboratory, ncu, of_copy, predicted, speed, timing


def swizzle(row):
    """Milliseconds in the laboratory of chapter 11."""
    return laboratory("11_transpose.swizzle", row)


def packs(width, side):
    """Milliseconds on an H100, with accesses of `width` bytes and tiles of `side` x `side`."""
    return changed("11_transpose.packs", f"{width} bytes a lane, {side} x {side}")["milliseconds"]


def predicted_padded_per_swizzled(n):
    return predicted("h200")["11_transpose", "transpose_padded", n] / predicted("h200")["11_transpose", "transpose_swizzled", n]


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
        "**Padded**, {:.0f} %. One unused slot a row makes it {:.1f} times as fast as the plain tile",
        of_copy("11_transpose", "transpose_padded"),
        faster("11_transpose", "transpose_padded", "transpose_tile"),
    ),
    (
        "Both kernels slow down as n grows, and are slower than predicted. The model expects them within 5 % of each other.",
        all(
            speed("11_transpose", kernel, SMALL) > speed("11_transpose", kernel, 1 << 28) > speed("11_transpose", kernel)
            for kernel in ("transpose_padded", "transpose_swizzled")
        )
        and all(
            timing("11_transpose", kernel, n)["milliseconds"] > predicted("h200")["11_transpose", kernel, n]
            for kernel in ("transpose_padded", "transpose_swizzled")
            for n in (SMALL, 1 << 28)
        )
        and all(abs(predicted_padded_per_swizzled(n) - 1) < 0.05 for n in (SMALL, 1 << 28)),
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
        "It regains {:.0f} % of the time that the swizzle loses against padding",
        100
        * (swizzle("swizzled") - swizzle("swizzled, slots kept"))
        / (swizzle("swizzled") - swizzle("padded")),
    ),
    (
        "The larger tile takes {:.1f} to {:.1f} % off the time, the wider accesses {:.1f} to {:.1f} %",
        *sorted(BY_LARGER_TILE),
        *sorted(BY_WIDER_ACCESS),
    ),
    (
        "**16 bytes a lane**, {:.0f} %, ahead of `cublasSgeam` from NVIDIA's library cuBLAS, with {:.0f} %",
        of_copy("11_transpose", "transpose_vector"),
        of_copy(*GEAM),
        speed("11_transpose", "transpose_vector") > speed(*GEAM),
    ),
)
# SPDX-License-Identifier: MIT
