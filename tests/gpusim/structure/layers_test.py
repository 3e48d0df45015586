"""The layers of common/gpusim: each file includes only what stands in its own layer or in one above it in LAYERS.

layers_test.py COMMON_GPUSIM

Prints file, line and layers of each #include that points the wrong way, and of each exception in KNOWN that is no longer
needed. A folder that is no layer fails as well, so that a new one gets its place.
"""
import pathlib
import re
import sys

LAYERS = ["base", "ptx", "lanes", "memory", "analysis", "execution", "launch", "counting", "checking", "exploration", "timing",
          "reports", "runtime", "libraries"]
# What is for programs, for other targets or for the build, and no layer.
OTHERS = {"find", "include", "pch", "web", "calibrate", "prove", "simcc"}
# Includes that still point the wrong way: (file, what it includes). Each is a debt; none may be added.
KNOWN = set()
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def layer_of(path):
    """Of a path relative to common/gpusim; None for what is in no layer."""
    return path.parts[0] if len(path.parts) > 1 and path.parts[0] in LAYERS else None


def wrong_includes(root):
    """(file, line, its layer, what it includes, that layer)"""
    for path in sorted(root.rglob("*")):
        file = path.relative_to(root)
        own = layer_of(file)
        if path.suffix not in (".h", ".cpp", ".def") or own is None:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            other = layer_of(pathlib.Path(found[1])) if found else None
            if other is not None and LAYERS.index(other) > LAYERS.index(own):
                yield file.as_posix(), number, own, found[1], other


def main(root):
    root = pathlib.Path(root)
    complaints, needed, count = [], set(), 0
    for folder in sorted(path.name for path in root.iterdir() if path.is_dir() and path.name != "__pycache__"):
        if folder not in LAYERS and folder not in OTHERS:
            complaints.append(f"common/gpusim/{folder} is no layer: give it its place in {pathlib.Path(__file__).name}")
    for file, number, own, included, other in wrong_includes(root):
        if (file, included) in KNOWN:
            needed.add((file, included))
        else:
            complaints.append(f'common/gpusim/{file}:{number}: {own} includes "{included}" of {other}, which stands above it')
        count += 1
    complaints += [f"{file} no longer includes {included}: take it out of KNOWN" for file, included in sorted(KNOWN - needed)]
    print(*complaints, sep="\n")
    print(f"{count} includes point the wrong way, {len(needed)} of them known; {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: layers_test.py COMMON_GPUSIM")
    sys.exit(main(sys.argv[1]))
# SPDX-License-Identifier: MIT
