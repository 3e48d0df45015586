#!/usr/bin/env python3
"""A machine that lacks something is told so in one line. Suite `build`.

setup_test.py SOURCE_DIR CASE   sets up a build, or bootstraps, with no tools but those of the case
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import command_line

BUILD_TOOLS = ["sh", "python3", "meson", "ninja", "c++", "as", "ld", "ar", "env"]
SHELL_TOOLS = ["sh", "dirname", "grep", "id"]
CLANG_WITHOUT_NVPTX = """#!/bin/sh
case "$*" in *--version*) echo "clang version 16.0.6" ;; *) exit 1 ;; esac
"""
SKIP = 77
NOBODY = 65534  # a user without rights

# case: (tools on the PATH, a clang++ without the NVPTX target?, command, exit code,
#        what its only line of complaint contains)
SETUP = "meson setup {build} {source}"
BOOTSTRAP = "sh {source}/common/bootstrap.sh"
CASES = {
    "no compiler for any device": (
        BUILD_TOOLS, False, SETUP, 1, ["nothing to run CUDA on", "clang++ 14 or newer", "nvcc not found"]),
    "clang without the NVPTX target": (
        BUILD_TOOLS, True, SETUP + " -Dsim=enabled", 1, ["has no NVPTX target", "apt-get install clang"]),
    "no nvcc, and -Dgpu=enabled": (
        BUILD_TOOLS, False, SETUP + " -Dgpu=enabled", 1, ["nvcc not found", "bootstrap.sh --cuda"]),
    "bootstrap without apt": (
        SHELL_TOOLS, False, BOOTSTRAP, 1, ["no apt-get here", " clang ", " meson ", " ninja-build"]),
    "bootstrap in a clone that cannot be written": (
        SHELL_TOOLS, False, "sh {read_only}/common/bootstrap.sh", 1, ["cannot write to", "/build; ", "meson setup FOLDER"]),
    "bootstrap with an unknown option": (
        SHELL_TOOLS, False, BOOTSTRAP + " --gpu", 2, ["unknown option '--gpu'"]),
}


def main():
    source, case = command_line.arguments("SOURCE_DIR CASE")
    if case not in CASES:
        command_line.stop(f"{case}: no such case; these are: {', '.join(CASES)}", 2)
    tools, fake_clang, command, exit_code, expected = CASES[case]
    if pathlib.Path("/usr/local/cuda/bin/nvcc").exists() and "nvcc" in "".join(expected):
        print("nvcc is in its usual place: this machine does not lack it")
        return SKIP
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "bin"
        path.mkdir()
        for tool in tools:
            (path / tool).symlink_to(sys.executable if tool == "python3" else shutil.which(tool))
        if fake_clang:
            (path / "clang++").write_text(CLANG_WITHOUT_NVPTX, encoding="utf-8")
            (path / "clang++").chmod(0o755)
        env = {name: value for name, value in os.environ.items() if not name.startswith("CUDA_")}
        read_only = pathlib.Path(scratch) / "clone"
        if "{read_only}" in command:
            (read_only / "common").mkdir(parents=True)
            shutil.copy(source + "/common/bootstrap.sh", read_only / "common")
            read_only.chmod(0o555)
            os.chmod(scratch, 0o755)
        somebody = {"user": NOBODY} if "{read_only}" in command and os.geteuid() == 0 else {}  # root writes everywhere
        command = command.format(source=source, build=scratch + "/build", read_only=read_only)
        done = subprocess.run(command.split(), env=env | {"PATH": str(path)}, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **somebody)
    complaints = [line for line in done.stdout.splitlines() if all(text in line + " " for text in expected)]
    if done.returncode != exit_code or len(complaints) != 1:
        print(f"{command}: expected exit code {exit_code} and one line with {expected}, got {done.returncode}:")
        print(done.stdout)
        return 1
    print(complaints[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: MIT
