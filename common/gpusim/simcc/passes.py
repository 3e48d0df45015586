"""The options with which clang compiles a .cu file: those of the device pass, and those of the host pass."""
import os
import re
import sys

from simcc.configuration import CLANG, INCLUDE
from simcc.ignored import OPTIONS as IGNORED

# nvcc replaces calls by the function's code even where that has several thousand instructions; clang stops at about a thousand.
INLINING_OF_NVCC = ["-mllvm", "-inline-threshold=1000"]
# A load stays where its `if` put it: a thread that loads what only another may read would be accused of a race.
NO_SPECULATION = ["-mllvm", "-two-entry-phi-node-folding-threshold=0", "-mllvm", "-phi-node-folding-threshold=0",
                  "-mllvm", "-speculate-one-expensive-inst=false"]
# Where what comes next is undefined (a function ends without a value, say), clang leaves out the rest of the kernel, its return
# included.
TRAPS = ["-mllvm", "-trap-unreachable"]
TRAP_OF_CLANG = re.compile(r"(?<!// begin inline asm\n)^\ttrap;$", re.MULTILINE)


def with_marked_traps(ptx):
    """clang's traps, and not those that a program asks for: the simulated GPU has other words for them."""
    return TRAP_OF_CLANG.sub('\t.pragma "undefined";\n\ttrap;', ptx)


def colour():
    return ["-fcolor-diagnostics"] if sys.stderr.isatty() and not os.environ.get("NO_COLOR") else []


def depfile_options(job, source, output):
    if not job.depend:
        return []
    target = job.target or output
    return ["-MD", "-MF", job.depfile or os.path.splitext(output)[0] + ".d", "-MQ", target]


def passes(job, use_pch):
    """clang's options for the device pass and for the host pass of a .cu file."""
    common = [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", *colour(),
              f"-std={job.standard}", "-Xclang", "-target-sdk-version=11.5",
              # Warnings of nvcc's, the first in host code.
              "-Wno-error=c++11-narrowing", "-Wno-error=register", "-Wno-error=return-type",
              *job.compile,
              "-isystem", INCLUDE, "-include", "cuda_runtime.h"]
    if not use_pch and job.begins_with:  # what was asked for does not fit, and the file begins with that header all the same
        common += ["-include", job.begins_with]
    # Like nvcc, optimise device code whatever -O says. Warnings come from the host pass: it reads the same text. Only
    # those of variables without a value come from the device pass, which passes them on (`uninitialised`).
    is_quiet = ("-w" in job.compile or "-Wno-uninitialized" in job.compile) and not job.keep_accesses
    warnings = ["-w"] if is_quiet else ["-Wno-everything", "-Wuninitialized", *IGNORED]
    if job.at_run_time and not is_quiet:  # there is no host pass; nvcc warns of these
        warnings = ["-Wuninitialized", "-Wunused-variable", "-Wno-unused-const-variable", "-Wunused-but-set-variable",
                    "-fno-crash-diagnostics"]
    # Fills variables without a value, so that they are neither right by chance nor chosen by the compiler. But filling an array
    # takes stores that a GPU does not execute and that are not counted, so this is only for judging kernels.
    filled = ["-ftrivial-auto-var-init=pattern"] if job.fill_variables else []
    # A kernel that uses a null pointer keeps doing so: nvcc compiles it to a trap, and clang would leave nothing of it.
    device = [*common, "-O2", "-fno-delete-null-pointer-checks", *warnings, *filled, "--cuda-device-only", "-S",
              "-Xclang", "-debug-info-kind=line-tables-only", "-Xclang", "-dwarf-version=2",
              *NO_SPECULATION, *INLINING_OF_NVCC, *TRAPS, *job.device,
              "-fdebug-compilation-dir=.", "-Xclang", "-target-feature", "-Xclang", "+ptx70"]
    # Line tables, so that a refused call can be traced to its line. As a tail call it would get the line of another call.
    lines = [] if "-g" in job.compile else ["-gline-tables-only"]
    host = [*common, *job.host, job.optimise, *lines, "-fno-optimize-sibling-calls", "-Wno-uninitialized", "--cuda-host-only",
            "-c"]
    if use_pch:
        device += ["-Xclang", "-include-pch", "-Xclang", use_pch + ".device"]
        host += ["-Xclang", "-include-pch", "-Xclang", use_pch]
    return device, host
# SPDX-License-Identifier: MIT
