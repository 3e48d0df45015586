#!/usr/bin/env python3
"""Usage: make_box.py SIMCC OUTPUT.js DEPFILE CHAPTER

What the box of a chapter's page runs, as a script for the page: the kernels that boxes.json names, compiled as the chapter's
program compiles them, as PTX, and the source files that their lines come from. A wrong kernel is one of tests/wrong, or of
an experiment. CHAPTER may be another page's name; then its box says whose kernels it shows ("chapter").
"""
import json
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OPTIONS = ["-O2", "-lineinfo", "-std=c++17"]  # as meson.build compiles the programs
FILE = re.compile(r'^(\s*\.file\s+\d+\s+)"(.*)"', re.MULTILINE)


def compile_ptx(simcc, chapter, kernel, sources):
    """The PTX of a kernel; the files that its lines name go to `sources`, by the names that the PTX has for them."""
    text = f'#include "{kernel["from"]}"\n'
    if "instance" in kernel:
        text += f"template __global__ void {kernel['instance']};\n"
    folders = (".", "common", f"solutions/{chapter}", f"chapters/{chapter}")
    with tempfile.TemporaryDirectory() as folder:
        unit, ptx = pathlib.Path(folder, "box.cu"), pathlib.Path(folder, "box.ptx")
        unit.write_text(text, encoding="utf-8")
        # In the root, with relative folders: then the PTX names files as the repository does.
        done = subprocess.run([simcc, "-ptx", *OPTIONS, *(word for f in folders for word in ("-I", f)), unit, "-o", ptx],
                              cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(f"make_box.py: {kernel['from']} does not compile:\n{done.stdout}")
        code = ptx.read_text(encoding="utf-8")

    def plain(match):
        name = posixpath.normpath(match[2])
        if (ROOT / name).is_file() and not posixpath.isabs(name):
            sources[name] = (ROOT / name).read_text(encoding="utf-8")
        elif posixpath.isabs(name):
            name = posixpath.basename(name)  # a header of the compiler's, say: no folder of this machine goes into the site
        return f'{match[1]}"{name}"'

    return FILE.sub(plain, code)


def main(simcc, output, depfile, chapter):
    boxes = json.loads((HERE / "boxes.json").read_text(encoding="utf-8"))
    sources, compiled = {}, {}
    box = boxes["boxes"][chapter]
    for kernel in box["kernels"]:
        key = f"{kernel['from']} {kernel.get('instance', '')}"
        if key not in compiled:
            compiled[key] = compile_ptx(simcc, box.get("chapter", chapter), kernel, sources)
    kernels = [compiled[f"{k['from']} {k.get('instance', '')}"] for k in box["kernels"]]
    data = json.dumps({"ptx": kernels, "sources": sources}, ensure_ascii=True, separators=(",", ":"))
    pathlib.Path(output).write_text(f"playground.code[{json.dumps(chapter)}] = {data};\n", encoding="utf-8")
    inputs = [str(ROOT / name) for name in sources]
    pathlib.Path(depfile).write_text(f"{output}: {' '.join(inputs)}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*command_line.arguments("SIMCC NEW_OUTPUT.JS NEW_DEPFILE CHAPTER"))
# SPDX-License-Identifier: MIT
