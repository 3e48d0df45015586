#!/usr/bin/env python3
"""Usage: unite.py OUTPUT.cpp FILE.cpp...

One file that includes the others, to be compiled in their place.
"""
import pathlib
import sys

if len(sys.argv) < 3:
    sys.exit("unite.py: expected: unite.py OUTPUT.cpp FILE.cpp...")
output, *sources = map(pathlib.Path, sys.argv[1:])
output.write_text("".join(f'#include "{source.resolve()}"\n' for source in sources), encoding="utf-8")
