#!/usr/bin/env python3
"""The pages of the book against the repository, without mdBook: `meson test -C build --suite book`.

pages_test.py includes    every include finds its file and its anchor, and brings some lines; none shows what readers edit
pages_test.py anchors     every anchor in a kernel file is shown by a page
pages_test.py code        fences are closed; code on a page is included from a file that is compiled or run
pages_test.py links       every link and image leads somewhere, to the very heading
pages_test.py chapters    every chapter has a page, and every page is in SUMMARY.md
pages_test.py finished    no page or question waits for its author, since common/new_chapter.py made it
pages_test.py readme      README shows the tour that the book has
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line

ROOT = pathlib.Path(__file__).resolve().parents[2]
SRC = ROOT / "book/src"
sys.path.append(str(ROOT / "book"))
import readme
INCLUDE = re.compile(r"\{\{#include ([^\s:}]+)(?::([\w]+))?\}\}")
ANCHOR = re.compile(r"ANCHOR: (\w+)")
FENCE = re.compile(r"^\s*(`{3,})\s*([\w,-]*)")
# What a page types itself: commands for a shell, and a drawing in characters.
TYPED = {"sh", "text,typed", "ini", "toml"}


def pages():
    return sorted(path for path in SRC.glob("*.md") if path.name != "SUMMARY.md")


def text_of(path):
    return path.read_text(encoding="utf-8")


def between_anchors(path, name):
    """The lines that mdBook shows for an anchor; None if there is no such anchor."""
    lines, inside, found = [], False, False
    for line in text_of(path).splitlines():
        if re.search(rf"ANCHOR_END: {name}\b", line):
            inside = False
        elif re.search(rf"ANCHOR: {name}\b", line):
            inside = found = True
        elif inside and "ANCHOR" not in line:
            lines.append(line)
    return lines if found else None


def includes_of(page):
    """(line number, file, anchor or None) of each include."""
    for number, line in enumerate(text_of(page).splitlines(), 1):
        for file, anchor in INCLUDE.findall(line):
            yield number, (SRC / file).resolve(), anchor or None


def includes():
    for page in pages():
        for number, file, anchor in includes_of(page):
            place = f"{page.name}:{number}"
            if file.parts[-3] == "chapters" and file.name == "kernels.cuh":
                yield (f"{place}: readers edit chapters/{file.parts[-2]}/kernels.cuh; include "
                       f"../generated/{file.parts[-2]}.starter.cuh, as shipped")
            elif not file.is_file():
                yield f"{place}: {file.relative_to(ROOT)} does not exist"
            elif anchor and not any(line.strip() for line in between_anchors(file, anchor) or []):
                yield f"{place}: {file.relative_to(ROOT)} has nothing between ANCHOR: {anchor} and its end"
            elif not text_of(file).strip():
                yield f"{place}: {file.relative_to(ROOT)} is empty"


def source_of(file):
    """What a page shows: book/generated/NN_topic.starter.cuh is chapters/NN_topic/kernels.cuh, as shipped."""
    is_starter = file.name.endswith(".starter.cuh")
    return ROOT / "chapters" / file.name.split(".")[0] / "kernels.cuh" if is_starter else file


def anchors():
    shown = {(source_of(file), anchor) for page in pages() for _, file, anchor in includes_of(page) if anchor}
    for folder in ("chapters", "solutions", "tests/wrong", "tests/right"):
        for file in sorted((ROOT / folder).glob("*/*.cu*")):
            # A starter and its solution bear the same anchors; one of the two is shown.
            twin = ROOT / ("solutions" if folder == "chapters" else "chapters") / file.relative_to(ROOT / folder)
            for anchor in ANCHOR.findall(text_of(file)):
                if (file, anchor) not in shown and (twin, anchor) not in shown:
                    yield f"{file.relative_to(ROOT)}: no page shows ANCHOR: {anchor}"


def fences(page):
    """(line number, language, lines) of each fenced block; lines is None for one that is never closed."""
    opened = None
    for number, line in enumerate(text_of(page).splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened = (number, fence.group(1), fence.group(2), [])
        elif opened and line.strip() == opened[1]:
            yield opened[0], opened[2], opened[3]
            opened = None
        elif opened:
            opened[3].append(line)
    if opened:
        yield opened[0], opened[2], None


SHOWN_AS_THEY_ARE = (".md", ".svg", ".html")


def code():
    for page in pages():
        for number, language, lines in fences(page):
            place = f"{page.name}:{number}"
            if lines is None:
                yield f"{place}: this fence is never closed"
            elif not language:
                yield f"{place}: this fence names no language"
            elif language not in TYPED and not all(INCLUDE.fullmatch(line.strip()) for line in lines if line.strip()):
                yield f"{place}: {language} is typed here; include it from a file that is tested"
            elif not lines:
                yield f"{place}: this fence is empty"
        for number, line in outside_fences(page):
            included = INCLUDE.search(line)
            if included and pathlib.PurePath(included.group(1)).suffix not in SHOWN_AS_THEY_ARE:
                yield f"{page.name}:{number}: {included.group(1)} is included outside of a fence, so it is not shown as code"
            if re.search(r"<summary>[^<]*`", line):
                yield f"{page.name}:{number}: Markdown ends at <summary>: write <code> there, not backticks"


def slug(heading):
    """The id that mdBook gives a heading."""
    given = re.search(r"\{#([\w-]+)\}\s*$", heading)
    if given:
        return given.group(1)
    kept = "".join(c for c in re.sub(r"<[^>]*>|`|\*|\[|\]\([^)]*\)", "", heading).lower() if c.isalnum() or c in " -_")
    return kept.strip().replace(" ", "-")


def outside_fences(page):
    blocks = {number + k for number, _, lines in fences(page) for k in range(len(lines or []) + 2)}
    return [(number, line) for number, line in enumerate(text_of(page).splitlines(), 1) if number not in blocks]


def ids_of(page):
    ids = set()
    for _, line in outside_fences(page):
        if re.match(r"#+ ", line):
            ids.add(slug(line.lstrip("# ")))
        ids.update(re.findall(r'\bid="([\w-]+)"', line))
    return ids


def links():
    for page in pages():
        expanded = list(outside_fences(page))
        for number, file, _ in includes_of(page):  # tables bring links of their own
            if file.suffix == ".md" and file.is_file():
                expanded += [(number, line) for line in text_of(file).splitlines()]
        for number, line in expanded:
            for target in re.findall(r"\]\(([^)\s]+)\)", line) + re.findall(r'(?:src|href)="([^"]+)"', line):
                if re.match(r"https?:|mailto:", target):
                    continue
                name, _, fragment = target.partition("#")
                other = (SRC / name.replace(".html", ".md")).resolve() if name else page
                if not other.is_file():
                    yield f"{page.name}:{number}: {target}: there is no such file"
                elif fragment and other.suffix == ".md" and fragment not in ids_of(other):
                    yield f"{page.name}:{number}: {target}: {other.name} has no heading or id {fragment}"


def chapters():
    from chapter_table import stems
    listed = re.findall(r"\]\((?:\./)?([\w-]+\.md)\)", text_of(SRC / "SUMMARY.md"))
    names = [page.name for page in pages()]
    for stem in stems():
        if f"{stem}.md" not in names:
            yield f"book/src/{stem}.md is missing: every chapter has a page"
    for name in names:
        if listed.count(name) != 1:
            yield f"SUMMARY.md lists {name} {listed.count(name)} times, expected once"
        if re.match(r"\d\d_", name) and name.removesuffix(".md") not in stems():
            yield f"book/src/{name} is the page of no chapter"
    for name in set(listed) - set(names):
        yield f"SUMMARY.md lists {name}, which does not exist"


def finished():
    for path in [*pages(), ROOT / "book/questions.py"]:
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if "TODO(author)" in line:
                yield f"{path.name}:{number}: TODO(author): this is still the example that a new chapter begins with"


def readme_tour():
    if text_of(readme.README) != readme.with_tour():
        yield "README.md: the tour is not that of book/generated/tour.txt: ninja -C build book-refresh"


def main():
    checks = {"includes": includes, "anchors": anchors, "code": code, "links": links, "chapters": chapters, "finished": finished,
              "readme": readme_tour}
    check, = command_line.arguments("|".join(checks))
    complaints = list(checks[check]())
    print(*complaints, sep="\n")
    print(f"{len(pages())} pages, {len(complaints)} complaints")
    return 1 if complaints or not pages() else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
