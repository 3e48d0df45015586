#!/usr/bin/env python3
"""Usage: judged_words.py TEST SOLUTION NEW_SOURCE

Writes the source that a chapter's judge is compiled from: it includes the chapter's TEST, and then asks
whether the judged kernels.cuh has defined a macro whose name is a word of the test, or of C++. Such a
macro would change what the test does. A word that the exercise has itself, as its SOLUTION shows, may be a
macro.
"""
import pathlib
import re
import sys

KEYWORDS = """auto bool break case catch char class const constexpr continue default delete do double else enum explicit false
float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public return short
signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile
while""".split()
CUDA_KEYWORD = re.compile(r"__\w+__")
NO_WORDS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def text_of(path):
    return NO_WORDS.sub(" ", path.read_text(encoding="utf-8"))


def names_of(path):
    return set(re.findall(r"[A-Za-z_]\w*", text_of(path)))


def words_of(path):
    """Names, except for those that are macros already: all in capitals, or keywords of CUDA such as __host__."""
    return {name for name in names_of(path) if name.upper() != name and not CUDA_KEYWORD.fullmatch(name)}


def included(path):
    """The file and the headers beside it that it includes."""
    yield path
    for name in re.findall(r'^#include ["<]([^">]+)[">]', path.read_text(encoding="utf-8"), re.MULTILINE):
        beside = path.parent / name
        if beside.exists():
            yield from included(beside)


def main(test, solution, source):
    test = pathlib.Path(test)
    words = set().union(*map(words_of, included(test))) - words_of(pathlib.Path(solution))
    lines = [f'#include "{test}"']
    for word in sorted(words | set(KEYWORDS)):
        lines += [f"#ifdef {word}", f"#error judged word: {word}", "#endif"]
    pathlib.Path(source).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(f"judged_words.py: expected: {__doc__.splitlines()[0].removeprefix('Usage: judged_words.py ')}")
    main(*sys.argv[1:])
# SPDX-License-Identifier: MIT
