#!/usr/bin/env python3
"""Every function of the CUDA runtime API (data/runtime_api.txt) is either there or refused by its name, with what it
belongs to; and the table of the simulated GPU's README says which.

usage: runtime_api_test.py SIMCC runtime_api.txt README.md [--write]     (--write: puts the table into the README)
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- runtime API: made by tests/gpusim/runtime_api_test.py --write -->\n", "<!-- end -->\n"


def refused(simcc, names):
    """name: the error that clang and simcc give where a program names it."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "names.cu"
        source.write_text("".join(f"using ::{name};\n" for name in names), encoding="utf-8")
        done = subprocess.run([simcc, "-ferror-limit=0", "-c", source.name, "-o", "/dev/null"], cwd=folder,
                              stderr=subprocess.PIPE, text=True, check=False)
    errors = re.findall(r"^names\.cu:(\d+):\d+: error: (.*)$", done.stderr, re.MULTILINE)
    return {names[int(line) - 1]: text for line, text in errors}


def table(names, errors):
    reasons = {}
    for name in errors:
        reason = re.search(r"does not have (.*); compile", errors[name])
        if not reason:
            sys.exit(f"{name}: neither declared nor refused by name: {errors[name]}")
        reasons.setdefault(reason.group(1), []).append(name)
    lines = ["| functions | what of | for example |", "|---:|---|---|",
             f"| {len(names) - len(errors)} | work as the runtime's manual says, or as stated above | |"]
    for reason, group in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"| {len(group)} | {reason}: refused at compile time | `{group[0]}` |")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    simcc, listed, readme = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    names = [line for line in listed.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    made = table(names, refused(simcc, names))
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    if "--write" in sys.argv:
        readme.write_text(before + BEGIN + made + END + after, encoding="utf-8")
    elif shown != made:
        sys.exit(f"{readme}: the table of the runtime API is not what simcc does: runtime_api_test.py --write makes it")


if __name__ == "__main__":
    main()
