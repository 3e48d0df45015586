"""Pages of the book as text for a terminal: includes in place, figures by their descriptions, folds closed."""
import html
import os
import pathlib
import re
import webbrowser

from learn import judging, verdict
from learn.hints import INCLUDE, included
from learn.place import Unknown

FENCE = re.compile(r"(^```.*?^```[ ]*$)", re.DOTALL | re.MULTILINE)
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>.*?</details>", re.DOTALL)
FIGURE = re.compile(r"<figure[^>]*>.*?<title[^>]*>(.*?)</title>.*?</figure>", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
STEPPER = re.compile(r'<div class="stepper".*?</table>\s*</div>\s*</div>', re.DOTALL)
MODEL = re.compile(r'<div class="model"[^>]*>\s*</div>')
ID = re.compile(r"^(#+ .*?)\s*\{#[^}]*\}[ ]*$", re.MULTILINE)
# A tag, or code in a sentence, where <true> is none.
TAG = re.compile(r"(?P<code>`[^`\n]+(?:\n[^`\n]+)?`)|</?[a-z][a-z0-9]*( [^<>]*)?/?>")
ITEM = re.compile(r"<li>(.*?)</li>", re.DOTALL)
SMALL = {"sup": str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"), "sub": str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")}
DEEPEST = 4  # includes in included files


def page_called(place, word):
    """The path of a page: a chapter's by its number or name, or another page by the name of its file (machine)."""
    name = word.removesuffix(".md")
    path = pathlib.Path(place.source, "book/src", name + ".md")
    if re.fullmatch(r"[a-z_]+", name) and path.is_file():
        return path
    try:
        return place.chapter_called(word).page
    except Unknown as unknown:
        raise Unknown(f"{unknown}. Pages that are no chapters: {other_pages(place)}") from None


def other_pages(place):
    folder = pathlib.Path(place.source, "book/src")
    return ", ".join(sorted(path.stem for path in folder.glob("[a-z]*.md")))


def with_includes(text, folder, depth=0):
    def take(found):
        path = (folder / found.group(1).strip()).resolve()
        if not path.is_file() or depth == DEEPEST:
            return f"*({os.path.relpath(path, folder.parent.parent)} is not there)*"
        part = "\n".join(line for _, line in included(path, found.group(2)))
        return with_includes(part, path.parent, depth + 1)
    return INCLUDE.sub(take, text)


def without_spoilers(text):
    """(the text to the end of the exercise, whether anything was left out): what follows shows the solved kernel at work."""
    headings = list(re.finditer(r"^## (.*)$", text, re.MULTILINE))
    titles = [found.group(1) for found in headings]
    exercises = [at for at, title in enumerate(titles) if title.startswith(("Exercise", "A second exercise"))]
    if not exercises or exercises[-1] + 1 == len(headings):
        return text, False
    return text[:headings[exercises[-1] + 1].start()], True


def folded(text, hint):
    """Each fold as one line. `hint` is the command that shows hints; a fold of the page that is none says what it is about."""
    count = 0

    def close(found):
        nonlocal count
        title = re.sub(r"<[^>]+>", "", found.group(1)).strip()
        if title == "Answer":  # of a question that the book asks in a box
            return ""
        if not title.startswith("Hint"):
            return f"▸ {title}"
        count += 1
        return f"▸ {title}: `{hint} {count}`"
    return FOLD.sub(close, text)


def as_markdown(text, learn, number, opens):
    """What a page has of HTML becomes Markdown. `learn`: what to type for the command; `opens`: folds stay open."""
    text = FIGURE.sub(lambda found: f"*Figure: {' '.join(found[1].split())}*", text)
    text = STEPPER.sub(f"*(The book plays the kernel here. In a terminal, `{learn} trace {number}` does.)*", text)
    text = MODEL.sub("*(The book has a box here that you can change and run.)*", text)
    if opens:
        text = re.sub(r"<summary>(.*?)</summary>", r"**\1**\n", text)
    else:
        text = folded(text, f"{learn} hint {number}")
    parts = FENCE.split(text)  # code stays as it is
    parts[::2] = [plain(part) for part in parts[::2]]
    return re.sub(r"\n{3,}", "\n\n", "".join(parts)).strip() + "\n"


def plain(text):
    text = COMMENT.sub("", ID.sub(r"\1", text)).replace("<wbr>", "")
    for tag, letters in SMALL.items():
        text = re.sub(f"<{tag}>(.*?)</{tag}>", lambda found, table=letters: found[1].translate(table), text)
    text = re.sub(r"</?code>", "`", text)
    text = re.sub(r"</?(strong|b)>", "**", text)
    text = re.sub(r"</?(em|i)>", "*", text)
    text = ITEM.sub(lambda found: f"- {found[1].strip()}\n", text)
    text = re.sub(r"<br ?/?>|</p>|</div>|<ol[^>]*>|</ol>|</?ul>", "\n\n", text)
    text = TAG.sub(lambda found: found["code"] or "", text)
    return html.unescape(text)


def is_done(place, memory, chapter):
    outcome = chapter.exists() and verdict.remembered(place, memory, chapter)
    return bool(outcome) and judging.state_of(outcome) == "done"


def text_of(place, memory, path, shows_all):
    """(the page in Markdown, what to type for the part that was left out, or None)"""
    chapter = next((chapter for chapter in place.chapters if chapter.page == path), None)
    text, left_out = with_includes(path.read_text(encoding="utf-8"), path.parent), False
    number = chapter.number if chapter else path.stem
    if chapter and not shows_all and not is_done(place, memory, chapter):
        text, left_out = without_spoilers(text)
    markdown = as_markdown(text, place.learn, number, shows_all)
    return markdown, f"{place.learn} read {number} --all" if left_out else None


def show(screen, place, memory, word, shows_all):
    path = page_called(place, word)
    markdown, rest = text_of(place, memory, path, shows_all)
    with screen.pager():
        screen.markdown(markdown)
        if rest:
            screen.line("The rest of the page shows the solved kernel at work. It opens when yours is done; "
                        f"at once: {rest}", "dim")


def browse(screen, place, memory, word, shows_all):
    """In a browser: the book's own page if the book is built, else the text."""
    path = page_called(place, word)
    built = pathlib.Path(place.build, "book", path.stem + ".html")
    if not built.is_file():
        built = pathlib.Path(memory.folder, "pages", path.stem + ".html")
        built.parent.mkdir(parents=True, exist_ok=True)
        markdown, rest = text_of(place, memory, path, shows_all)
        more = f"\n\n---\n\nThe rest of the page shows the solved kernel at work: `{rest}`\n" if rest else ""
        built.write_text(screen.html(markdown + more), encoding="utf-8")
    if not webbrowser.open(built.resolve().as_uri()):
        screen.line(f"no browser was found; the page is {built}")
    return 0
# SPDX-License-Identifier: MIT
