#!/usr/bin/env python3
"""Usage: stage_kernels.py TESTS_DIR SOLUTIONS_DIR BUILD_DIR CHAPTER…

Puts each kernel of TESTS_DIR/{wrong,right}/CHAPTER into BUILD_DIR/{wrong,right}/CHAPTER/NAME/kernels.cuh, where the
chapter's test program finds it as <kernels.cuh>. NAME.cuh is a whole file, which the staged one includes. NAME.edit
says what it changes in SOLUTIONS_DIR/CHAPTER/kernels.cuh, and the staged file is the solution with that change:

    // rejected: race
    // Why this is wrong. The comment comes first in the staged file.
    @@ __device__ float block_sum(float sum) {
       if (lane == 0) warp_sums[warp] = sum;
    -  __syncthreads();  // every warp's sum is written before the first warp reads it
    +  __syncwarp();

As in a diff, `-` marks a line that goes, `+` one that comes, a space one that stays. The old lines must occur once in
the solution; where text follows the @@, they are looked for from the one line that contains it.

Prints a line for each, with tabs between {wrong,right}/CHAPTER/NAME, its file in TESTS_DIR, the file that messages
name, and `stretch` where the first line of a right kernel says that it reaches the chapter's harder target (else `-`).
Writes the names to BUILD_DIR/kernels_staged.txt. Meson runs it when it configures, and again when a solution or an edit
changes.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line
import whole_file

REASON = "// rejected: "
REACHED = "// stretch: reached"
MARKS = ("-", "+", " ")


def stop(path, line, complaint):
    sys.exit(f"{path}:{line}: {complaint}")


def places_of(part, lines, start):
    """Where `part` begins in `lines`, at or after `start`."""
    return [i for i in range(start, len(lines) - len(part) + 1) if lines[i:i + len(part)] == part]


def read_edit(path):
    """The comment of an edit, and its changes: (line number, text after the @@, [(mark, line)])."""
    comment, changes = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").rstrip("\n").split("\n"), 1):
        if line.startswith("@@"):
            changes.append((number, line[2:].strip(), []))
        elif not changes:
            if not line.startswith("//"):
                stop(path, number, "expected the comment that explains the edit, or the @@ of its first change")
            comment.append(line)
        elif line and line[0] not in MARKS:
            stop(path, number, "expected a line of a change, which begins with -, + or a space; or @@")
        else:
            changes[-1][2].append((line[:1] or " ", line[1:]))
    if not changes:
        stop(path, 1, "no change: @@ begins one")
    return comment, changes


def edited(path, solution):
    """The text of the solution with the edit of `path`."""
    comment, changes = read_edit(path)
    lines = solution.read_text(encoding="utf-8").split("\n")
    for number, after, marked in changes:
        while marked and marked[-1] == (" ", ""):
            marked.pop()  # an empty line before the next @@
        old = [line for mark, line in marked if mark != "+"]
        if not old or all(mark == " " for mark, _ in marked):
            stop(path, number, "a change needs an old line, to say where it is, and a line with - or +")
        starts = [i for i, line in enumerate(lines) if after in line] if after else [0]
        if len(starts) != 1:
            stop(path, number, f"{len(starts)} lines contain `{after}`, expected 1, in {solution} as edited so far")
        found = places_of(old, lines, starts[0])
        if not found or (len(found) > 1 and not after):
            stop(path, number, f"the old lines occur {len(found)} times, expected once, in {solution} as edited so "
                               "far; the first is: " + old[0].strip())
        lines[found[0]:found[0] + len(old)] = [line for mark, line in marked if mark != "-"]
    return "\n".join(comment + lines)


def write(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:  # else all would be compiled again
        whole_file.write(path, text)


def main(*arguments):
    tests, solutions, build = map(pathlib.Path, arguments[:3])
    for folder in (tests, solutions, *(solutions / chapter for chapter in arguments[3:])):
        if not folder.is_dir():
            command_line.stop(f"{folder}: no such folder")
    names = []
    for kind in ("wrong", "right"):
        for chapter in arguments[3:]:
            files = [path for path in (tests / kind / chapter).glob("*") if path.suffix in (".cuh", ".edit")]
            for path in sorted(files):
                name = f"{kind}/{chapter}/{path.stem}"
                if name in names:
                    stop(path, 1, f"{path.stem}.cuh and {path.stem}.edit are one kernel; delete one of them")
                first_line = path.read_text(encoding="utf-8").split("\n", 1)[0]
                if kind == "wrong" and not (first_line.startswith(REASON) and first_line[len(REASON):].strip()):
                    stop(path, 1, f"the first line must say which verdict to expect, like `{REASON}race`")
                staged, is_edit = build / name / "kernels.cuh", path.suffix == ".edit"
                write(staged, edited(path, solutions / chapter / "kernels.cuh") if is_edit else f'#include "{path}"\n')
                names.append(name)
                print(name, path.relative_to(tests), staged if is_edit else path,
                      "stretch" if kind == "right" and first_line == REACHED else "-", sep="\t")
    write(build / "kernels_staged.txt", "".join(name + "\n" for name in names))


if __name__ == "__main__":
    command_line.run(main, __doc__, "TESTS_DIR SOLUTIONS_DIR BUILD_DIR CHAPTER…",
                     lambda arguments: len(arguments) > 3 and command_line.options_first(arguments))
# SPDX-License-Identifier: MIT
