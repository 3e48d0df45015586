#!/usr/bin/env python3
"""Usage: unite.py OUTPUT.cpp FILE.cpp...

One file that includes the others, to be compiled in their place.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

output, *sources = map(pathlib.Path, command_line.arguments("NEW_OUTPUT.CPP FILE.CPP…"))
output.write_text("".join(f'#include "{source.resolve()}"\n' for source in sources), encoding="utf-8")
# SPDX-License-Identifier: MIT
