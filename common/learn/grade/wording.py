"""What a submission must not contain: words that would reach into the judge's device code, which is compiled with it.

The judge's host code cannot be reached at all. But some of its kernels call functions of the submission, so they are compiled
together. A macro of a name that they use is found behind the last of them (tests/judged_words.py). What could hide one is refused
here.
"""
import re

RAW_STRING = re.compile(r'\b(?:u8|[uUL])?R"')
SPLICE = re.compile(r"\\[ \t]*\r?\n")
# What never ends does so with the line or the file: no text takes longer to read than its length asks.
NO_WORDS = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?", re.DOTALL)
NUMBER = re.compile(r"\b\d[\w']*")  # 1'000'000 begins no character
REFUSED = [
    (re.compile(r"\b(judge|doctest|harness|gpusim)\b"), "it names {0}, which is the judge's"),
    (re.compile(r"\b(_Pragma|__pragma|push_macro|pop_macro|redefine_extname)\b"), "it uses {0}, which could hide a macro"),
    (re.compile(r"(##|%:%:)"), "it pastes tokens with {0}, which could hide a name"),
    (re.compile(r"(\\u[0-9a-fA-F]|\\U[0-9a-fA-F]|\\N\{)"), "it writes letters as {0}…, which could hide a name"),
    (re.compile(r"^[ \t]*((?:#|%:)[ \t]*(?:include_next|import|line|ident|\d+))\b", re.MULTILINE),
     "it uses {0}, which no exercise needs"),
]


def complaint(text):
    """Why a submission is not compiled, in one line; None if it may be."""
    spliced = SPLICE.sub("", text)
    if RAW_STRING.search(spliced):
        return "it has a raw string, R\"…\", which could hide a name; write it as a plain string"
    plain = NO_WORDS.sub(" ", NUMBER.sub("0", spliced))
    for pattern, why in REFUSED:
        if found := pattern.search(plain):
            return why.format(f"`{found.group(1)}`" if found.group(1) else "")
    return None
# SPDX-License-Identifier: MIT
