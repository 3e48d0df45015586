"""What Meson found. build/simcc (launcher.py) sets these names before it imports the driver."""
BUILD = ""    # the build folder, in which simcc stands
CLANG = ""    # clang++ with the NVPTX target
INCLUDE = ""  # the folder of our cuda_runtime.h
LIBRARY = ""  # libgpusim.a
LINK = ""     # what links programs, with options: clang, unless the library is made for sanitizers or coverage
OBJCOPY = ""
PRECOMPILED = ""  # cuda_runtime.pch, unless --use-pch names another
SIMCC = []  # the command that starts it
VERSION = ""
# SPDX-License-Identifier: MIT
