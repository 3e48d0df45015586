#!/usr/bin/env python3
"""Makes the site for the tests in a browser: site.py MDBOOK BOOK_DIR SITE [PLAYGROUND_DIR], with the boxes that run kernels if
PLAYGROUND_DIR has their scripts.

A page that mdBook cannot read must not stop all other tests, so this ends with 0 in any case, and leaves mdBook's
messages in SITE/failed.txt for the tests to show.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line

REPOSITORY = "https://example.org/repository"  # tests/book/promises_reading.mjs expects it on the page

mdbook, book, site, *playground = command_line.arguments("MDBOOK BOOK_DIR NEW_SITE [PLAYGROUND_DIR]")
environment = {**os.environ, "MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL": REPOSITORY}
done = subprocess.run([mdbook, "build", book, "--dest-dir", site], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      text=True, check=False, env=environment)
if done.returncode:
    shutil.rmtree(site, ignore_errors=True)
    pathlib.Path(site).mkdir(parents=True)
    pathlib.Path(site, "failed.txt").write_text(done.stdout, encoding="utf-8")
elif playground:
    add = pathlib.Path(book).parent / "common/playground/add_to_site.py"
    subprocess.run([sys.executable, add, site, *playground], check=True)
# SPDX-License-Identifier: MIT
