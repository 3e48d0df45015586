"""The compiler whose PTX the book counts. Another version of clang makes other instructions of the same kernels, so what
programs print in a build with another version is not what the pages show."""
import re
import subprocess
import sys

COMPILER = "clang 14"
SKIP = 77  # Meson's exit code for a skipped test


def of_build(build):
    """"clang 19", which compiles the kernels in this build folder."""
    told = subprocess.run([build / "simcc", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    version = re.search(r"clang version (\d+)", told)
    return f"clang {version[1]}" if version else "an unknown compiler"


def must_be_the_books(build, checks):
    """Ends the process if this build's kernels are compiled by another one: a check is skipped, all else refused."""
    found = of_build(build)
    if found == COMPILER:
        return
    why = (f"the book shows what {COMPILER} makes of the kernels, and {build} compiles them by {found}; "
           f"a build to compare with: meson setup FOLDER -Dclang={COMPILER.replace(' ', '++-')}")
    if checks:
        print(f"skipped: {why}")
        sys.exit(SKIP)
    sys.exit(why)
# SPDX-License-Identifier: MIT
