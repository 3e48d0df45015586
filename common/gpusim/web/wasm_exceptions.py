#!/usr/bin/env python3
"""Usage: wasm_exceptions.py FOLDER COMMAND…

Compiles into FOLDER what C++ exceptions need on WebAssembly, from the sources of LLVM's libc++abi and libunwind that come
with zig, which leaves them out on WASI. COMMAND is zig and what it is to compile for.
"""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

# The kind of exception that WebAssembly's instructions throw and catch: with a pointer.
TAG = ".globl __cpp_exception\n.tagtype __cpp_exception i32\n__cpp_exception:\n"

made_in, *command = command_line.arguments("OUTPUT_DIR COMMAND…")
folder, names = pathlib.Path(made_in), [pathlib.Path(word).name for word in command]
if "zig" not in names:
    command_line.stop(f"{' '.join(command)}: no command of zig", 2)
zig = names.index("zig") + 1
tool, machine = command[:zig], command[zig:]
library = pathlib.Path(tool[-1]).resolve().parent / "lib"
if not (library / "libcxxabi/src/cxa_exception.cpp").is_file():
    sys.exit(f"{library} has no sources of libc++abi; a zig that has them comes with: sh common/bootstrap.sh --playground")
abi, unwind = library / "libcxxabi", library / "libunwind"
options = [*machine, "-I", abi / "include", "-I", abi / "src", "-I", library / "libcxx/src", "-I", unwind / "include",
           "-D_LIBCPP_BUILDING_LIBRARY", "-D_LIBCXXABI_BUILDING_LIBRARY", "-DLIBCXXABI_NON_DEMANGLING_TERMINATE",
           "-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBUNWIND_HIDE_SYMBOLS", "-D_LIBUNWIND_HAS_NO_THREADS"]


def compile_(driver, arguments, source, name):
    subprocess.run([*tool, driver, *options, *arguments, "-c", source, "-o", folder / name], check=True)


for stem in ("cxa_exception", "cxa_personality"):
    compile_("c++", ["-std=c++23"], abi / f"src/{stem}.cpp", f"{stem}.o")
compile_("cc", ["-std=c23", "-fdeclspec"], unwind / "src/Unwind-wasm.c", "unwind.o")
(folder / "tag.s").write_text(TAG, encoding="utf-8")
subprocess.run([*tool, "cc", *machine, "-c", folder / "tag.s", "-o", folder / "tag.o"], check=True)
# SPDX-License-Identifier: MIT
