"""Files that simcc writes: whole, or not there at all."""
import contextlib
import os
import re
import stat
import sys

from simcc.options import fail

# What clang, linkers and objcopy say when a disk is full; clang then asks for a bug report and prints its stack.
LOST = re.compile(r"(?:IO failure on output stream|final link failed|failed to write[^\n]*|objcopy: [^\n]*): "
                  r"(No space left on device|Disk quota exceeded|File too large|Input/output error)")
OUTPUTS = ("-o", "-MF")  # what comes before their names in a command


def drop(path):
    """Removes a file that may be half-written. Pipes, devices and links to them stay."""
    with contextlib.suppress(OSError):
        if stat.S_ISREG(os.lstat(path).st_mode):
            os.unlink(path)


@contextlib.contextmanager
def written(path, mode="w", **how):
    """Opens a file for writing. If that fails, simcc ends, and nothing half-written is left."""
    try:
        file = open(path, mode, **how)
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    try:
        with file:
            yield file
    except OSError as error:
        drop(path)
        fail(f"{path}: {error.strerror}")


def copied(made, path):
    """A file's content at another path."""
    with open(made, "rb") as file:
        content = file.read()
    with written(path, "wb") as file:
        file.write(content)


def says_lost(command, messages):
    """Whether a command has failed because what it made could not be written: then one line says so, and nothing
    half-written stays."""
    if not (lost := LOST.search(messages)):
        return False
    made = [path for option, path in zip(command, command[1:]) if option in OUTPUTS] or command[-1:]  # objcopy has no option
    for path in made:
        drop(path)
    print(f"simcc: {' or '.join(made)}: {lost.group(1)}", file=sys.stderr)
    return True


def lost(error):
    """Ends simcc: standard output cannot be written. What Python tries to write when it ends would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    fail(f"standard output: {error.strerror}")
# SPDX-License-Identifier: MIT
