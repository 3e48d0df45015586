#!/usr/bin/env python3
"""A wheel of this build has what it needs and nothing else, and works in an environment that has nothing else.

wheel_test.py SOURCE_DIR BUILD_DIR
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "common"))
import command_line
import packaging

PROGRAM = """#include <cstdio>
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaMemset(x, 0, 32 * sizeof(float));
  twice<<<1, 32>>>(x);
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""
# A clang++ that has one fault: what it prints and returns, and what is said of it.
FAULTY_COMPILERS = {
    "is not clang 14 or newer": "echo 'clang version 13.0.1' >&2",
    "finds no C++ standard library; install g++": "echo \"clang version 14.0.6 'cstddef' file not found\" >&2; exit 1",
    "it has no NVPTX target": "echo 'clang version 14.0.6' >&2; exit 1",
}


def contents(wheel, source, build):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        home = str(pathlib.Path.home())
        for name in names:
            data = archive.read(name)
            for path in (source, build, home if len(home) > 6 else source):
                if path.encode() in data:
                    sys.exit(f"{name} names {path}, a folder of the machine that built it")
    package = [name.removeprefix("warp_by_warp/") for name in names if name.startswith("warp_by_warp/")]
    folders = {name.split("/")[0] if "/" in name else "" for name in package}
    inner = {name.split("/")[1] for name in package if name.startswith("gpusim/")}
    if folders != {"", "gpusim"} or inner != {"include", "simcc", "standard_streams.py", "libgpusim.a", "gpusim_ptxcheck"}:
        sys.exit(f"the package has {sorted(folders)}, and of the simulated GPU {sorted(inner)}")
    foreign = [name for name in names if any(word in name for word in ("solution", "judge", "test", "kernels.cuh", "launcher"))]
    if foreign or any(not name.startswith(("warp_by_warp/", "warp_by_warp-")) for name in names):
        sys.exit(f"the wheel has what does not belong in it: {foreign or names}")
    modules = {path.name for path in pathlib.Path(source, "common/python/warp_by_warp").glob("*.py")} | {"counter_list.py"}
    if modules != {name for name in package if "/" not in name}:
        sys.exit(f"modules: {sorted(modules)} are there, {sorted(name for name in package if '/' not in name)} are in the wheel")
    print(f"{len(names)} files, {os.path.getsize(wheel) >> 10} KiB")


def commands(binaries, folder, environment):
    (folder / "twice.cu").write_text(PROGRAM, encoding="utf-8")
    packaging.run(binaries / "simcc", "twice.cu", "-o", "twice", cwd=folder, env=environment)
    said = packaging.run(folder / "twice")
    if said != "no error\n":
        sys.exit(f"twice.cu, compiled by the wheel's simcc, printed {said!r}")
    version = packaging.run(binaries / "simcc", "--version", env=environment)
    if not version.startswith("simcc ") or "not installed" in version:
        sys.exit(f"simcc --version printed {version!r}")
    wrong = ".version 7.0\n.target sm_80\n.address_size 64\n.entry k() { nonsense; }\n"
    (folder / "wrong.ptx").write_text(wrong, encoding="utf-8")
    done = subprocess.run([binaries / "gpusim-ptxcheck", "wrong.ptx"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0 or "wrong.ptx:4: error: " not in done.stdout + done.stderr:
        sys.exit(f"gpusim-ptxcheck wrong.ptx: exit status {done.returncode}, {done.stdout + done.stderr!r}")


def missing_tools(python, binaries, folder, environment):
    """Each missing tool is told in one line, by simcc and by run()."""
    empty = folder / "empty"
    empty.mkdir()
    cases = {"clang++ 14 or newer is not on the PATH; install it: apt-get install clang g++": empty}
    for expected, script in FAULTY_COMPILERS.items():
        place = folder / f"faulty{len(cases)}"
        place.mkdir()
        (place / "clang++").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (place / "clang++").chmod(0o755)
        cases[expected] = place
    call = "import warp_by_warp as w\ntry: w.run('')\nexcept w.MissingTool as missing: print(missing)"
    for expected, path in cases.items():
        bare = {**environment, "PATH": str(path)}
        done = subprocess.run([binaries / "simcc", "twice.cu"], cwd=folder, env=bare, capture_output=True, text=True, check=False)
        said = packaging.run(python, "-c", call, cwd=folder, env=bare)
        for text in (done.stderr, said):
            if expected not in text or text.count("\n") != 1:
                sys.exit(f"PATH={path}: expected one line with {expected!r}, found {text!r}")
        if done.returncode != 2:
            sys.exit(f"PATH={path}: simcc ended with exit status {done.returncode}")


def main():
    source, build = command_line.arguments("SOURCE_DIR BUILD_DIR")
    tools = packaging.tools_python(build)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wheel = packaging.built_wheel(source, build, folder)
        contents(wheel, source, build)
        empty = folder / "environment"
        packaging.run(sys.executable, "-m", "venv", "--without-pip", empty)
        python, binaries = empty / "bin/python", empty / "bin"
        packaging.run(tools, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("GPUSIM_", "PYTHON"))}
        environment = {**clean, "XDG_CACHE_HOME": str(folder / "cache")}
        commands(binaries, folder, environment)
        script = pathlib.Path(__file__).with_name("module_checks.py")
        said = packaging.run(python, script, cwd=folder, env=environment)
        # What the page's example prints: two launches that load 12 sectors. The third loads 5 for each of two warps, because
        # its floats begin 4 bytes behind a sector, and races at line 8.
        if not re.search(r"^scale 12 0\.\d+\nscale 12 0\.\d+\nshift 10 0\.\d+\n8 .*__syncthreads.*\n", said, re.MULTILINE):
            sys.exit(f"the example of the page printed {said}")
        print(said, end="")
        missing_tools(python, binaries, folder, environment)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
