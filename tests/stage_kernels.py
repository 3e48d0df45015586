#!/usr/bin/env python3
"""Usage: stage_kernels.py TESTS_DIR BUILD_DIR CHAPTER…

For each TESTS_DIR/{wrong,right}/CHAPTER/NAME.cuh writes BUILD_DIR/{wrong,right}/CHAPTER/NAME/kernels.cuh, which
includes it, so that the chapter's test program finds it as <kernels.cuh>. Prints {wrong,right}/CHAPTER/NAME, a
line each, and writes the same to BUILD_DIR/kernels_staged.txt. Meson runs it when it configures.
"""
import pathlib
import sys

REASON = "// rejected: "


def stage(kernels: pathlib.Path, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "kernels.cuh"
    text = f'#include "{kernels}"\n'
    if not header.exists() or header.read_text(encoding="utf-8") != text:  # else all would be compiled again
        header.write_text(text, encoding="utf-8")


tests, build = map(pathlib.Path, sys.argv[1:3])
staged = []
for kind in ("wrong", "right"):
    for chapter in sys.argv[3:]:
        for kernels in sorted((tests / kind / chapter).glob("*.cuh")):
            first_line = kernels.read_text(encoding="utf-8").split("\n", 1)[0]
            if kind == "wrong" and not (first_line.startswith(REASON) and first_line[len(REASON):].strip()):
                sys.exit(f"{kernels}:1: the first line must say which verdict to expect, like `{REASON}race`")
            stage(kernels, build / kind / chapter / kernels.stem)
            staged.append(f"{kind}/{chapter}/{kernels.stem}\n")
(build / "kernels_staged.txt").write_text("".join(staged), encoding="utf-8")
print("".join(staged), end="")
