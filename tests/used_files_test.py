#!/usr/bin/env python3
"""Every file in tests/ is used: a test that nobody runs cannot fail. Suite `build`.

used_files_test.py TESTS_DIR

A file is used if a meson.build names its path, or one of its folder or above names its stem; if it belongs to a chapter or to a
row of opcodes.def; or if a file that is used includes it, imports it, names it in quotes, or says `// with: NAME`.
(The kernels in tests/wrong and tests/right have a test of their own in the suite `contract`. attacks_test.py tries all attacks.)
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import chapter_table
import command_line

SOURCES = {".cpp", ".h", ".cu", ".cuh", ".py", ".mjs", ".js"}
NOT_TESTS = {"README.md", "meson.build", "package.json", "package-lock.json"}
OTHER_FOLDERS = ("node_modules", "__pycache__", "wrong", "right", "attacks")
INCLUDED = re.compile(r'#include\s*[<"]([^>"]+)[>"]|^// with: (\S+)', re.MULTILINE)
IMPORTED = re.compile(r"^\s*(?:import|from) ([\w.]+)", re.MULTILINE)
QUOTED = re.compile(r"""(["'`])((?:(?!\1)[^\n])*)\1""")


def text_of(path):
    return path.read_text(encoding="utf-8")


def names_in(path):
    """The last parts of the paths that a source names: lane.h, scratch.py."""
    text, names = text_of(path), set()
    if path.suffix in (".cpp", ".h", ".cu", ".cuh"):
        names.update(name for pair in INCLUDED.findall(text) for name in pair)
    else:
        names.update(quoted for _, quoted in QUOTED.findall(text))
    if path.suffix == ".py":
        names.update(module.split(".")[-1] + ".py" for module in IMPORTED.findall(text))
    return {name.split("/")[-1] for name in names}


def listed_in(tests):
    """What the files meson.build name: paths, and for each folder with such a file the words in quotes."""
    paths, words = set(), {}
    for build in [tests.parent / "meson.build", *tests.rglob("meson.build")]:
        code = re.sub(r"(?m)#.*$", "", text_of(build)).replace("\\'", "")  # an apostrophe in a comment begins no quotation
        words[build.parent] = {quoted for _, quoted in QUOTED.findall(code)}
        paths |= {(build.parent / word).resolve() for word in words[build.parent] if "\n" not in word}
    return paths, words


def is_listed(path, paths, words):
    return path in paths or any({path.stem, path.name} & words.get(folder, set()) for folder in path.parents)


def belongs(path, tests):
    """Whether the file follows from a table, that of the chapters or that of the instructions, or from a chapter's file."""
    if path.parent == tests / "chapters":
        return path.name.split(".")[0] in chapter_table.stems(tests.parent)
    if path.parent == tests / "gpusim/ptx":
        rows = text_of(tests.parent / "common/gpusim/ptx/opcodes.def")
        return f"\nOP({path.stem}," in rows
    if path.parent == tests / "gpusim/prove/contracts/other_files":  # of a chapter's file: 03_divergence.active_warps.cu.json
        chapter, file = path.stem.split(".", 1)
        return any((tests.parent / folder / chapter / file).exists() for folder in ("chapters", "solutions"))
    return False


def unused(tests):
    files = {path for path in tests.rglob("*") if path.is_file() and path.name not in NOT_TESTS
             and not set(path.relative_to(tests).parts) & set(OTHER_FOLDERS)}
    paths, words = listed_in(tests)
    used = {path for path in files if is_listed(path, paths, words) or belongs(path, tests)}
    elsewhere = [tests / "wrong", tests / "right", tests.parent / "common", tests.parent / "book"]
    names = {name for folder in elsewhere for path in folder.rglob("*")
             if path.suffix in SOURCES and path.is_file() for name in names_in(path)}
    new = used
    while new:
        for path in new:
            if path.suffix in SOURCES:
                names |= names_in(path)
        new = {path for path in files - used if path.name in names or (path.suffix == ".cu" and path.stem in names)}
        used = used | new
    return len(files), sorted(files - used)


def main():
    tests = pathlib.Path(command_line.arguments("TESTS_DIR")[0]).resolve()
    count, left = unused(tests)
    for path in left:
        print(f"tests/{path.relative_to(tests)}: no meson.build names this file, and no file that is used includes it")
    print(f"{count} files, {len(left)} unused")
    return 1 if left or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
