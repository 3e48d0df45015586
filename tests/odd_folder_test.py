#!/usr/bin/env python3
"""odd_folder_test.py SOURCE_DIR: what is made in a build folder knows the folder, whatever characters its name has."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line


def main():
    source, = command_line.arguments("SOURCE_DIR")
    with tempfile.TemporaryDirectory() as scratch:
        build = pathlib.Path(scratch) / "a \"b\" c's é"
        setup = subprocess.run(["meson", "setup", build, source, "-Dgpu=disabled"], text=True, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if setup.returncode:
            sys.exit(setup.stdout)
        for command in (["simcc", "--version"], ["learn", "--help"]):
            done = subprocess.run([build / command[0], *command[1:]], text=True, check=False, capture_output=True)
            if done.returncode or done.stderr:
                sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
