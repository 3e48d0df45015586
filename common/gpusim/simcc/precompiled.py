"""The precompiled cuda_runtime.h that the build makes, for the programs of others: reading that header anew is half of the
time that a small file takes.

clang refuses a header that was precompiled with another standard or optimisation. But it does not notice a macro on the command
line that the headers test (NDEBUG), or a folder of -I with a header that has the same name as one of theirs. So when a header
is precompiled, the names that it tests and the headers that it includes are recorded (FILE.names), and this module checks
whether an option may be one of them.
"""
import json
import os
import re

from simcc.files import written

# What the compiler reads with other options, but means the same in the headers. (-O0, -Os and -Ofast tell them so by macros.)
SAME_MACROS = ("-O1", "-O2", "-O3")
STANDARD = "c++17"
FOLDERS_BY_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")

DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\\\n]|\\.|\\\n)*)", re.MULTILINE)
INCLUDED = re.compile(r'[<"]([^">/\n]+)')


def files_of(rule):
    """The files that a Makefile's rule names as what it depends on."""
    text = rule.partition(": ")[2].replace("\\\n", " ")
    return [name.replace("\\ ", " ") for name in re.findall(r"(?:\\ |\S)+", text)]


def write_names(path, header, rules):
    """What the headers of `rules` (of both passes) ask for: words of their directives, and how the names begin that they
    include. And which header it was."""
    words, headers = set(), set()
    for name in {name for rule in rules for name in files_of(rule) if os.path.isfile(name)}:
        with open(name, encoding="latin-1") as file:
            for directive, rest in DIRECTIVE.findall(file.read()):
                if directive.startswith("include"):
                    headers.update(INCLUDED.findall(rest))
                words.update(re.findall(r"[A-Za-z_]\w*", rest))
    with written(path, encoding="utf-8") as file:
        json.dump({"words": sorted(words), "headers": sorted(headers), "header": os.path.abspath(header)}, file)


def header_of(pch):
    """The header that was precompiled; None if nobody has written down which."""
    try:
        with open(pch + ".names", encoding="utf-8") as file:
            return json.load(file).get("header")
    except OSError:
        return None


def may_differ(job, names):
    """Whether options of the command line may give the headers another meaning."""
    if job.standard != STANDARD or job.optimise not in SAME_MACROS or job.fill_variables or job.device or job.host:
        return True
    if any(os.environ.get(name) for name in FOLDERS_BY_ENVIRONMENT):
        return True
    macros, folders, options = [], [], list(job.compile)
    while options:
        option = options.pop(0)
        if option == "-D":
            macros.append(re.split(r"[=(]", options.pop(0))[0])
        elif option in ("-I", "-isystem"):
            folders.append(options.pop(0))
        elif option == "-pthread":
            macros.append("_REENTRANT")
        elif option not in ("-g", "-w") and not option.startswith("-W"):
            return True
    if not macros and not folders:
        return False
    with open(names, encoding="utf-8") as file:
        asked = json.load(file)
    there = {name for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)}
    return bool(there & set(asked["headers"]) or set(macros) & set(asked["words"]))


def ready_made(job, pch):
    """`pch`, if it is there and what this job would make of the header is the same; else None."""
    names = pch + ".names"
    if not all(os.path.isfile(path) for path in (pch, pch + ".device", names)) or may_differ(job, names):
        return None
    return pch
# SPDX-License-Identifier: MIT
