"""What a finding's message advises, and which edit of a faulty program follows it.

A message advises something where a clause begins with one of FORMS: "… nothing orders them: put __syncthreads() between
writing and reading". A question ("does this loop end?") is no advice. A clause may offer alternatives: "let one thread
store, or use an atomic".
"""
import pathlib
import re

# How the clauses of advice begin in the messages of common/gpusim. A message that gives advice in another form goes
# untested, so a new form belongs here. ("the flag, read at a.cu:3, orders nothing yet" is none, nor "set at".)
IMPERATIVES = [
    "allocate", "allow", "call", "check", "choose", "compile", "compute", "copy", "divide", "do not", "fork", "free", "give",
    "go", "guard", "initialise", "keep", "launch", "leave", "let", "load", "make", "pass", "publish", "put", "raise",
    "read(?! at )", "set(?! at )", "store", "synchronise", "take", "try", "use", "wait", "write",
]
FORMS = rf"(?:(?:{'|'.join(IMPERATIVES)})\b|(?:every|each|all|a|one) [^,]*? must )"

ADVICE = re.compile(rf"(?:^|, |\b(?:so|or|and|then) )({FORMS}.*)$")
# Neither "a width of 1, 2 or 4" nor "are read or added to" is a choice between things to do.
ALTERNATIVE = re.compile(r",? or (?!\d|\w+ed\b)|, (?!\d|or |and |if |not |with |then |so |but |which )")
LIST_IN_PARENTHESES = re.compile(r"\(([^()]*\bor\b[^()]*)\)")
# What stands behind the last clause: (the other access: file:12:3) [kernel], or of a fault (kernel, block 0, thread 0).
TAIL = re.compile(r"( \(the other [a-z]+: [^()]*\))?( \[[^\]]*\])?$|( \([^()]*, block [^()]*(\([^()]*\)[^()]*)*\))$")
HEAD_LINE = re.compile(r"// advice: (?:\((?P<variant>ADVISED\w*)\) )?(?P<text>.*)\n$")


def read_head_line(line):
    """(macro of the variant that follows it, or FIXED for the right twin; its words), or None for another line."""
    match = HEAD_LINE.match(line)
    return (match["variant"] or "FIXED", match["text"]) if match else None


def _parts(text, ends):
    """The text between characters of `ends` that a blank follows, outside parentheses; with the character behind each."""
    depth = begin = 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and c in ends and text[k + 1:k + 2] in ("", " "):
            yield text[begin:k], c
            begin = k + 2
    yield text[begin:], ""


def clauses(message):
    """The clauses of a message that give advice, each with all its alternatives."""
    found = [ADVICE.search(part) for part, end in _parts(TAIL.sub("", message), ":;?.") if end != "?"]
    return [match.group(1) for match in found if match]


def alternatives(clause):
    """What a reader may choose from: "initialise it (cudaMemset, or store before reading)" has two."""
    hidden, lists = [], LIST_IN_PARENTHESES.findall(clause)
    without = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", lambda m: hidden.append(m.group()) or f"\0{len(hidden) - 1}\0", clause)
    choices = []
    for part in ALTERNATIVE.split(without):
        part = re.sub(r"\0(\d+)\0", lambda m: hidden[int(m.group(1))], part)
        here = [items for items in lists if f"({items})" in part]
        choices += [item for items in here for item in ALTERNATIVE.split(items)] or [part]
    return choices


def follows(text, alternative):
    return text in alternative or alternative in text


def texts_of_folder(program):
    """The words of all '// advice:' lines of the faulty programs next to this one."""
    texts = []
    for path in pathlib.Path(program).parent.glob("*.cu"):
        with open(path, encoding="utf-8") as file:
            texts += [line[1] for line in map(read_head_line, file) if line]
    return texts


def problems(messages, tested, of_folder):
    """What is advised and not tested, or tested and not advised.

    messages: of all findings; tested: the words that this program's edits follow; of_folder: those of all programs.
    """
    advised = sorted({clause for message in messages for clause in clauses(message)})
    found = []
    for clause in advised:
        if not any(text in clause for text in tested):
            found.append(f"no edit of this program tests the advice: {clause}")
        found += [f"no edit of any program tests this alternative: {choice}" for choice in alternatives(clause)
                  if not any(follows(text, choice) for text in of_folder)]
    for text in tested:
        chosen = [{choice for choice in alternatives(clause) if follows(text, choice)} for clause in advised if text in clause]
        if not chosen:
            found.append(f"no finding advises: {text}")
        elif any(len(choices) != 1 for choices in chosen):
            found.append(f"not one alternative of what is advised: {text}")
    return found
# SPDX-License-Identifier: MIT
