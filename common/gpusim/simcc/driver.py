"""simcc: compiles and links CUDA C++ for the simulated GPU, the way nvcc does for a real one.

A .cu file takes two passes of clang: the device pass turns its kernels into PTX text, the host pass compiles
the rest, with that text in it. Other sources are compiled by clang, objects and archives are linked.
"""
import os
import shlex
import signal
import subprocess
import sys
import tempfile

from simcc import processes
from simcc.configuration import BUILD, CLANG, INCLUDE, LIBRARY, LINK, OBJCOPY, PRECOMPILED, VERSION
from simcc.device_pass import check_ptx, device_pass
from simcc.embedding import embedding, has_place, place_kept
from simcc.files import copied, drop, lost, written
from simcc.options import SOURCES, Job, fail, is_linked
from simcc.passes import colour, depfile_options, passes
from simcc.precompiled import header_of, ready_made, write_names
from simcc.processes import StalePch, Stopped, announce, run, told
from simcc.recorded import recorded
from simcc.sources import mention_libcudacxx, overlay, packaged_libcudacxx, sources_of
from standard_streams import open_closed

# NVIDIA's libcu++ asks with such functions what a type is; none of them is ever called. (No precompiled header is made so.)
OF_LIBCUDACXX = ["-Xclang", "-fcuda-allow-variadic-functions"]
# If clang++ is ccache's, a ccache that shares files between folders (base_dir) would supply a precompiled header that names
# the headers of another folder.
WITHOUT_LENT_HEADERS = {"CCACHE_DISABLE": "1"}


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
        failed = device_pass(job, device + depfile_options(job, source, output), source, output, scratch, sources)
        return failed or (job.inspect([*device, source], sources) if job.inspect else 0)
    ptx = os.path.join(scratch, "device.ptx")
    host += [*place_kept(scratch), *depfile_options(job, source, output), source, "-o", output]
    if job.dry_run:
        announce(device, job)
        announce(host, job)
        return 0
    host_pass = processes.children.start(host)
    try:
        failed = device_pass(job, device, source, ptx, scratch, sources) or check_ptx(ptx, source, job)
        if failed:
            return failed
        announce(host, job)
        done, host_pass = processes.children.end(host_pass), None
        failed = told(host, *done) or embed(job, ptx, output, scratch)
        if not failed:
            output = None
        return failed
    finally:
        if host_pass:
            processes.children.drop(host_pass)
        if output:
            drop(output)  # without its PTX it is half an object


def precompile(job):
    """The header that --use-pch begins with, in the state in which clang has read it, once for each pass."""
    header, output = job.files[0], job.create_pch
    processes.children.environment |= WITHOUT_LENT_HEADERS
    # Replaces the options -S and -c. Templates are instantiated here, so that not every file has to do it.
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
        carried = []
        if job.links_nvrtc:
            carried, worst = recorded(job, scratch)
        if worst:
            return worst
        shared = ["-shared"] if job.shared else []
        libraries = [LIBRARY, *job.link, "-lpthread", "-ldl", "-lm"]
        worst = run([*shlex.split(LINK), *shared, *(objects.get(path, path) for path in job.files), *carried, *libraries,
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
    open_closed()
    processes.children = processes.Children()
    sys.stdout.reconfigure(errors="surrogateescape")  # names of files that are not UTF-8
    try:
        if sys.argv[-1] == "--nvrtc":
            from simcc.nvrtc import serve  # not needed otherwise
            status = serve(sys.argv[1:-1])
        else:
            status = work(Job(sys.argv[1:]))
        sys.stdout.flush()
        return status
    except (Stopped, KeyboardInterrupt):
        number = processes.children.signal or signal.SIGINT
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}") if error.filename else lost(error)

# SPDX-License-Identifier: MIT
