#!/usr/bin/env python3
"""Makes the wheel of what a build folder has compiled, and installs it in the environment of this Python, for notebooks.

make_wheel.py SOURCE_DIR BUILD_DIR      the wheel goes to BUILD_DIR/wheel
"""
import pathlib
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:])
folder = build / "wheel"
for old in folder.glob("*.whl"):
    old.unlink()
subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, f"-Cbuild-dir={folder}/made",
                f"-Csetup-args=-Dparts={build}", source / "common/python"], stdout=subprocess.DEVNULL, check=True)
wheel, = folder.glob("*.whl")
subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", wheel],
               check=True)
print(f"{wheel}\nNext: {sys.executable} -m jupyter lab {source / 'book/notebooks'}")
# SPDX-License-Identifier: MIT
