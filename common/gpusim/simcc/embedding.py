"""PTX in objects: the host pass need not wait for the device pass.

clang embeds what the device pass has made in a section of the host's object. It is given something that keeps the place, so
that both passes run from beginning to end at the same time; then objcopy puts the PTX there.
"""
import os
import stat

SECTION = ".nv_fatbin"


def place_kept(scratch):
    """Makes a placeholder for the PTX, and returns clang's options that name it."""
    path = os.path.join(scratch, "place.ptx")
    with open(path, "w", encoding="ascii") as file:
        file.write("the place of the PTX\0")
    return ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", path]


def has_place(made):
    """Whether an object has kernels or variables of the device: without them clang makes no such section. What it wrote to
    /dev/null is gone."""
    with open(made, "rb") as file:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and SECTION.encode() in file.read()


def embedding(objcopy, ptx, made, output):
    """The command that makes of an object another one, with the PTX in it."""
    with open(ptx, "ab") as file:
        file.write(b"\0")  # the text is a C string
    return [objcopy, "--update-section", f"{SECTION}={ptx}", "--", made, output]
# SPDX-License-Identifier: MIT
