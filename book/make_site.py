#!/usr/bin/env python3
"""Usage: make_site.py MDBOOK BOOK_DIR SITE PLAYGROUND_DIR | MDBOOK BOOK_DIR SITE none WHY

Makes the book's site, and adds to it the boxes that run kernels (common/playground), whose scripts lie in
PLAYGROUND_DIR; or says why there are none.
"""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

mdbook, book, site, playground, *why = command_line.arguments(
    "MDBOOK BOOK_DIR NEW_SITE none WHY", "MDBOOK BOOK_DIR NEW_SITE PLAYGROUND_DIR")
done = subprocess.run([mdbook, "build", book, "--dest-dir", site], check=False)
if done.returncode:
    sys.exit(done.returncode)
if playground == "none":
    print(f"book: without the boxes that run kernels: {why[0]}")
else:
    add = pathlib.Path(__file__).resolve().parents[1] / "common/playground/add_to_site.py"
    sys.exit(subprocess.run([sys.executable, add, site, playground], check=False).returncode)
# SPDX-License-Identifier: MIT
