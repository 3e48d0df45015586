"""What the page of chapter 15 says in numbers, for claims.py: from book/data/rows_h200.json."""

import tables_rows
from measured import data

DOCUMENT = data("book/data/rows_h200.json")
STEPS, FOUND, COPY = tables_rows.steps(DOCUMENT), tables_rows.shapes(DOCUMENT), tables_rows.copies(DOCUMENT)
LONGEST_OF_A_BLOCK = 16384
# Of softmax in rows that no block keeps, by type and columns.
ONE_LAUNCH = {(of, columns): FOUND["softmax", of, columns]["ours"]
              for name, of, columns in FOUND if name == tables_rows.TWO_KERNELS}


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
        *(100 * pick(speed / COPY[of] for (of, _), speed in ONE_LAUNCH.items()) for pick in (min, max)),
        all(ONE_LAUNCH[key] > FOUND[(tables_rows.TWO_KERNELS, *key)]["ours"] for key in ONE_LAUNCH),
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
