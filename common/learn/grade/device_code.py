"""The PTX of a submission: what its constants are, and whether its kernels are those that the judge launches.

The PTX is text that a stranger may have formed. It is searched here, and interpreted by the simulated GPU; nothing else.
"""
import re
import subprocess

PROBE = "grade_value_of_"
ENTRY = re.compile(r"^(?:\.visible |\.weak )?\.entry ([\w$]+)\(", re.MULTILINE)
VALUE = re.compile(rf"^\.visible \.global \.align \d+ \.u64 {PROBE}(\w+)(?: = (-?\d+))?;$", re.MULTILINE)
BEGIN_OR_END = re.compile(r"^(?:(?:\.visible |\.weak )?\.entry ([\w$]+)\(|\}$)", re.MULTILINE)  # of a kernel
HERE = re.compile(r'^(\t\.file\t\d+ ")(?:\./)+', re.MULTILINE)  # clang writes kernels.cuh as ./kernels.cuh
FILE = re.compile(r'^\t\.file\t(\d+) "(.*)"$', re.MULTILINE)
BASE = re.compile(r"(\w+)(?:<.*>)?\(")  # sum_tile of void sum_tile<256>(float*)
NOISE = re.compile(r"^\t\.loc\t.*\n|//[^\n\"]*$", re.MULTILINE)
BLOCK = re.compile(r"(BB)\d+(_\d+)")
MOST = 100  # kernels of which only some names differ
LONGEST = 1000  # characters of a kernel's name
LARGEST = 8 << 20  # bytes; a solution's PTX has a hundredth of it


class Strange(Exception):
    """The device code is not what the judge can launch; the message is one line."""


def probes(names):
    """Source that keeps constants in the PTX, for values()."""
    return "".join(f'extern "C" __device__ long long {PROBE}{name};\n__device__ long long {PROBE}{name} = (long long)({name});\n'
                   for name in names)


def values(ptx):
    """The constants that probes() has asked for: {name: integer}."""
    found = {name: int(value or 0) for name, value in VALUE.findall(ptx)}
    return {name: value - (1 << 64) if value >> 63 == 1 else value for name, value in found.items()}


def entries(ptx):
    return list(dict.fromkeys(name for name in ENTRY.findall(ptx) if len(name) < LONGEST))


def demangled(names):
    """{mangled name: as one reads it}, of the project's own"""
    done = subprocess.run(["c++filt"], input="\n".join(names) + "\n", capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def kernels(ptx):
    """(name, where it begins, where it ends) of each kernel, in one pass: the text may be a stranger's."""
    name, begin = None, 0
    for found in BEGIN_OR_END.finditer(ptx):
        if found.group(1):
            name, begin = found.group(1), found.start()
        elif name:
            yield name, begin, found.end()
            name = None


def bodies(ptx):
    return {name: ptx[begin:end] for name, begin, end in kernels(ptx)}


def plain(body):
    """A kernel without line numbers and comments, and with the names of labels as they would be in another file."""
    return BLOCK.sub(r"\1\2", NOISE.sub("", body))


def without_const(signature):
    return re.sub(r" *\b(?:const|__restrict)\b", "", signature)


def as_launched(ptx, reference, readable):
    """The PTX with its kernels called as the judge launches them: a submission may leave out a `const` of the solution, or have
    one more. Raises Strange if it lacks a kernel. readable() reads the names that a stranger has chosen."""
    ptx = HERE.sub(r"\1", ptx)
    theirs, wanted = entries(ptx), entries(reference)
    missing = [name for name in wanted if name not in theirs]
    if not missing:
        return ptx
    known, alike = demangled(missing), {}
    others = [name for name in theirs if name not in wanted][:MOST]
    for name, read in zip(others, readable(others)):
        alike.setdefault(without_const(read), name)
    renamed = {}
    for name in missing:
        mine = alike.get(without_const(known[name]))
        if mine is None:
            raise Strange(f"it lacks the kernel {known[name]}, or has changed what that takes")
        renamed[mine] = name
    names = re.compile(r"(?<![\w$])(" + "|".join(map(re.escape, renamed)) + r")(?=_param_\d|(?![\w$]))")
    return names.sub(lambda found: renamed[found.group(1)], ptx)


def with_kernels_of(ptx, reference, names):
    """The PTX with the reference's kernels of these names in the place of its own; None if there is no such kernel."""
    every, parts, end = bodies(reference), [], 0
    base_name = lambda read: BASE.search(read).group(1)
    chosen = {mangled for mangled, read in demangled(list(every)).items() if base_name(read) in names}
    if not chosen:
        return None
    for name, first, last in kernels(ptx):
        if name in chosen:
            parts += [ptx[end:first], every[name]]
            end = last
    return "".join([*parts, ptx[end:]])


def bodies_of_tests(ptx):
    """The kernels of which no line is in the chapter's folder: those of the judge alone. {name: what it does}"""
    of_tests = {number for number, path in FILE.findall(ptx) if "/tests/chapters/" in path}
    found = {}
    for name, body in bodies(ptx).items():
        lines = set(re.findall(r"^\t\.loc\t(\d+)", body, re.MULTILINE))
        if lines and lines <= of_tests:
            found[name] = plain(body)
    return found


def compare_judges_own(ptx, reference):
    """Raises Strange if a kernel of the judge, in which nothing of an exercise is, has become another one."""
    mine = bodies(ptx)
    for name, body in bodies_of_tests(reference).items():
        if plain(mine.get(name, "")) != body:
            raise Strange(f"it changes the kernel {demangled([name])[name]} of the chapter's test")
# SPDX-License-Identifier: MIT
