"""Questions about the shape of an instruction: a new shape must not be answered silently.

shape_questions_test.py COMMON_GPUSIM

A question about one shape may be a comparison with it. One about several is a column of ptx/shapes.def or a switch without
`default`, which the compiler checks (-Werror=switch). Prints file and line of each other one, and of each exception in KNOWN
that is no longer needed.
"""
import pathlib
import re
import sys

# Comparisons with several shapes that may stay: what they do not know, they leave out, and nothing becomes wrong.
KNOWN = {
    ("analysis/pointer_origin.cpp", ("address", "move", "select")),  # a message goes without the parameter's name
    ("checking/races/global_use.cpp", ("fence", "warp_barrier")),  # two questions, each about one shape
    ("timing/unrolled_loops.cpp", ("branch", "store")),  # rounds of a loop that are predicted to overlap
}
COMMENT = re.compile(r"//[^\n]*")
SWITCH = re.compile(r"\bswitch\s*\(([^{}]*)\)\s*\{")
STATEMENT = re.compile(r"[^;{}]*[;{]")
COMPARISON = re.compile(r"[=!]=\s*Shape::(\w+)")


def body(text, begin):
    """From behind a brace to the one that closes it."""
    depth = 1
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[begin:at]
    return text[begin:]


def has_default(switch):
    """Whether the switch with this body has one: those inside it do not count."""
    while inner := SWITCH.search(switch):
        switch = switch[: inner.start()] + switch[inner.end() + len(body(switch, inner.end())) + 1 :]
    return re.search(r"\bdefault\s*:", switch) is not None


def line(text, at):
    return text.count("\n", 0, at) + 1


def switches(text):
    """Those over shapes, or over a column of theirs, that have a default."""
    for found in SWITCH.finditer(text):
        if re.search(r"\bshape\b|\bfacts_of\b", found[1]) and has_default(body(text, found.end())):
            yield line(text, found.start())


def comparisons(text):
    """(line, shapes) of each statement or condition that compares with several."""
    for found in STATEMENT.finditer(text):
        shapes = tuple(sorted(set(COMPARISON.findall(found[0]))))
        if len(shapes) > 1:
            yield line(text, found.start() + found[0].index("Shape::")), shapes


def main(root):
    root = pathlib.Path(root)
    complaints, needed, count = [], set(), 0
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".h", ".cpp") or "include" in path.relative_to(root).parts:
            continue
        file = path.relative_to(root).as_posix()
        text = COMMENT.sub("", path.read_text(encoding="utf-8"))
        count += len(re.findall(r"\bShape::\w+|\bfacts_of\(", text))
        complaints += [
            f"common/gpusim/{file}:{at}: this switch over shapes has a default, which answers for a new one: list the shapes"
            for at in switches(text)
        ]
        for at, shapes in comparisons(text):
            if (file, shapes) in KNOWN:
                needed.add((file, shapes))
                continue
            complaints.append(
                f"common/gpusim/{file}:{at}: a question about several shapes ({', '.join(shapes)}), which a new one would not"
                " be asked: make it a column of ptx/shapes.def, or a switch without default"
            )
    complaints += [
        f"{file} no longer asks about {', '.join(shapes)}: take it out of KNOWN" for file, shapes in sorted(KNOWN - needed)
    ]
    print(*complaints, sep="\n")
    print(f"{count} mentions of shapes, {len(complaints)} complaints")
    return 1 if complaints or count == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: shape_questions_test.py COMMON_GPUSIM")
    sys.exit(main(sys.argv[1]))
# SPDX-License-Identifier: MIT
