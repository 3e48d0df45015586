"""What the page on proofs says in numbers."""

import pathlib

from claims.shared import claims_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = (ROOT / "tests/gpusim/data/proofs.txt").read_text(encoding="utf-8").splitlines()
VERDICTS = [line.rpartition(": ")[2] for line in LINES]


def not_proved(chapter):
    return [line.split()[1].partition("<")[0].rstrip(":") for line in LINES if line.startswith(chapter) and line.endswith(": not proved")]

CLAIMS = claims_of(
    "proof",
    (
        "Of the {} kernels in the chapters' solved programs, {} are proved for one size, and {} are proved race-free",
        len(VERDICTS),
        VERDICTS.count("proved"),
        VERDICTS.count("proved race-free"),
    ),
    (
        "The others are chapter 08's `sum_in_shared`, chapter 10's `single_pass`, two of chapter 12, and all seven of chapter 14",
        not_proved("08") == ["sum_in_shared"]
        and not_proved("10") == ["single_pass"]
        and len(not_proved("12")) == 2
        and len(not_proved("14")) == sum(line.startswith("14") for line in LINES) == 7
        and len(not_proved("")) == 11,
    ),
)
# SPDX-License-Identifier: MIT
