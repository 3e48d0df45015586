"""Whether the host code of a judged kernels.cuh leaves the judge alone.

A chapter's test and a kernels.cuh are compiled together, and run as one process. So the object is held
against that of the same test with the solution. What belongs to the test must be the same there: the
functions that it calls, the test cases that it registers, what runs before main(). A kernels.cuh adds
kernels, device functions, variables of the device, and may fill in the host functions that the exercise
has; it adds no constructor of a static, replaces no function of others, and no other overload is called in
the place of one.

Functions are compared by what they refer to, not by their bytes: constants of the exercise are in those.
Where a constant decides about a branch, a function may refer to more than that of the solution does, and
never to less.
"""
import collections
import re

from object_file import ALLOCATED, GLOBAL, IFUNC, LOCAL, ObjectFile

FIRST_NAME = re.compile(r"_Z(?:T[VTSI]|GV|GR)?[ZNKVrRO]*(\d+)(?=\D)")
STUB = "__device_stub__"
STARTS_AND_ENDS = (".init", ".preinit_array", ".ctors", ".fini", ".dtors")  # what the loader calls
KNOWN_SECTIONS = (".text", ".rodata", ".data", ".bss", ".tdata", ".tbss", ".eh_frame", ".gcc_except_table", ".nv", ".rela",
                  ".note", ".init_array", ".fini_array", ".comment", ".group", ".llvm", "__nv")
JUDGES_OWN = re.compile(r"(?:5judge|7doctest|7harness|6gpusim)(?=\D|$)")
# A stream of <iostream>, which its header begins: honest programs print by it.
OF_IOSTREAM = {"_ZNSt8ios_base4InitC1Ev", "_ZNSt8ios_base4InitD1Ev", "__cxa_atexit", "__dso_handle"}
OF_EXCEPTIONS = ("DW.ref.", "__clang_call_terminate")
OF_UNWINDING = re.compile(r"^(?:DW\.ref\..*|__clang_call_terminate|_Unwind_Resume|__cxa_(?:begin|end)_catch|__cxa_rethrow|"
                          r"_ZSt9terminatev|\.?(?:gcc_|GCC_)except_table.*|"
                          r"_ZN(?:S|5judge|7harness|9__gnu_cxx).*D[012]Ev)$")
OF_STANDARD_LIBRARY = ("_ZNSt", "_ZNKSt", "_ZSt", "_ZNSa", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx")
ALLOCATORS = ("_Znw", "_Zna", "_Zdl", "_Zda")
# By these a function gets at the process itself, past the compiler.
OF_THE_PROCESS = {"dlopen", "dlsym", "dlvsym", "dl_iterate_phdr", "mprotect", "pkey_mprotect", "ptrace", "process_vm_readv",
                  "process_vm_writev", "syscall", "write", "pwrite", "writev", "sendmsg", "sendfile", "splice"}


def first_name(symbol):
    """blocks_for of a mangled blocks_for<256>(int, int); of what stands in a namespace or class, that one's name."""
    found = FIRST_NAME.match(symbol)
    return symbol[found.end():found.end() + int(found.group(1))].removeprefix(STUB) if found else ""


def plain(symbol):
    """A mangled name as far as a person needs it: judge::check_sums."""
    found = re.match(r"_Z[TVSIGR]*[ZL]*N?[KVrRO]*(?:St)?", symbol)
    if symbol.startswith(("_ZL18DOCTEST", "_ZL19DOCTEST", "_ZL20DOCTEST", "__cxx_global")):
        return "a test case"
    names, at = [], found.end() if found else 0
    while found and (length := re.match(r"L?(\d+)", symbol[at:])):
        at += length.end()
        names.append(symbol[at:at + int(length.group(1))])
        at += int(length.group(1))
    return "::".join(name.removeprefix(STUB) for name in names if not name.startswith("_GLOBAL__N")) or symbol


class HostCode:
    """What an object's host code consists of. `words`: the names that the exercise declares."""

    def __init__(self, path, words):
        self.object, self.words = ObjectFile(path), words - {"judge", "doctest", "harness", "gpusim", "std"}
        found, of_sections = self.object.references()
        self.targets = collections.defaultdict(list)  # of functions and variables of one general name: of each, a Counter
        self.raw = collections.defaultdict(set)
        for symbol, targets in found:
            self.targets[self.general(symbol.name)].append(self.counted(symbol.name, targets))
        self.starts = collections.Counter(
            self.general(name) for place, targets in of_sections.items()
            if self.object.sections[place].name.startswith(STARTS_AND_ENDS) for name in targets)
        named = [symbol for symbol in self.object.symbols if symbol.name and symbol.kind not in (3, 4)]
        for symbol in named:
            self.raw[self.general(symbol.name)].add(symbol.name)
        self.undefined = {symbol.name for symbol in named if not symbol.section}
        self.defined = {symbol.name: symbol for symbol in named if symbol.section and symbol.binding != LOCAL}
        self.known = set(self.targets) | {self.general(name) for name in self.undefined}

    def is_of_exercise(self, symbol):
        return first_name(symbol) in self.words

    def counted(self, symbol, targets):
        """How often a function refers to what, but for what follows from the order in which clang writes functions: of one that
        it has written it knows whether it throws, and then no caller tidies up after it."""
        names = [self.general(name) for name in targets if not OF_UNWINDING.search(name)]
        return collections.Counter(set(names) if symbol.startswith(OF_STANDARD_LIBRARY) else names)

    def general(self, symbol):
        """A name without what a kernels.cuh may choose: numbers, and the parameters of what the exercise declares."""
        if self.is_of_exercise(symbol):
            return ("stub of " if STUB in symbol else "exercise's ") + first_name(symbol)
        if symbol.startswith((".rodata", ".L", ".bss", ".data")):
            return "data"
        if symbol.startswith((".gcc_except_table", "GCC_except_table")):
            return "exceptions"
        return re.sub(r"\d+", "#", symbol)


def is_of_compiler(name):
    """What clang writes for kernels and variables of the device."""
    return name.startswith(("__cuda_", "data", "exceptions", "stub of ", "exercise's "))


# What a constant of the exercise may bring into the test or take out of it, because the compiler then inlines other
# functions: the standard library. It may also bring in findings and CUDA, but never take them out: those are the checks.
OF_LIBRARY = ("data", "exceptions", "_ZNSt", "_ZNKSt", "_ZSt", "_ZNSa", "_ZN#__gnu_cxx")
HARMLESS = (*OF_LIBRARY, "stub of ", "cuda", "_ZN#judge#report", "_ZN#judge#Finding")


def is_harmless(name, reference):
    return name.startswith(HARMLESS) or name in reference.known


def changes(name, code, what):
    return (f"it changes the chapter's test: {readable(name, code)} {what}; look for a macro, or a declaration, of a name that "
            "the test uses")


def without_library(targets):
    """What a function refers to, without the standard library."""
    return collections.Counter({name: count for name, count in targets.items() if not name.startswith(OF_LIBRARY)})


def lacks(name, reference, judged):
    """Why functions of this general name are not the same as with the solution; else None."""
    theirs, mine = list(reference.targets[name]), list(judged.targets.get(name, []))
    for same in [got for got in mine if got in theirs]:  # of several, as instances of one template, one each
        if same in theirs:
            theirs.remove(same)
            mine.remove(same)
    for wanted in map(without_library, theirs):
        fitting = next((got for got in mine if not wanted - got), None)
        if fitting is None:
            if name.startswith(OF_LIBRARY):
                return None  # it was inlined everywhere, or nothing needs it
            missing = next(iter((wanted - mine[0]).elements()), None) if mine else name
            where, what = readable(name, reference), readable(missing, reference)
            return changes(name, reference, "is not there any more" if where == what else f"no longer refers to {what}")
        mine.remove(fitting)
        strange = next((more for more in fitting - wanted if not is_harmless(more, reference)), None)
        if strange:
            return changes(name, judged, f"refers to {readable(strange, judged)} as well")
    return None


def readable(name, code):
    if name.startswith(("data", ".")):
        return "what it did"
    return plain(min(code.raw.get(name, {name})))


def starts_more(reference, judged):
    """What of the judged file would run before main(), or after it; else None."""
    for symbol in judged.object.symbols:
        if symbol.kind == IFUNC:
            return symbol.name
    for section in judged.object.sections:
        if section.flags & ALLOCATED and not section.name.startswith(KNOWN_SECTIONS):
            return f"section {section.name}"
    if more := judged.starts - reference.starts:
        return readable(next(iter(more)), judged)
    initialisers = [name for name in judged.targets if name.startswith("__cxx_global")]
    for name in initialisers:
        more = list(judged.targets[name])
        for wanted in reference.targets.get(name, []):
            fitting = next((got for got in more if not wanted - got), None)
            if fitting is not None:
                more.remove(fitting)
        for got in more:
            if set(got) - {general for general in map(judged.general, OF_IOSTREAM)} - {"data", "_ZStL#__ioinit"}:
                return "the constructor of a static"
    return None


def replaces(reference, judged):
    """A function of others that the judged file would replace; else None."""
    for name, symbol in judged.defined.items():
        theirs = reference.defined.get(name)
        if theirs and (symbol.binding != GLOBAL or theirs.binding == GLOBAL):
            continue
        if judged.is_of_exercise(name) or symbol.kind not in (0, 1, 2, IFUNC):
            continue
        if name in reference.undefined:
            return name
        if JUDGES_OWN.search(name) and judged.general(name) not in reference.targets:
            return name
        if is_of_compiler(judged.general(name)) or name.startswith(OF_EXCEPTIONS):
            continue
        is_plain = re.match(r"_Z[ZL]*\d", name) and not first_name(name).startswith("cu")
        if not name.startswith("_Z") or name.startswith(ALLOCATORS) or (symbol.binding == GLOBAL and not is_plain):
            return name
    return None


def complaint(reference_path, judged_path, words):
    """Why the object's host code is not run in the judge, in one line; None if it may be."""
    reference, judged = HostCode(reference_path, words), HostCode(judged_path, words)
    if start := starts_more(reference, judged):
        return f"it has code that runs before or after the judge's main(): {start}; a kernel needs none"
    if other := replaces(reference, judged):
        return f"it defines {plain(other)}, which would replace a function of others; give yours another name"
    reached = sorted((judged.undefined - reference.undefined) & OF_THE_PROCESS)
    own = sorted(name for name in judged.undefined - reference.undefined if JUDGES_OWN.search(name)
                 and not name.startswith("_ZN5judge6report"))
    if reached or own:
        return f"its host code calls {plain((own + reached)[0])}, which belongs to the process that judges; leave it out"
    of_launches = {"data", "memcpy"}.union(*(got for name in reference.targets if name.startswith("stub of ")
                                             for got in reference.targets[name]))
    for name in judged.targets:
        if name.startswith("stub of ") and any(set(got) - of_launches - {name} for got in judged.targets[name]):
            return f"the launch of {readable(name, judged)} is not the compiler's"
    for name in reference.targets:
        if not is_of_compiler(name) and (why := lacks(name, reference, judged)):
            return why
    return None
# SPDX-License-Identifier: MIT
