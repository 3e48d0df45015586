"""The hints of a chapter: the folds `Hint …` of its page in the book, and after them the whole solution."""
import difflib
import re

from learn.place import Unknown

FOLD = re.compile(r"<details>\s*<summary>(Hint[^<]*)</summary>(.*?)</details>", re.DOTALL)
INCLUDE = re.compile(r"\{\{#include ([^}:]+)(?::([^}]*))?\}\}")
ANCHOR = re.compile(r"ANCHOR(_END)?: *(\w+)")


def included(path, which):
    """The lines that mdBook would include, each as (index in the file, line): an anchor's, those of from:to, or all."""
    lines = list(enumerate(path.read_text(encoding="utf-8").splitlines()))
    numbers = re.fullmatch(r"(\d*):?(\d*)", which or "")
    if which and not numbers:
        marks = [(at, *ANCHOR.search(line).groups()) for at, line in lines if ANCHOR.search(line)]
        begin = next((at for at, end, name in marks if name == which and not end), len(lines))
        stop = next((at for at, end, name in marks if name == which and end), len(lines))
        lines = lines[begin + 1:stop]
    elif which:
        first = int(numbers.group(1) or 1)
        last = int(numbers.group(2) or (len(lines) if ":" in which else first))
        lines = lines[first - 1:last]
    return [(at, line) for at, line in lines if not ANCHOR.search(line)]


def changed_lines(chapter, starter):
    """Indices of the solution's lines that the starter does not have."""
    solution = chapter.solution.read_text(encoding="utf-8").splitlines()
    matcher = difflib.SequenceMatcher(None, starter.splitlines(), solution, autojunk=False)
    return solution, {at for tag, _, _, begin, end in matcher.get_opcodes() if tag != "equal" for at in range(begin, end)
                      if solution[at].strip()}


def whole(chapter, starter, shown):
    """A last hint with the part of the solution that the page's hints do not show; None if they show all of it."""
    solution, changed = changed_lines(chapter, starter)
    if changed <= shown:
        return None
    section, sections, begin = set(), [], 0
    for at, line in enumerate(solution + [""]):  # a blank line before one at the margin ends a paragraph
        if line.strip() or (at + 1 < len(solution) and solution[at + 1].startswith((" ", "}"))):
            section.add(at)
            continue
        if section & changed:
            sections.append("\n".join(solution[begin:at]))
        section, begin = set(), at + 1
    return "\n\n".join("```cuda\n" + "\n".join(line for line in text.splitlines() if not ANCHOR.search(line)) + "\n```"
                       for text in sections)


def hints_of(chapter, starter):
    """The hints as (title, text in Markdown), from a nudge to the whole solution."""
    page = chapter.page.read_text(encoding="utf-8")
    hints, shown = [], set()
    for title, text in FOLD.findall(page):
        def take(found):
            path = (chapter.page.parent / found.group(1).strip()).resolve()
            lines = included(path, found.group(2))
            if path == chapter.solution.resolve():
                shown.update(at for at, _ in lines)
            return "\n".join(line for _, line in lines)
        hints.append((title.strip(), INCLUDE.sub(take, text).strip()))
    rest = whole(chapter, starter, shown)
    if rest:
        hints.append((f"Hint {len(hints) + 1}: the whole of it", rest))
    return hints


def show(screen, place, memory, chapter, starter, wanted=None, more=None):
    """Shows one hint more than last time, or the wanted one; `more` is the command that shows the next."""
    hints = hints_of(chapter, starter)
    if wanted is not None and not 1 <= wanted <= len(hints):
        raise Unknown(f"chapter {chapter.number} has {len(hints)} hints, and no hint {wanted}")
    at = min(memory.of(chapter).get("hints", 0), len(hints) - 1) if wanted is None else wanted - 1
    title, text = hints[at]
    screen.parts((f"{chapter.number} {chapter.title}  ", "bold"), (title, "bold cyan"), (f"  ({at + 1} of {len(hints)})", "dim"))
    screen.line()
    screen.markdown(text)
    screen.line()
    if at + 1 < len(hints):
        screen.line(f"One more: {more or f'{place.learn} hint {chapter.number}'}", "dim")
    else:
        screen.line(f"That is all of it. The first one again: {place.learn} hint {chapter.number} 1", "dim")
    memory.remember(chapter, hints=at + 1)
# SPDX-License-Identifier: MIT
