#!/usr/bin/env python3
"""Every source file says its licence in one line, as https://spdx.dev writes it: the first that does, or the last line, so that
tests which quote line numbers stay right.

usage: licence_test.py ROOT [--write]      --write appends the line where it is missing
"""
import pathlib
import sys

LINE = "SPDX-License-Identifier: MIT"
COMMENTS = {"//": (".h", ".cpp", ".cu", ".cuh", ".def", ".js", ".mjs"), "#": (".py", ".sh", ".build"), "/*": (".css",)}
WITHOUT_SUFFIX = ("common/gpusim/include", ".ci")
# Written by programs of this repository, or not a part of it.
LEFT_OUT = ("book/generated", "book/src/steps", "node_modules", ".git", ".cache", ".learn")


def comment_of(path):
    if path.suffix == "" and any(path.as_posix().startswith(folder + "/") for folder in WITHOUT_SUFFIX):
        return "#" if path.parts[0] == ".ci" else "//"
    return next((comment for comment, suffixes in COMMENTS.items() if path.suffix in suffixes), None)


def sources(root):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if name.parts[0].startswith("build") or any(name.as_posix().startswith(f"{folder}/") or folder in name.parts
                                                    for folder in LEFT_OUT):
            continue
        if path.is_file() and not path.is_symlink() and comment_of(name):
            yield path, comment_of(name)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--write"]):
        sys.exit(__doc__)
    root, count, missing = pathlib.Path(sys.argv[1]), 0, []
    for path, comment in sources(root):
        count += 1
        text = path.read_text(encoding="utf-8")
        if LINE in text:
            continue
        if sys.argv[2:]:
            path.write_text(text + ("" if text.endswith("\n") or not text else "\n") +
                            f"{comment} {LINE}" + (" */" if comment == "/*" else "") + "\n", encoding="utf-8")
        else:
            missing.append(f"{path.relative_to(root)}: its last line should be '{comment} {LINE}'")
    if missing or count == 0:
        sys.exit("\n".join([*missing[:20], f"{len(missing)} of {count} source files do not say their licence; "
                            "python3 tests/licence_test.py . --write adds the line"]))
    print(f"{count} source files")


if __name__ == "__main__":
    main()
