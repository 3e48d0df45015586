"""What the page of chapter 15 says in numbers, for claims.py: from book/data/rows_h200.json."""

import tables_rows
from measured import data

DOCUMENT, DOCUMENT_H100 = (data(f"book/data/rows_{gpu}.json") for gpu in ("h200", "h100"))
STEPS, FOUND, COPY = tables_rows.steps(DOCUMENT), tables_rows.shapes(DOCUMENT), tables_rows.copies(DOCUMENT)
LONGEST_OF_A_BLOCK = 16384
PARTS = tables_rows.parts(DOCUMENT)
MOST_PARTS = 16


def one_launch(document):
    """Of softmax in rows that no block keeps, by type and columns."""
    found = tables_rows.shapes(document)
    return {(of, columns): found["softmax", of, columns]["ours"]
            for name, of, columns in found if name == tables_rows.TWO_KERNELS}


ONE_LAUNCH, ONE_LAUNCH_H100 = one_launch(DOCUMENT), one_launch(DOCUMENT_H100)


def span_of_copy(document):
    """The smallest and the largest share of a copy, in percent, of rows that no block keeps."""
    copy = tables_rows.copies(document)
    shares = [100 * speed / copy[of] for (of, _), speed in one_launch(document).items()]
    return min(shares), max(shares)


def doublings():
    """What twice as many blocks for a row cost, in percent."""
    return [100 * (1 - PARTS[of, 2 * count] / PARTS[of, count])
            for of in tables_rows.TYPES for count in (1, 2, 4, 8)]


def sectors(kernel):
    """Loaded from global memory, by ncu."""
    return DOCUMENT["counted"]["kernels"][f"15_softmax {kernel}<float>"]["counters"]["global_load_sectors"]


def of_copy(least, most, operation="softmax"):
    """The smallest share of a copy, in percent, in rows of so many columns."""
    return 100 * min(row["ours"] / COPY[of] for (name, of, columns), row in FOUND.items()
                     if name == operation and least <= columns <= most)


def of_pytorch(least, most, operation="softmax"):
    """How many times as fast as the faster of PyTorch's two ways, where that is least."""
    return min(row["ours"] / max(row["eager"], row["compiled"]) for (name, _, columns), row in FOUND.items()
               if name == operation and least <= columns <= most)


SENTENCES = (
    (
        "Two reads instead of three make the kernel {:.2f} times as fast",
        STEPS["softmax_online"] / STEPS["softmax_three_passes"],
        2 * sectors("softmax_three_passes") == 3 * sectors("softmax_online"),
    ),
    (
        "an eighth of the sectors, and {:.2f} times as fast",
        STEPS["softmax_warp"] / STEPS["softmax_online"],
        8 * sectors("softmax_warp") == sectors("softmax_online"),
    ),
    (
        "Half the sectors, and {:.2f} times as fast",
        STEPS["softmax_block"] / STEPS["softmax_warp"],
        2 * sectors("softmax_block") == sectors("softmax_warp"),
    ),
    (
        "At this length they bring only {:.1f} % more",
        100 * (STEPS["softmax_rows"] / STEPS["softmax_block"] - 1),
        1 < STEPS["softmax_rows"] / STEPS["softmax_block"] < 1.03,
    ),
    ("Up to 16,384 columns it reaches at least {:.1f} % of a copy", of_copy(0, LONGEST_OF_A_BLOCK)),
    (
        "From 4,096 columns on it is at least {:.2f} times as fast as the faster of PyTorch and torch.compile",
        of_pytorch(4096, 1 << 18),
        of_pytorch(4096, 1 << 18) > 1,
    ),
    (
        "With 1,024 columns torch.compile is ahead by {:.1f} %",
        100 * (1 / of_pytorch(1024, 1024) - 1),
        of_pytorch(1024, 1024) < 1,
    ),
    (
        "One launch reads it once, and is at least {:.2f} times as fast as two kernels. Yet it reaches only {:.0f} to {:.0f} % "
        "of a copy.",
        min(ONE_LAUNCH[key] / FOUND[(tables_rows.TWO_KERNELS, *key)]["ours"] for key in ONE_LAUNCH),
        *span_of_copy(DOCUMENT),
        all(ONE_LAUNCH[key] > FOUND[(tables_rows.TWO_KERNELS, *key)]["ours"] for key in ONE_LAUNCH),
    ),
    (
        "That alone costs {:.0f} % of the speed. Then each doubling of the blocks that share a row costs another {:.0f} to "
        "{:.0f} %",
        100 * (1 - PARTS["float", 1] / PARTS["float", 0]),
        min(doublings()),
        max(doublings()),
    ),
    (
        "`split_rows` reaches {:.0f} to {:.0f} % of a copy there. At its worst size, this chapter's softmax is {:.1f} % slower "
        "than the faster of PyTorch and torch.compile.",
        *span_of_copy(DOCUMENT_H100),
        100 * (1 - tables_rows.least_of_pytorch(DOCUMENT_H100, "softmax")),
    ),
    (
        "Up to 16,384 columns it reaches at least {:.1f} % of one",
        of_copy(0, LONGEST_OF_A_BLOCK, "RMSNorm"),
    ),
    (
        "torch.compile is ahead by up to {:.1f} % there",
        100 * (1 / of_pytorch(0, LONGEST_OF_A_BLOCK, "RMSNorm") - 1),
        of_pytorch(0, LONGEST_OF_A_BLOCK, "RMSNorm") < 1,
    ),
)
# SPDX-License-Identifier: MIT
