"""What is found of the chapters' kernels against a list of it that the repository keeps."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "book"))
import compiler

WRITE = "--write"


def arguments():
    """Those of the program, without --write."""
    return [argument for argument in sys.argv[1:] if argument != WRITE]


def must_be_of_the_lists_compiler(program):
    """Skips the test if another version of clang made the PTX of the programs in this build folder, BUILD/tests/gpusim/PROGRAM:
    that inlines other functions."""
    compiler.must_be_the_books(pathlib.Path(program).parents[2], WRITE not in sys.argv)


def compare(found, listed):
    """Ends the process: with a complaint for each line that only one of the two has. With --write, writes the list before."""
    path = pathlib.Path(listed)
    if WRITE in sys.argv:
        path.write_text("\n".join(found) + "\n", encoding="utf-8")
    expected = path.read_text(encoding="utf-8").splitlines()
    complaints = [f"not in the list: {line}" for line in found if line not in expected]
    complaints += [f"only in the list: {line}" for line in expected if line not in found]
    if complaints:
        complaints.append("if that is right, write the list anew: " + " ".join([*sys.argv, WRITE]))
    sys.exit("\n".join(complaints) or 0)
# SPDX-License-Identifier: MIT
