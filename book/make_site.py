#!/usr/bin/env python3
"""Usage: make_site.py MDBOOK BOOK SITE PLAYGROUND | MDBOOK BOOK SITE none WHY

Makes the book's site, and adds to it the boxes that run kernels (common/playground), whose scripts lie in PLAYGROUND; or says why
there are none.
"""
import pathlib
import subprocess
import sys

mdbook, book, site, playground = sys.argv[1:5]
done = subprocess.run([mdbook, "build", book, "--dest-dir", site], check=False)
if done.returncode:
    sys.exit(done.returncode)
if playground == "none":
    print(f"book: without the boxes that run kernels: {sys.argv[5]}")
else:
    add = pathlib.Path(__file__).resolve().parents[1] / "common/playground/add_to_site.py"
    sys.exit(subprocess.run([sys.executable, add, site, playground], check=False).returncode)
