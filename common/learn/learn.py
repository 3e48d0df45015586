#!@PYTHON@
"""Where am I, is this right, and what next? `learn --help` lists what it can do."""
import signal
import sys

signal.signal(signal.SIGINT, signal.SIG_DFL)  # cli.py takes over as soon as there is something to tidy up
sys.path.insert(0, "@SOURCE@/common")
from learn import cli
from learn.place import Place

cli.run(Place("@SOURCE@", "@BUILD@", "@CHAPTERS@".split(), "@SUFFIX@"))
# SPDX-License-Identifier: MIT
