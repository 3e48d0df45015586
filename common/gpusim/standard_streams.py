"""Standard streams that the caller has closed (`>&-`): for Python they are None, and the next file that is opened would
take their place."""
import os
import sys


def open_closed():
    """What is written to a closed standard output fails, as it does in other programs; to a closed standard error it is
    lost; a closed standard input is empty."""
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # the lowest number that is free: this one
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115  # as long as the program
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
# SPDX-License-Identifier: MIT
