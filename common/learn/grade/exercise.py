"""What of a chapter is the judge's own: its host code, which is the solution's, with the constants of a submission."""
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import threading

from learn.grade import device_code
from learn.grade.sandbox import outside_usr

CONSTANTS = re.compile(r"^inline constexpr (int|bool|unsigned int|unsigned|long long|std::size_t) ([^;]+);", re.MULTILINE)
NAME = re.compile(r"\s*(\w+)\s*=")
EXERCISE = re.compile(r"judge::exercise\s*=\s*\{(.*?)\};", re.DOTALL)
GAP = re.compile(r'\{"([^"]+)",\s*(\d+),\s*\{')
FUNCTION = re.compile(r"(?:[\w:]+ )?(\w+)(?:<[^()]*>)?\([^()]*\)$")  # blocks_for of int blocks_for<256>(int, int)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
COMPILING = 60  # seconds of processor time


class Failed(Exception):
    """Something of the project's own does not work; the message says what."""


def names_of_constants(declared):
    """kA and kB of `kA = f(1, 2), kB = 3`."""
    depth, parts = 0, [""]
    for character in declared:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [found.group(1) for found in map(NAME.match, parts) if found]


class Tools:
    """What compiles and links, and the files that a compiler may read in the sandbox."""

    def __init__(self, place, scratch):
        self.source, self.build = place.source, place.build
        self.simcc = place.build / "simcc"
        self.judges = place.build / "tests/chapters"
        self.checker = place.build / "common/gpusim/gpusim_ptxcheck"
        self.options = (self.judges / "judged_options.txt").read_text(encoding="utf-8").splitlines()
        self.host_pass = self.announced(scratch)
        self.clang = self.host_pass[0]
        python = self.simcc.read_text(encoding="utf-8").splitlines()[0].removeprefix("#!").split()[0]
        shown = map(outside_usr, (python, self.clang))
        self.programs = sorted({str(folder) for folder in shown if folder})

    def announced(self, scratch):
        """The command by which simcc would compile SOURCE for the host."""
        source = pathlib.Path(scratch, "SOURCE.cu")
        source.touch()
        done = subprocess.run([self.simcc, "--dryrun", "-std=c++17", "-DHARNESS_SIM=1", "-c", source, "-o", "OUTPUT"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"simcc --dryrun: {done.stderr.strip()}")
        command = shlex.split(done.stderr.strip().splitlines()[-1])
        for option in ("-fcuda-include-gpubinary", "-include-pch"):  # -Xclang OPTION -Xclang FILE
            if option in command:
                at = command.index(option)
                del command[at - 1:at + 3]
        return [word for word in command if word not in ("-c", "-o", "OUTPUT", str(source))]

    def readable(self, chapter):
        """All that compilers and judges of this chapter read: neither a solution nor a teacher's own version of the exercise."""
        headers = (path for path in chapter.kernels.parent.iterdir() if path.suffix in (".cuh", ".h"))
        beside = [path for path in headers if path != chapter.kernels]
        pch = self.judges.glob("judge.pch*")
        gpusim = self.build / "common/gpusim"
        return [self.source / "common", self.source / "tests/chapters", *sorted(beside), self.simcc, self.checker,
                *sorted(gpusim.glob("cuda_runtime.pch*")), *sorted(pch), self.judged_source(chapter), self.judges / "libjudge.so"]

    def judged_source(self, chapter):
        return self.judges / f"{chapter.stem}.cu"

    def compiling(self, chapter, *more):
        """simcc's command for a chapter's test with the kernels.cuh in the current folder."""
        return [self.simcc, *self.options, "-I", ".", "-I", chapter.kernels.parent, '-DKERNELS_FILE="kernels.cuh"', *more]

    def host_ir(self, chapter, source, output):
        """clang's command that makes LLVM IR of a source's host code, optimised so that little but arithmetic is left."""
        return [*self.host_pass, "-I", ".", "-I", chapter.kernels.parent, "-S", "-emit-llvm", "-O2", "-g0",
                "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-mllvm", "-inline-threshold=100000", "-w",
                source, "-o", output]


class Exercise:
    """A chapter as it is graded. Host objects are compiled once for all submissions that have the same constants."""

    def __init__(self, tools, chapter, sandbox, scratch):
        self.tools, self.chapter, self.sandbox = tools, chapter, sandbox
        self.scratch = pathlib.Path(scratch, chapter.stem)
        self.scratch.mkdir()
        self.solution = chapter.solution.read_text(encoding="utf-8")
        plain = COMMENT.sub("", self.solution)
        self.constants = [name for _, declared in CONSTANTS.findall(plain) for name in names_of_constants(declared)]
        self.readable = tools.readable(chapter)
        self.said_of_gaps = EXERCISE.search(COMMENT.sub("", chapter.test.read_text(encoding="utf-8"))).group(1)
        self.gaps = [{"gap": name, "points": 0, "of": int(todos), "reason": "", "counters": []}
                     for name, todos in GAP.findall(self.said_of_gaps)]
        reference = tools.judges / f"{chapter.stem}.reference.o"
        self.reference_ptx = self.ptx_of(reference)
        self.host_functions = self.functions_of(reference)
        self.lock, self.objects = threading.Lock(), {}

    def ptx_of(self, reference):
        ptx = self.scratch / "reference.ptx"
        called(["objcopy", f"--dump-section=.nv_fatbin={ptx}", reference, self.scratch / "unused.o"])
        return ptx.read_text(encoding="utf-8", errors="replace")

    def functions_of(self, reference):
        """What a learner writes and the host calls: {mangled: as one reads it}. A gap of the exercise names it; what returns
        nothing does not compute, but launches kernels."""
        launches = set(re.findall(r"\bvoid\s+(\w+)\(", self.solution))
        words = set(re.findall(r'"(\w+)"', self.said_of_gaps)) - launches
        defined = [line.split()[-1] for line in called(["nm", reference]).splitlines() if " W " in line]
        functions = {}
        for name, read in device_code.demangled(defined).items():
            found = FUNCTION.match(read)
            if found and found.group(1) in words:
                functions[name] = read
        return functions

    def with_values(self, values):
        """The solution with other constants."""
        def written(found):
            names = names_of_constants(COMMENT.sub("", found.group(2)))
            if not set(names) <= set(values):
                return found.group()
            kind = found.group(1)
            declared = [f"{name} = static_cast<{kind}>({values[name]}ll)" for name in names]
            return f"inline constexpr {kind} {', '.join(declared)};"
        return CONSTANTS.sub(written, self.solution)

    def host_object(self, values):
        """The object of the judge's host code with these constants; raises device_code.Strange if they fit no judge."""
        key = tuple(sorted(values.items()))
        with self.lock:
            mine = key not in self.objects
            if mine:
                self.objects[key] = concurrent.futures.Future()
            future, number = self.objects[key], len(self.objects)
        if mine:
            try:
                future.set_result(self.compiled(values, self.scratch / f"host{number}"))
            except BaseException as error:
                future.set_exception(error)
        return future.result()

    def compiled(self, values, folder):
        folder.mkdir()
        (folder / "kernels.cuh").write_text(self.with_values(values), encoding="utf-8")
        made = self.sandbox.run(self.tools.compiling(self.chapter, "-c", self.tools.judged_source(self.chapter), "-o", "host.o"),
                                folder, self.readable, COMPILING, [folder])
        if made.status:
            listed = ", ".join(f"{name} = {value}" for name, value in sorted(values.items()))
            why = next((line for line in made.said.splitlines() if "error:" in line), made.said.strip()[:200])
            raise device_code.Strange(f"the chapter's test does not compile with its constants, {listed}: {why}")
        return folder / "host.o"


def called(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Failed(f"{command[0]}: {done.stderr.strip() or f'exit status {done.returncode}'}")
    return done.stdout
# SPDX-License-Identifier: MIT
