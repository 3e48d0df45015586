"""The table that README shows, with the lines about proofs: the first of book/generated/tour.txt."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SHOWN = re.compile(r"(ends with predicted times:\n\n```\n).*?(```\n)", re.DOTALL)


def with_tour():
    """README's text as it should be."""
    tour = (ROOT / "book/generated/tour.txt").read_text(encoding="utf-8").strip("\n").split("\n\nRan on: ")[0]
    text, count = SHOWN.subn(lambda block: block[1] + tour + "\n" + block[2], README.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit("README.md: found no block below 'ends with predicted times:'")
    return text
# SPDX-License-Identifier: MIT
