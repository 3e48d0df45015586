#!/usr/bin/env python3
"""Every header of CUDA's (data/headers.txt) and every function of its runtime API (data/runtime_api.txt) is there or is
refused by name, with what it belongs to; and the tables of common/gpusim/LIMITATIONS.md say which.

usage: support_test.py SIMCC headers.txt runtime_api.txt LIMITATIONS.md [--write]    (--write: puts the tables into that page)
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

BEGIN, END = "<!-- made by tests/gpusim/tools/support_test.py --write -->\n", "<!-- end -->\n"


def listed(path):
    return [line for line in pathlib.Path(path).read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]


def errors_of(simcc, lines):
    """Which of the lines of a program clang and simcc refuse: {line: error}."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "asks.cu").write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = subprocess.run([simcc, "-ferror-limit=0", "-c", "asks.cu", "-o", "/dev/null"], cwd=folder,
                              stderr=subprocess.PIPE, text=True, check=False)
    found = re.findall(r"^asks\.cu:(\d+):\d+: (?:fatal )?error: (.*)$", done.stderr, re.MULTILINE)
    if done.returncode != 0 and not found:
        sys.exit(f"it does not compile: {done.stderr}")
    return {lines[int(line) - 1]: text for line, text in found}


def reason(name, error):
    found = re.search(r"does not have (.*); compile", error)
    if not found:
        sys.exit(f"{name}: neither there nor refused by name: {error}")
    return found.group(1)


def refused_headers(simcc, headers, ours):
    """What simcc says of those that the compiler does not find; the others go into one program. In the folder `ours` are
    some that only say that they are refused."""
    own = {name: (ours / name).read_text(encoding="utf-8") for name in headers if (ours / name).is_file()}
    refused = {name: text for name, text in own.items() if '#error "the simulated GPU' in text}
    headers = [name for name in headers if name not in refused]
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common/gpusim"))
    from simcc.messages import PACKAGED, explain
    headers = [name for name in headers if not re.fullmatch(PACKAGED, name)]  # there or not, as the machine has it
    lines = [f"#if __has_include(<{name}>)\n#include <{name}>\n#else\n#error {name} is not there\n#endif" for name in headers]
    missing = [text.split()[0] for text in errors_of(simcc, "\n".join(lines).split("\n")).values()]
    return {**refused, **{name: explain(f"asks.cu:1:1: fatal error: '{name}' file not found") for name in missing}}


def group(names):
    groups = {}
    for name, error in names.items():
        groups.setdefault(reason(name, error), []).append(name)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def tables(simcc, headers, functions, ours):
    missing = refused_headers(simcc, headers, ours)
    packaged = [name for name in headers if re.match("(thrust|cub|cuda|nv)/", name) and name not in missing]
    lines = ["| header | |", "|---|---|",
             "| " + " ".join(f"`{name}`" for name in headers if name not in [*missing, *packaged]) + " | can be included |",
             "| " + " ".join(f"`{name}`" for name in packaged) +
             " | can be included after `sh common/bootstrap.sh --libraries` |"]
    lines += ["| " + " ".join(f"`{name}`" for name in names) + f" | {what}: refused |" for what, names in group(missing)]
    missing = {line[len("using ::"):-1]: error
               for line, error in errors_of(simcc, [f"using ::{name};" for name in functions]).items()}
    lines += ["", "| functions of the runtime | |", "|---:|---|",
              f"| {len(functions) - len(missing)} | do what the runtime's manual says, except for the differences above |"]
    lines += [f"| {len(names)} | {what} (`{names[0]}`): refused |" for what, names in group(missing)]
    return "\n".join(lines) + "\n"


def main():
    simcc, headers, functions, page, *writing = command_line.arguments(
        "SIMCC HEADERS.TXT RUNTIME_API.TXT LIMITATIONS.MD [--write]")
    simcc, page = pathlib.Path(simcc).resolve(), pathlib.Path(page)
    made = tables(simcc, listed(headers), listed(functions), page.parent / "include")
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    if writing:
        page.write_text(before + BEGIN + made + END + after, encoding="utf-8")
    elif shown != made:
        sys.exit(f"{page}: its tables are not what simcc does: support_test.py --write makes them")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
