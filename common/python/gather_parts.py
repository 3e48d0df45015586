"""Makes the library and the checker of the wheel from those of a build folder.

gather_parts.py AR LIBRARY CHECKER NEW_LIBRARY NEW_CHECKER

Meson's archives are thin: they only name their object files, which stay in the build folder. The wheel needs the files
themselves.
"""
import pathlib
import shutil
import subprocess
import sys

ar, library, checker, new_library, new_checker = sys.argv[1:]
if pathlib.Path(library).read_bytes().startswith(b"!<thin>"):
    # `ar t` gives the members of a thin archive relative to the current folder.
    members = subprocess.run([ar, "t", library], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    pathlib.Path(new_library).unlink(missing_ok=True)  # ar would add to it
    subprocess.run([ar, "qcsD", new_library, *members], check=True)
else:
    shutil.copyfile(library, new_library)
shutil.copy(checker, new_checker)
# SPDX-License-Identifier: MIT
