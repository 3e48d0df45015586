"""simcc --nvrtc: compiles for a running program what it has given to NVRTC (libraries/nvrtc.cpp).

Standard input is JSON: `source` and its `name`, `headers` ([name, text] each), `options` of NVRTC's, and name `expressions`. Each
byte of a text is a character of Latin-1. Standard output is a word, the lowered name of each expression in a line, and the PTX:

  virtual, real   it is compiled, for compute_… or for sm_…
  error           the text is wrong
  option          an option is refused
  problem         simcc cannot compile: clang is missing, a disk is full …

The log goes to standard error.
"""
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile

from simcc import processes
from simcc.configuration import CLANG
from simcc.driver import compile_and_link
from simcc.host_code import host_code
from simcc.nvrtc_options import Options, RefusedOption
from simcc.options import Job

# Where a name expression stands in messages. Each one is on the line of its number.
EXPRESSIONS = "name expressions"
ASKED = "simcc_name_"
ANSWER = re.compile(rf"^\.visible \.global \.align 8 \.u64 {ASKED}(\d+) = (?:generic\()?([\w$.]+)\)?;\n", re.MULTILINE)
# The kernels in those initial values, declared before their bodies.
DECLARED = re.compile(r"^\.visible \.entry [\w$.]+\n?\((?:[^()]*)\)\n;\n", re.MULTILINE)
# What clang 14 ends with where an expression names a part of a variable.
NO_WHOLE_VARIABLE = "error in backend: Unsupported expression in static initializer"
KERNEL = re.compile(r"^(?:\.\w+ )*\.entry ([\w$.]+)\(", re.MULTILINE)
VARIABLE = re.compile(r"^(?:\.\w+ )*?\.(?:global|const) [^;={]*?([\w$.]+)(?:\[\d*\])*(?: = |;)", re.MULTILINE)
# NVRTC has no <stdint.h>, so programs declare these themselves, often as long long, where the host's header says long.
OWN_INTEGER = re.compile(r"\b(?:typedef\b[^;{}]*\b|using\s+)(u?int64_t)\s*[;=]")
CALLS_HOST = re.compile(r"(?:reference|call) to __host__ function")


class RefusedProgram(Exception):
    """Says why simcc does not compile what NVRTC may."""


def latin1(text):
    return text.encode("latin-1")


def readable(text):
    """Bytes of the request as a name of a file, an option or a message has them."""
    return os.fsdecode(latin1(text))


def line_directive(name, line=1):
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line {line} "{quoted}"\n'


class Program:
    """What is to be compiled, as files in a folder."""

    def __init__(self, request, folder):
        self.request, self.folder = request, folder
        self.options = Options(map(readable, request["options"]))
        self.source = os.path.join(folder, "program.cu")
        self.includes = self.folder_of_headers()
        self.first_lines = {}  # of each file: those that stand before the program's own
        self.names = {}        # of each file, as messages have it

    def folder_of_headers(self):
        """A folder so deep that headers whose names climb with ../ stay inside."""
        climbs = [os.path.normpath(name).split("/").count("..") for name, _ in self.request["headers"]]
        return os.path.join(self.folder, "headers", *["up"] * max(climbs, default=0))

    def write(self, path, name, before, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.first_lines[path], self.names[path] = before.count("\n") + 1, readable(name)
        with open(path, "wb") as file:
            file.write(latin1(before + line_directive(name) + text))

    def write_all(self):
        source, headers = self.request["source"], self.request["headers"]
        texts = [source, *(text for _, text in headers)]
        own_integers = sorted({name for text in texts for name in OWN_INTEGER.findall(text)})
        before = "".join(f"#define {name} simcc_{name}\n" for name in own_integers)
        if any(re.search(r"\bassert\s*\(", text) for text in texts):  # which NVRTC knows without a header
            before += "#include <assert.h>\n"
        if self.options.is_default_device:
            before += "#pragma clang force_cuda_host_device begin\n"
        asked = "".join(
            f'{line_directive(EXPRESSIONS, number + 1)}extern "C" __device__ auto* {ASKED}{number} = {expression}\n;\n'
            for number, expression in enumerate(self.request["expressions"]))
        self.write(self.source, self.request["name"], before, source + "\n" + asked)
        os.makedirs(self.includes, exist_ok=True)
        for name, text in headers:
            if os.path.isabs(name):
                raise RefusedProgram(f"the header '{readable(name)}' has an absolute name, and simcc takes relative ones; give "
                                     "it to nvrtcCreateProgram() as 'NAME.h', and include that")
            self.write(os.path.normpath(os.path.join(self.includes, readable(name))), name, "", text)

    def job(self):
        beside = os.path.dirname(readable(self.request["name"])) or "."
        last = ["-I", beside] if self.options.includes_source_folder and os.path.isdir(beside) else []
        job = Job([*self.request["of_program"], "-D", "__CUDACC_RTC__=1", "-I", self.includes, *self.options.simcc, *last,
                   "-ptx", "-o", os.path.join(self.folder, "program.ptx"), self.source])
        job.at_run_time, job.inspect = True, self.refuse_host_code
        return job

    def place(self, path, offset):
        """Of a byte of a file: NAME:LINE:COLUMN, and the line with a mark below."""
        with open(path, "rb") as file:
            text = file.read()
        begin = text.rfind(b"\n", 0, offset) + 1
        line = text[begin:].partition(b"\n")[0].decode(errors="replace")
        number, column = text.count(b"\n", 0, offset) + 1 - self.first_lines.get(path, 0), offset - begin + 1
        return f"{self.names.get(path, path)}:{number}:{column}", f"{line}\n{' ' * (column - 1)}^\n"

    def refuse_host_code(self, command, sources):
        """The exit status: 1 if there is any in the sources, (path, text) each. An error for each."""
        found = host_code(command, {path for path, _ in sources}, not self.options.is_default_device)
        for path, offset, why in found:
            place, shown = self.place(path, offset)
            sys.stderr.write(f"{place}: error: {why}\n{shown}")
        return 1 if found else 0


def lowered_names(ptx, expressions):
    """The names, and the PTX without what asked for them. None for one that is the name of no kernel and no variable."""
    answers = {int(number): name for number, name in ANSWER.findall(ptx)}
    ptx = ANSWER.sub("", ptx)
    ptx = DECLARED.sub("", ptx) if answers else ptx
    known = {*KERNEL.findall(ptx), *VARIABLE.findall(ptx)}
    return [answers.get(k) if answers.get(k) in known else None for k in range(len(expressions))], ptx


def explained(status, options):
    """The word for clang's exit status. What clang says that a program's author would not understand gets another line."""
    said = sys.stderr.getvalue()
    if NO_WHOLE_VARIABLE in said:
        sys.stderr.seek(0)
        sys.stderr.truncate()
        sys.stderr.write(f"{EXPRESSIONS}: error: one of them is the address of a part of a variable; name a whole one, as in "
                         "'&variable'\n")
        return "error"
    if CALLS_HOST.search(said) and not options.is_default_device:
        sys.stderr.write("nvrtc: note: NVRTC compiles no host code; mark the function __device__, or pass the option "
                         "-default-device\n")
    return "error" if status == 1 else "problem"


def compiled(request, folder):
    """The word of the answer, lowered names, and the PTX."""
    program = Program(request, folder)
    program.write_all()
    failed = compile_and_link(program.job())
    if failed:
        return explained(failed, program.options), [], ""
    with open(os.path.join(folder, "program.ptx"), encoding="latin-1", newline="") as file:
        names, ptx = lowered_names(file.read(), request["expressions"])
    for number, (name, expression) in enumerate(zip(names, request["expressions"]), 1):
        if name is None:
            sys.stderr.write(f"{EXPRESSIONS}:{number}:1: error: '{readable(expression)}' is the address of no kernel, and of no "
                             "variable of the device; name one, as in '&kernel<float>' or '&variable'\n")
    if None in names:
        return "error", [], ""
    return ("real" if program.options.is_for_real_gpu else "virtual"), names, ptx


def answer(request, folder):
    if not shutil.which(CLANG):
        print(f"nvrtc: error: {CLANG}, by which simcc compiles, is not there; install it: apt-get install clang", file=sys.stderr)
        return "problem", [], ""
    try:
        return compiled(request, folder)
    except RefusedOption as refused:
        print(f"nvrtc: error: {refused}", file=sys.stderr)
        return "option", [], ""
    except RefusedProgram as refused:
        print(f"nvrtc: error: {refused}", file=sys.stderr)
        return "error", [], ""
    except SystemExit:  # fail() has said why
        return "problem", [], ""
    except OSError as error:
        print(f"nvrtc: error: {error.filename or 'simcc'}: {error.strerror}", file=sys.stderr)
        return "problem", [], ""


def serve(of_program):
    """Answers one request. `of_program`: options with which the running program was compiled, for its kernels of NVRTC, too."""
    request = json.load(sys.stdin)
    log = io.StringIO()
    try:
        with tempfile.TemporaryDirectory(prefix="simcc.") as folder:
            processes.children.environment["TMPDIR"] = folder  # whatever clang leaves goes with it
            with contextlib.redirect_stderr(log):
                word, names, ptx = answer({**request, "of_program": of_program}, folder)
            said = log.getvalue().replace(folder + "/", "")  # that folder will be gone when the log is read
    except OSError as error:
        word, names, ptx, said = "problem", [], "", f"nvrtc: error: no folder for temporary files: {error.strerror}\n"
    sys.stderr.buffer.write(os.fsencode(said))
    sys.stdout.buffer.write(latin1("\n".join([word, *names, ""])) + latin1(ptx))
    return 0
# SPDX-License-Identifier: MIT
