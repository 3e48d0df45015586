"""The device pass: makes PTX of a .cu file, as nvcc would make it, and checks what ptxas would refuse."""
import os
import re
import shlex
import subprocess
import sys

from simcc.configuration import CLANG, LIBRARY
from simcc.files import lost, written
from simcc.ignored import ignored
from simcc.inlining import with_calls
from simcc.keeping import with_all_accesses, with_plain_accesses
from simcc.options import NO_DEVICE_LINKING
from simcc.passes import INLINING_OF_NVCC, NO_SPECULATION, TRAPS, colour, with_marked_traps
from simcc.processes import run
from simcc.remainders import mention_remainders, with_opaque_remainders
from simcc.unrolling import mention_unrolled_loops, with_unrolling_of_nvcc
from simcc.vectors import mention_vectors, with_whole_vectors

CHECKER = os.path.join(os.path.dirname(LIBRARY), "gpusim_ptxcheck")
# Two barriers in the two branches of an `if` stay two.
NO_MERGING = ["-mllvm", "-hoist-common-insts=false", "-mllvm", "-sink-common-insts=false"]
# A vector's load stays one, at its line, though its elements are used one by one further on.
WHOLE_LOADS = ["-mllvm", "-disable-vector-combine"]


def uninitialised(said):
    """What clang said of variables that are used before they have a value, as comments for the end of the PTX text:
    the simulated GPU finds it there (GPUSIM_CHECK=uninitialized)."""
    plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", said)
    places = re.findall(r"^(?:\./)?(\S.*:\d+:\d+: )warning: (.*) \[-W[a-z-]*uninitialized\]$", plain, re.MULTILINE)
    return "".join(f"// simcc: {place}{message}\n" for place, message in dict.fromkeys(places))


def finish_ptx(made, output, end, change=None):
    """Writes the finished PTX; clang calls kernels.cu ./kernels.cu. `end` is appended to the text."""
    with open(made, encoding="utf-8", errors="surrogateescape") as file:
        text = re.sub(r'^(\t\.file\t\d+ ")\./', r"\1", with_calls(with_marked_traps(file.read())), flags=re.MULTILINE) + end
    if change:
        text = change(text)
    if output != "-":
        with written(output, encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        lost(error)


def change_ir(path, *changes):
    """Rewrites a file of LLVM IR."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    for change in changes:
        text = change(text)
    with written(path, encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def device_pass(job, command, source, output, scratch, sources):
    """Writes the PTX of a .cu file and returns the exit status. If `sources` mention something that nvcc compiles
    differently, clang stops half-way, and its LLVM IR is changed."""
    vectors, unrolled = mention_vectors(sources), mention_unrolled_loops(sources)
    remainders = mention_remainders(sources)
    made, said = os.path.join(scratch, "clang.ptx"), []
    comments, volatile = "", None  # with --keep-accesses

    def keep_accesses(text):
        nonlocal comments, volatile
        text, comments, volatile = with_all_accesses(text)
        return text

    if vectors or unrolled or remainders or job.keep_accesses:
        ir = os.path.join(scratch, "device.ll")
        failed = run([*command, "-emit-llvm", "-Xclang", "-disable-llvm-passes", source, "-o", ir], job, said)
        if not failed:
            if not job.dry_run:
                change_ir(ir, with_whole_vectors, with_unrolling_of_nvcc, with_opaque_remainders,
                          *[keep_accesses] * job.keep_accesses)
            # The second half does not know of CUDA, where a * b + c is one instruction unless -fmad=false says otherwise.
            fused = [] if "-ffp-contract=off" in job.device else ["-mllvm", "-nvptx-fma-level=2"]
            whole = (WHOLE_LOADS if vectors else []) + (NO_MERGING if job.keep_accesses else [])
            failed = run([CLANG, *colour(), "-x", "ir", "--target=nvptx64-nvidia-cuda", "-march=sm_80", "-O2", "-w", "-S",
                          *NO_SPECULATION, *INLINING_OF_NVCC, *TRAPS, *whole, *fused, "-Xclang", "-target-feature",
                          "-Xclang", "+ptx70", ir, "-o", made], job, said)
    else:
        failed = run([*command, source, "-o", made], job, said)
    if not failed and not job.dry_run:
        text = "".join(said)
        change = (lambda ptx: with_plain_accesses(ptx, volatile)) if job.keep_accesses else None
        finish_ptx(made, output, uninitialised(text) + comments + ("" if job.only_ptx else ignored(text)), change)
    return failed


def check_ptx(ptx, source, job):
    """What ptxas would refuse (limits, instructions that do not exist), as errors with the line of the source, or with
    its name where they are of the whole file."""
    if not os.path.exists(CHECKER):
        return 0  # while the library itself is being built
    if job.verbose:
        print(shlex.join([CHECKER, ptx]), file=sys.stderr)
    done = subprocess.run([CHECKER, ptx], capture_output=True, text=True, errors="surrogateescape", check=False)
    sys.stderr.write(re.sub(rf"^{re.escape(ptx)}(:\d+)?:", lambda _: source + ":", done.stdout + done.stderr, flags=re.MULTILINE))
    with open(ptx, encoding="utf-8", errors="surrogateescape") as file:
        elsewhere = re.findall(r"^\.extern \.(?:global|const) .*?([\w$]+)(?:\[\d*\])?;$", file.read(), re.MULTILINE)
    for name in elsewhere:
        print(f"{source}: error: variable '{name}', which nothing defines", file=sys.stderr)
    if elsewhere or "which nothing defines" in done.stdout:
        print(f"simcc: {source}: {NO_DEVICE_LINKING}", file=sys.stderr)
    return 1 if elsewhere else done.returncode
# SPDX-License-Identifier: MIT
