#!/usr/bin/env python3
"""No page gives away the answer to a prediction before it is asked: `meson test -C build --suite book`.

The course is read in the order of SUMMARY.md, up to its end ("What you can do now"). An answer leaks if
- a table of counters that comes before the question has the same number for the same kernel and counter; or
- the number stands in any line before the question. Only numbers of three digits or more are looked for: smaller ones are
  everywhere.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book"))
import pages_test
import questions

# The same number of something else: (page of the question, where it stands, what it is there).
COINCIDENCES = {
    ("11_transpose", "1,048,576"): "the length of most arrays",
    ("11_transpose", "1048576"): "the same, as programs print it",
    ("12_bandwidth_limit", "8,194"): "store requests of a kernel of chapter 09",
    ("15_softmax", "98,304"): "counts of other kernels, in chapters 06 and 08",
    ("14_many_gpus", "1.10"): "milliseconds predicted for a kernel of chapter 04",
    ("09_shuffle", "1,025"): "store requests, sectors and divergent branches in a table of chapter 08",
}


def course():
    names = re.findall(r"\((\w+)\.md\)", pages_test.text_of(pages_test.SRC / "SUMMARY.md"))
    return names[: names.index("recap")]


def shown(line):
    """The lines that a line of a page shows: itself, or what it includes."""

    def included(match):
        file = (pages_test.SRC / match[1]).resolve()
        if match[2]:
            return "\n".join(pages_test.between_anchors(file, match[2]) or [])
        return pages_test.text_of(file)

    return pages_test.INCLUDE.sub(included, line).splitlines()


def course_lines():
    """(page, line number, text) of everything that the course shows, in the order of reading; and for each page with a
    prediction, how many of these lines come before it."""
    lines, before = [], {}
    for page in course():
        for number, line in enumerate(pages_test.text_of(pages_test.SRC / f"{page}.md").splitlines(), 1):
            if f"{page}.predict.md" in line:
                before[page] = len(lines)
            lines += [(page, number, plain(text)) for text in shown(line)]
    return lines, before


def plain(text):
    without_code = re.sub(r"</?(?:code|wbr|strong|sup)>|`", "", text)
    without_links = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]*>", " ", without_code))
    return without_links.replace("&lt;", "<").replace("&gt;", ">")


def forms(answer):
    """How a page may write the number."""
    if float(answer).is_integer():
        return {f"{answer:,.0f}", f"{answer:.0f}"} if answer >= 100 else set()
    return {f"{answer:,.2f}"}


def tables(lines):
    """(page, line number, kernel, counter, number) of each cell of a table of counters."""
    heading = []
    for page, number, text in lines:
        cells = [cell.strip() for cell in text.strip().strip("|").split("|")] if text.startswith("|") else []
        if not cells:
            heading = []
        elif not heading:
            heading = cells
        else:
            for kernel, cell in zip(heading[1:], cells[1:]):
                yield page, number, kernel, cells[0], cell.replace(",", "")


def leaks():
    all_lines, before = course_lines()
    for stem, question in questions.PREDICTIONS.items():
        if not isinstance(question, questions.Number):
            continue
        answer, lines = question.answer(), all_lines[: before[stem]]
        for form in sorted(forms(answer)):
            if (stem, form) in COINCIDENCES:
                continue
            here = re.compile(rf"(?<![\d.,]){re.escape(form)}(?!\d|[.,]\d)")
            yield from (f"{page}.md:{number}: has the answer to the prediction of {stem}: {form}: {text.strip()[:80]}"
                        for page, number, text in lines if here.search(text))
        if isinstance(question.answer, questions.Counted):
            _, kernel, row = question.answer
            yield from (f"{page}.md:{number}: a table has the answer to the prediction of {stem}: {row} of {kernel}"
                        for page, number, *cell in tables(lines) if cell == [kernel, row, f"{answer:.0f}"])


def main():
    missing = [stem for stem in questions.PREDICTIONS if stem not in course()]
    found = [f"questions.py: {stem} has a prediction, and SUMMARY.md no such page" for stem in missing] or list(leaks())
    print("\n".join(found) or f"{len(questions.PREDICTIONS)} predictions, no leak")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
