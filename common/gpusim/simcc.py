#!/usr/bin/env python3
"""simcc: compiles and links CUDA C++ for the simulated GPU, the way nvcc does for a real one.

A .cu file takes two passes of clang: the device pass turns its kernels into PTX text, the host pass compiles
the rest and embeds that text. Other sources are compiled by clang, objects and archives are linked.
"""
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile

CLANG = "@CLANG@"      # clang++ with the NVPTX target
INCLUDE = "@INCLUDE@"  # folder of our cuda_runtime.h
LIBRARY = "@LIBRARY@"  # libgpusim.a

USAGE = """usage: simcc [options] files…
  -c  -ptx  -o FILE  -I DIR  -isystem DIR  -include FILE  -D NAME[=VALUE]  -U NAME  -std=STANDARD  -x cu
  -O0 … -O3  -g  -G  -lineinfo  -MD  -MMD  -MF FILE  -MT TARGET  -l LIB  -L DIR  -v  --help
  --create-pch FILE                         precompiles one header (-x cu) into FILE and FILE.device
  --use-pch FILE                            begins with that header: with the same -O and -std
  -W…  -w  -f…  -Xcompiler OPTIONS          passed to clang
  -arch …  -gencode …  -Xptxas …  -rdc=false  --extended-lambda  --expt-relaxed-constexpr  -use_fast_math
                                            accepted for nvcc's sake, without effect"""

# Options with a value ("-I dir", "-Idir", "-std=c++17"), and where they go.
VALUE_OPTIONS = {
    "-I": "compile", "-D": "compile", "-U": "compile", "-isystem": "compile", "-include": "compile",
    "-L": "link", "-l": "link",
    "--create-pch": "create_pch", "--use-pch": "use_pch",
    "-o": "output", "-MF": "depfile", "-MT": "target", "-x": "language", "-Xcompiler": "pass",
    "-arch": "ignore", "--gpu-architecture": "ignore", "-gencode": "ignore", "--generate-code": "ignore",
    "-code": "ignore", "-ccbin": "ignore", "-Xptxas": "ignore", "--ptxas-options": "ignore",
    "-maxrregcount": "ignore", "-cudart": "ignore", "--cudart": "ignore",
    "--std": "standard", "-std": "standard",
}
FLAGS = {  # flag of nvcc: what clang gets for it
    "-g": ["-g"], "-G": [], "-lineinfo": [], "--generate-line-info": [], "-w": ["-w"],
    "-rdc=false": [], "--relocatable-device-code=false": [], "--extended-lambda": [], "-extended-lambda": [],
    "--expt-extended-lambda": [], "--expt-relaxed-constexpr": [], "-expt-relaxed-constexpr": [],
    "-use_fast_math": [], "--use_fast_math": [], "-lcudart": [],
}
SOURCES = {".cu": "cuda", ".cpp": "c++", ".cc": "c++", ".cxx": "c++", ".C": "c++", ".c": "c"}
LINKED = {".o", ".a", ".so", ".lo"}


def fail(message):
    sys.exit(f"simcc: {message}")


class Job:
    """What the command line asks for."""

    def __init__(self, arguments):
        self.files, self.compile, self.link = [], [], []
        self.output = self.depfile = self.target = self.language = None
        self.create_pch = self.use_pch = None
        self.standard, self.optimise = "c++17", "-O2"
        self.only_compile = self.only_ptx = self.verbose = self.depend = False
        queue = list(arguments)
        while queue:
            self.take(queue.pop(0), queue)
        if not self.files:
            fail("no input files (simcc --help)")
        if (self.only_compile or self.only_ptx) and self.output and len(self.files) > 1:
            fail("-o with -c or -ptx takes one input file")
        if self.create_pch and (len(self.files) > 1 or self.language != "cuda"):
            fail("--create-pch takes one header, with -x cu")

    def take(self, argument, queue):
        if argument in ("-h", "--help"):
            print(USAGE)
            sys.exit(0)
        if not argument.startswith("-"):
            if self.language != "cuda" and os.path.splitext(argument)[1] not in SOURCES.keys() | LINKED:
                known = " ".join([*SOURCES, *sorted(LINKED)])
                fail(f"{argument}: unknown kind of file (want {known}, or -x cu)")
            if not os.path.exists(argument):
                fail(f"{argument}: no such file")
            self.files.append(argument)
        elif argument == "-c":
            self.only_compile = True
        elif argument in ("-ptx", "--ptx"):
            self.only_ptx = True
        elif argument == "-v":
            self.verbose = True
        elif argument in ("-MD", "-MMD"):
            self.depend = True
        elif argument.startswith("-O") and argument[2:] in ("", "0", "1", "2", "3", "s", "fast"):
            self.optimise = argument
        elif argument in FLAGS:
            self.compile += FLAGS[argument]
        elif not self.take_value(argument, queue):
            if not argument.startswith(("-W", "-f", "-pthread")) or argument.startswith(("-Wl,", "-Wa,")):
                fail(f"unknown option '{argument}' (simcc --help)")
            self.compile.append(argument)

    def take_value(self, argument, queue):
        # The longest name that fits, so that -isystem is not read as -I and -code=… not as -c.
        for name in sorted(VALUE_OPTIONS, key=len, reverse=True):
            if not argument.startswith(name):
                continue
            value = argument[len(name):]
            if len(name) > 2 and value and not value.startswith("="):
                continue  # long names want a space or "="
            if len(name) > 2:
                value = value[1:]
            if not value:
                if not queue:
                    fail(f"option '{name}' needs a value")
                value = queue.pop(0)
            self.set_value(name, value)
            return True
        return False

    def set_value(self, name, value):
        kind = VALUE_OPTIONS[name]
        if kind == "compile":
            self.compile += [name, value]
        elif kind == "link":
            self.link.append(name + value)
        elif kind == "pass":
            options = value.replace(",", " ").split()
            self.compile += options
            self.link += [o for o in options if o.startswith("-fsanitize") or o == "-pthread"]
        elif kind == "language":
            if value not in ("cu", "cuda"):
                fail(f"option '-x {value}': only '-x cu' is known")
            self.language = "cuda"
        elif kind != "ignore":
            setattr(self, kind, value)


class StalePch(Exception):
    """clang has been upgraded, or a header has changed: the precompiled one no longer fits."""


def run(command, job, heard=None):
    """The exit status; what clang said is passed on, and added to `heard` if one wants to hear it."""
    if job.verbose:
        print(shlex.join(command), file=sys.stderr)
    uses_pch = "-include-pch" in command
    listens = uses_pch or heard is not None
    if listens and sys.stderr.isatty():
        command = [*command, "-fcolor-diagnostics"]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE if listens else None, text=True, errors="surrogateescape")
    except OSError as error:
        fail(f"{command[0]}: {error.strerror}")
    if uses_pch:
        if done.returncode and re.search("PCH file|AST file|precompiled header", done.stderr):
            raise StalePch
    if listens:
        print(done.stderr, end="", file=sys.stderr)
    if heard is not None:
        heard.append(done.stderr)
    return done.returncode


def depfile_options(job, source, output):
    if not job.depend:
        return []
    target = job.target or output
    return ["-MD", "-MF", job.depfile or os.path.splitext(output)[0] + ".d", "-MQ", target]


def uninitialised(said):
    """What clang said of variables that are used before they have a value, as comments for the end of the PTX text:
    the simulated GPU finds it there (GPUSIM_CHECK=uninitialized)."""
    plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", said)
    places = re.findall(r"^(?:\./)?(\S.*:\d+:\d+: )warning: (.*) \[-W[a-z-]*uninitialized\]$", plain, re.MULTILINE)
    return "".join(f"// simcc: {place}{message}\n" for place, message in dict.fromkeys(places))


def finish_ptx(ptx, end):
    """clang writes kernels.cu as ./kernels.cu, and since version 16 embeds the text without a final NUL (in `end`)."""
    with open(ptx, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    with open(ptx, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(re.sub(r'^(\t\.file\t\d+ ")\./', r"\1", text, flags=re.MULTILINE) + end)


def passes(job):
    """clang's options for the device pass and for the host pass of a .cu file."""
    common = [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80",
              f"-std={job.standard}", "-Xclang", "-target-sdk-version=11.5", *job.compile,
              "-isystem", INCLUDE, "-include", "cuda_runtime.h"]
    # Like nvcc, optimise device code whatever -O says. Warnings come from the host pass: it reads the same text. Only
    # those of variables without a value come from the device pass, which passes them on (`uninitialised`).
    is_quiet = "-w" in job.compile or "-Wno-uninitialized" in job.compile
    warnings = ["-w"] if is_quiet else ["-Wno-everything", "-Wuninitialized"]
    # A variable without a value is NaN, or a large number: not what would be right by chance, nor what the compiler
    # likes best.
    warnings.append("-ftrivial-auto-var-init=pattern")
    # A load stays where its `if` put it: a thread that loads what only another may read would be accused of a race.
    no_speculation = ["-two-entry-phi-node-folding-threshold=0", "-phi-node-folding-threshold=0",
                      "-speculate-one-expensive-inst=false"]
    device = [*common, "-O2", *warnings, "--cuda-device-only", "-S", "-gline-tables-only",
              *(word for option in no_speculation for word in ("-mllvm", option)),
              "-fdebug-compilation-dir=.", "-Xclang", "-target-feature", "-Xclang", "+ptx70"]
    host = [*common, job.optimise, "-Wno-uninitialized", "--cuda-host-only", "-c"]
    if job.use_pch:
        device += ["-Xclang", "-include-pch", "-Xclang", job.use_pch + ".device"]
        host += ["-Xclang", "-include-pch", "-Xclang", job.use_pch]
    return device, host


def compile_cuda(job, source, output, scratch):
    """Both passes of one .cu file. They need each other only at the end: the host pass embeds the PTX."""
    ptx = output if job.only_ptx else os.path.join(scratch, "device.ptx")
    device, host = passes(job)
    said = []
    failed = run([*device, source, "-o", ptx], job, said)
    if failed:
        return failed
    finish_ptx(ptx, uninitialised("".join(said)) + ("" if job.only_ptx else "\0"))
    if job.only_ptx:
        return 0
    return run([*host, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx,
                *depfile_options(job, source, output), source, "-o", output], job)


def precompile(job):
    """The header that --use-pch begins with, in the state in which clang has read it, once for each pass."""
    header, output = job.files[0], job.create_pch
    emit = ["-Xclang", "-emit-pch"]  # in place of what -S and -c make
    device, host = passes(job)
    return (run([*device, *emit, header, "-o", output + ".device"], job) or
            run([*host, *emit, *depfile_options(job, header, output), header, "-o", output], job))


def compile_source(job, source, output, scratch):
    language = job.language or SOURCES[os.path.splitext(source)[1]]
    if language == "cuda":
        return compile_cuda(job, source, output, scratch)
    if job.only_ptx:
        fail(f"{source}: -ptx takes .cu files")
    standard = [] if language == "c" else [f"-std={job.standard}"]
    return run([CLANG, "-x", language, *standard, job.optimise, *job.compile, "-isystem", INCLUDE,
                *depfile_options(job, source, output), "-c", source, "-o", output], job)


def main():
    job = Job(sys.argv[1:])
    if job.create_pch:
        return precompile(job)
    sources = [f for f in job.files if os.path.splitext(f)[1] not in LINKED]
    with tempfile.TemporaryDirectory(prefix="simcc.") as scratch:
        objects = {}
        for index, source in enumerate(sources):
            stem = os.path.splitext(os.path.basename(source))[0]
            kept = job.output or stem + (".ptx" if job.only_ptx else ".o")
            objects[source] = kept if job.only_compile or job.only_ptx else f"{scratch}/{index}_{stem}.o"

        def build(source):
            with tempfile.TemporaryDirectory(prefix="simcc.") as own:
                try:
                    return compile_source(job, source, objects[source], own)
                except StalePch:
                    print(f"simcc: the precompiled header does not fit any more; {source} is compiled without it",
                          file=sys.stderr)
                    job.use_pch = None
                    return compile_source(job, source, objects[source], own)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            worst = max(pool.map(build, sources), default=0)
        if worst or job.only_compile or job.only_ptx:
            return worst
        inputs = [objects.get(f, f) for f in job.files]
        libraries = [LIBRARY, *job.link, "-lpthread", "-ldl", "-lm"]
        return run([CLANG, *inputs, *libraries, "-o", job.output or "a.out"], job)


if __name__ == "__main__":
    sys.exit(main())
