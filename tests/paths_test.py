#!/usr/bin/env python3
"""paths_test.py ROOT_DIR

Every file that a comment, document or message names exists, so nobody looks for one that has moved.

A path counts if it begins with a folder of the top level and ends as a source file does. Words in capitals stand for any name:
NN_topic, NAME, GPU.
"""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

SUFFIXES = (".h", ".cpp", ".cu", ".cuh", ".def", ".py", ".sh", ".md", ".build", ".js", ".mjs", ".css")
PATH = re.compile(r"(?<![\w/.-])(?:book|chapters|common|solutions|tests)/[\w./-]+"
                  r"\.(?:cuh|cpp|cu|def|h|json|md|mjs|js|py|sh|txt)\b")
ANY_NAME = re.compile(r"NN|NAME|GPU|PAGE|CHAPTER|FILE")
# Made-up paths: examples for readers, and what tests write themselves.
EXAMPLES = {
    "chapters/16_attention/kernels.cuh": "the example of a new chapter",
    "book/data/times.json": "a file that numbers_notice_test.py writes",
    "tests/chapters/helpers.cuh": "a file that parts_test.py writes",
}
WRONG_ON_PURPOSE = ("tests/wrong/", "tests/right/", "tests/grade/hostile/")


def main():
    root = pathlib.Path(*command_line.arguments("ROOT_DIR"))
    if shutil.which("git") is None:
        print("skipped: there is no git here to list the files of the repository")
        sys.exit(77)
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], stdout=subprocess.PIPE, text=True, check=False)
    if listed.returncode:
        print("skipped: not a git checkout, so the files of the repository are not known")
        sys.exit(77)
    complaints, count = [], 0
    for name in listed.stdout.split("\0"):
        if not name.endswith(SUFFIXES) or name.startswith(WRONG_ON_PURPOSE) or not (root / name).is_file():
            continue
        for number, line in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1):
            for path in PATH.findall(line):
                count += 1
                if path not in EXAMPLES and not ANY_NAME.search(path) and not (root / path).exists():
                    complaints.append(f"{name}:{number}: {path} is not there")
    if count < 200:
        sys.exit(f"{count} paths found: this test no longer reads the files")
    sys.exit("\n".join(complaints) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
