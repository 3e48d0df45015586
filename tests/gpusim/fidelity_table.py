#!/usr/bin/env python3
"""Runs the fidelity test, and keeps its table in the book's data the one that it prints.

fidelity_table.py PROGRAM NCU_DATA TABLE.json            fails if the test does, or if the table has changed
fidelity_table.py PROGRAM NCU_DATA TABLE.json --write    writes the table
"""
import json
import pathlib
import re
import subprocess
import sys

# kernel, counter, simulated, ncu (tests/gpusim/fidelity.cpp prints them in columns of this width)
ROW = re.compile(r"(?P<kernel>.{62}) (?P<counter>\w+) +(?P<simulated>\d+) +(?P<ncu>\d+) +-?\d+ +-?[\d.]+ %")


def main():
    program, ncu_data, table, *options = sys.argv[1:]
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, sep="")
    if done.returncode:
        return 1
    found = [ROW.match(line) for line in done.stdout.splitlines()]
    rows = [{"kernel": row["kernel"].strip(), "counter": row["counter"], "simulated": int(row["simulated"]),
             "ncu": int(row["ncu"])} for row in found if row]
    if not rows:
        sys.exit("the fidelity test printed no table")
    where = json.loads(pathlib.Path(ncu_data).read_text(encoding="utf-8"))["where"]
    text = json.dumps({"where": where, "what": "counters of the simulated GPU beside those of ncu", "rows": "ROWS"}, indent=1)
    text = text.replace('"ROWS"', "[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n ]") + "\n"
    target = pathlib.Path(table)
    if options == ["--write"]:
        target.write_text(text, encoding="utf-8")
        print(f"wrote {len(rows)} rows to {target}")
    elif not target.exists() or target.read_text(encoding="utf-8") != text:
        sys.exit(f"{target} is not what this test prints; write it again: {sys.argv[0]} … --write")
    return 0


if __name__ == "__main__":
    sys.exit(main())
