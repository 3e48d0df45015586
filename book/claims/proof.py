"""What the page on proofs says in numbers."""

import pathlib

from claims.shared import claims_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = (ROOT / "tests/gpusim/data/proofs.txt").read_text(encoding="utf-8").splitlines()
EVERY_LAUNCH = (ROOT / "tests/gpusim/data/proofs_for_every_launch.txt").read_text(encoding="utf-8").splitlines()
OTHER_FILES = [line for line in EVERY_LAUNCH if "/" in line.split()[0]]
SOLVED = [line for line in EVERY_LAUNCH if line not in OTHER_FILES]
VERDICTS = [line.rpartition(": ")[2] for line in LINES]


def proved(lines):
    return sum(line.endswith(": proved") for line in lines)


CLAIMS = claims_of(
    "proof",
    (
        "Of the {} kernels in the chapters' solved programs, each in one size, {} are proved, {} more are proved race-free, and {} "
        "are not proved.",
        len(VERDICTS),
        VERDICTS.count("proved"),
        VERDICTS.count("proved race-free"),
        VERDICTS.count("not proved"),
    ),
    (
        "The chapters' solved kernels make {} contracts, one for each block size. All {} are proved:",
        len(SOLVED),
        proved(SOLVED),
    ),
    (
        "Another {} contracts are for kernels that you do not write. {} of these are proved.",
        len(OTHER_FILES),
        proved(OTHER_FILES),
    ),
)
# SPDX-License-Identifier: MIT
