#!/usr/bin/env python3
"""Usage: compile_judged.py REFERENCE SOLUTION SIMCC_COMMAND…

Compiles a chapter's test with the kernels.cuh that it judges by the command, which has -DKERNELS_FILE="…",
-MF, -c and -o. The object is held against REFERENCE, that of the same test with SOLUTION (host_code.py).
If the host code of kernels.cuh would not leave the judge alone, none of it comes into the object: that has
one finding, and the verdict is `not judged`. The same is the answer where kernels.cuh includes a file of a
folder that `--not-from FOLDER`, anywhere in the command, names.

judged_words.py makes the source: its last lines ask whether kernels.cuh has defined a word of the test as
a macro.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import host_code
from judged_words import names_of

FILE = "-DKERNELS_FILE="
MACRO = re.compile(r"error: judged word: (\w+)")
REFUSED = """#include "judge.h"
const char* const judge::kernels_file = {file};
const judge::Exercise judge::exercise = {{0, {{}}}};
namespace {{
const bool refused = (judge::refuse({why}), true);
}}
"""


def value_of(option, command):
    return command[command.index(option) + 1]


def quoted(text):
    """As a string of C++, whatever it contains."""
    escaped = "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
                      for byte in text.encode("utf-8", "surrogateescape"))
    return f'"{escaped}"'


def included_from(folder, depfile):
    """A file of this folder that the compiler has read, or None."""
    text = pathlib.Path(depfile).read_text(encoding="utf-8", errors="surrogateescape").replace("\\\n", " ")
    files = (pathlib.Path(name.replace("\\ ", " ")).resolve() for name in re.findall(r"(?:\\ |\S)+", text.partition(": ")[2]))
    return next((file for file in files if file.is_relative_to(pathlib.Path(folder).resolve())), None)


def refuse(command, kernels, why):
    """An object whose verdict says why; nothing of the judged file is in it."""
    folders = [argument for at, argument in enumerate(command) if argument == "-I" or command[at - 1] == "-I"]
    chapters = pathlib.Path(__file__).resolve().parent / "chapters"
    with tempfile.TemporaryDirectory(prefix="judged.") as scratch:
        source = pathlib.Path(scratch, "refused.cpp")
        source.write_text(REFUSED.format(file=quoted(kernels), why=quoted(why)), encoding="ascii")
        return subprocess.run([command[0], "-O0", "-std=c++17", *folders, "-I", str(chapters), "-c", str(source),
                               "-o", value_of("-o", command)], check=False).returncode


def keep_depfile(command, kernels):
    """A compiler that has failed may have written none, and then an edit would not be noticed."""
    depfile = pathlib.Path(value_of("-MF", command))
    if not depfile.exists():
        depfile.write_text(f"{value_of('-o', command)}: {kernels}\n".replace(" ", "\\ ").replace(":\\ ", ": "), encoding="utf-8")


def main(reference, solution, *command):
    command, not_from = list(command), None
    if "--not-from" in command:
        at = command.index("--not-from")
        not_from = command[at + 1]
        del command[at:at + 2]
    kernels = next(argument for argument in command if argument.startswith(FILE)).removeprefix(FILE).strip('"')
    done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", errors="surrogateescape", check=False)
    macro = MACRO.search(done.stderr) if done.returncode else None
    if macro:
        keep_depfile(command, kernels)
        return refuse(command, kernels, f"it defines the macro `{macro.group(1)}`, a word that the chapter's test uses: give it "
                                        "another name, or #undef it behind its last use")
    sys.stderr.write(done.stderr)
    if done.returncode:
        return done.returncode
    if not_from and (file := included_from(not_from, value_of("-MF", command))):
        return refuse(command, kernels, f"it includes {file}: what is judged is your own")
    why = host_code.complaint(reference, value_of("-o", command), names_of(pathlib.Path(solution)))
    return refuse(command, kernels, why) if why else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(f"compile_judged.py: expected: {__doc__.splitlines()[0].removeprefix('Usage: compile_judged.py ')}")
    sys.exit(main(*sys.argv[1:]))
# SPDX-License-Identifier: MIT
