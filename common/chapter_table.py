"""The table of chapters: the list `chapters` in chapters/meson.build."""
import pathlib
import re

TABLE = "chapters/meson.build"
ROOT = pathlib.Path(__file__).resolve().parents[1]


def stems(root=ROOT):
    """The names of the chapters, `01_global_memory` and so on, in the order of the table."""
    table = pathlib.Path(root, TABLE).read_text(encoding="utf-8").split("chapters = [", 1)[1].split("]", 1)[0]
    return re.findall(r"'(\w+)'", table)
# SPDX-License-Identifier: MIT
