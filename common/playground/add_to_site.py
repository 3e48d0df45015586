#!/usr/bin/env python3
"""Usage: add_to_site.py SITE FOLDER

Adds the boxes that run kernels to a site that mdBook has made: copies FOLDER's scripts to SITE/playground, and has each page
with a box load them. Without this the pages are whole, and have no boxes.
"""
import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

HERE = pathlib.Path(__file__).resolve().parent
BOX = 'data-model="run"'
FIRST = ("playground.js", "boxes.js", "box.js")  # the others are loaded when a reader runs a kernel

site, folder = map(pathlib.Path, command_line.arguments("SITE_DIR SCRIPTS_DIR"))
target = site / "playground"
target.mkdir(exist_ok=True)
for script in (*folder.glob("*.js"), HERE / "playground.js", HERE / "box.js"):
    shutil.copyfile(script, target / script.name)
tags = "".join(f'<script src="playground/{name}"></script>\n' for name in FIRST)
pages = [page for page in site.glob("*.html") if BOX in page.read_text(encoding="utf-8")]
for page in pages:
    text = page.read_text(encoding="utf-8")
    if "playground/box.js" not in text:
        head, end = text.rsplit("</body>", 1)
        page.write_text(f"{head}{tags}</body>{end}", encoding="utf-8")
print(f"playground: {len(pages)} pages have boxes that run kernels")
# SPDX-License-Identifier: MIT
