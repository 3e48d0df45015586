#!/usr/bin/env python3
"""The numbers in the pages' sentences against the data: `meson test -C build --suite book`.

claims_test.py            every sentence of book/claims stands on its page once, with the numbers that the data
                          gives, and what it says of them in words holds; and no page says a percentage, a bandwidth
                          or "so many times as fast" outside such a sentence
claims_test.py --write    sets the numbers in the pages (what is said in words stays, and is told if it no longer
                          holds)
"""

import re
import sys

import pages_test

sys.path.append(str(pages_test.ROOT / "common"))
import command_line

ROOT = pages_test.ROOT
sys.path.append(str(ROOT / "book"))
FIELD = re.compile(r"\{(:[^}]*)?\}")
NUMBER = r"(\d(?:[\d,]*\d)?(?:\.\d+)?)"
FIGURE = re.compile(r"\d[\d.,]*\s+(?:%|GB/s|times\s+(?:as|the|faster|slower|more|fewer))")


def pattern_of(sentence):
    """Matches the sentence on a page, whatever its numbers and line breaks."""
    parts = [re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(part)) for part in FIELD.split(sentence)[::2]]
    return re.compile(NUMBER.join(parts))


def numbers_of(claim):
    formats = [form or ":,.0f" for form in FIELD.findall(claim.sentence)]
    return [f"{{{form}}}".format(value) for form, value in zip(formats, claim.values, strict=True)]


def check(claim, text):
    """(complaints, the text with the numbers as they should be, where the sentence stands)."""
    found = list(pattern_of(claim.sentence).finditer(text))
    if len(found) != 1:
        return (
            [f"{claim.page}.md: stands there {len(found)} times, expected once: {claim.sentence}"],
            text,
            None,
        )
    match, complaints = found[0], []
    for k, number in reversed(list(enumerate(numbers_of(claim), 1))):
        if match[k] != number:
            complaints.insert(0, f'{claim.page}.md: {match[k]} in "{claim.sentence}" is {number} in the data')
            text = text[: match.start(k)] + number + text[match.end(k) :]
    if not claim.holds:
        complaints.append(
            f"{claim.page}.md: no longer what the data says: {claim.sentence} "
            f"({', '.join(numbers_of(claim)) or 'see book/claims'})"
        )
    return complaints, text, match.span()


def prose(page):
    """The text with everything blanked that is no sentence: fences, comments, tables, links' targets."""
    text = pages_test.text_of(page)
    blank = lambda match: re.sub(r"\S", "·", match[0])
    for form in (
        r"(?ms)^```.*?^```",
        r"(?s)<!--.*?-->",
        r"(?m)^\|.*$",
        r"\{\{.*?\}\}",
        r"\]\([^)]*\)",
        r"`[^`\n]*`",
        r"<code>.*?</code>",
    ):
        text = re.sub(form, blank, text)
    return text


def outside_claims(page, spans, fixed):
    """Figures that no claim and no fixed phrase of the page covers."""
    text = prose(page)
    spans = spans + [
        match.span() for phrase in fixed for match in pattern_of(phrase).finditer(pages_test.text_of(page))
    ]
    for match in FIGURE.finditer(text):
        if not any(begin <= match.start() and match.end() <= end for begin, end in spans):
            line = text.count("\n", 0, match.start()) + 1
            yield (
                f'{page.name}:{line}: "{" ".join(match[0].split())}" is no claim: add its sentence to '
                "book/claims, with where the number comes from"
            )


def main():
    from claims import CLAIMS, FIXED

    writing = command_line.arguments("[--write]") == ["--write"]
    complaints, covered = [], {}
    for claim in CLAIMS:
        page = pages_test.SRC / f"{claim.page}.md"
        text = pages_test.text_of(page)
        told, corrected, span = check(claim, text)
        if writing and corrected != text:
            page.write_text(corrected, encoding="utf-8")
            told = check(claim, corrected)[0]
        complaints += told
        covered.setdefault(page, []).extend([span] if span else [])
    if not writing:
        for page in pages_test.pages():
            complaints += outside_claims(page, covered.get(page, []), FIXED.get(page.stem, ()))
    print(*complaints, sep="\n")
    print(f"{len(CLAIMS)} sentences with numbers, {len(complaints)} complaints")
    return 1 if complaints or not CLAIMS else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
