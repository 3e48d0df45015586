"""The tour that README shows: what book/generated/tour.txt has."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SHOWN = re.compile(r"(The tour ends like this:\n\n```\n).*?(```\n)", re.DOTALL)


def with_tour():
    """README's text as it should be."""
    tour = (ROOT / "book/generated/tour.txt").read_text(encoding="utf-8").strip("\n")
    text, count = SHOWN.subn(lambda block: block[1] + tour + "\n" + block[2], README.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit("README.md: found no block below 'The tour ends like this:'")
    return text
