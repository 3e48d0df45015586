#!/usr/bin/env python3
"""Lines and branches that ran, by folder, and in a file by file with those that did not.

usage: coverage_table.py COUNTS.LCOV SOURCE_DIR NEW_TABLE.TXT

What a folder offers to kernels (SOURCE_DIR/include) is left out: a kernel's lines are PTX, whose
counts are another thing (--profile).
"""
import collections
import os
import sys

import command_line


class File:
    def __init__(self):
        self.lines, self.run_lines, self.branches, self.run_branches = 0, 0, 0, 0
        self.missing, self.half = [], set()

    def add(self, other):
        self.lines += other.lines
        self.run_lines += other.run_lines
        self.branches += other.branches
        self.run_branches += other.run_branches


def read(path, folder):
    """The files of the folder, by name."""
    root = os.path.join(os.getcwd(), "")
    files, file = {}, None
    with open(path, encoding="utf-8") as counts:
        for line in counts:
            kind, _, value = line.rstrip("\n").partition(":")
            if kind == "SF":
                name = os.path.normpath(value).removeprefix(root)
                is_ours = name.startswith(folder + "/") and not name.startswith(folder + "/include/")
                file = files.setdefault(name, File()) if is_ours else None
            elif file is None:
                continue
            elif kind == "DA":
                number, count = value.split(",")[:2]
                if count == "0":
                    file.missing.append(int(number))
            elif kind == "BRDA":
                number, *_, count = value.split(",")
                if count in ("0", "-"):
                    file.half.add(int(number))
            elif kind in ("LF", "LH", "BRF", "BRH"):
                member = {"LF": "lines", "LH": "run_lines", "BRF": "branches", "BRH": "run_branches"}[kind]
                setattr(file, member, int(value))
    return files


def runs(numbers):
    """3, 4, 5, 9 as 3-5,9."""
    found = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def share(run, all_of_them):
    return f"{100 * run / all_of_them:5.1f} %" if all_of_them else "      –"


def row(name, file):
    return (f"{name:44} {file.run_lines:6} of {file.lines:6} {share(file.run_lines, file.lines)}"
            f"  {file.run_branches:6} of {file.branches:6} {share(file.run_branches, file.branches)}")


HEAD = f"{'':44} {'lines':>23}  {'branches':>23}"


def main():
    counts, folder, out = command_line.arguments("COUNTS.LCOV SOURCE_DIR NEW_TABLE.TXT")
    files = read(counts, folder)
    if not files:
        sys.exit(f"coverage_table.py: {counts} has no file of {folder}: has its library been built there?")
    folders, total = collections.defaultdict(File), File()
    for name, file in files.items():
        folders[os.path.dirname(name)].add(file)
        total.add(file)
    print(f"\n{HEAD}")
    for name in sorted(folders):
        print(row(name, folders[name]))
    print(row(f"all of {folder}", total))
    with open(out, "w", encoding="utf-8") as text:
        print(HEAD, file=text)
        for name in sorted(files):
            file = files[name]
            print(row(name, file), file=text)
            if file.missing:
                print(f"    never run: {runs(file.missing)}", file=text)
            if half := file.half - set(file.missing):
                print(f"    one way only: {runs(half)}", file=text)
    print(f"file by file: {out}")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
