"""What a program knows of the simcc that has linked it: the command that starts it. NVRTC compiles by that
(libraries/nvrtc_child.cpp), so only `-lnvrtc` asks for it."""
import os

from simcc.configuration import CLANG, SIMCC
from simcc.files import written
from simcc.processes import run


def text_in_c(word):
    return '"' + "".join(f"\\{byte:03o}" for byte in os.fsencode(word)) + '"'


def recorded(job, scratch):
    """([the object], the exit status of its compiler)"""
    source, made = os.path.join(scratch, "recorded.c"), os.path.join(scratch, "recorded.o")
    same_code = ["--keep-accesses"] * job.keep_accesses + ["--fill-variables"] * job.fill_variables
    words = ", ".join([*map(text_in_c, [*SIMCC, *same_code]), "0"])
    with written(source, encoding="ascii") as file:
        file.write(f"static const char* const words[] = {{{words}}};\nconst char* const* gpusim_simcc_command = words;\n")
    return [made], run([CLANG, "-x", "c", "-O1", "-fPIC", "-c", source, "-o", made], job)
# SPDX-License-Identifier: MIT
