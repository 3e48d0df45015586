#!/usr/bin/env python3
"""Every program that README.md or a page names by its path in build/ is there after `meson test`. Suite `build`.

named_programs_test.py SOURCE_DIR BUILD_DIR [--gpu]     --gpu: programs for a GPU are built as well
"""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

NAMED = re.compile(r"(?<![\w/])(?:\./)?build/((?:chapters|solutions)/\d\d_\w+(?:\.\w+)*)")


def main():
    source, build, *gpu = command_line.arguments("SOURCE_DIR BUILD_DIR [--gpu]")
    missing, named = [], 0
    for page in [pathlib.Path(source, "README.md"), *sorted(pathlib.Path(source, "book/src").glob("*.md"))]:
        for program in sorted(set(NAMED.findall(page.read_text(encoding="utf-8")))):
            if program.endswith(".gpu") and not gpu:
                continue
            named += 1
            if not pathlib.Path(build, program).is_file():
                missing.append(f"{page.relative_to(source)}: build/{program} is not there")
    if not named:
        missing.append("no page names a program: is it still written build/chapters/NN_topic?")
    print(f"{named} names of programs")
    sys.exit("\n".join(missing) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
