"""lane_symbols_test.py NM LIBRARY…: no function is defined in two of the libraries.

The loops over lanes are compiled once for every processor and once for those with AVX2. A function that both define is
merged by the linker, and the one that it keeps may use instructions that the processor lacks."""
import collections
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

nm, *libraries = command_line.arguments("NM LIBRARY…")
where = collections.defaultdict(set)
for library in libraries:
    text = subprocess.run([nm, "--defined-only", "-P", library], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        name, kind = (line.split() + ["", ""])[:2]
        if kind in "TWVuw" and kind:  # global, weak, unique
            where[name].add(library)
shared = sorted(name for name, files in where.items() if len(files) > 1)
for name in shared:
    print(f"{name} is defined in {' and '.join(sorted(where[name]))}")
if len(where) < len(libraries):
    sys.exit("too few symbols: is this the right kind of file?")
sys.exit(bool(shared))
# SPDX-License-Identifier: MIT
