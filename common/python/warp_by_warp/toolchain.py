"""What the simulated GPU needs of the machine: clang++ with the NVPTX target, the C++ library of g++, and binutils. They are
looked for when a program is compiled, not when the wheel is made."""
import dataclasses
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

PARTS = pathlib.Path(__file__).resolve().parent / "gpusim"  # headers, library, simcc
OLDEST = 14
NAMES = ["clang++", *(f"clang++-{version}" for version in range(23, OLDEST - 1, -1))]
# As for a kernel, and with one header of the C++ library.
PROBE = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_70", "--cuda-device-only", "-Xclang",
         "-target-sdk-version=11.5", "-S", "-v", "-", "-o", "-"]


class MissingTool(Exception):
    """A compiler or another tool is not installed, or cannot do what is needed; one line says what to install."""


@dataclasses.dataclass(frozen=True)
class Tools:
    clang: str
    objcopy: str


def why_not(clang):
    """Why this clang++ cannot be taken, in words that follow its name; None if it can."""
    done = subprocess.run([clang, *PROBE], input="#include <cstddef>\n", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, errors="replace", check=False)
    version = re.search(r"clang version (\d+)", done.stderr)
    if not version or int(version[1]) < OLDEST:
        return f"is not clang {OLDEST} or newer; install a newer one: apt-get install clang"
    if "'cstddef' file not found" in done.stderr:
        return "finds no C++ standard library; install g++: apt-get install g++"
    if done.returncode:
        return "cannot compile for a GPU (it has no NVPTX target); install one that can: apt-get install clang"
    return None


@functools.cache
def find():
    """The tools of this machine. Raises MissingTool."""
    complaint = None
    for name in NAMES:
        clang = shutil.which(name)
        if clang is None:
            continue
        reason = why_not(clang)
        if reason is None:
            break
        complaint = complaint or f"{clang} {reason}"
    else:
        raise MissingTool(complaint or f"clang++ {OLDEST} or newer is not on the PATH; install it: apt-get install clang g++")
    objcopy = shutil.which("objcopy")
    if objcopy is None:
        raise MissingTool("objcopy is not on the PATH; install it: apt-get install g++ (which brings binutils)")
    return Tools(clang, objcopy)


def cache():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warp-by-warp"


def precompiled_header(tools):
    """Where cuda_runtime.h lies in the state in which this clang has read it, once it has been made (compiling.py): reading it
    anew is half of the time that a small program takes."""
    clang = os.stat(tools.clang)
    library = os.stat(PARTS / "libgpusim.a")
    made_of = f"{tools.clang} {clang.st_mtime_ns} {clang.st_size} {PARTS} {library.st_mtime_ns} {library.st_size}"
    return cache() / hashlib.sha256(made_of.encode()).hexdigest()[:16] / "cuda_runtime.pch"
# SPDX-License-Identifier: MIT
