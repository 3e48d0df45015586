#!/usr/bin/env python3
"""simcc begins with the precompiled cuda_runtime.h of the build where who compiles names none: and only where that means what
reading the header again would mean.

usage: own_pch_test.py SIMCC cuda_runtime.pch
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

PROGRAM = """#include <cstdio>
#ifndef VALUE
#define VALUE 1
#endif
__global__ void twice(int* p) { *p = 2 * VALUE; }
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  twice<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *p);
}
"""
# Options with which the header means the same, and others.
TAKEN = ["", "-O3", "-O1", "-g", "-Wall -Wextra", "-DVALUE=1", "-std=c++11", "-std=c++17",
         "-arch=sm_80 -lineinfo", "-I harmless", "-w"]
NOT_TAKEN = ["-O0", "-Os", "-std=c++20", "-DCUDART_VERSION=1 -w", "-D__OPTIMIZE__=2 -w", "-fno-exceptions", "-fmad=false",
             "-include first.h", "-UVALUE", "-I shadow", "-isystem shadow", "--fill-variables", "-Xcompiler -fopenmp"]


def main():
    simcc, pch = command_line.arguments("SIMCC CUDA_RUNTIME.PCH")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = {"program.cu": PROGRAM, "first.h": "\n", "harmless/mine.h": "\n", "shadow/vector_types.h": "#error shadow\n",
                 "elsewhere/climits": "#error elsewhere\n"}
        for path, text in files.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")

        def says(options, env=None):
            """Whether it begins with the header; by what it would run."""
            done = subprocess.run([simcc, "-dryrun", *options.split(), "program.cu", "-o", "program"], cwd=folder, check=False,
                                  capture_output=True, text=True, env={**os.environ, **(env or {})})
            if done.returncode:
                sys.exit(f"{options}: {done.stderr}")
            return pch in done.stderr

        wrong = [options for options in TAKEN if not says(options)] + [options for options in NOT_TAKEN if says(options)]
        if wrong:
            sys.exit(f"with and without the precompiled header are mistaken: {wrong}")
        if says("", {"CPLUS_INCLUDE_PATH": str(folder / "elsewhere")}):
            sys.exit("a folder of CPLUS_INCLUDE_PATH may have other headers")

        for options, wanted in {"": "2", "-DVALUE=21 -O3 -g": "42"}.items():
            subprocess.run([simcc, *options.split(), "program.cu", "-o", "program"], cwd=folder, check=True)
            found = subprocess.run([folder / "program"], check=True, capture_output=True, text=True).stdout.strip()
            if found != wanted:
                sys.exit(f"{options}: {found} in place of {wanted}")

        # One that does not fit any more: without a word, the header is read.
        stale = folder / "build"
        stale.mkdir()
        for suffix in ("", ".device"):
            (stale / ("cuda_runtime.pch" + suffix)).write_text("not what clang writes", encoding="utf-8")
        (stale / "cuda_runtime.pch.names").write_text(json.dumps({"words": [], "headers": []}), encoding="utf-8")
        text = pathlib.Path(simcc).read_text(encoding="utf-8").split("\n")
        at = next(i for i, line in enumerate(text) if line.startswith("configuration.PRECOMPILED = "))
        text[at] = f"configuration.PRECOMPILED = {str(stale / 'cuda_runtime.pch')!r}"
        (stale / "simcc").write_text("\n".join(text), encoding="utf-8")
        done = subprocess.run([sys.executable, stale / "simcc", "program.cu", "-o", "program"], cwd=folder, check=False,
                              capture_output=True, text=True)
        if done.returncode or done.stderr:
            sys.exit(f"a precompiled header that does not fit: exit status {done.returncode}: {done.stderr}")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
