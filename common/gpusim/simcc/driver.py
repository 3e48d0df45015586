"""simcc: compiles and links CUDA C++ for the simulated GPU, the way nvcc does for a real one.

A .cu file takes two passes of clang: the device pass turns its kernels into PTX text, the host pass compiles
the rest, with that text in it. Other sources are compiled by clang, objects and archives are linked.
"""
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

from simcc.configuration import BUILD, CLANG, INCLUDE, LIBRARY, LINK, OBJCOPY, PRECOMPILED, VERSION
from simcc.embedding import embedding, has_place, place_kept
from simcc.files import copied, drop, says_lost, written
from simcc.ignored import OPTIONS as IGNORED
from simcc.ignored import ignored, without_ignored
from simcc.inlining import with_calls
from simcc.keeping import with_all_accesses, with_plain_accesses
from simcc.messages import explain, foreign
from simcc.options import NO_DEVICE_LINKING, SOURCES, Job, fail, is_linked
from simcc.precompiled import header_of, ready_made, write_names
from simcc.remainders import mention_remainders, with_opaque_remainders
from simcc.sources import mention_libcudacxx, overlay, packaged_libcudacxx, sources_of
from simcc.unrolling import mention_unrolled_loops, with_unrolling_of_nvcc
from simcc.vectors import mention_vectors, with_whole_vectors
from standard_streams import open_closed

CHECKER = os.path.join(os.path.dirname(LIBRARY), "gpusim_ptxcheck")


# nvcc replaces calls by the function's code even where that has several thousand instructions; clang stops at about a thousand.
INLINING_OF_NVCC = ["-mllvm", "-inline-threshold=1000"]
# A load stays where its `if` put it: a thread that loads what only another may read would be accused of a race.
NO_SPECULATION = ["-mllvm", "-two-entry-phi-node-folding-threshold=0", "-mllvm", "-phi-node-folding-threshold=0",
                  "-mllvm", "-speculate-one-expensive-inst=false"]
# Two barriers in the two branches of an `if` stay two.
NO_MERGING = ["-mllvm", "-hoist-common-insts=false", "-mllvm", "-sink-common-insts=false"]
# A vector's load stays one, at its line, though its elements are used one by one further on.
WHOLE_LOADS = ["-mllvm", "-disable-vector-combine"]


# NVIDIA's libcu++ asks with such functions what a type is; none of them is ever called. (No precompiled header is made so.)
OF_LIBCUDACXX = ["-Xclang", "-fcuda-allow-variadic-functions"]


# Where clang ends as by a crash, which it does on a full disk, it would leave two files for the names of its functions.
WITHOUT_FILES_OF_A_CRASH = {"LLVM_DISABLE_SYMBOLIZATION": "1"}
# Where clang++ is ccache's, one that lends files between folders (base_dir) would lend a precompiled header that names
# another folder's.
WITHOUT_LENT_HEADERS = {"CCACHE_DISABLE": "1"}


class StalePch(Exception):
    """clang has been upgraded, or a header has changed: the precompiled one no longer fits."""


class Stopped(Exception):
    """A signal asks for an end: ^C, or what closes a terminal or a job."""


class Children:
    """The compilers that run now. A signal ends them; then simcc removes its files and ends as the signal wants."""

    def __init__(self):
        self.lock, self.running, self.signal = threading.Lock(), set(), None
        self.environment = os.environ | WITHOUT_FILES_OF_A_CRASH
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.stop)

    def stop(self, number, _):
        first, self.signal = self.signal is None, number
        for child in list(self.running):
            child.terminate()
        if first:
            raise Stopped

    def start(self, command):
        with self.lock:
            if self.signal is not None:
                raise Stopped
            try:
                child = subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", errors="surrogateescape",
                                         env=self.environment)
            except OSError as error:
                fail(f"{command[0]}: {error.strerror}")
            self.running.add(child)
        if self.signal is not None:
            child.terminate()
        return child

    def end(self, child):
        """Exit status and standard error of a command that was started."""
        try:
            messages = child.communicate()[1]
            return child.returncode, messages
        finally:
            child.wait()
            self.running.discard(child)

    def drop(self, child):
        """Ends a command whose work nobody needs any more."""
        child.terminate()
        self.end(child)


children = None


def lost(error):
    """Ends simcc: standard output cannot be written. What Python tries to write when it ends would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    fail(f"standard output: {error.strerror}")


def announce(command, job):
    if job.verbose or job.dry_run:
        print(shlex.join(command), file=sys.stderr)


def run(command, job, heard=None):
    """The exit status; what clang said is passed on, and added to `heard` if one wants to hear it."""
    announce(command, job)
    return 0 if job.dry_run else told(command, *children.end(children.start(command)), heard)


def told(command, status, messages, heard=None):
    """Passes on what clang said; the exit status."""
    if status and "-include-pch" in command and re.search("PCH file|AST file|precompiled header", messages):
        raise StalePch
    if heard is not None:
        heard.append(messages)
        messages = without_ignored(messages)
    if status and says_lost(command, messages):
        return 2
    if messages:
        sys.stderr.write(explain(messages))
        if status and (what := foreign(messages)):
            print(f"simcc: {what}", file=sys.stderr)
    return status


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


def finish_ptx(made, output, end, change=None):
    """clang writes kernels.cu as ./kernels.cu. `end`: what comes behind its text."""
    with open(made, encoding="utf-8", errors="surrogateescape") as file:
        text = re.sub(r'^(\t\.file\t\d+ ")\./', r"\1", with_calls(file.read()), flags=re.MULTILINE) + end
    if change:
        text = change(text)
    if output != "-":
        with written(output, encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        lost(error)


def check_ptx(ptx, source, job):
    """What ptxas would refuse (limits, instructions that do not exist), as errors with the line of the source, or with
    its name where they are of the whole file."""
    if not os.path.exists(CHECKER):
        return 0  # while the library itself is being built
    if job.verbose:
        print(shlex.join([CHECKER, ptx]), file=sys.stderr)
    done = subprocess.run([CHECKER, ptx], capture_output=True, text=True, errors="surrogateescape", check=False)
    sys.stderr.write(re.sub(rf"^{re.escape(ptx)}(:\d+)?:", lambda _: source + ":", done.stdout + done.stderr, flags=re.MULTILINE))
    with open(ptx, encoding="utf-8", errors="surrogateescape") as file:
        elsewhere = re.findall(r"^\.extern \.(?:global|const) .*?([\w$]+)(?:\[\d*\])?;$", file.read(), re.MULTILINE)
    for name in elsewhere:
        print(f"{source}: error: variable '{name}', which nothing defines", file=sys.stderr)
    if elsewhere or "which nothing defines" in done.stdout:
        print(f"simcc: {source}: {NO_DEVICE_LINKING}", file=sys.stderr)
    return 1 if elsewhere else done.returncode


def colour():
    return ["-fcolor-diagnostics"] if sys.stderr.isatty() and not os.environ.get("NO_COLOR") else []


def passes(job, use_pch):
    """clang's options for the device pass and for the host pass of a .cu file."""
    common = [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", *colour(),
              f"-std={job.standard}", "-Xclang", "-target-sdk-version=11.5",
              # Warnings of nvcc's, the first in host code.
              "-Wno-error=c++11-narrowing", "-Wno-error=register", "-Wno-error=return-type",
              *job.compile,
              "-isystem", INCLUDE, "-include", "cuda_runtime.h"]
    if not use_pch and job.begins_with:  # what was asked for does not fit, and the file begins with that header all the same
        common += ["-include", job.begins_with]
    # Like nvcc, optimise device code whatever -O says. Warnings come from the host pass: it reads the same text. Only
    # those of variables without a value come from the device pass, which passes them on (`uninitialised`).
    is_quiet = ("-w" in job.compile or "-Wno-uninitialized" in job.compile) and not job.keep_accesses
    warnings = ["-w"] if is_quiet else ["-Wno-everything", "-Wuninitialized", *IGNORED]
    # Without a value a variable is not what would be right by chance, nor what the compiler likes best. But an array is
    # filled by stores that no GPU counts: so only who judges a kernel asks for it.
    filled = ["-ftrivial-auto-var-init=pattern"] if job.fill_variables else []
    # A kernel that uses a null pointer keeps doing so: nvcc compiles it to a trap, and clang would leave nothing of it.
    device = [*common, "-O2", "-fno-delete-null-pointer-checks", *warnings, *filled, "--cuda-device-only", "-S",
              "-Xclang", "-debug-info-kind=line-tables-only", "-Xclang", "-dwarf-version=2",
              *NO_SPECULATION, *INLINING_OF_NVCC, *job.device,
              "-fdebug-compilation-dir=.", "-Xclang", "-target-feature", "-Xclang", "+ptx70"]
    # Line tables say where a program calls what is refused. A call in place of a return would be of another line.
    lines = [] if "-g" in job.compile else ["-gline-tables-only"]
    host = [*common, *job.host, job.optimise, *lines, "-fno-optimize-sibling-calls", "-Wno-uninitialized", "--cuda-host-only",
            "-c"]
    if use_pch:
        device += ["-Xclang", "-include-pch", "-Xclang", use_pch + ".device"]
        host += ["-Xclang", "-include-pch", "-Xclang", use_pch]
    return device, host


def change_ir(path, *changes):
    """Rewrites a file of LLVM IR."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    for change in changes:
        text = change(text)
    with written(path, encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def device_pass(job, command, source, output, scratch, sources):
    """Writes the PTX of a .cu file; the exit status. Where nvcc would make other code of what `sources` mention, clang stops
    at half its way, and its LLVM IR is changed."""
    vectors, unrolled = mention_vectors(sources), mention_unrolled_loops(sources)
    remainders = mention_remainders(sources)
    made, said = os.path.join(scratch, "clang.ptx"), []
    comments, volatile = "", None  # with --keep-accesses

    def keep_accesses(text):
        nonlocal comments, volatile
        text, comments, volatile = with_all_accesses(text)
        return text

    if vectors or unrolled or remainders or job.keep_accesses:
        ir = os.path.join(scratch, "device.ll")
        failed = run([*command, "-emit-llvm", "-Xclang", "-disable-llvm-passes", source, "-o", ir], job, said)
        if not failed:
            if not job.dry_run:
                change_ir(ir, with_whole_vectors, with_unrolling_of_nvcc, with_opaque_remainders,
                          *[keep_accesses] * job.keep_accesses)
            # The second half does not know of CUDA, where a * b + c is one instruction unless -fmad=false says otherwise.
            fused = [] if "-ffp-contract=off" in job.device else ["-mllvm", "-nvptx-fma-level=2"]
            whole = (WHOLE_LOADS if vectors else []) + (NO_MERGING if job.keep_accesses else [])
            failed = run([CLANG, *colour(), "-x", "ir", "--target=nvptx64-nvidia-cuda", "-march=sm_80", "-O2", "-w", "-S",
                          *NO_SPECULATION, *INLINING_OF_NVCC, *whole, *fused, "-Xclang", "-target-feature", "-Xclang", "+ptx70",
                          ir, "-o", made], job, said)
    else:
        failed = run([*command, source, "-o", made], job, said)
    if not failed and not job.dry_run:
        text = "".join(said)
        change = (lambda ptx: with_plain_accesses(ptx, volatile)) if job.keep_accesses else None
        finish_ptx(made, output, uninitialised(text) + comments + ("" if job.only_ptx else ignored(text)), change)
    return failed


def embed(job, ptx, output, scratch):
    """Puts the PTX into the object that the host pass has made; the exit status."""
    if not has_place(output):
        return 0
    whole = os.path.join(scratch, "whole.o")
    failed = run(embedding(OBJCOPY, ptx, output, whole), job)
    if not failed:
        copied(whole, output)
    return failed


def compile_cuda(job, source, output, scratch):
    """Both passes of one .cu file, at the same time."""
    sources = list(sources_of(source, job.compile))
    libcudacxx = mention_libcudacxx(sources)
    reads = overlay(sources + packaged_libcudacxx() * libcudacxx, scratch) + OF_LIBCUDACXX * libcudacxx
    device, host = (command + reads for command in passes(job, None if libcudacxx else job.use_pch))
    if job.only_ptx:
        return device_pass(job, device + depfile_options(job, source, output), source, output, scratch, sources)
    ptx = os.path.join(scratch, "device.ptx")
    host += [*place_kept(scratch), *depfile_options(job, source, output), source, "-o", output]
    if job.dry_run:
        announce(device, job)
        announce(host, job)
        return 0
    host_pass = children.start(host)
    try:
        failed = device_pass(job, device, source, ptx, scratch, sources) or check_ptx(ptx, source, job)
        if failed:
            return failed
        announce(host, job)
        done, host_pass = children.end(host_pass), None
        failed = told(host, *done) or embed(job, ptx, output, scratch)
        if not failed:
            output = None
        return failed
    finally:
        if host_pass:
            children.drop(host_pass)
        if output:
            drop(output)  # without its PTX it is half an object


def precompile(job):
    """The header that --use-pch begins with, in the state in which clang has read it, once for each pass."""
    header, output = job.files[0], job.create_pch
    children.environment |= WITHOUT_LENT_HEADERS
    # In place of what -S and -c make. What the header instantiates is not left to each file that begins with it.
    emit = ["-Xclang", "-emit-pch", "-fpch-instantiate-templates"]
    device, host = passes(job, job.use_pch)
    with tempfile.TemporaryDirectory(prefix="simcc.") as scratch:
        rules = [os.path.join(scratch, "device.d"), os.path.join(scratch, "host.d")]
        worst = (run([*device, *emit, "-MD", "-MF", rules[0], header, "-o", output + ".device"], job) or
                 run([*host, *emit, "-MD", "-MF", rules[1], "-MQ", job.target or output, header, "-o", output], job))
        if worst or job.dry_run:
            return worst
        texts = []
        for rule in rules:
            with open(rule, encoding="utf-8", errors="surrogateescape") as file:
                texts.append(file.read())
        if job.depend:
            with written(job.depfile or os.path.splitext(output)[0] + ".d", encoding="utf-8", errors="surrogateescape") as file:
                file.write(texts[1])
        write_names(output + ".names", header, texts)
    return 0


def compile_source(job, source, output, scratch):
    language = job.language or SOURCES[os.path.splitext(source)[1]]
    if language == "cuda":
        return compile_cuda(job, source, output, scratch)
    if job.only_ptx:
        fail(f"{source}: -ptx takes .cu files")
    standard = [] if language == "c" else [f"-std={job.standard}"]
    return run([CLANG, "-x", language, *standard, *colour(), job.optimise, *job.compile, *job.host, "-isystem", INCLUDE,
                *depfile_options(job, source, output), "-c", source, "-o", output], job)


def compile_all(job, objects):
    """Compiles each source to its object (or PTX), several at a time; the worst exit status."""
    def build(source):
        with tempfile.TemporaryDirectory(prefix="simcc.") as own:
            try:
                return compile_source(job, source, objects[source], own)
            except StalePch:
                if not chosen:  # it is the build's, which makes it anew when it is asked to
                    print(f"simcc: the precompiled header does not fit any more; {source} is compiled without it",
                          file=sys.stderr)
                job.use_pch = None
                return compile_source(job, source, objects[source], own)

    chosen = not job.use_pch
    job.begins_with = None if chosen else header_of(job.use_pch)
    if chosen:
        job.use_pch = ready_made(job, PRECOMPILED)
    if len(objects) == 1:
        return build(*objects)
    import concurrent.futures  # not needed for one file
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        return max(pool.map(build, objects), default=0)
    finally:
        pool.shutdown(cancel_futures=True)


def compile_and_link(job):
    sources = [path for path in job.files if not is_linked(path)]
    if job.only_compile or job.only_ptx:
        return compile_all(job, {source: job.kept(source) for source in sources})
    if not os.path.exists(LIBRARY):
        fail(f"{LIBRARY} is not built yet: ninja -C {BUILD} steps")
    with tempfile.TemporaryDirectory(prefix="simcc.") as scratch:
        objects = {source: f"{scratch}/{index}_{os.path.splitext(os.path.basename(source))[0]}.o"
                   for index, source in enumerate(sources)}
        worst = compile_all(job, objects)
        if worst:
            return worst
        shared = ["-shared"] if job.shared else []
        libraries = [LIBRARY, *job.link, "-lpthread", "-ldl", "-lm"]
        worst = run([*shlex.split(LINK), *shared, *(objects.get(path, path) for path in job.files), *libraries,
                     "-o", *job.outputs()], job)
        for what in dict.fromkeys(job.missing_libraries) if worst else ():
            print(f"simcc: {what}", file=sys.stderr)
        return worst


def work(job):
    if job.wants_version:
        clang = subprocess.run([CLANG, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
        print(f"simcc {VERSION}: CUDA C++ for the simulated GPU of Warp by Warp\n{clang.splitlines()[0]}")
        return 0
    return precompile(job) if job.create_pch else compile_and_link(job)


def main():
    global children
    open_closed()
    children = Children()
    sys.stdout.reconfigure(errors="surrogateescape")  # names of files that are not UTF-8
    try:
        status = work(Job(sys.argv[1:]))
        sys.stdout.flush()
        return status
    except (Stopped, KeyboardInterrupt):
        number = children.signal or signal.SIGINT
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}") if error.filename else lost(error)

# SPDX-License-Identifier: MIT
