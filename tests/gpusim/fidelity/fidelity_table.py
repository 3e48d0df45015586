#!/usr/bin/env python3
"""Runs the solved programs, then the fidelity test on their profiles, and keeps its table in the book's data the one
that it prints.

fidelity_table.py TEST NCU_DATA TABLE.json STEP…            fails if the test does, or if the table has changed
fidelity_table.py --write TEST NCU_DATA TABLE.json STEP…    writes the table
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line
from measuring.programs import COUNTED_SHAPE, PRODUCTS, shape_options  # noqa: E402 (common/measuring)

# kernel, counter, simulated, ncu, why they differ (tests/gpusim/fidelity/fidelity.cpp prints them in columns of this width)
ROW = re.compile(r"(?P<kernel>.{72}) (?P<counter>\w+) +(?P<simulated>\d+) +(?P<ncu>\d+) +-?\d+ +-?[\d.]+ % *(?P<why>.*)")
# Where the grid follows n every block counts the same, so a short run tells; where it does not, only ncu's n does.
ELEMENTS, FULL_SIZE = 1 << 20, 1 << 25
FULL_SIZE_STEPS = ("08_grid_sizing", "09_shuffle", "10_scan", "12_bandwidth_limit")


def profile(step, folder):
    """Leaves in the folder what every launch of a step's program counted."""
    name = pathlib.Path(step).name
    elements, what = str(FULL_SIZE if name in FULL_SIZE_STEPS else ELEMENTS), []
    if name == PRODUCTS:
        rows, columns, _ = COUNTED_SHAPE
        elements, what = str(rows * columns), shape_options(COUNTED_SHAPE)
    done = subprocess.run([step, "--n", elements, *what, f"--profile={folder}/{name}.{elements}.json"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} --n {elements}: exit status {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    given = command_line.arguments("PROGRAM NCU_DATA TABLE.JSON PROGRAM…", "--write PROGRAM NCU_DATA NEW_TABLE.JSON PROGRAM…")
    write = given[0] == "--write"
    program, ncu_data, table, *steps = given[write:]
    with tempfile.TemporaryDirectory() as folder:
        for step in steps:
            profile(step, folder)
        done = subprocess.run([program], capture_output=True, text=True, check=False, env={**os.environ, "PROFILES": folder})
    print(done.stdout, done.stderr, sep="")
    if done.returncode:
        return 1
    found = [ROW.match(line) for line in done.stdout.splitlines()]
    rows = [{"kernel": row["kernel"].strip(), "counter": row["counter"], "simulated": int(row["simulated"]),
             "ncu": int(row["ncu"]), **({"why": row["why"]} if row["why"] else {})} for row in found if row]
    if not rows:
        sys.exit("the fidelity test printed no table")
    where = json.loads(pathlib.Path(ncu_data).read_text(encoding="utf-8"))["where"]
    text = json.dumps({"where": where, "what": "counters of the simulated GPU beside those of ncu", "rows": "ROWS"}, indent=1)
    text = text.replace('"ROWS"', "[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n ]") + "\n"
    target = pathlib.Path(table)
    if write:
        target.write_text(text, encoding="utf-8")
        print(f"wrote {len(rows)} rows to {target}")
    elif not target.exists() or target.read_text(encoding="utf-8") != text:
        sys.exit(f"{target} is not what this test prints; write it again: {sys.argv[0]} --write …")
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
