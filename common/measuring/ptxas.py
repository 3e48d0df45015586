"""What ptxas makes of kernels: their loads in SASS, a thread's registers and what is spilled."""
import os
import pathlib
import re
import subprocess
import sys

from measuring.ncu import kernel_name
from measuring.toolchain import nvcc, output_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHITECTURE = "sm_90"
SMALLER_ARRAYS = [8, 16]  # elements, where spills.cu has 32


def loads_in_sass(program):
    """How many instructions that load from global memory each kernel of a program has, as ptxas made it."""
    loads, kernel = {}, ""
    for line in output_of("cuobjdump", "-sass", program).splitlines():
        if function := re.match(r"\s*Function : (\S+)", line):
            kernel = kernel_name(output_of("c++filt", function.group(1)).strip().replace("(anonymous namespace)::", ""))
            loads[kernel] = 0
        elif re.search(r"\bLDG\b", line):
            loads[kernel] += 1
    return loads


def registers_in_sass(program):
    """What ptxas allots to a thread of each kernel of a program: registers, and bytes of local memory."""
    told = re.findall(r"Function (\S+):\n\s*REG:(\d+) STACK:(\d+)", output_of("cuobjdump", "--dump-resource-usage", program))
    if not told:
        sys.exit(f"cuobjdump --dump-resource-usage {program}: no kernel in what it says")
    return {kernel_name(output_of("c++filt", mangled).strip()): {"registers": int(count), "local_bytes": int(stack)}
            for mangled, count, stack in told}


def told_by_ptxas(*options):
    """What ptxas tells of every kernel of chapter 08's `spills` as it compiles. Bytes are those of one thread."""
    chapter = "08_grid_sizing"
    done = subprocess.run(
        [nvcc(), "-std=c++17", "-O2", f"-arch={ARCHITECTURE}", "-cubin", "-Xptxas", "-v", *options, "-I", ROOT / "common", "-I",
         ROOT / "solutions" / chapter, ROOT / "chapters" / chapter / "spills.cu", "-o", os.devnull],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"nvcc: exit status {done.returncode}: {done.stderr.strip()[-400:]}")
    told = re.findall(r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, "
                      r"(\d+) bytes spill loads\n.*Used (\d+) registers", done.stderr)
    if not told:
        sys.exit("nvcc -Xptxas -v named no kernel: " + done.stderr.strip()[-400:])
    kernels = {}
    for mangled, stack, stores, loads, count in reversed(told):  # ptxas begins with the last
        name = re.search(r"(\w+(<[^>]*>)?)\(", output_of("c++filt", mangled).replace("(anonymous namespace)::", "")).group(1)
        kernels[name] = {"registers": int(count), "local_bytes": int(stack), "spill_store_bytes": int(stores),
                         "spill_load_bytes": int(loads)}
    return kernels


def registers(_build):
    kernels = told_by_ptxas()
    for elements in SMALLER_ARRAYS:
        kernels[f"sum_few<false>, {elements} elements"] = told_by_ptxas(f"-DFEW={elements}")["sum_few<false>"]
    return {"what": "a thread's registers and bytes of local memory, of which spilled; from nvcc -Xptxas -v", "kernels": kernels}
# SPDX-License-Identifier: MIT
