"""What the page on proofs says in numbers."""

import pathlib

from claims.shared import claims_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = (ROOT / "tests/gpusim/data/proofs.txt").read_text(encoding="utf-8").splitlines()
EVERY_LAUNCH = (ROOT / "tests/gpusim/data/proofs_for_every_launch.txt").read_text(encoding="utf-8").splitlines()
PROVED = sum(line.endswith(": proved") for line in EVERY_LAUNCH)
VERDICTS = [line.rpartition(": ")[2] for line in LINES]

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
        len(EVERY_LAUNCH),
        PROVED,
    ),
)
# SPDX-License-Identifier: MIT
