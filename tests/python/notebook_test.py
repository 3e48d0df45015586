#!/usr/bin/env python3
"""The notebook of the book runs, shows what its text says, and has the chapters' kernels.

notebook_test.py SOURCE_DIR BUILD_DIR

It is run by nbclient, with the wheel of this build. Besides that, cells with mistakes are run: what they show is read as a person
reads it, with the line numbers of the cell.
"""
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line
import packaging

NOTEBOOK = "book/notebooks/first_steps.ipynb"
# The kernel of a cell: (file, its anchor). The starters are those as shipped; the notebook's cells are exercises.
KERNELS = {
    "atomic": ("solutions/01_global_memory/kernels.cuh", "sum_atomic"),
    "runs": ("solutions/01_global_memory/kernels.cuh", "sum_runs"),
    "race": ("tests/wrong/01_global_memory/adds_without_atomic.cuh", "kernel"),
    "tree": ("book/generated/01_global_memory.starter.cuh", "sum_in_place"),
    "travel": ("book/generated/02_shared_memory.starter.cuh", "kernel"),
    "lanes": ("book/generated/03_divergence.starter.cuh", "kernel"),
}
# What a cell shows: patterns that its text has, in this order. Each number stands in the notebook's sentences, or decides whether
# they are right.
EXPECTED = {
    "atomic": [r"sum 3670016, expected 3670016", r"global load requests +32,768\n", r"global load sectors +131,072\n",
               r"predicted time, NVIDIA H100 80GB HBM3 +[\d.]+ ms", r"what decides it: atomics on one address",
               r"could be saved: [\d.]+ ms, \d+ %: atomics"],
    "runs": [r"sum 3670016, expected 3670016", r"global load sectors +1,048,576\n",
             r"\n +14 +\S+ +32\.0 +32\.00 .* for \(int i = begin"],
    "used": [r"sum_atomic: uses 100\.0 % of 4,194,304 bytes; (?P<atomic>[\d.]+) ms",
             r"sum_runs: uses 12\.5 % of 33,554,432 bytes; (?P<runs>[\d.]+) ms"],
    "race": [r"sum \d+, expected 3584",
             r"cell\.cu:8:19: race: .* \[sum_atomic\]\n    if \(i < n\) \*sum \+= in\[i\];\n {20}\^\n"],
    "tree": [r"sum 0, expected 896: wrong", r"The checks found no mistake\."],
    "travel": [r"sum 896, expected 896", r"The checks found no mistake\.", r"global load requests +95\n",
               r"global store requests +48\n"],
    "lanes": [r"sum 896, expected 896", r"The checks found no mistake\.", r"global load requests +8\n",
              r"global store requests +1\n", r"shared load requests +95\n"],
}
PAGE = pathlib.Path(__file__).with_name("on_the_page.cell")  # what the page notebook.md shows
# Cells with mistakes, and what each of the two forms shows.
MISTAKES = {
    "page": (PAGE.read_text(encoding="utf-8"),
             [r"^\d\n", r"cell\.cu:4:\d+: race: ", r"predicted time, NVIDIA H100 80GB HBM3 "],
             [r"<b>race in add, cell\.cu:4:\d+</b>"]),
    "compile": ("%%cuda\n__global__ void k(int* x) {\n  *x = y;\n}\nint main() {}\n",
                [r"cell\.cu:3:8: error: use of undeclared identifier 'y'\n  \*x = y;\n       \^",
                 r"CellFailed: the cell does not compile: 1 error"],
                [r"<b>error, cell\.cu:3:8</b>: use of undeclared identifier 'y'<pre>  \*x = y;\n       \^</pre>"]),
    "escaped": ("%%cuda --check race\n#include <cstdio>\n__global__ void k(int* x) { *x = threadIdx.x; }\nint main() {\n"
                "  int* x;\n  cudaMalloc(&x, 4);\n  k<<<1, 64>>>(x);\n  printf(\"<b>\\n\");\n  cudaDeviceSynchronize();\n}\n",
                [r"<b>\n", r"cell\.cu:3:3\d: race: ", r"exit status 1"],
                [r"<b>race in k, cell\.cu:3:3\d</b>: ", r"<pre>  __global__ void k\(int\* x\) \{ \*x = threadIdx\.x; \}\n +\^"]),
    "option": ("%%cuda --machine h900\nint main() { cudaDeviceSynchronize(); }\n",
               [r"UsageError: machine=h900 is neither a100, b200, h100, h200, l4, rtx4090, rtx5090 nor a file"], []),
    "host": ("%%cuda\nint main() {}\n", [r"There are no counters and no findings: the program calls nothing of CUDA"], []),
    "time": ("%%cuda --timeout 0.5\n#include <unistd.h>\nint main() { for (;;) sleep(1); }\n",
             [r"CellFailed: the program was ended after 0\.5 s; timeout=… gives it more time"], []),
}


def text_of(cell):
    """What a person reads below a cell, without colours; and the HTML of it."""
    said, pages = [], []
    for output in cell["outputs"]:
        data = output.get("data", {})
        said += ["".join(output.get("text", "")), "".join(data.get("text/plain", "")), "\n".join(output.get("traceback", []))]
        pages.append("".join(data.get("text/html", "")))
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(part for part in said if part) + "\n"), "".join(pages)


def look(name, text, patterns):
    """Looks for the patterns, each behind the one before. Gives the groups that have names."""
    at, groups = 0, {}
    for pattern in patterns:
        found = re.compile(pattern).search(text, at)
        if not found:
            sys.exit(f"cell {name}: it does not show {pattern!r} (here or at all) in\n{text}")
        at, groups = found.end(), groups | found.groupdict()
    return groups


def anchored(source, file, anchor):
    text = pathlib.Path(source, file).read_text(encoding="utf-8")
    return re.search(rf"// ANCHOR: {anchor}\n(.*?)// ANCHOR_END: {anchor}\n", text, re.DOTALL)[1]


def with_mistakes(notebook):
    """The notebook with the cells of MISTAKES at its end, none of which stops the others."""
    for name, (source, *_) in MISTAKES.items():
        notebook["cells"].append({"id": name, "cell_type": "code", "source": source, "outputs": [], "execution_count": None,
                                  "metadata": {"tags": ["raises-exception"]}})
    return notebook


def kept(source, notebook):
    cells = {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    if any(cell.get("outputs") for cell in notebook["cells"]):
        sys.exit(f"{NOTEBOOK} has outputs, which answer its questions: clear them")
    for name, (file, anchor) in KERNELS.items():
        if anchored(source, file, anchor) not in cells[name]:
            sys.exit(f"{NOTEBOOK}, cell {name}: its kernel is not that of {file}")


def main():
    source, build = command_line.arguments("SOURCE_DIR BUILD_DIR")
    notebook = json.loads(pathlib.Path(source, NOTEBOOK).read_text(encoding="utf-8"))
    kept(source, notebook)  # needs no tools: a kernel that has changed must be noticed on every machine
    tools = packaging.tools_python(build)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wheel = packaging.built_wheel(source, build, folder)
        packages = folder / "packages"
        packaging.run(tools, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", packages, wheel)
        (folder / "given.ipynb").write_text(json.dumps(with_mistakes(notebook)), encoding="utf-8")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
        packaging.run(tools, pathlib.Path(__file__).with_name("run_notebook.py"), "given.ipynb", "done.ipynb", cwd=folder,
                      env={**clean, "PYTHONPATH": str(packages), "XDG_CACHE_HOME": str(folder / "cache")})
        done = json.loads((folder / "done.ipynb").read_text(encoding="utf-8"))
    shown = {cell["id"]: text_of(cell) for cell in done["cells"] if cell["cell_type"] == "code"}
    for cell, patterns in EXPECTED.items():
        groups = look(cell, shown[cell][0], patterns)
        if cell == "used" and not float(groups["runs"]) < float(groups["atomic"]):
            sys.exit(f"the notebook says that sum_runs is predicted to be the faster one: {groups}")
        if cell != "used" and ("<table>" not in shown[cell][1] or "warp instructions" not in shown[cell][1]):
            sys.exit(f"cell {cell} shows no table:\n{shown[cell][1]}")
    for cell, (_, patterns, pages) in MISTAKES.items():
        look(cell, shown[cell][0], patterns)
        look(cell, shown[cell][1], pages)
    print(f"{len(EXPECTED)} cells show what the text says, {len(MISTAKES)} cells their mistakes")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
