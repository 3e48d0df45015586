"""Compiles a CUDA source by simcc, and reads what the compiler says of it."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from warp_by_warp import toolchain
from warp_by_warp.results import Diagnostic, Place

COMMAND = [sys.executable, "-S", str(pathlib.Path(__file__).with_name("commands.py")), "simcc"]
HEADER_OPTIONS = ["-O2", "-lineinfo", "-std=c++17"]
# cell.cu:3:5: error: …, or without the column. simcc's own lines and the linker's have no place.
SAID = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:(?P<column>\d+):)? "
                  r"(?P<severity>fatal error|error|warning|note): (?P<message>.*)$")
WHOLE = re.compile(r"^(?:\S+: )?error: (?P<message>.*)$|^simcc: (?P<told>.*)$|^.*: (?P<undefined>undefined reference to .*)$")
SUMMARY = re.compile(r"^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*$")


class CompileError(Exception):
    """The source does not compile. `diagnostics` has the messages with their places, `text` what the compiler printed."""

    def __init__(self, text, diagnostics):
        super().__init__(text)
        self.text, self.diagnostics = text, diagnostics

    def __str__(self):
        return self.text


def diagnostics_in(text):
    """The Diagnostics of what simcc printed: each begins with a line that says where, and goes on until the next one."""
    found = []
    for line in text.splitlines():
        if SUMMARY.match(line):
            continue
        at = SAID.match(line)
        whole = None if at else WHOLE.match(line)
        if at:
            place = Place(at["file"], int(at["line"]), int(at["column"] or 0))
            found.append([at["severity"].removeprefix("fatal "), at["message"], place, [line]])
        elif whole:
            found.append(["error", whole["message"] or whole["told"] or whole["undefined"], None, [line]])
        elif found:
            found[-1][3].append(line)
    return tuple(Diagnostic(severity, message, place, "\n".join(lines)) for severity, message, place, lines in found)


def simcc(arguments, folder):
    """The finished process; its standard error holds what the compiler said."""
    return subprocess.run([*COMMAND, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)


def prepare():
    """Makes the precompiled header that simcc begins with, if there is none yet. Raises MissingTool. Without a folder for it,
    programs compile all the same, only slower."""
    header = toolchain.precompiled_header(toolchain.find())
    if header.is_file():
        return
    try:
        header.parent.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=header.parent.parent) as scratch:
            made = pathlib.Path(scratch, "header")
            made.mkdir()
            done = simcc([*HEADER_OPTIONS, "--create-pch", made / header.name, "-x", "cu", os.devnull], scratch)
            if done.returncode == 0:
                made.rename(header.parent)  # at once, so that nobody sees half of it
    except OSError:  # no such folder, or another process was first
        pass


def drop_stale_header(said):
    """A system header has changed since cuda_runtime.h was precompiled: the next program makes it anew."""
    if "the precompiled header does not fit any more" in said:
        folder = toolchain.precompiled_header(toolchain.find()).parent
        for file in folder.glob("*"):
            file.unlink(missing_ok=True)
        folder.rmdir()


def compiled(source, program, options, folder, shorten):
    """Compiles the file `source` to `program`, in `folder`. Returns the compiler's warnings. Raises CompileError, MissingTool."""
    prepare()
    done = simcc([*options, str(source), "-o", str(program)], folder)
    drop_stale_header(done.stderr)
    said = shorten(done.stderr)
    if done.returncode:
        raise CompileError(said, diagnostics_in(said))
    return diagnostics_in(said)
# SPDX-License-Identifier: MIT
