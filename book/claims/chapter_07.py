"""What the page of chapter 07 says in numbers."""

from claims.shared import claims_of, ncu_block
from measured import laboratory, of_copy, ptx, speed

CLAIMS = claims_of(
    "07_full_unroll",
    (
        "A round of four loads takes {} instructions where the number of rounds is known, and {} where "
        "it is not: there nvcc computes the address anew in each round. Without unrolling, four rounds take {} in both cases",
        ptx("sum_by_four", "loops")[0]["instructions"],
        ptx("sum_any_by_four", "loops")[0]["instructions"],
        4 * ptx("sum_rolled", "loops")[0]["instructions"],
        ptx("sum_rolled", "loops")[0]["instructions"]
        == ptx("sum_any_rolled", "loops")[0]["instructions"],
    ),
    (
        "**It costs registers**: {} without unrolling, {} with four copies, {} in full",
        *(ptx(kernel, "registers") for kernel in ("sum_rolled", "sum_by_four", "sum_whole")),
    ),
    (
        "a second chain takes {:.0f} % off the time",
        100
        - 100
        * laboratory("07_full_unroll.chains", "2 chains, one warp a scheduler")
        / laboratory("07_full_unroll.chains", "1 chain, one warp a scheduler"),
    ),
    (
        "the four rows lie within 2 % of each other",
        max(
            laboratory("07_full_unroll.chains", f"{k}, 16 warps a scheduler")
            for k in ("1 chain", "2 chains", "4 chains", "8 chains")
        )
        < 1.02
        * min(
            laboratory("07_full_unroll.chains", f"{k}, 16 warps a scheduler")
            for k in ("1 chain", "2 chains", "4 chains", "8 chains")
        ),
    ),
    (
        "if each warp has one chain, 16 warps per scheduler do 16 times the work of one warp, but take only {:.1f} times as long",
        laboratory("07_full_unroll.chains", "1 chain, 16 warps a scheduler")
        / laboratory("07_full_unroll.chains", "1 chain, one warp a scheduler"),
    ),
    (
        "At 2<sup>28</sup> and beyond, the unrolled kernel is no faster than chapter 06's. "
        "At 2<sup>30</sup> both reach {} GB/s, with {} instructions per block",
        speed("07_full_unroll", "sum_unrolled<256>"),
        ncu_block("07_full_unroll sum_unrolled<256>"),
        ncu_block("07_full_unroll sum_unrolled<256>") == ncu_block("06_warp_unroll sum_warp_tail")
        and all(
            round(speed("07_full_unroll", "sum_unrolled<256>", n=n)) == round(speed("06_warp_unroll", "sum_warp_tail", n=n))
            for n in (1 << 28, 1 << 30)
        ),
    ),
    ("All stop at {:.0f} % of a copy", of_copy("07_full_unroll", "sum_unrolled<256>")),
)
# SPDX-License-Identifier: MIT
