"""What the page `simulator` says in numbers."""

from claims.shared import claims_of
from measured import data

def wavefront_differences():
    """Percent by which our wavefronts are below ncu's, in the table of chapters' kernels."""
    return [
        100 - 100 * row["simulated"] / row["ncu"]
        for row in data("book/data/fidelity_h200.json")["rows"]
        if row["kernel"][:2].isdigit() and row["counter"].endswith("wavefronts")
    ]


def not_from_the_addresses():
    """Chapters' kernels whose wavefronts, as we count them, are not those that ncu works out from the addresses."""
    kernels = data("tests/gpusim/data/ncu_h200.json")["kernels"]
    return [
        row["kernel"]
        for row in data("book/data/fidelity_h200.json")["rows"]
        if row["counter"] in ("shared_load_wavefronts", "shared_store_wavefronts")
        and row["kernel"] in kernels
        and row["simulated"] != kernels[row["kernel"]]["counters"][row["counter"] + "_sass"]
    ]


def are_shown():
    """Whether the table shows what ncu works out from the addresses, with a reason, where its two counters differ by over 3 %,
    and only there."""
    kernels = data("tests/gpusim/data/ncu_h200.json")["kernels"]
    rows = {(row["kernel"], row["counter"]): row for row in data("book/data/fidelity_h200.json")["rows"]}
    return all(
        ((kernel, f"{counter}_sass") in rows and "why" in row)
        == (abs(kernels[kernel]["counters"][f"{counter}_sass"] - row["ncu"]) > 0.03 * row["ncu"])
        for (kernel, counter), row in rows.items()
        if counter in ("shared_load_wavefronts", "shared_store_wavefronts") and kernel in kernels
    )


def are_explained():
    """Whether the table has a reason where our wavefronts differ by over 3 % from those counted in the hardware, and only there."""
    return all(
        ("why" in row) == (abs(row["simulated"] - row["ncu"]) > 0.03 * row["ncu"])
        for row in data("book/data/fidelity_h200.json")["rows"]
        if row["kernel"][:2].isdigit() and row["counter"] in ("shared_load_wavefronts", "shared_store_wavefronts")
    )

BRENT_KUNG = "10_scan scan_brent_kung"

ROWS = "03_divergence sum_rows"

PRODUCTS = ("13_gemm gemm_tile", "13_gemm gemm_column")

CLAIMS = claims_of(
    "simulator",
    ("Except for those four kernels, our counts are up to {:.1f} % below it", max(wavefront_differences())),
    (
        "It equals our count in all but four kernels",
        {kernel.partition("<")[0] for kernel in not_from_the_addresses()} == {BRENT_KUNG, ROWS, *PRODUCTS},
    ),
    (
        "In kernels without bank conflicts the hardware often reports some. We count none: a difference of -100 %",
        sum(
            row["simulated"] == 0 < row["ncu"]
            for row in data("book/data/fidelity_h200.json")["rows"]
            if row["kernel"][:2].isdigit() and row["counter"].endswith("bank_conflicts")
        )
        > 20,
    ),
    (
        "If ncu's two counters of wavefronts differ by more than 3 %, the table also shows `sass`. If our wavefronts differ by more than 3 % from "
        "the hardware's, a footnote says why",
        are_shown() and are_explained(),
    ),
    (
        "kernels that access almost only shared memory show hardly any",
        all(
            0.997 < row["simulated"] / row["ncu"] <= 1
            for row in data("book/data/fidelity_h200.json")["rows"]
            if row["kernel"].startswith("shared") and row["counter"].endswith("wavefronts")
        ),
    ),
    (
        "All {} counts of requests, sectors and atomics are equal to the last digit",
        sum(
            row["counter"].startswith(("global", "local")) and row["kernel"][:2].isdigit()
            for row in data("book/data/fidelity_h200.json")["rows"]
        ),
        all(
            row["simulated"] == row["ncu"]
            for row in data("book/data/fidelity_h200.json")["rows"]
            if row["counter"].startswith(("global", "local"))
        ),
    ),
    (
        "In {} more access patterns, some of local memory",
        len(data("tests/gpusim/data/ncu_h200.json")["calibration"]),
        any(name.startswith("local") for name in data("tests/gpusim/data/ncu_h200.json")["calibration"]),
    ),
)
# SPDX-License-Identifier: MIT
