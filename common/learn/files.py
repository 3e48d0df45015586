"""The learner's file: its difference from the solution, and how to bring back the starter or an earlier version."""
import difflib
import subprocess

from learn.chapter import Missing
from learn.memory import write


def difference(place, chapter):
    mine, solution = (path.read_text(encoding="utf-8").splitlines() for path in (chapter.kernels, chapter.solution))
    return list(difflib.unified_diff(mine, solution, place.shown(chapter.kernels), place.shown(chapter.solution), lineterm=""))


def git(chapter, *arguments):
    try:
        done = subprocess.run(["git", *arguments], cwd=chapter.kernels.parent, capture_output=True, check=False)
    except OSError:
        return b""
    return done.stdout if done.returncode == 0 else b""


def starter(memory, chapter):
    """The exercise as shipped: the file itself, a copy that an earlier run has kept, or a version in git's history."""
    for path in (chapter.kernels, memory.starter_path(chapter)):
        if path.exists() and chapter.is_starter(path.read_bytes()):
            return path.read_bytes()
    for commit in git(chapter, "log", "--format=%H", "--", chapter.kernels.name).decode().split():
        content = git(chapter, "show", f"{commit}:./{chapter.kernels.name}")
        if chapter.is_starter(content):
            return content
    raise Missing(f"the exercise as shipped is neither in .learn/starters nor in git's history: {chapter.kernels}")


def reset(screen, place, memory, chapter):
    content = starter(memory, chapter)
    if not chapter.exists():
        write(chapter.kernels, content)
        memory.remember(chapter, hints=0, stretch=False)
        screen.line(f"{place.shown(chapter.kernels)} was missing, and is there again as shipped.")
        return
    if chapter.content() == content:
        screen.line(f"{place.shown(chapter.kernels)} is as shipped already.")
        return
    kept = memory.keep(chapter)
    memory.keep_last(chapter, chapter.content())
    write(chapter.kernels, content)
    memory.remember(chapter, hints=0, stretch=False)
    screen.line(f"{place.shown(chapter.kernels)} is as shipped again.")
    screen.line(f"Your version is {place.shown(kept)}; it comes back by: {place.learn} restore {chapter.number}", "dim")


def restore(screen, place, memory, chapter):
    last = memory.last(chapter)
    if last is None:
        raise Missing(f"nothing is kept of chapter {chapter.number}: `learn reset` and the judge keep what they see")
    content = last.read_bytes()
    if chapter.exists() and chapter.content() == content:
        screen.line(f"{place.shown(chapter.kernels)} is your last version already.")
        return
    if chapter.exists() and not chapter.is_as_shipped():
        screen.line(f"What was there is {place.shown(memory.keep(chapter))}.", "dim")
    write(chapter.kernels, content)
    memory.remember(chapter)
    screen.line(f"{place.shown(chapter.kernels)} is your last version again.")
# SPDX-License-Identifier: MIT
