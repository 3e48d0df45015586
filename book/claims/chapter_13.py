"""What the page of chapter 13 says in numbers."""

from claims.shared import claims_of, less, more
from measured import changed, data, of_cublas

def teraflops(kernel, side=4096, machine="h200"):
    """Of a product of square matrices in chapter 13, 10^12 operations a second."""
    return next(
        row["timing"]["teraflops"]
        for run in data(f"book/data/products_{machine}.json")["runs"]
        if run["shape"] == [side] * 3
        for row in run["rows"]
        if row["kernel"] == kernel
    )


def one_change(kernel, side=4096):
    """TFLOP/s of a kernel of the experiment `changes` on an H100."""
    return changed("13_gemm.changes", kernel, "--rows", str(side))["teraflops"]


CLAIMS = claims_of(
    "13_gemm",
    (
        "the first kernel reaches {} % of the speed of cuBLAS, NVIDIA's matrix library, and the last reaches {} %",
        of_cublas("gemm_naive", 4096, 4096, 4096),
        of_cublas("gemm_chosen", 4096, 4096, 4096),
    ),
    (
        "At 1,024<sup>3</sup> `gemm_registers` is slower than `gemm_column`",
        teraflops("gemm_registers", 1024) < teraflops("gemm_column", 1024),
    ),
    (  # a multiply-add counts as two operations, and asks for 5 bytes
        "It asks for {:.1f} TB each second, more than the memory delivers",
        5 * teraflops("gemm_naive") / 2,
        5 * teraflops("gemm_naive") / 2 > 4.8,
    ),
    (
        "At 4,096<sup>3</sup> `gemm_registers` reaches {} % of cuBLAS and `gemm_vector` {} %",
        of_cublas("gemm_registers", 4096, 4096, 4096),
        of_cublas("gemm_vector", 4096, 4096, 4096),
    ),
    (
        "Without its tests for edges, `gemm_registers` is {:.1f} % faster",
        more(one_change("gemm_registers, no tests for edges") / one_change("gemm_registers")),
    ),
    (
        "With accesses of 4 bytes to global memory, `gemm_vector` is {:.1f} % slower",
        less(one_change("gemm_vector, global loads of 4 bytes") / one_change("gemm_vector")),
    ),
    (
        "Most of the gain comes with the 16-byte loads from shared memory",
        (one_change("gemm_vector, global loads of 4 bytes") / one_change("gemm_registers, no tests for edges")) ** 2
        > one_change("gemm_vector") / one_change("gemm_registers"),
    ),
    (
        "the speed falls from {:.1f} to {:.1f} TFLOP/s, about that of `gemm_vector`. With early loads, a second "
        "barrier in each round costs less than 1 %",
        one_change("gemm_buffered"),
        one_change("gemm_buffered, late loads"),
        abs(one_change("gemm_buffered, late loads") / one_change("gemm_vector") - 1) < 0.01
        and 0 < less(one_change("gemm_buffered, two barriers") / one_change("gemm_buffered")) < 1,
    ),
    (
        "on an H100 the plan alone makes the kernel {:.1f} % faster, and the prefetch another {:.1f} %",
        more(one_change("64 x 128", 1024) / one_change("gemm_buffered", 1024)),
        more(one_change("64 x 128, prefetch", 1024) / one_change("64 x 128", 1024)),
    ),
    (
        "At 4,096<sup>3</sup> the speed rises from {} % to {} % of cuBLAS",
        of_cublas("gemm_vector", 4096, 4096, 4096),
        of_cublas("gemm_buffered", 4096, 4096, 4096),
    ),
    (
        "But `gemm_warp_tiles` is no faster than `gemm_buffered`",
        all(
            teraflops("gemm_warp_tiles", side, machine) < 1.001 * teraflops("gemm_buffered", side, machine)
            for side in (1024, 2048, 4096, 8192)
            for machine in ("h100", "h200")
        ),
    ),
    (
        "At 1,024<sup>3</sup> `gemm_buffered` reaches {} % of cuBLAS, and `gemm_chosen`, with plan and prefetch, {} %",
        of_cublas("gemm_buffered", 1024, 1024, 1024),
        of_cublas("gemm_chosen", 1024, 1024, 1024),
    ),
    (
        "`gemm_buffered` reaches {} % of cuBLAS, `gemm_chosen` {} %, including the time to copy",
        of_cublas("gemm_buffered", 4095, 4097, 4093),
        of_cublas("gemm_chosen", 4095, 4097, 4093),
    ),
)
# SPDX-License-Identifier: MIT
