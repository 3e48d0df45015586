"""Runs a notebook without a browser, as `jupyter execute` does. A Python with nbclient and ipykernel runs this.

run_notebook.py NOTEBOOK NEW_NOTEBOOK
"""
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
# SPDX-License-Identifier: MIT
