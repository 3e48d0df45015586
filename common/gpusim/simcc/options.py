"""simcc's command line: what of nvcc's options is taken, what is without effect, and why the rest is refused."""
import os
import sys

USAGE = """usage: simcc [options] files…
  -c  -ptx  -o FILE  -I DIR  -isystem DIR  -include FILE  -D NAME[=VALUE]  -U NAME  -std=STANDARD  -x cu|c++|c
  -O0 … -O3  -g  -G  -lineinfo  -MD  -MMD  -MP  -MF FILE  -MT TARGET  -l LIB  -L DIR  -shared  -v  --help  --version
  --create-pch FILE                         precompiles one header (-x cu) into FILE and FILE.device
  --use-pch FILE                            begins with that header: with the same -O and -std
  -W…  -w  -f…  -Xcompiler OPTIONS          passed to clang;  -Xlinker OPTIONS  to the linker
  -std=c++03 … c++14                        is C++17 here
  -fmad=false                               a * b + c is never one rounding
  --fill-variables                          variables begin as NaN or a large number; filling an array takes stores
  --keep-accesses                           clang removes no access to memory from kernels (GPUSIM_CHECK=proof needs that)
  -arch …  -gencode …  -Xptxas …  -rdc=…  --extended-lambda  --expt-relaxed-constexpr  -use_fast_math …
                                            accepted for nvcc's sake, without effect
-ptx -o - prints the PTX. Every option of nvcc may begin with - or --."""

# Options with a value ("-I dir", "-Idir", "-std=c++17"), and where they go.
VALUE_OPTIONS = {
    "-I": "compile", "-D": "compile", "-U": "compile", "-isystem": "compile", "-include": "compile",
    "-L": "link", "-l": "link",
    "-create-pch": "create_pch", "-use-pch": "use_pch",
    "-o": "output", "-MF": "depfile", "-MT": "target", "-x": "language", "-O": "optimise", "-std": "standard",
    "-Xcompiler": "pass", "-Xlinker": "linker", "-fmad": "fmad", "-rdc": "rdc",
    "-arch": "ignore", "-gencode": "ignore", "-code": "ignore", "-ccbin": "ignore", "-Xptxas": "ignore",
    "-maxrregcount": "ignore", "-cudart": "ignore", "-Xcudafe": "ignore", "-diag-suppress": "ignore",
    "-diag-error": "ignore", "-diag-warn": "ignore", "-Xnvlink": "ignore", "-Xfatbin": "ignore", "-t": "ignore",
    "-default-stream": "ignore", "-ftz": "ignore", "-prec-div": "ignore", "-prec-sqrt": "ignore", "-m": "ignore",
    "-Werror": "ignore", "-keep-dir": "ignore", "-tempdir": "ignore", "-odir": "odir",
}
# nvcc's long names. (Those of options without a value are in FLAGS.)
LONG_NAMES = {
    "include-path": "-I", "define-macro": "-D", "undefine-macro": "-U", "system-include": "-isystem",
    "pre-include": "-include", "library-path": "-L", "library": "-l", "output-file": "-o",
    "dependency-output": "-MF", "dependency-target-name": "-MT", "optimize": "-O", "compiler-options": "-Xcompiler",
    "linker-options": "-Xlinker", "relocatable-device-code": "-rdc", "gpu-architecture": "-arch",
    "generate-code": "-gencode", "gpu-code": "-code", "compiler-bindir": "-ccbin", "ptxas-options": "-Xptxas",
    "cudafe-options": "-Xcudafe", "threads": "-t", "machine": "-m", "output-directory": "-odir", "ccbin": "-ccbin",
    "nvlink-options": "-Xnvlink", "fatbin-options": "-Xfatbin",
}
FLAGS = {  # flag of nvcc: what clang gets for it
    "-g": ["-g"], "-debug": ["-g"], "-w": ["-w"], "-disable-warnings": ["-w"], "-pthread": ["-pthread"],
    "-MP": ["-MP"], "-H": ["-H"], "-pg": [],
    **dict.fromkeys([
        "-G", "-device-debug", "-lineinfo", "-generate-line-info", "-extended-lambda", "-expt-extended-lambda",
        "-expt-relaxed-constexpr", "-use_fast_math", "-lcudart", "-lcudart_static", "-lcudadevrt", "-m64", "-keep", "-save-temps",
        "-res-usage", "-resource-usage", "-restrict", "-src-in-ptx", "-allow-unsupported-compiler",
        "-lcuda", "-lcublas", "-lcublas_static", "-lcublasLt", "-lcublasLt_static", "-lculibos",
        "-lcufft", "-lcufft_static", "-lcurand", "-lcurand_static",
        "-lnccl", "-lnvidia-ml", "-lnvToolsExt", "-lnvrtc-builtins_static", "-lnvptxcompiler_static",
        "-forward-unknown-to-host-compiler", "-no-align-double", "-extra-device-vectorization", "-display-error-number",
        "-no-display-error-number", "-time", "-reorder", "-no-host-device-initializer-list", "-Wno-deprecated-gpu-targets",
    ], []),
}
SWITCHES = {"-c": "only_compile", "-compile": "only_compile", "-dc": "only_compile", "-device-c": "only_compile",
            "-ptx": "only_ptx", "-v": "verbose", "-verbose": "verbose", "-dryrun": "dry_run",
            "-MD": "depend", "-MMD": "depend", "-generate-dependencies-with-compile": "depend",
            "-generate-nonsystem-dependencies-with-compile": "depend", "-shared": "shared",
            "-fill-variables": "fill_variables", "-keep-accesses": "keep_accesses",
            "-lnvrtc": "links_nvrtc", "-lnvrtc_static": "links_nvrtc"}
NO_DEVICE_LINKING = ("the simulated GPU links no device code: each file's kernels call functions of that file and its "
                     "headers; put them into one file, or compile with nvcc")
NO_MACHINE_CODE = "there is no machine code for the simulated GPU, which runs PTX; -ptx writes that"
REFUSED = {
    **dict.fromkeys(["-dlink", "-device-link", "-dw", "-device-w", "-dlto"], NO_DEVICE_LINKING),
    **dict.fromkeys(["-cubin", "-fatbin", "-sass", "-optix-ir", "-ltoir"], NO_MACHINE_CODE),
    **dict.fromkeys(["-E", "-preprocess", "-M", "-MM", "-generate-dependencies", "-generate-nonsystem-dependencies",
                     "-cuda", "-S"], "simcc only compiles and links; clang++ and g++ do this"),
    **dict.fromkeys(["-run", "-lib", "-link", "-clean"], "simcc only compiles and links; do this by hand"),
    "-m32": "programs are of 64 bits",
}
SOURCES = {".cu": "cuda", ".cpp": "c++", ".cc": "c++", ".cxx": "c++", ".C": "c++", ".c": "c"}
LANGUAGES = {"cu": "cuda", "cuda": "cuda", "c++": "c++", "c": "c"}  # of -x
LINKED = {".o", ".a", ".so", ".lo"}
OPTIMISE = ("0", "1", "2", "3", "s", "z", "g", "fast")
STANDARDS = ("c++17", "c++20", "c++23", "c++2b", "gnu++17", "gnu++20", "gnu++23")
# The headers of the simulated GPU need C++17, which takes programs of these standards, too.
OLD_STANDARDS = {"c++03": "c++17", "c++11": "c++17", "c++14": "c++17", "gnu++11": "gnu++17", "gnu++14": "gnu++17"}
STDOUT = ("-", "/dev/stdout")


def fail(message):
    print(f"simcc: {' '.join(message.splitlines())}", file=sys.stderr)
    sys.exit(2)


def is_linked(path):
    name = os.path.basename(path)
    return os.path.splitext(name)[1] in LINKED or ".so." in name


def after_ours(option, folder):
    """-I, or what it has to be: the headers of a CUDA Toolkit (many a Makefile names its folder) must not hide ours."""
    def has(name):
        return os.path.isfile(os.path.join(folder, name))

    # Before CUDA 9 there was no crt/host_config.h.
    if option in ("-I", "-isystem") and has("cuda_runtime_api.h") and (has("crt/host_config.h") or has("host_config.h")):
        return "-idirafter"
    return option


class Job:
    """What the command line asks for."""

    def __init__(self, arguments):
        self.files, self.compile, self.device, self.host, self.link = [], [], [], [], []
        self.output = self.depfile = self.target = self.language = self.odir = None
        self.missing_libraries = []  # what to say of them if the program turns out to call them
        self.create_pch = self.use_pch = self.begins_with = None
        self.standard, self.optimise = "c++17", "-O2"
        self.only_compile = self.only_ptx = self.verbose = self.dry_run = self.depend = self.shared = False
        self.fill_variables = self.keep_accesses = False
        self.links_nvrtc = False
        self.at_run_time = False  # for NVRTC: its log has all warnings of the device pass
        self.inspect = None       # what looks at the command of the device pass and at the sources, after it (simcc/nvrtc.py)
        self.wants_version = False
        queue = list(arguments)
        while queue:
            self.take(queue.pop(0), queue)
        if not self.wants_version:
            self.check()

    def check(self):
        if not self.files:
            fail("no input files (simcc --help)")
        if (self.only_compile or self.only_ptx) and self.output and len(self.files) > 1:
            fail("-o with -c or -ptx takes one input file")
        if self.only_compile and self.only_ptx:
            fail("-c or -ptx, not both")
        if self.create_pch and (len(self.files) > 1 or self.language != "cuda"):
            fail("--create-pch takes one header, with -x cu")
        if self.output in STDOUT and not self.only_ptx:
            fail(f"-o {self.output}: only -ptx writes to standard output")
        sources = [path for path in self.files if not is_linked(path)]
        if (self.only_compile or self.only_ptx) and sources != self.files:
            fail(f"{next(path for path in self.files if is_linked(path))}: nothing to compile")
        if len(self.outputs()) > len(set(self.outputs())):
            fail("two input files of one name would be compiled to the same output")
        for output in self.outputs():
            for source in self.files:
                if os.path.isfile(output) and os.path.samefile(output, source):  # /dev/null may be both
                    fail(f"{source} is an input file: it would be overwritten; name another output, -o FILE")
            if os.path.isdir(output):
                fail(f"-o {output}: it is a directory")
            folder = os.path.dirname(output)
            if folder and not os.path.isdir(folder):
                fail(f"-o {output}: there is no folder '{folder}'")

    def kept(self, source):
        """Where the object or the PTX of a source goes, with -c or -ptx."""
        if self.output:
            return self.output
        stem = os.path.splitext(os.path.basename(source))[0]
        return os.path.join(self.odir or "", stem + (".ptx" if self.only_ptx else ".o"))

    def outputs(self):
        if self.create_pch:
            return [self.create_pch, self.create_pch + ".device"]
        if self.only_compile or self.only_ptx:
            return [self.kept(source) for source in self.files]
        return [self.output or "a.out"]

    def take(self, argument, queue):
        if argument in ("-h", "--help", "-help"):
            print(USAGE)
            sys.exit(0)
        if argument in ("-V", "--version", "-version"):
            self.wants_version = True
            return
        if not argument.startswith("-"):
            self.add_file(argument)
            return
        option = argument[1:] if argument.startswith("--") else argument
        name, _, value = option[1:].partition("=")
        if name in LONG_NAMES:
            option = LONG_NAMES[name]
            name = option[1:]
            if value:
                queue.insert(0, value)
        if option in REFUSED:
            fail(f"{argument}: {REFUSED[option]}")
        if option in SWITCHES:
            setattr(self, SWITCHES[option], True)
        elif option in FLAGS:
            self.compile += FLAGS[option]
        elif option == "-O" and not (queue and queue[0].isalnum() and not os.path.exists(queue[0])):
            self.optimise = "-O1"  # as other compilers have it; nvcc wants a number
        elif not self.take_value(option, queue):
            if option.startswith("-Wl,"):
                self.link.append(option)
            elif option.startswith(("-W", "-f")) and not option.startswith("-Wa,"):
                self.compile.append(argument)
            else:
                fail(f"unknown option '{argument}' (simcc --help)")

    def add_file(self, path):
        if not self.language and os.path.splitext(path)[1] not in SOURCES and not is_linked(path):
            known = " ".join([*SOURCES, *sorted(LINKED)])
            fail(f"{path}: unknown kind of file (want {known}, or -x cu)")
        if not os.path.exists(path):
            fail(f"{path}: no such file")
        if os.path.isdir(path):
            fail(f"{path}: it is a directory")
        self.files.append(path)

    def take_value(self, option, queue):
        # The longest name that fits, so that -isystem is not read as -I and -code=… not as -c.
        for name in sorted(VALUE_OPTIONS, key=len, reverse=True):
            if not option.startswith(name):
                continue
            value = option[len(name):]
            if len(name) > 2 and value and not value.startswith("="):
                continue  # long names want a space or "="
            if value.startswith("=") and (len(name) > 2 or VALUE_OPTIONS[name] == "ignore"):
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
            self.compile += [after_ours(name, value), value]
        elif kind == "link":
            if name + value in SWITCHES:
                setattr(self, SWITCHES[name + value], True)
            elif name + value not in FLAGS:
                self.take_library(name, value)
        elif kind == "pass":
            options = value.replace(",", " ").split()
            self.host += [option for option in options if option.startswith("-fopenmp")]  # kernels have no such threads
            self.compile += [option for option in options if not option.startswith(("-Wl", "-fopenmp"))]
            self.link += [o for o in options if o.startswith(("-fsanitize", "-fopenmp", "--coverage")) or o == "-pthread"]
        elif kind == "linker":
            for option in value.split(","):
                self.link += ["-Xlinker", option]
        elif kind == "language":
            if value not in LANGUAGES:
                fail(f"option '-x {value}': cu, c++ and c are known")
            self.language = LANGUAGES[value]
        elif kind == "fmad":
            if value not in ("true", "false"):
                fail(f"option '-fmad={value}': true or false")
            self.device += ["-ffp-contract=off"] if value == "false" else []
        elif kind == "rdc":
            if value not in ("true", "false"):
                fail(f"option '-rdc={value}': true or false")
        elif kind == "optimise":
            if value not in OPTIMISE:
                fail(f"option '-O{value}': -O0 … -O3 are known")
            self.optimise = "-O" + value
        elif kind == "standard":
            value = OLD_STANDARDS.get(value, value)
            if value not in STANDARDS:
                fail(f"option '-std={value}': one of {', '.join(STANDARDS)}")
            self.standard = value
        elif kind == "odir":
            if not os.path.isdir(value):
                fail(f"option '-odir {value}': no such folder")
            self.odir = value
        elif kind != "ignore":
            setattr(self, kind, value)

    def take_library(self, name, value):
        if "-l" + value in REFUSED:
            fail(f"-l{value}: {REFUSED['-l' + value]}")
        from simcc.messages import not_simulated
        what = name == "-l" and not_simulated("lib" + value)
        if what:  # many a Makefile names libraries that not all of its programs call
            self.missing_libraries.append(f"-l{value}: {what}")
        else:
            self.link.append(name + value)
# SPDX-License-Identifier: MIT
