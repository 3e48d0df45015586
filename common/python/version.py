"""Prints the version of the project, which stands in the repository's meson.build and nowhere else."""
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).resolve().parents[2] / "meson.build"

found = re.search(r"^  version: '([\d.]+)',$", FILE.read_text(encoding="utf-8"), re.MULTILINE)
if not found:
    sys.exit(f"{FILE}: there is no line \"  version: '1.2.3',\"")
print(found[1])
# SPDX-License-Identifier: MIT
