"""What the page of chapter 15 says in numbers, from book/data/rows_h200.json."""

import math

import tables_rows
from claims.shared import claims_of, ends, less, round_alike
from measured import CHANGES, changed, data
from tables_rows import in_range, least_of_copy, to_pytorch

DOCUMENT = data("book/data/rows_h200.json")
STEPS, FOUND = tables_rows.steps(DOCUMENT), tables_rows.shapes(DOCUMENT)
LONGEST_OF_A_BLOCK = 16384
PARTS = tables_rows.parts(DOCUMENT)
MOST_PARTS = 16


# Of softmax in rows of more than 64 KiB, by type and columns.
ONE_LAUNCH = {(of, columns): FOUND["softmax", of, columns]["ours"]
              for name, of, columns in FOUND if name == tables_rows.TWO_KERNELS}
COPY = tables_rows.copies(DOCUMENT)


def of_copy(operation, columns):
    """The shares of a copy, in percent, of floats and of bfloat16 numbers."""
    return [100 * FOUND[operation, of, columns]["ours"] / COPY[of] for of in tables_rows.TYPES]


# Of the longest rows, by operation.
LONGEST = {
    name: of_copy(name, tables_rows.LONGEST)
    for name in ("softmax", "RMSNorm", tables_rows.REPEATED, tables_rows.ORDINARY_WEIGHTS, tables_rows.KEPT_ROWS)
}


SOFTMAX_TO_PYTORCH = [to_pytorch(row) for _, row in in_range(DOCUMENT, "softmax", 0, tables_rows.LONGEST)]
# How much slower softmax is by ordinary loads, in percent, in rows that a warp or a block keeps in registers.
SLOWER_BY_ORDINARY_LOADS = [
    less(FOUND[tables_rows.ORDINARY_SOFTMAX, of, columns]["ours"] / row["ours"])
    for (name, of, columns), row in FOUND.items()
    if name == "softmax" and columns <= LONGEST_OF_A_BLOCK
]


def doublings():
    """What twice as many blocks for a row cost, in percent."""
    return [less(PARTS[of, 2 * count] / PARTS[of, count])
            for of in tables_rows.TYPES for count in (1, 2, 4, 8)]


def sectors(kernel):
    """Loaded from global memory, by ncu."""
    return DOCUMENT["counted"]["kernels"][f"15_softmax {kernel}<float>"]["counters"]["global_load_sectors"]


def on_h100(runs, kernel, n=1 << 28):
    """GB/s of a step, in the run that timed the starter as well. runs: `runs`, solved, or `starters`."""
    (run,) = (run for run in data(CHANGES)[runs] if run["n"] == n)
    return next(row["timing"]["gigabytes_per_second"] for row in run["rows"] if row["kernel"] == kernel)


def exchange(what, parts=1):
    """GB/s of a kernel of the experiment `exchange` on an H100."""
    return changed("15_softmax.exchange", f"{what}, {parts} part{'s' if parts > 1 else ''}")["gigabytes_per_second"]


WRITING = [exchange(what) for what in ("no exchange", "tickets", "tickets, words written")]

# What it costs to read words that are there already, in percent, in rows of 1 to 16 parts.
READING = [
    less(exchange("words there already", parts) / exchange("tickets, words written")) for parts in (1, 2, 4, 8, MOST_PARTS)
]

CLAIMS = claims_of(
    "15_softmax",
    (
        "Two reads instead of three make the kernel {:.2f} times as fast",
        STEPS["softmax_online"] / STEPS["softmax_three_passes"],
        2 * sectors("softmax_three_passes") == 3 * sectors("softmax_online"),
    ),
    (
        "an eighth of the sectors, and is {:.2f} times as fast",
        STEPS["softmax_warp"] / STEPS["softmax_online"],
        8 * sectors("softmax_warp") == sectors("softmax_online"),
    ),
    (
        "loads half the sectors, and is {:.2f} times as fast",
        STEPS["softmax_block"] / STEPS["softmax_warp"],
        2 * sectors("softmax_block") == sectors("softmax_warp"),
    ),
    (
        "That kernel is already {:.2f} times as fast as `softmax_warp`; we do not know why. The solved one keeps the row and "
        "merges by shuffles, and is {:.2f} times as fast as the shipped one.",
        on_h100("starters", "softmax_block") / on_h100("starters", "softmax_warp"),
        on_h100("runs", "softmax_block") / on_h100("starters", "softmax_block"),
    ),
    (
        "Tickets cost nothing, and neither do words that no block reads: the speed stays within {:.1f} %.",
        0.2,
        max(WRITING) < 1.002 * min(WRITING),
    ),
    (
        "But if blocks also read, they lose {:.0f} to {:.0f} % in rows of up to 8 parts, and {:.0f} % in rows of 16, even if every word is there "
        "before the launch;",
        min(READING[:-1]),
        max(READING[:-1]),
        READING[-1],
    ),
    (
        "Together they bring only {:.1f} % more: `softmax_block` was near the copy already",
        100 * (STEPS["softmax_rows"] / STEPS["softmax_block"] - 1),
        1 < STEPS["softmax_rows"] / STEPS["softmax_block"] < 1.06,
    ),
    (
        "Our kernel is {:.2f} to {:.2f} times as fast as the faster of PyTorch and torch.compile. Up to 16,384 columns it is "
        "even faster than a copy.",
        *ends(SOFTMAX_TO_PYTORCH),
        min(SOFTMAX_TO_PYTORCH) > 1 and least_of_copy(DOCUMENT, "softmax", 0, LONGEST_OF_A_BLOCK) > 100,
    ),
    (
        "the same kernel with ordinary loads is {:.1f} to {:.1f} % slower",
        *ends(SLOWER_BY_ORDINARY_LOADS),
        min(SLOWER_BY_ORDINARY_LOADS) > 1,
    ),
    (
        "One launch reads it once, and is at least {:.2f} times as fast as two kernels. Rows of 65,536 elements still fit in "
        "one block, and reach {:.0f} % of a copy.",
        math.floor(100 * min(ONE_LAUNCH[key] / FOUND[(tables_rows.TWO_KERNELS, *key)]["ours"] for key in ONE_LAUNCH)) / 100,
        of_copy("softmax", 65536)[0],
        round_alike(of_copy("softmax", 65536))
        and all(ONE_LAUNCH[key] > FOUND[(tables_rows.TWO_KERNELS, *key)]["ours"] for key in ONE_LAUNCH),
    ),
    (
        "Rows of 262,144 are shared by eight blocks, or by four, and reach only {:.0f} %.",
        LONGEST["softmax"][0],
        round_alike(LONGEST["softmax"]),
    ),
    (
        "a row of 262,144 floats then has 8 parts instead of 16, and reaches {:.0f} % of a copy instead of {:.0f} %.",
        LONGEST["softmax"][0],
        100 * PARTS["float", MOST_PARTS] / COPY["float"],
    ),
    (
        "With 262,144 columns the kernel now reaches {:.0f} % instead of {:.0f} %, nearly as much as softmax.",
        LONGEST[tables_rows.REPEATED][0],
        LONGEST["RMSNorm"][0],
        all(
            0.97 < repeated / softmax < 1
            for repeated, softmax in zip(LONGEST[tables_rows.REPEATED], LONGEST["softmax"], strict=True)
        )
        and round_alike(LONGEST[tables_rows.REPEATED])
        and round_alike(LONGEST["RMSNorm"]),
    ),
    (
        "With ordinary loads of the weights, rows of 262,144 columns reach only {:.0f} %. The same happens if the "
        "loads of these rows ask as well, {:.0f} to {:.0f} %.",
        LONGEST[tables_rows.ORDINARY_WEIGHTS][0],
        *ends(LONGEST[tables_rows.KEPT_ROWS]),
        round_alike(LONGEST[tables_rows.ORDINARY_WEIGHTS]),
    ),
    (
        "These steps cost {:.0f} % of the speed, and {:.0f} % with bfloat16. Then each doubling of the blocks that share a "
        "row costs another {:.0f} to {:.0f} %",
        *(less(PARTS[of, 1] / PARTS[of, 0]) for of in tables_rows.TYPES),
        min(doublings()),
        max(doublings()),
    ),
    (
        "Up to 16,384 columns our kernel is faster than a copy, and at least {:.3f} times as fast as torch.compile.",
        min(to_pytorch(row) for _, row in in_range(DOCUMENT, "RMSNorm", 0, LONGEST_OF_A_BLOCK)),
        least_of_copy(DOCUMENT, "RMSNorm", 0, LONGEST_OF_A_BLOCK) > 100,
    ),
)
# SPDX-License-Identifier: MIT
