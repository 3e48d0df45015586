#!/usr/bin/env python3
"""alone_test.py COMMON_DIR NEW_FOLDER [COMMAND]

A project with nothing but a copy of common/gpusim in it configures, and every file that its build takes is there. With a COMMAND
(a Ninja) it is also built, and a program compiled and run. `COMMON_DIR`: the repository's folder common.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

PROJECT = """project('alone', 'cpp', default_options: ['cpp_std=c++20', 'unity=on', 'unity_size=8',
  'optimization=0'])
subdir('gpusim')
"""
PROGRAM = """#include <cstdio>
__global__ void twice(int* number) { *number *= 2; }
int main() {
  int* number = nullptr;
  cudaMallocManaged(&number, sizeof *number);
  *number = 21;
  twice<<<1, 1>>>(number);
  std::printf("%s: %d\\n", cudaGetErrorString(cudaDeviceSynchronize()), *number);
}
"""


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def main():
    common, folder, *ninja = command_line.arguments("COMMON_DIR NEW_FOLDER [COMMAND]")
    project = pathlib.Path(folder)
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(pathlib.Path(common, "gpusim"), project / "gpusim", ignore=shutil.ignore_patterns("__pycache__"))
    (project / "meson.build").write_text(PROJECT, encoding="utf-8")
    build = project / "build"
    run("meson", "setup", build, project)
    run("ninja", "-C", build, "-n")  # says which file is missing that no rule makes
    run("ninja", "-C", build, "gpusim/machines.h")
    if ninja:
        run(*ninja, "-C", build)
        source = project / "twice.cu"
        source.write_text(PROGRAM, encoding="utf-8")
        run(build / "gpusim/simcc", source, "-o", project / "twice")
        said = run(project / "twice")
        if said != "no error: 42\n":
            sys.exit(f"twice.cu printed {said!r}")
    shutil.rmtree(project)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
