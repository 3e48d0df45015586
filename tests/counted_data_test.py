#!/usr/bin/env python3
"""counted_data_test.py FILE.json PROGRAM: FILE.json is what `PROGRAM --json` prints, byte for byte."""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

file, program = command_line.arguments("FILE.JSON PROGRAM")
now = subprocess.run([program, "--json"], capture_output=True, text=True, check=True).stdout
if pathlib.Path(file).read_text(encoding="utf-8") != now:
    sys.exit(f"{file} is out of date; make it again: {program} --json > {file}\n{now}")
# SPDX-License-Identifier: MIT
